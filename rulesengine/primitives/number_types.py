"""Types of numbers worked out from others: whether a result is whole, exact, and in which range it lies.

What is not known of the parts is not claimed of the whole; bounds that grow long are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from rulesengine.types import NumberType

LONGEST_BOUND = 1_000  # bits


def literal(value: Fraction) -> NumberType:
    """Return the type of a number that is written out."""
    return _number(value.denominator == 1, value, value)


def calculated(op: Literal["+", "-", "*", "/"], left: NumberType, right: NumberType) -> NumberType:
    """Return the type of what an operation gives."""
    exact = left.exact and right.exact
    whole = left.integer and right.integer
    match op:
        case "+":
            return _number(whole, _plus(left.low, right.low), _plus(left.high, right.high), exact)
        case "-":
            return calculated("+", left, negative(right))
        case "*":
            corners = _corners(left, right, lambda a, b: a * b)
            return _number(whole, *corners, exact)
        case "/":
            if right.low is None or right.high is None or right.low <= 0 <= right.high:
                return NumberType(exact=exact)
            corners = _corners(left, right, lambda a, b: a / b)
            return _number(False, *corners, exact)


def negative(type_: NumberType) -> NumberType:
    """Return the type of a number with its sign turned."""
    low = None if type_.high is None else -type_.high
    high = None if type_.low is None else -type_.low
    return _number(type_.integer, low, high, type_.exact)


def either(*types: NumberType) -> NumberType:
    """Return the type of one of several numbers, no one knows which."""
    first, *others = types
    for other in others:
        low = None if first.low is None or other.low is None else min(first.low, other.low)
        high = None if first.high is None or other.high is None else max(first.high, other.high)
        first = _number(first.integer and other.integer, low, high, first.exact and other.exact)
    return first


def without_range(type_: NumberType) -> NumberType:
    """Return the type without its bounds: of these there are without end, of such types only four."""
    return NumberType(integer=type_.integer, exact=type_.exact)


def lies_within(type_: NumberType, wanted: NumberType) -> bool:
    """Whether every number of a type is known to be one of another."""
    if wanted.integer and not type_.integer:
        return False
    above = wanted.low is None or (type_.low is not None and type_.low >= wanted.low)
    below = wanted.high is None or (type_.high is not None and type_.high <= wanted.high)
    return above and below


# ------------------------------------------------------------------------------------- results of primitives


def inexact(*_: NumberType) -> NumberType:
    """Of a function whose values mostly have no end."""
    return NumberType(exact=False)


def not_below_zero(*_: NumberType) -> NumberType:
    """Of the same, where none is below 0."""
    return NumberType(low=Fraction(0), exact=False)


def whole_power(base: NumberType, exponent: NumberType) -> NumberType:
    """Of `pow`: a whole exponent gives exact powers."""
    if not exponent.integer:
        return NumberType(exact=False)
    is_integer = base.integer and exponent.low is not None and exponent.low >= 0
    return NumberType(integer=is_integer, exact=base.exact and exponent.exact)


def magnitude(type_: NumberType) -> NumberType:
    """Of `abs`."""
    if type_.low is not None and type_.low >= 0:
        return type_
    turned = negative(type_)
    if type_.high is not None and type_.high <= 0:
        return turned
    both = either(type_, turned)
    return _number(type_.integer, Fraction(0), both.high, type_.exact)


def least(*types: NumberType) -> NumberType:
    """Of `min_of`."""
    lows = [each.low for each in types]
    highs = [each.high for each in types if each.high is not None]
    return _number(
        all(each.integer for each in types),
        None if None in lows else min(low for low in lows if low is not None),
        min(highs) if highs else None,
        all(each.exact for each in types),
    )


def greatest(*types: NumberType) -> NumberType:
    """Of `max_of`."""
    return negative(least(*map(negative, types)))


def clamped(number: NumberType, low: NumberType, high: NumberType) -> NumberType:
    """Of `clamp`, in which the lower bound is never above the upper one."""
    return least(greatest(number, low), high)


def rounded_down(type_: NumberType) -> NumberType:
    """Of `floor`."""
    return _rounded(type_, math.floor)


def rounded_up(type_: NumberType) -> NumberType:
    """Of `ceiling`."""
    return _rounded(type_, math.ceil)


def _rounded(type_: NumberType, function: Callable[[Fraction], int]) -> NumberType:
    low = None if type_.low is None else Fraction(function(type_.low))
    high = None if type_.high is None else Fraction(function(type_.high))
    return _number(True, low, high, type_.exact)


def rounded(number: NumberType, step: NumberType) -> NumberType:
    """Of `round`: a whole multiple of the step, at most one step away."""
    far = step.high
    low = None if far is None or number.low is None else number.low - far
    high = None if far is None or number.high is None else number.high + far
    return _number(step.integer, low, high, number.exact and step.exact)


def _plus(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other


def _corners(
    left: NumberType, right: NumberType, combine: Callable[[Fraction, Fraction], Fraction]
) -> tuple[Fraction | None, Fraction | None]:
    """The bounds of what monotone functions give: the least and greatest at the corners."""
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return None, None
    values = [combine(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return min(values), max(values)


def _number(
    integer: bool, low: Fraction | None, high: Fraction | None, exact: bool = True
) -> NumberType:
    return NumberType(integer=integer, low=_short(low), high=_short(high), exact=exact)


def _short(bound: Fraction | None) -> Fraction | None:
    if bound is None:
        return None
    longest = max(bound.numerator.bit_length(), bound.denominator.bit_length())
    return bound if longest <= LONGEST_BOUND else None
