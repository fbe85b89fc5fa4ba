"""Numbers in relation to others, all of it exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from rulesengine.primitives.primitive import NoValue
from rulesengine.values import show_number

Mode: TypeAlias = Literal["half_up", "half_even", "up", "down", "floor", "ceiling"]
MODES: tuple[Mode, ...] = get_args(Mode)
_EMPTY = NoValue("an empty list has no least or greatest value")


def floor(number: Fraction) -> Fraction:
    """The greatest whole number that is not above."""
    return Fraction(math.floor(number))


def ceiling(number: Fraction) -> Fraction:
    """The least whole number that is not below."""
    return Fraction(math.ceil(number))


def min_of(*numbers: Fraction) -> Fraction | NoValue:
    """The least of several numbers."""
    return min(numbers) if numbers else _EMPTY


def max_of(*numbers: Fraction) -> Fraction | NoValue:
    """The greatest of several numbers."""
    return max(numbers) if numbers else _EMPTY


def clamp(number: Fraction, low: Fraction, high: Fraction) -> Fraction | NoValue:
    """The number, or the bound that it lies beyond."""
    if low > high:
        return NoValue(f"nothing lies from {show_number(low)} to {show_number(high)}")
    return min(max(number, low), high)


def round_to(number: Fraction, mode: Mode, step: Fraction) -> Fraction | NoValue:
    """The multiple of `step` that a number is rounded to, for steps above 0."""
    if step <= 0:
        return NoValue(f"the step is {show_number(step)}, and one rounds to steps above 0")
    return rounded(number, mode, step)


def rounded(number: Fraction, mode: str, step: Fraction) -> Fraction:
    """Return the multiple of `step` (above 0) that a number is rounded to.

    `half_up` and `half_even` go to the nearest; of two that are as near, `half_up` takes the one farther from 0 and
    `half_even` the even multiple. `up` goes away from 0, `down` towards it, `floor` down and `ceiling` up.
    """
    steps = number / step
    sign = -1 if steps < 0 else 1
    match mode:
        case "half_up":
            chosen = sign * math.floor(abs(steps) + Fraction(1, 2))
        case "half_even":
            chosen = round(steps)
        case "up":
            chosen = sign * math.ceil(abs(steps))
        case "down":
            chosen = sign * math.floor(abs(steps))
        case "floor":
            chosen = math.floor(steps)
        case "ceiling":
            chosen = math.ceil(steps)
        case _:
            raise ValueError(f"no mode of rounding is called {mode}")
    return chosen * step
