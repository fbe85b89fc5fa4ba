"""Rounding, exactly: to the nearest multiple of a step, or to the next one on a side."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

MODES = ("half_up", "half_even", "up", "down", "floor", "ceiling")


def rounded(value: Fraction, mode: str, step: Fraction) -> Fraction:
    """Return the multiple of `step` that a mode takes for a value.

    Args:
        value: any number.
        mode: `floor` and `ceiling` take the next multiple below and above, `down` and `up` the next one towards 0 and
            away from it; `half_up` and `half_even` the nearest, and of two that are equally near the one away from 0,
            or the even one.
        step: above 0.
    """
    scaled = value / step
    match mode:
        case "floor":
            whole = floor(scaled)
        case "ceiling":
            whole = ceil(scaled)
        case "down":
            whole = int(scaled)
        case "up":
            whole = ceil(scaled) if scaled > 0 else floor(scaled)
        case "half_even":
            whole = round(scaled)
        case "half_up":
            half = Fraction(1, 2)
            whole = floor(scaled + half) if scaled >= 0 else ceil(scaled - half)
        case _:
            raise ValueError(f"no mode of rounding is called {mode}")
    return whole * step
