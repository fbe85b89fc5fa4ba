"""Results as a table for people."""

from __future__ import annotations

from fractions import Fraction
from typing import IO

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from rulesengine.diagnostics.codes import UNSCORED_ROW
from rulesengine.diagnostics.render import visible
from rulesengine.report.result import Place, Result
from rulesengine.report.run import Run
from rulesengine.values import Plain, show, show_number
from rulesengine_cli.streams import coloured

WIDE = 100  # columns of a terminal
WIDEST = 10_000  # of a table that is no terminal's
LEAST_DIGITS, MOST_DIGITS = 2, 12
WIDEST_NAME = 24  # columns that a subject's name gets, however narrow the terminal


def write_table(run: Run, stream: IO[str]) -> None:
    """Write one row a subject, the highest score first: rank, subject, score, bands, outermost criteria.

    On a terminal, figures that do not fit are left out, and a line says which. Elsewhere a table is as wide as it is.
    """
    first = run.results[0] if run.results else None
    if first is None:
        return
    parts = [path for path in first.values if "." not in path]
    width = None if stream.isatty() else WIDEST
    console = Console(file=stream, no_color=not coloured(stream), width=width)
    shown = len(parts)
    table = _table(run, parts, console)
    while shown and Measurement.get(console, console.options, table).maximum > console.width:
        shown -= 1
        table = _table(run, parts[:shown], console)
    console.print(table)
    if shown < len(parts):
        names = ", ".join(map(visible, parts[shown:]))
        console.print(Text(f"too narrow for {names}: `--format csv` has every figure"))


def _table(run: Run, parts: list[str], console: Console) -> Table:
    """A table with these parts of the score."""
    first = run.results[0]
    table = Table(box=None, pad_edge=False, padding=_gap(console), header_style="bold")
    table.add_column("rank", justify="right")
    for name in first.subject:
        longest = max(len(show(result.subject[name])) for result in run.results)
        table.add_column(_cell(name), overflow="fold", min_width=min(longest, WIDEST_NAME))
    table.add_column(f"score / {show_number(first.out_of)}", justify="right", no_wrap=True)
    for name in first.bands:
        table.add_column(_cell(name), no_wrap=True)
    for part in parts:
        table.add_column(_cell(part), justify="right", no_wrap=True)
    for name in first.places:
        table.add_column(_cell(name), justify="right", no_wrap=True)
    table.add_column("left out", justify="right", no_wrap=True)
    degraded = any(result.degraded for result in run.results)
    if degraded:
        table.add_column("beware")
    digits = _digits([result.score for result in run.results if result.score is not None])
    for result in sorted(run.results, key=_order):
        table.add_row(
            str(result.rank or ""),
            *(_cell(show(value)) for value in result.subject.values()),
            _points(result.score, digits) if result.score is not None else result.status,
            *(_cell(band or "") for band in result.bands.values()),
            *(_points(result.values.get(part)) for part in parts),
            *(_place(place) for place in result.places.values()),
            str(_left_out(result)),
            *([Text("; ".join(result.degraded))] if degraded else []),
        )
    return table


def _digits(scores: list[Fraction]) -> int:
    """How many decimals tell scores apart, and from the whole and half points at which bands mostly begin.

    At least two, and no more than MOST_DIGITS: behind that two scores may look alike.
    """
    for digits in range(LEAST_DIGITS, MOST_DIGITS):
        shown = {score: _rounded(score, digits) for score in scores}
        tells_apart = len(set(shown.values())) == len(shown)
        if tells_apart and all(
            (rounded * 2).denominator != 1 or rounded == score for score, rounded in shown.items()
        ):
            return digits
    return MOST_DIGITS


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
    said = "–" if place.place is None else str(place.place)
    return said if place.kept else f"{said} out"


def _rounded(value: Fraction, digits: int) -> Fraction:
    """A number to so many decimals, half away from 0, worked out on the exact number."""
    whole = int(abs(value) * 10**digits + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 10**digits)


def _points(value: Plain | None, digits: int = LEAST_DIGITS) -> str:
    """Points with two decimals or more; the exact ones are in the other formats."""
    if not isinstance(value, Fraction):
        return "–" if value is None else visible(show(value))
    whole, rest = divmod(int(abs(_rounded(value, digits)) * 10**digits), 10**digits)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{digits}}"
