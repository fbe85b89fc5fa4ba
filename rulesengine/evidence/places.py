"""Places inside the text of one record, told from the place of the record itself."""

from __future__ import annotations

from rulesengine.source import Place

# A longer line is not quoted: a thousand faults in a file of one long line must not copy it a
# thousand times.
LONGEST_QUOTED = 10_000


def place_in(text: str, start: int, end: int, origin: Place) -> Place:
    """Return the place of the characters `start` to `end` of `text`, which begins at `origin`.

    A record that came from no file (its line is 0) has no places inside it.
    """
    if not origin.line:
        return origin
    first = text.rfind("\n", 0, start) + 1
    before = text.count("\n", 0, start)
    column = start - first + 1
    if before == 0:
        column += max(origin.column, 1) - 1
    return Place(
        origin.name,
        origin.line + before,
        column,
        _line(text, first, origin, column - 1 - (start - first)),
        max(1, min(end, _line_end(text, start)) - start),
    )


def _line(text: str, first: int, origin: Place, cut: int) -> str:
    """Return the line that begins at `first`, or nothing where it is not known or too long."""
    if origin.line_text and first == 0:
        return origin.line_text
    end = _line_end(text, first)
    if cut or end - first > LONGEST_QUOTED:
        return ""
    return text[first:end].rstrip("\r")


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
