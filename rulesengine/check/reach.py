"""Reach: which scores can come out.

A part whose results are constants gives one of finitely many results; so does one whose results are integers of a
known range. The mean over a key of at most m options gives, for each number k of records from 1 to m, the sums of k
results divided by k; a total gives the sums of what its parts give. All this is arithmetic on sets of integers over
one common denominator, kept as the bits of one integer each: adding a constant to every member of a set is a shift.

The set is never too small: parts are taken as independent, though they may share evidence. Where it is not finite or
too large, what is known is the range alone.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, lcm

from rulesengine.check.scales import Scale, results_of, scale_of
from rulesengine.check.scope import ROWS, Part, Scope
from rulesengine.check.types import Checker
from rulesengine.primitives.number_types import either
from rulesengine.struct import Struct
from rulesengine.types import NumberType, OneOfType

MOST_POINTS = 200_000  # scores in a set; past it, only the range is kept
MOST_WORK = 2_000_000_000  # bits shifted in one sum, some tenths of a second; past it, likewise
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
    assert scope.score is not None
    reach = _sum([reach_of(part, scope) for part in scope.parts])
    for combine in scope.score.combines:
        if not combine.in_each_item:
            reach = _mean(reach, combine.key.text, scope)
    return reach


def reach_of(part: Part, scope: Scope) -> Reach:
    """Return what a part of a checked rubric can be."""
    if part.is_leaf:
        reach = _of_leaf(part, scope)
    else:
        reach = _sum([reach_of(below, scope) for below in part.parts])
    fixed = part.fixes[0] if part.fixes else None
    left = [key for key in scope.schema.keys if key != fixed]
    for combine in part.combines:
        if combine.key.text in left:
            left.remove(combine.key.text)
            reach = _mean(reach, combine.key.text, scope)
    return reach


def _of_leaf(part: Part, scope: Scope) -> Reach:
    scale = scale_of(part)
    if scale.values is not None:
        return _of_scale(scale)
    types = [Checker(scope).type_of(each, ROWS) for each in results_of(part.node)]
    numbers = [type_ for type_ in types if isinstance(type_, NumberType)]
    if not numbers or len(numbers) < len(types):
        return _of_scale(scale)
    # A result beyond what the part is worth fails, so no more than that comes out.
    known = either(*numbers)
    low = Fraction(0) if known.low is None else max(Fraction(0), known.low)
    high = scale.worth if known.high is None else min(scale.worth, known.high)
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
        return Reach(Fraction(0), scale.worth)
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
    factor = denominator // reach.denominator
    bits, rest = 0, reach.bits
    while rest:
        lowest = rest & -rest
        bits |= 1 << ((lowest.bit_length() - 1) * factor)
        rest ^= lowest
    return bits
