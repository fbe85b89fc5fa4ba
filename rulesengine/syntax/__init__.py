"""Text to syntax nodes."""
