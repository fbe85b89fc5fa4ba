"""The command `rubric`."""
