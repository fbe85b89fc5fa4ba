"""The one way in which rubrics are laid out."""
