"""Powers, roots and logarithms: exact where the value is a rational that can be found, else 50 digits.

Found are whole powers, roots of numbers that are powers themselves, and logarithms of one power of a number to
another: sqrt(4), pow(8, 1/3), log10(1000), log(8, 4).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from rulesengine.diagnostics import codes
from rulesengine.primitives.digits import (
    Bounds,
    Enclose,
    around,
    context,
    nearest,
    outwards,
    product,
    quotient,
)
from rulesengine.primitives.primitive import NoValue
from rulesengine.values import LARGEST_NUMBER, show_number

LARGEST_EXPONENT = 69_000  # of e, whose power then comes near LARGEST_NUMBER
LARGEST_ROOT = 4_096  # bits of a number whose exact root is looked for
MOST_BITS = 1 << 20  # of the powers that are compared to tell whether a logarithm is exact
_CLOSE = Fraction(1, 10**40)
_TOO_LONG = NoValue("this gives a number too long to go on with", codes.OVER_A_LIMIT)


def sqrt(number: Fraction) -> Fraction | NoValue:
    """The square root."""
    if number < 0:
        return NoValue(f"{show_number(number)} has no square root")
    top, bottom = isqrt(number.numerator), isqrt(number.denominator)
    if top * top == number.numerator and bottom * bottom == number.denominator:
        return Fraction(top, bottom)

    def enclose(digits: int) -> Bounds:
        low, high = around(number, digits)
        exact = context(digits)
        return outwards(exact.sqrt(low), exact.sqrt(high), digits)

    return nearest(enclose)


def power(base: Fraction, exponent: Fraction) -> Fraction | NoValue:
    """The base to the exponent; 0 to the 0 is 1."""
    if base == 0 and exponent < 0:
        return NoValue(f"0 to the power {show_number(exponent)} would be a division by zero")
    if exponent.denominator == 1:
        return _whole_power(base, exponent.numerator)
    if base < 0:
        shown = f"{show_number(base)} to the power {show_number(exponent)}"
        return NoValue(f"{shown} is no number: a negative base takes whole exponents")
    if base in (0, 1):
        return base
    root = _exact_root(base, exponent.denominator)
    if root is not None:
        return _whole_power(root, exponent.numerator)
    if _is_too_large(product(around(exponent, 20), _ln(base, 20), 20)):
        return _TOO_LONG

    def enclose(digits: int) -> Bounds:
        return _exp(product(around(exponent, digits), _ln(base, digits), digits), digits)

    return nearest(enclose)


def exp(exponent: Fraction) -> Fraction | NoValue:
    """The power of e."""
    if exponent == 0:
        return Fraction(1)
    if abs(exponent) > LARGEST_EXPONENT:
        return _TOO_LONG
    return nearest(lambda digits: _exp(around(exponent, digits), digits))


def ln(number: Fraction) -> Fraction | NoValue:
    """The logarithm to the base e."""
    if number <= 0:
        return _no_logarithm(number)
    if number == 1:
        return Fraction(0)
    return nearest(lambda digits: _ln(number, digits))


def log10(number: Fraction) -> Fraction | NoValue:
    """The logarithm to the base 10."""
    return log(number, Fraction(10))


def log(number: Fraction, base: Fraction) -> Fraction | NoValue:
    """The logarithm to a base."""
    if number <= 0:
        return _no_logarithm(number)
    if base <= 0 or base == 1:
        return NoValue(f"there is no logarithm to the base {show_number(base)}")
    if number == 1:
        return Fraction(0)
    if (number < 1) != (base < 1):
        # The quotient of bounds is that of numbers above 0.
        opposite = log(1 / number, base)
        return opposite if isinstance(opposite, NoValue) else -opposite
    if base < 1:
        number, base = 1 / number, 1 / base

    def enclose(digits: int) -> Bounds:
        return quotient(_ln(number, digits), _ln(base, digits), digits)

    return _exact_logarithm(number, base, enclose) or nearest(enclose)


def _exact_logarithm(number: Fraction, base: Fraction, enclose: Enclose) -> Fraction | None:
    """The logarithm, where both are powers of one number."""
    near = Fraction(enclose(70)[0])
    longest = max(base.numerator.bit_length(), base.denominator.bit_length())
    found = near.limit_denominator(max(1, min(longest, LARGEST_ROOT)))
    if abs(found - near) > _CLOSE * max(Fraction(1), near):
        return None
    if max(_bits(number) * found.denominator, _bits(base) * abs(found.numerator)) > MOST_BITS:
        return None
    is_exact = number**found.denominator == base**found.numerator
    return found if is_exact else None


def _whole_power(base: Fraction, exponent: int) -> Fraction | NoValue:
    if base in (0, 1):
        return base ** min(exponent, 1) if exponent >= 0 else base
    if base == -1:
        return Fraction(-1 if exponent % 2 else 1)
    # A number of n bits is at least 2 to the n - 1, so this much at least comes out.
    if (_bits(base) - 1) * abs(exponent) > LARGEST_NUMBER:
        return _TOO_LONG
    return base**exponent


def _exact_root(number: Fraction, degree: int) -> Fraction | None:
    if _bits(number) > LARGEST_ROOT:
        return None
    top, bottom = _whole_root(number.numerator, degree), _whole_root(number.denominator, degree)
    return None if top is None or bottom is None else Fraction(top, bottom)


def _whole_root(number: int, degree: int) -> int | None:
    """The whole root of a whole number above 0, if it has one."""
    if number == 1:
        return 1
    if degree >= number.bit_length():
        return None
    low, high = 1, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None


def _ln(number: Fraction, digits: int) -> Bounds:
    """Bounds of the logarithm of a number above 0."""
    more = number - 1
    if abs(more) * 10**digits < 1:
        # So close to 1, its digits are those of the first terms of the series.
        low = more - more * more / 2 if more > 0 else more - more * more
        return around(low, digits)[0], around(more, digits)[1]
    low_number, high_number = around(number, digits)
    exact = context(digits)
    return outwards(exact.ln(low_number), exact.ln(high_number), digits)


def _exp(bounds: Bounds, digits: int) -> Bounds:
    exact = context(digits)
    return outwards(exact.exp(bounds[0]), exact.exp(bounds[1]), digits)


def _is_too_large(exponent: Bounds) -> bool:
    return max(map(abs, exponent)) > LARGEST_EXPONENT


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _no_logarithm(number: Fraction) -> NoValue:
    return NoValue(f"{show_number(number)} has no logarithm: it is not above 0")
