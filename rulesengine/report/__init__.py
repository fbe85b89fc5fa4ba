"""Results: for programs, for files and for readers."""
