"""Bands: every score that can come out has one band, and the first that holds it is the one meant.

`from 95` takes what is at least 95, `below 40` what is less, `90 to 94` both ends and what lies between. The first band
that takes a score, and whose condition holds, names it: a band with a condition leaves all it takes to those below it,
since the condition may fail to hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.reach import Reach, reach_of_score
from rulesengine.check.scope import Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.values import show_number

MOST_BANDS = 100  # each is held against all others


class Interval(Struct, frozen=True):
    """The scores from `low` to `high`; None is no bound; `open_low`, `open_high` leave the bound itself out."""

    low: Fraction | None
    high: Fraction | None
    open_low: bool
    open_high: bool

    def is_empty(self) -> bool:
        """Whether no number lies in it."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))


def interval_of(band: n.Band) -> Interval:
    """Return the scores that a band's own words take."""
    return Interval(
        low=band.low.value if band.low else None,
        high=band.high.value if band.high else None,
        open_low=False,
        open_high=not band.inclusive,
    )


def check_bands(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each gap, overlap and band that no score reaches.

    Relies on every other check having found no error, since it asks what scores can come out.
    """
    if scope.score is None or not scope.bands:
        return []
    reach = reach_of_score(scope)
    found: list[Diagnostic] = []
    for bands in scope.bands:
        if len(bands.bands) > MOST_BANDS:
            found.append(
                Diagnostic(
                    codes.TOO_COSTLY,
                    f"more than {MOST_BANDS} bands in one block",
                    bands.name.span,
                    help="a score with so many names is better read as the number that it is",
                )
            )
            continue
        found.extend(_backwards(bands) or [*_order(bands, reach), *_gaps(bands, reach)])
    return found


def _backwards(bands: n.Bands) -> list[Diagnostic]:
    return [
        Diagnostic(
            codes.BAND_BACKWARDS,
            f'no number lies in the band "{band.name}"',
            band.span,
            help="the lower bound comes first: `90 to 94`, `from 90 below 95`",
        )
        for band in bands.bands
        if interval_of(band).is_empty()
    ]


def _order(bands: n.Bands, reach: Reach) -> Iterator[Diagnostic]:
    """What each band leaves to those below it."""
    names: dict[str, n.Band] = {}
    for index, band in enumerate(bands.bands):
        before = band if band.condition else names.setdefault(band.name, band)
        if before is not band:
            yield Diagnostic(
                codes.DECLARED_TWICE,
                f'two bands are called "{band.name}"',
                band.span,
                labels=(Label(before.span, "the first one"),),
            )
        mine = interval_of(band)
        left = [mine]
        for earlier in _certain(bands.bands[:index]):
            theirs = interval_of(earlier)
            left = [piece for part in left for piece in _minus(part, theirs)]
            if not left:
                yield Diagnostic(
                    codes.BAND_HIDDEN,
                    f'no score comes as far as the band "{band.name}"',
                    band.span,
                    labels=(Label(earlier.span, "this one takes them first"),),
                    help="order the bands from the highest down",
                )
                break
            if (
                band.condition is None
                and _both_bounded(mine, theirs)
                and not _meet(mine, theirs).is_empty()
            ):
                shared = _meet(mine, theirs)
                yield Diagnostic(
                    codes.BAND_OVERLAP,
                    f'the score {show_number(_some(shared))} is both "{earlier.name}" and "{band.name}"',
                    band.span,
                    labels=(Label(earlier.span, "the other band"),),
                    help="`from 90 below 95` leaves its upper bound out",
                )
        if left and not any(_example(piece, reach) is not None for piece in left):
            yield Diagnostic(
                codes.BAND_NEVER_REACHED,
                f'no score lies in the band "{band.name}": scores go from {show_number(reach.low)} '
                f"to {show_number(reach.high)}",
                band.span,
            )


def _gaps(bands: n.Bands, reach: Reach) -> Iterator[Diagnostic]:
    """What is left of the range when every band has taken its part."""
    left = [Interval(reach.low, reach.high, open_low=False, open_high=False)]
    for band in _certain(bands.bands):
        left = [piece for part in left for piece in _minus(part, interval_of(band))]
    for gap in left:
        labels = tuple(
            Label(band.span, f'"{band.name}" {side}') for band, side in _neighbours(bands, gap)
        )
        example = _example(gap, reach)
        where = _describe(gap)
        if example is not None:
            yield Diagnostic(
                codes.BAND_GAP,
                f"a score {where} has no band in `{bands.name.text}`; {_exactly(example)} "
                f"{'can come out' if reach.bits is not None else 'is not ruled out'}",
                bands.name.span,
                labels=labels,
                help=_mend(bands, gap, reach),
            )
        else:
            yield Diagnostic(
                codes.BAND_GAP_UNREACHABLE,
                f"no band of `{bands.name.text}` takes a score {where}, and none can come out",
                bands.name.span,
                labels=labels,
            )


def _certain(bands: tuple[n.Band, ...]) -> Iterator[n.Band]:
    """Those that take what lies in them whatever else holds."""
    return (band for band in bands if band.condition is None)


def _mend(bands: n.Bands, gap: Interval, reach: Reach) -> str:
    """How to close a gap: the band below it made half-open, or one more band at an end of the range."""
    below = next(
        (b.low.value for b in bands.bands if b.low and b.high and b.high.value == gap.low), None
    )
    if below is not None:
        low = show_number(below)
        return (
            f"a half-open band leaves none: `from {low}` takes all from {low} up to the next band"
        )
    assert gap.low is not None
    assert gap.high is not None
    if gap.low == reach.low:
        return f"add a band: `below {show_number(gap.high)} -> …`"
    return f"add a band: `from {show_number(gap.low)} -> …`"


def _neighbours(bands: n.Bands, gap: Interval) -> Iterator[tuple[n.Band, str]]:
    for band in bands.bands:
        mine = interval_of(band)
        if mine.low is not None and mine.low == gap.high and gap.open_high:
            yield band, f"begins at {show_number(mine.low)}"
        if mine.high is not None and mine.high == gap.low:
            yield band, f"ends at {show_number(mine.high)}"


def _describe(gap: Interval) -> str:
    assert gap.low is not None
    assert gap.high is not None
    if gap.low == gap.high:
        return f"of {show_number(gap.low)}"
    if gap.open_low and gap.open_high:
        return f"between {show_number(gap.low)} and {show_number(gap.high)}"
    low = f"{'above' if gap.open_low else 'from'} {show_number(gap.low)}"
    high = f"{'below' if gap.open_high else 'up to'} {show_number(gap.high)}"
    return f"{low} {high}"


def _exactly(value: Fraction) -> str:
    shown = show_number(value)
    return f"{shown} (≈ {float(value):.4g})" if "/" in shown else shown


def _example(piece: Interval, reach: Reach) -> Fraction | None:
    return reach.first_between(
        piece.low, piece.high, with_low=not piece.open_low, with_high=not piece.open_high
    )


def _both_bounded(one: Interval, other: Interval) -> bool:
    """Bands without a bound overlap by design: the first takes what is meant."""
    return None not in (one.low, one.high) and None not in (other.low, other.high)


def _some(interval: Interval) -> Fraction:
    assert interval.low is not None
    assert interval.high is not None
    if not interval.open_low:
        return interval.low
    return (interval.low + interval.high) / 2


def _meet(one: Interval, other: Interval) -> Interval:
    low, open_low = one.low, one.open_low
    if low is None or (other.low is not None and (other.low, other.open_low) > (low, open_low)):
        low, open_low = other.low, other.open_low
    high, open_high = one.high, one.open_high
    if high is None or (
        other.high is not None and (other.high, not other.open_high) < (high, not open_high)
    ):
        high, open_high = other.high, other.open_high
    return Interval(low, high, open_low=open_low, open_high=open_high)


def _minus(one: Interval, taken: Interval) -> Iterator[Interval]:
    """What is left of one interval without another: at most a piece on each side."""
    if taken.low is not None:
        below = _meet(one, Interval(None, taken.low, open_low=False, open_high=not taken.open_low))
        if not below.is_empty():
            yield below
    if taken.high is not None:
        above = _meet(
            one, Interval(taken.high, None, open_low=not taken.open_high, open_high=False)
        )
        if not above.is_empty():
            yield above
