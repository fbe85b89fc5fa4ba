"""Running a rule graph over evidence."""
