"""Digits: the nearest number of 50 significant digits to one that has no end.

A function that only rises or falls takes an interval to an interval. So a value is enclosed between two bounds, each
rounded outwards; where both round to the same 50 digits, these are right, and otherwise more digits are worked out.
Values that have an end are found beforehand, for them no number of digits would be enough.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)
from fractions import Fraction
from typing import TypeAlias

PLACES = 50
GUARDED = (70, 140, 280, 560, 1120)  # digits worked out in turn

Bounds: TypeAlias = tuple[Decimal, Decimal]
Enclose: TypeAlias = Callable[[int], Bounds]  # to so many digits


def nearest(enclose: Enclose) -> Fraction:
    """Return the number of PLACES digits that is nearest to the one that `enclose` encloses to some digits."""
    places = context(PLACES)
    low = Decimal(0)
    for digits in GUARDED:
        low, high = map(places.plus, enclose(digits))
        if low == high:
            break
    return Fraction(low)


def context(digits: int, rounding: str = ROUND_HALF_EVEN) -> Context:
    """Return how to calculate to some digits, without limits of size that matter here."""
    return Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def around(number: Fraction, digits: int) -> Bounds:
    """Return the nearest bounds of a rational."""
    top, bottom = Decimal(number.numerator), Decimal(number.denominator)
    return (
        context(digits, ROUND_FLOOR).divide(top, bottom),
        context(digits, ROUND_CEILING).divide(top, bottom),
    )


def outwards(low: Decimal, high: Decimal, digits: int) -> Bounds:
    """Return bounds that hold the true values of which these are the roundings."""
    exact = context(digits)
    return exact.next_minus(low), exact.next_plus(high)


def product(one: Bounds, other: Bounds, digits: int) -> Bounds:
    """Return the bounds of the products of numbers between these."""
    below, above = context(digits, ROUND_FLOOR), context(digits, ROUND_CEILING)
    return (
        min(below.multiply(a, b) for a in one for b in other),
        max(above.multiply(a, b) for a in one for b in other),
    )


def quotient(one: Bounds, other: Bounds, digits: int) -> Bounds:
    """Return the bounds of the quotients of numbers between these, all of them above 0."""
    (low, high), (least, most) = one, other
    return (
        context(digits, ROUND_FLOOR).divide(low, most),
        context(digits, ROUND_CEILING).divide(high, least),
    )
