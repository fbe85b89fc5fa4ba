"""What is proved about a rubric before it runs. Each module answers one question about the syntax."""
