"""Days of the calendar, and counting with them."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from rulesengine.primitives.primitive import NoValue
from rulesengine.values import show_number


def days_between(first: date, last: date) -> Fraction:
    """How many days later `last` is; below 0 where it is earlier."""
    return Fraction((last - first).days)


def later(day: date, days: Fraction) -> date | NoValue:
    """The day that is some days later, or earlier for a number below 0."""
    if days.denominator != 1:
        return NoValue(f"{show_number(days)} is no whole number of days")
    try:
        return day + timedelta(days=days.numerator)
    except OverflowError:
        return NoValue("it would lie outside the years 1 to 9999")
