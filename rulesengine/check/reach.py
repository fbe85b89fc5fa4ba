"""Reach: which scores can come out.

A part whose results are constants gives one of finitely many results; so does one whose results are integers of a
known range. The mean over a key of at most m options gives, for each number k of records from 1 to m, the sums of k
results divided by k; a total gives the sums of what its parts give. All this is arithmetic on sets of integers over
one common denominator, kept as the bits of one integer each: adding a constant to every member of a set is a shift.

The set is never too small: parts are taken as independent, though they may share evidence. Where it is not finite or
too large, what is known is the range alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, lcm

from rulesengine.check.scales import Scale, out_of, results_of, scale_of
from rulesengine.check.scope import ROWS, Part, Scope
from rulesengine.check.types import Checker
from rulesengine.check.weights import factor, is_penalty, score_out_of
from rulesengine.primitives.number_types import either
from rulesengine.primitives.numbers import rounded
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.types import NumberType, OneOfType

MOST_POINTS = 200_000  # scores in a set; past it, only the range is kept
MOST_WORK = 2_000_000_000  # bits shifted in one sum, some tenths of a second; past it, likewise
MOST_MAPPED = 20_000  # members of a set that are looked at one by one
UNBOUNDED_LOW, UNBOUNDED_HIGH = (
    Fraction(-(10**30)),
    Fraction(10**30),
)  # of a sum over any number of records
MOST_RECORDS = 24  # averaged; the common denominator grows with their least common multiple


class Reach(Struct, frozen=True):
    """Scores that can come out: every one lies from `low` to `high`.

    With `bits`, it is `low + i / denominator` for some bit i that is set; without, any score in the range may be.
    """

    low: Fraction
    high: Fraction
    denominator: int = 1
    bits: int | None = None

    def first_between(
        self, low: Fraction | None, high: Fraction | None, *, with_low: bool, with_high: bool
    ) -> Fraction | None:
        """Return a score that can come out between two bounds (None: no bound), or None.

        Of a finite set it is the least; of a range it is the middle of what lies between, or its end.
        """
        start = self.low if low is None or low < self.low else low
        end = self.high if high is None or high > self.high else high
        takes_start = with_low or low is None or low < self.low
        takes_end = with_high or high is None or high > self.high
        if start > end or (start == end and not (takes_start and takes_end)):
            return None
        if self.bits is None:
            return start if start == end else (start + end) / 2
        steps = (start - self.low) * self.denominator
        index = -(-steps.numerator // steps.denominator)
        if steps.denominator == 1 and not takes_start:
            index += 1
        rest = self.bits >> index
        if rest == 0:
            return None
        value = self.low + Fraction(index + (rest & -rest).bit_length() - 1, self.denominator)
        return value if value < end or (value == end and takes_end) else None


def reach_of_score(scope: Scope) -> Reach:
    """Return what the total of a checked rubric can be."""
    return steps_of_score(scope)[-1][1]


def reach_of(part: Part, scope: Scope) -> Reach:
    """Return what a part of a checked rubric can be."""
    return steps_of(part, scope)[-1][1]


def steps_of_score(scope: Scope) -> list[tuple[n.Step | None, Reach]]:
    """Return what the parts add up to (step None), then what it is after each step that acts on the total."""
    assert scope.score is not None
    reach = _block(scope.parts, score_out_of(scope), scope.score.renormalise, scope)
    return [(None, reach), *_stepped(reach, scope.own_steps, list(scope.schema.keys), scope)]


def steps_of(part: Part, scope: Scope) -> list[tuple[n.Step | None, Reach]]:
    """Return what the rows of a part give, or its parts add up to (step None), then what it is after each step."""
    if part.is_leaf:
        reach = reach_of_leaf(part, scope)
    else:
        assert isinstance(part.node, n.Criterion)
        reach = _block(part.parts, out_of(part.node), part.node.renormalise, scope)
    fixed = part.fixes[0] if part.fixes else None
    keys = [key for key in scope.schema.keys if key != fixed]
    return [(None, reach), *_stepped(reach, part.steps, keys, scope)]


def _block(parts: tuple[Part, ...], whole: Fraction, renormalised: bool, scope: Scope) -> Reach:
    """What the sum of parts can be; one that may leave parts out can be anything from its least to its greatest."""
    reach = _sum([_scaled(reach_of(p, scope), factor(p.node, whole, scope)) for p in parts])
    if not renormalised:
        return reach
    # Each part alone may make the whole, so no part's own results say what can come out.
    spread = [_scaled(reach_of(p, scope), factor(p.node, whole, scope)) for p in parts]
    adding = [
        (r.low / f, r.high / f)
        for r, p in zip(spread, parts, strict=True)
        if not is_penalty(p.node)
        and (f := factor(p.node, whole, scope) * out_of(p.node) / whole) > 0
    ]
    taken = sum(
        (r.low for r, p in zip(spread, parts, strict=True) if is_penalty(p.node)), Fraction(0)
    )
    lowest = min((low for low, _ in adding), default=Fraction(0))
    return Reach(lowest + taken, max((high for _, high in adding), default=Fraction(0)))


def _stepped(
    reach: Reach, steps: tuple[n.Step, ...], keys: list[str], scope: Scope
) -> Iterator[tuple[n.Step, Reach]]:
    """What comes out of each step of a block."""
    for step in steps:
        match step:
            case n.Combine(key=key, op=op):
                if key.text in keys:
                    keys.remove(key.text)
                    reach = _combined(reach, key.text, op.text, scope)
            case n.Clamp(low=low, high=high):
                reach = _clamped(reach, low.value, high.value)
            case n.Round(mode=mode, step=width):
                reach = _rounded(reach, mode.text, width.value)
        yield step, reach


def reach_of_leaf(part: Part, scope: Scope) -> Reach:
    """Return what the rows of a leaf, or its expression, can give, before its steps."""
    scale = scale_of(part)
    if scale.values is not None:
        return _of_scale(scale)
    types = [Checker(scope).type_of(each, ROWS) for each in results_of(part.node)]
    numbers = [type_ for type_ in types if isinstance(type_, NumberType)]
    if not numbers or len(numbers) < len(types):
        return _of_scale(scale)
    # A result beyond what the part is worth fails, so no more than that comes out.
    known = either(*numbers)
    low = scale.low if known.low is None else max(scale.low, known.low)
    high = scale.high if known.high is None else min(scale.high, known.high)
    if low > high:
        return _of_scale(scale)  # every result fails
    if not known.integer:
        return Reach(low, high)
    low, high = Fraction(ceil(low)), Fraction(floor(high))
    count = int(high - low) + 1
    if count < 1:
        return _of_scale(scale)
    if count > MOST_POINTS:
        return Reach(low, high)
    return Reach(low, high, 1, (1 << count) - 1)


def _of_scale(scale: Scale) -> Reach:
    if scale.values is None:
        return Reach(scale.low, scale.high)
    denominator = lcm(*(value.denominator for value in scale.values))
    if (scale.high - scale.low) * denominator > MOST_POINTS:
        return Reach(scale.low, scale.high)
    bits = 0
    for value in scale.values:
        bits |= 1 << int((value - scale.low) * denominator)
    return Reach(scale.low, scale.high, denominator, bits)


def _sum(reaches: list[Reach]) -> Reach:
    low = sum((reach.low for reach in reaches), Fraction(0))
    high = sum((reach.high for reach in reaches), Fraction(0))
    if any(reach.bits is None for reach in reaches):
        return Reach(low, high)
    if len(reaches) == 1:
        return reaches[0]
    denominator = lcm(*(reach.denominator for reach in reaches))
    if (high - low) * denominator > MOST_POINTS:
        return Reach(low, high)
    bits, work = 1, 0
    for reach in reaches:
        spread = _spread(reach, denominator)
        work += min(bits.bit_count(), spread.bit_count()) * bits.bit_length()
        if work > MOST_WORK:
            return Reach(low, high)
        bits = _add(bits, spread)
    return Reach(low, high, denominator, bits)


def _scaled(reach: Reach, by: Fraction) -> Reach:
    """Every member times a number."""
    if by == 0:
        return Reach(Fraction(0), Fraction(0), 1, 1)
    low, high = sorted((reach.low * by, reach.high * by))
    size = abs(by)
    if reach.bits is None or (high - low) * reach.denominator * size.denominator > MOST_POINTS:
        return Reach(low, high)
    bits = reach.bits if by > 0 else _mirrored(reach)
    return Reach(low, high, reach.denominator * size.denominator, _stretched(bits, size.numerator))


def _mirrored(reach: Reach) -> int:
    assert reach.bits is not None
    steps = (reach.high - reach.low) * reach.denominator
    return sum(1 << (int(steps) - at) for at in _members(reach.bits))


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _of_values(values: set[Fraction], low: Fraction, high: Fraction) -> Reach:
    """A set of values, or the range alone where it takes too long a list of bits."""
    if not values:
        return Reach(low, high)
    first, last = min(values), max(values)
    denominator = lcm(*(value.denominator for value in values), first.denominator)
    if (last - first) * denominator > MOST_POINTS:
        return Reach(first, last)
    bits = 0
    for value in values:
        bits |= 1 << int((value - first) * denominator)
    return Reach(first, last, denominator, bits)


def _values(reach: Reach) -> set[Fraction] | None:
    if reach.bits is None or reach.bits.bit_count() > MOST_MAPPED:
        return None
    return {reach.low + Fraction(at, reach.denominator) for at in _members(reach.bits)}


def _clamped(reach: Reach, low: Fraction, high: Fraction) -> Reach:
    ends = min(max(reach.low, low), high), min(max(reach.high, low), high)
    values = _values(reach)
    if values is None:
        return Reach(*ends)
    return _of_values({min(max(value, low), high) for value in values}, *ends)


def _rounded(reach: Reach, mode: str, step: Fraction) -> Reach:
    ends = rounded(reach.low, mode, step), rounded(reach.high, mode, step)
    values = _values(reach)
    if values is None:
        count = (ends[1] - ends[0]) / step
        if count > MOST_MAPPED:
            return Reach(*ends)
        values = {ends[0] + step * at for at in range(int(count) + 1)}
    return _of_values({rounded(value, mode, step) for value in values}, *ends)


def _combined(reach: Reach, key: str, op: str, scope: Scope) -> Reach:
    match op:
        case "mean":
            return _mean(reach, key, scope)
        case "min" | "max":
            return reach
        case "median":
            values = _values(reach)
            if values is None or len(values) > 300:
                return Reach(reach.low, reach.high)
            halves = {(one + other) / 2 for one in values for other in values}
            return _of_values(halves, reach.low, reach.high)
        case _:  # a sum over as many records as there are
            type_ = scope.schema.by_name[key].type
            most = len(type_.options) if isinstance(type_, OneOfType) else None
            if most is None:
                return Reach(
                    Fraction(0) if reach.low >= 0 else UNBOUNDED_LOW,
                    Fraction(0) if reach.high <= 0 else UNBOUNDED_HIGH,
                )
            return Reach(min(reach.low, reach.low * most), max(reach.high, reach.high * most))


def _mean(reach: Reach, key: str, scope: Scope) -> Reach:
    type_ = scope.schema.by_name[key].type
    if reach.bits is None or not isinstance(type_, OneOfType) or len(type_.options) > MOST_RECORDS:
        return Reach(reach.low, reach.high)
    most = len(type_.options)
    denominator = lcm(*range(1, most + 1)) * reach.denominator
    if (reach.high - reach.low) * denominator > MOST_POINTS:
        return Reach(reach.low, reach.high)
    sums, means = 1, 0
    for count in range(1, most + 1):
        sums = _add(sums, reach.bits)
        one = Reach(reach.low, reach.high, reach.denominator * count, sums)
        means |= _spread(one, denominator)
    return Reach(reach.low, reach.high, denominator, means)


def _add(some: int, others: int) -> int:
    """Every sum of a member of one set and a member of the other."""
    if some.bit_count() < others.bit_count():
        some, others = others, some
    result = 0
    while others:
        lowest = others & -others
        result |= some << (lowest.bit_length() - 1)
        others ^= lowest
    return result


def _spread(reach: Reach, denominator: int) -> int:
    """The same set over a larger denominator."""
    assert reach.bits is not None
    return _stretched(reach.bits, denominator // reach.denominator)


def _stretched(bits: int, times: int) -> int:
    return sum(1 << (at * times) for at in _members(bits)) if times != 1 else bits
