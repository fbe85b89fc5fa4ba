"""The types of values. Whether a value may be missing is told apart from its type; see check/missing.py."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from rulesengine.struct import Struct


class TextType(Struct, frozen=True):
    """Any text."""


class NumberType(Struct, frozen=True):
    """A rational number.

    Attributes:
        integer: it is always whole.
        low: it is never below; None where nothing is known.
        high: it is never above.
        exact: it is the true value, and not the first digits of one that has no end.
    """

    integer: bool = False
    low: Fraction | None = None
    high: Fraction | None = None
    exact: bool = True

    def holds(self, value: Fraction) -> bool:
        """Whether a number is one of this type."""
        if self.integer and value.denominator != 1:
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


class YesNoType(Struct, frozen=True):
    """Yes or no."""


class DateType(Struct, frozen=True):
    """A calendar date."""


class UrlType(Struct, frozen=True):
    """An absolute http or https URL."""


class OneOfType(Struct, frozen=True):
    """One of a fixed list of options, in the order they were declared."""

    options: tuple[str, ...]


class ListType(Struct, frozen=True):
    """A list of values of one type."""

    item: Type


class JsonType(Struct, frozen=True):
    """Any value of JSON."""


class Attribute(Struct, frozen=True):
    """One field of the rows that a child grain has."""

    name: str
    type: Type
    optional: bool = False
    default: str | Fraction | bool | None = None


class RecordsType(Struct, frozen=True):
    """A list of records: the rows of a child grain."""

    fields: tuple[Attribute, ...]


class UnknownType(Struct, frozen=True):
    """The type of what has an error already: it goes with every other type, so that one mistake is told once."""


Type: TypeAlias = (
    TextType
    | NumberType
    | YesNoType
    | DateType
    | UrlType
    | OneOfType
    | ListType
    | JsonType
    | RecordsType
    | UnknownType
)

TEXT, NUMBER, INTEGER, YES_NO = TextType(), NumberType(), NumberType(integer=True), YesNoType()
DATE, URL, JSON, UNKNOWN = DateType(), UrlType(), JsonType(), UnknownType()

# What a rubric calls each type that has a name; `one of` is spelt out.
NAMED: dict[str, Type] = {
    "text": TEXT,
    "prose": TEXT,  # free text, said for readers
    "number": NUMBER,
    "integer": INTEGER,
    "yes/no": YES_NO,
    "date": DATE,
    "url": URL,
    "json": JSON,
}


def describe(type_: Type) -> str:
    """Return what a message calls a value of this type: `a number`, `one of Q1, Q2`."""
    match type_:
        case TextType():
            return "a text"
        case NumberType(integer=integer, low=low, high=high):
            kind = "an integer" if integer else "a number"
            return kind + _range(low, high)
        case YesNoType():
            return "yes or no"
        case DateType():
            return "a date"
        case UrlType():
            return "a url"
        case OneOfType(options=options):
            shown = ", ".join(options[:8])
            return f"one of {shown}{', …' if len(options) > 8 else ''}"
        case ListType(item=item):
            return f"a list of {describe(item)}"
        case JsonType():
            return "JSON"
        case RecordsType():
            return "a list of records"
        case UnknownType():
            return "a value"


def _range(low: Fraction | None, high: Fraction | None) -> str:
    """The range of a number in words; that of one that is known in full says nothing of its kind."""
    if low is None or high is None or low == high:
        return ""
    return f" from {_written(low)} to {_written(high)}"


def _written(number: Fraction) -> str:
    """A bound as people write it."""
    as_float = float(number)
    return f"{as_float:g}" if Fraction(f"{as_float:g}") == number else str(number)
