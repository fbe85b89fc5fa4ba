"""Evidence: raw JSON values to records that a rubric can be run on."""
