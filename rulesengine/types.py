"""The types of values. Whether a value may be missing is told apart from its type; see check/missing.py."""

from __future__ import annotations

from typing import TypeAlias

from rulesengine.struct import Struct


class TextType(Struct, frozen=True):
    """Any text."""


class NumberType(Struct, frozen=True):
    """An exact rational number."""

    integer: bool = False


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


class UnknownType(Struct, frozen=True):
    """The type of what has an error already: it goes with every other type, so that one mistake is told once."""


Type: TypeAlias = (
    TextType | NumberType | YesNoType | DateType | UrlType | OneOfType | ListType | UnknownType
)

TEXT, NUMBER, INTEGER, YES_NO = TextType(), NumberType(), NumberType(integer=True), YesNoType()
DATE, URL, UNKNOWN = DateType(), UrlType(), UnknownType()

# What a rubric calls each type that has a name; `one of` is spelt out.
NAMED: dict[str, Type] = {
    "text": TEXT,
    "number": NUMBER,
    "integer": INTEGER,
    "yes/no": YES_NO,
    "date": DATE,
    "url": URL,
}


def describe(type_: Type) -> str:
    """Return what a message calls a value of this type: `a number`, `one of Q1, Q2`."""
    match type_:
        case TextType():
            return "a text"
        case NumberType(integer=integer):
            return "an integer" if integer else "a number"
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
        case UnknownType():
            return "a value"
