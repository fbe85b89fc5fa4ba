"""Source text and places in it."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from rulesengine.struct import Struct


class Source(Struct, frozen=True, eq=False, dict=True):
    """A text with the name that messages give it (a path as the user wrote it, usually)."""

    name: str
    text: str

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets of the first character of every line."""
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """Return the line, from 1, that holds the character at `offset`."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        """Return the text of a line, from 1, without its end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


class Span(Struct, frozen=True):
    """A stretch of a source: offsets in characters, the end not included."""

    source: Source
    start: int
    end: int

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        """The column of the first character, from 1, in characters."""
        return self.start - self.source.line_starts[self.line - 1] + 1

    @property
    def line_text(self) -> str:
        """The whole line that the first character stands in."""
        return self.source.line_text(self.line)

    @property
    def width(self) -> int:
        """How many characters of the first line it covers, at least 1."""
        rest = len(self.line_text) - self.column + 1
        return max(1, min(self.end - self.start, rest))

    @property
    def text(self) -> str:
        """The words it covers."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """Return the stretch from the start of this one to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))


class Place(Struct, frozen=True):
    """A place in a text that is not kept, such as one line of an evidence file.

    `line` and `column` count from 1; a `line` of 0 stands for the file as a whole, a `column` of 0 for the line.
    """

    name: str
    line: int = 0
    column: int = 0
    line_text: str = ""
    width: int = 1
