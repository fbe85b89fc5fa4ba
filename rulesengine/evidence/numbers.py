"""Exact numbers: from the digits of a text or from a Python value, within limits.

Numbers stay as they are written, so 0.1 is a tenth and 9007199254740993 is odd. The price of
exactness is that `1e999999999` would be a number of a thousand million digits; hence the limits,
which are far beyond what any protocol scores with.
"""

from __future__ import annotations

import math
import numbers
from decimal import Decimal
from fractions import Fraction

# Below 640, the smallest limit that Python lets anyone set for reading an integer.
MAX_DIGITS = 600
# Wider than a double (1e308, 5e-324), so that whatever another program computed can be read.
MAX_EXPONENT = 400


class OverLimit(Exception):  # noqa: N818 # no fault of ours: it is raised to be caught
    """A number past the limits; its words complete "the number is …"."""


def integer(text: str) -> int:
    """Return the integer that `text`, digits with at most a sign, spells.

    Raises:
        OverLimit: it has more than `MAX_DIGITS` digits.
    """
    if len(text) > MAX_DIGITS:
        raise OverLimit(f"longer than {MAX_DIGITS} digits")
    return int(text)


def decimal(text: str) -> Decimal:
    """Return the decimal number that `text` spells, every digit kept.

    Raises:
        OverLimit: it has more than `MAX_DIGITS` digits or an exponent beyond `MAX_EXPONENT`.
    """
    if len(text) > MAX_DIGITS:
        raise OverLimit(f"longer than {MAX_DIGITS} digits")
    # A long exponent is out of limits whatever it is, and too long a one is more than `Decimal`
    # can hold.
    exponent = text.lower().rpartition("e")[2] if "e" in text.lower() else "0"
    if len(exponent.lstrip("+-").lstrip("0")) > len(str(MAX_EXPONENT)):
        raise OverLimit(f"beyond 1e{MAX_EXPONENT} or 1e-{MAX_EXPONENT}")
    return _in_limits(Decimal(text))


def exact(value: object) -> Fraction | None:
    """Return `value` as an exact rational, or None where it is no number.

    A float counts as the decimal that Python shows for it: 0.1 is a tenth. True and false are no
    numbers, nor are NaN and the infinities.

    Raises:
        OverLimit: the number is past the limits.
    """
    match value:
        case bool():
            return None
        case int():
            return Fraction(_short(value))
        case Fraction():
            return Fraction(_short(value.numerator), _short(value.denominator))
        case Decimal():
            return Fraction(_in_limits(value)) if value.is_finite() else None
        case float():
            # `float.__repr__`: a subclass, such as numpy's, may show itself in other words.
            return Fraction(float.__repr__(value)) if math.isfinite(value) else None
        case numbers.Rational():  # the integers of numpy
            return Fraction(_short(int(value.numerator)), _short(int(value.denominator)))
        case _:
            return None


def _in_limits(number: Decimal) -> Decimal:
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    if len(digits) > MAX_DIGITS:
        raise OverLimit(f"longer than {MAX_DIGITS} digits")
    if abs(exponent) > MAX_DIGITS + MAX_EXPONENT or abs(number.adjusted()) > MAX_EXPONENT:
        raise OverLimit(f"beyond 1e{MAX_EXPONENT} or 1e-{MAX_EXPONENT}")
    return number


def _short(number: int) -> int:
    # Bits, not digits: asking Python for the digits of a huge integer is what has to be avoided.
    if number.bit_length() > MAX_DIGITS * math.log2(10):
        raise OverLimit(f"longer than {MAX_DIGITS} digits")
    return number
