"""Consecutive items lined up by their signs: the arrows of rows, the colons of fields, the `=` of definitions."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.diagnostics.render import cells
from rulesengine.formatting.lines import Line
from rulesengine.struct import Struct


class Entry(Struct, frozen=True):
    """An item that was written.

    Attributes:
        line: its first line.
        mark: where its sign starts in the text of that line, and which sign it is; None where it has none there.
        after_blank: whether a blank line stands before it or in the comments before it.
        is_long: whether it has more lines, and the last one stands no further in than the first.
    """

    line: Line
    mark: tuple[int, str] | None
    after_blank: bool
    is_long: bool

    @property
    def column(self) -> int:
        """The column of its sign."""
        assert self.mark is not None
        return self.line.indent + cells(self.line.text[: self.mark[0]])

    @property
    def width(self) -> int:
        """The columns up to the end of its first line, which is where its sign stands."""
        return self.line.indent + cells(self.line.text.partition("\n")[0])


def align(entries: list[Entry], widest: int) -> None:
    """Line up the items of a block; no line gets wider than `widest` by that.

    Comments between two of them part them no more than they part a table's rows; a blank line does.
    """
    for run in _runs(entries):
        kept = sorted(run, key=lambda entry: entry.column)
        while kept and any(
            kept[-1].column > entry.column and entry.width + kept[-1].column - entry.column > widest
            for entry in kept
        ):
            kept.pop()
        for entry in kept:
            assert entry.mark is not None
            at = entry.mark[0]
            pad = " " * (kept[-1].column - entry.column)
            entry.line.text = entry.line.text[:at] + pad + entry.line.text[at:]


def _runs(entries: list[Entry]) -> Iterator[list[Entry]]:
    run: list[Entry] = []
    for entry in entries:
        kind = entry.mark[1] if entry.mark else ""
        if run and (entry.after_blank or run[-1].is_long or not _is_of(run[-1], kind)):
            yield run
            run = []
        if entry.mark:
            run.append(entry)
    if run:
        yield run


def _is_of(entry: Entry, kind: str) -> bool:
    return entry.mark is not None and entry.mark[1] == kind
