"""Statistics of exact numbers: one number for many."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulesengine.primitives.powers import sqrt


def mean(numbers: list[Fraction]) -> Fraction:
    """Return the arithmetic mean of at least one number."""
    return sum(numbers, Fraction(0)) / len(numbers)


def median(numbers: list[Fraction]) -> Fraction:
    """Return the middle number of at least one, or the mean of the two in the middle."""
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def stdev(numbers: list[Fraction], *, sample: bool) -> Fraction:
    """Return the standard deviation: with n - 1 below the line for a sample, with n for a population.

    Exact where it is rational, else to 50 significant digits.
    """
    centre = mean(numbers)
    squares = sum(((number - centre) ** 2 for number in numbers), Fraction(0))
    root = sqrt(squares / (len(numbers) - (1 if sample else 0)))
    assert isinstance(root, Fraction)  # a sum of squares is not below 0
    return root


def stdev_sample(numbers: list[Fraction]) -> Fraction:
    """Return the standard deviation of a sample of at least two numbers."""
    return stdev(numbers, sample=True)


def stdev_population(numbers: list[Fraction]) -> Fraction:
    """Return the standard deviation of a whole population of at least one number."""
    return stdev(numbers, sample=False)


def total(numbers: list[Fraction]) -> Fraction:
    """Return the sum, 0 of none."""
    return sum(numbers, Fraction(0))


STATISTICS: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "mean": mean,
    "median": median,
    "min": min,
    "max": max,
    "sum": total,
    "stdev_sample": stdev_sample,
    "stdev_population": stdev_population,
}

# How many numbers each needs at the least.
LEAST = {"sum": 0, "stdev_sample": 2}
