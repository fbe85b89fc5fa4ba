"""Results as a table for people."""

from __future__ import annotations

from fractions import Fraction
from typing import IO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rulesengine.diagnostics.codes import UNSCORED_ROW
from rulesengine.diagnostics.render import visible
from rulesengine.report.result import Place, Result
from rulesengine.report.run import Run
from rulesengine.values import Plain, show, show_number
from rulesengine_cli.streams import coloured

WIDE = 100  # columns of a terminal
WIDEST_NAME = 24  # columns that a subject's name gets, however narrow the terminal


def write_table(run: Run, stream: IO[str]) -> None:
    """Write one row a subject, the highest score first: rank, subject, score, bands, outermost criteria."""
    first = run.results[0] if run.results else None
    if first is None:
        return
    parts = [path for path in first.values if "." not in path]
    terminal = stream.isatty()
    console = Console(file=stream, no_color=not coloured(stream), width=None if terminal else 120)
    table = Table(box=None, pad_edge=False, padding=_gap(console), header_style="bold")
    table.add_column("rank", justify="right")
    for name in first.subject:
        longest = max(len(show(result.subject[name])) for result in run.results)
        table.add_column(_cell(name), overflow="fold", min_width=min(longest, WIDEST_NAME))
    table.add_column(f"score / {show_number(first.out_of)}", justify="right")
    for name in first.bands:
        table.add_column(_cell(name), no_wrap=True)
    for part in parts:
        table.add_column(_cell(part), justify="right")
    for name in first.places:
        table.add_column(_cell(name), justify="right")
    table.add_column("left out", justify="right")
    degraded = any(result.degraded for result in run.results)
    if degraded:
        table.add_column("beware")
    for result in sorted(run.results, key=_order):
        table.add_row(
            str(result.rank or ""),
            *(_cell(show(value)) for value in result.subject.values()),
            _points(result.score) if result.score is not None else result.status,
            *(_cell(band or "") for band in result.bands.values()),
            *(_points(result.values.get(part)) for part in parts),
            *(_place(place) for place in result.places.values()),
            str(_left_out(result)),
            *([Text("; ".join(result.degraded))] if degraded else []),
        )
    console.print(table)


def _gap(console: Console) -> tuple[int, int, int, int]:
    """The space around a cell: two columns between cells, or one where the terminal is narrow."""
    return (0, 2 if console.width >= WIDE else 1, 0, 0)


def _cell(text: str) -> Text:
    """A text as it is: without markup of rich's, and with nothing that moves the cursor."""
    return Text(visible(text))


def _order(result: Result) -> tuple[int, Fraction]:
    """By rank; those without a score last, in their own order."""
    return (result.rank is None, Fraction(result.rank or 0))


def _left_out(result: Result) -> int:
    """How many records some part of the score was worked out without: excluded, or not scored by a row."""
    unscored = {each.keys for each in result.unscored if each.code is UNSCORED_ROW}
    return len({each.keys for each in result.excluded} | unscored)


def _place(place: Place) -> str:
    """A place in a ranking, with what it means to be kept."""
    rank = "–" if place.rank is None else str(place.rank)
    return rank if place.kept else f"{rank} out"


def _points(value: Plain | None) -> str:
    """Points with two decimals; the exact ones are in the other formats."""
    if not isinstance(value, Fraction):
        return "–" if value is None else visible(show(value))
    hundredths = int(abs(value) * 100 + Fraction(1, 2))  # half up, on the exact points
    return f"{'-' if value < 0 else ''}{hundredths // 100}.{hundredths % 100:02}"
