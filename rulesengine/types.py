"""The types of values. Whether a value may be missing is told apart from its type; see check/missing.py."""

from typing import TypeAlias

from attrs import frozen


@frozen
class TextType:
    """Any text."""


@frozen
class NumberType:
    """An exact rational number."""

    integer: bool = False


@frozen
class YesNoType:
    """Yes or no."""


@frozen
class DateType:
    """A calendar date."""


@frozen
class UrlType:
    """An absolute http or https URL."""


@frozen
class OneOfType:
    """One of a fixed list of options, in the order they were declared."""

    options: tuple[str, ...]


@frozen
class ListType:
    """A list of values of one type."""

    item: "Type"


@frozen
class UnknownType:
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
