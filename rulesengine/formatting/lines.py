"""A line while it is written."""

from __future__ import annotations

from rulesengine.diagnostics.render import cells


class Line:
    """A line: how far in it begins, its words, and the comment at its end.

    A text of several lines stands in one of these whole.
    """

    __slots__ = ("after_blank", "comment", "indent", "text")

    def __init__(self, indent: int, after_blank: bool) -> None:
        self.indent = indent
        self.after_blank = after_blank
        self.text = ""
        self.comment = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written yet."""
        return not self.text and not self.comment

    @property
    def width(self) -> int:
        """How many columns it takes, without its comment."""
        before, line_end, last = self.text.rpartition("\n")
        return cells(last) if line_end else self.indent + cells(before or last)

    def add(self, gap: str, text: str) -> None:
        """Write a word after a gap."""
        self.text += gap + text

    def written(self) -> str:
        """Return it as it stands in the file, with the blank line before it."""
        blank = "\n" if self.after_blank else ""
        between = "  " if self.text and self.comment else ""
        return f"{blank}{' ' * self.indent}{self.text}{between}{self.comment}"
