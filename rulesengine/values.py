"""Values while a rubric runs.

A value is a text (also an option and a URL), an exact rational, yes or no, a date, a list of these, or it is
missing, or it is an error. Missing is not false, not 0 and not the empty text; an error is not missing. Both
are values, so that no operation can mistake them.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from rulesengine.diagnostics import Diagnostic
from rulesengine.struct import Struct


class Missing(Struct, frozen=True):
    """No value. `why` tells a field that was not written from one written as null, and both from no score.

    `unprovided` is what a provider would have said, where a ladder has none: nothing stands in for it, and no rung
    asks whether it is missing. `undecided` is what judges were asked and did not agree on.
    """

    why: Literal["absent", "null", "unscored", "unprovided", "undecided"] = "absent"
    about: str = ""  # what judges are undecided about


class Error(Struct, frozen=True):
    """What could not be worked out, and why; it survives every operation that reaches it."""

    diagnostic: Diagnostic


class Waits(Error, frozen=True):  # noqa: N818  # a value, and raised by nobody
    """What is not known yet: a provider is asked, and all is worked out again. No result holds it."""


class Json(Struct, frozen=True, eq=False):
    """A value of JSON as it was read, and its canonical text, by which two are the same."""

    value: object
    text: str

    def __eq__(self, other: object) -> bool:
        """Whether both say the same, whatever the order of names and the spelling of numbers."""
        return isinstance(other, Json) and self.text == other.text

    def __hash__(self) -> int:
        """Return the hash of the text."""
        return hash(self.text)


class Entries(Struct, frozen=True):
    """A list of records: for each its values by name."""

    rows: tuple[tuple[tuple[str, Value], ...], ...]


Plain: TypeAlias = str | Fraction | bool | date
Value: TypeAlias = Plain | tuple["Plain", ...] | Json | Entries | Missing | Error


# Bits of a numerator or denominator, some 30,000 digits. A chain of definitions that each square the one before is
# short to write, and its numbers would soon fill any memory.
LARGEST_NUMBER = 100_000
LONGEST_SHOWN = 2_000  # bits, some 600 digits: what evidence can hold


def exact_text(number: Fraction) -> str:
    """Return a number as `3` or `185/3`, with all its digits.

    Python refuses to write integers of more than 4,300 digits, since that takes it long; decimals take no such time.
    """
    whole = f"{Decimal(number.numerator):f}"
    return whole if number.denominator == 1 else f"{whole}/{Decimal(number.denominator):f}"


def plain_text(number: Fraction) -> str:
    """Return a number as a decimal with all its digits where it has an end, else as a fraction: one text a number."""
    rest, digits = number.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        digits = max(digits, count)
    if rest != 1 or digits == 0:
        return exact_text(number)
    whole = f"{Decimal(abs(number.numerator) * 10**digits // number.denominator):f}"
    whole = whole.rjust(digits + 1, "0")
    return f"{'-' if number < 0 else ''}{whole[:-digits]}.{whole[-digits:]}"


def show_number(number: Fraction, places: int = 12) -> str:
    """Return a number as people write it where that is exact: `12.5`, `-3`; else as a fraction: `185/3`.

    Of more than `places` decimals and the fraction, the shorter one is taken. One that is longer than any
    evidence is told roughly: `≈ 1.500e+700`.
    """
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > LONGEST_SHOWN:
        return f"≈ {Decimal(number.numerator) / Decimal(number.denominator):.3e}"
    denominator = number.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    if denominator != 1:
        return str(number)
    digits = 0
    scaled = number
    while scaled.denominator != 1:
        scaled *= 10
        digits += 1
    if digits == 0:
        return str(number)
    sign = "-" if number < 0 else ""
    whole, rest = divmod(abs(scaled.numerator), 10**digits)
    decimals = f"{sign}{whole}.{rest:0{digits}d}"
    return decimals if digits <= places else min(decimals, str(number), key=len)


def show(value: Value) -> str:
    """Return a value as the language writes it; a missing one as `missing`."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Fraction():
            return show_number(value)
        case str():
            return value
        case date():
            return value.isoformat()
        case tuple():
            return f"[{', '.join(show(item) for item in value)}]"
        case Json(text=text):
            return text
        case Entries(rows=rows):
            return f"a list of {len(rows)} records"
        case Missing():
            return "missing"
        case Error(diagnostic=diagnostic):
            return f"error: {diagnostic.message}"
