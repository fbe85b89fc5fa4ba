"""A value of JSON made ready for comparing: exact, of bounded depth, with what is empty marked.

null, "", [] and {} hold nothing, and neither does what holds only such. A text of nothing but spaces
and invisible signs counts as "", since a value that nobody can see is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Literal, TypeAlias

from rulesengine.compare.normal import Scalar, is_blank
from rulesengine.evidence.encoding import lone_surrogate, printable
from rulesengine.evidence.numbers import OverLimit, exact
from rulesengine.evidence.scan import MAX_DEPTH
from rulesengine.struct import Struct

Kind: TypeAlias = Literal["text", "date", "number", "integer", "yes/no"]
"""What a value is by itself; a text that spells a day as year-month-day is a date."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BARE = re.compile(r"[^\W\d][\w-]*")


class Single(Struct, frozen=True):
    """A text, number, yes or no."""

    value: Scalar
    kind: Kind


class Fields(Struct, frozen=True):
    """An object without its empty fields, except lists, which are counted even when empty."""

    fields: dict[str, Node]
    filled: bool


class Items(Struct, frozen=True):
    """A list; None stands for an empty item, so that the others keep their positions."""

    items: tuple[Node | None, ...]
    filled: bool


Node: TypeAlias = Single | Fields | Items


class Unreadable(Struct, frozen=True):
    """Why a value cannot be compared, and where in it that stands."""

    message: str
    path: str


def tree(value: object) -> Node | Unreadable | None:
    """Return `value` made ready, None where it is empty. Never raises.

    Args:
        value: text, yes or no, None, number (`int`, `Decimal`, `Fraction`; a float counts as the
            decimal it shows), date, list or tuple, mapping with texts as names.
    """
    try:
        return _node(value, ())
    except _Refused as refused:
        return Unreadable(refused.message, refused.path)


def is_filled(node: Node | None) -> bool:
    """Tell whether a value holds at least one leaf."""
    match node:
        case None:
            return False
        case Single():
            return True
        case Fields(filled=filled) | Items(filled=filled):
            return filled


def as_date(text: str) -> date | None:
    """Return the day that `text` spells as year-month-day, or None."""
    if not _DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def scalar(value: object) -> Single | None:
    """Return a text, number, yes or no as a leaf, and None for anything else.

    Raises:
        OverLimit: a number past the limits.
    """
    match value:
        case bool():
            return Single(value, "yes/no")
        case str():
            return Single(value, "text" if as_date(value) is None else "date")
        case datetime():
            return None
        case date():
            return Single(value.isoformat(), "date")
    number = exact(value)
    if number is None:
        return None
    return Single(number, "integer" if number.denominator == 1 else "number")


def field_step(name: str) -> str:
    """Return a field as a step of a path: `.name`, or `["first name"]` where it is no plain word."""
    if _BARE.fullmatch(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{quoted}"]'


def join_path(steps: str) -> str:
    """Return steps as a path: without the leading dot, and `$` for the value itself."""
    return steps.removeprefix(".") or "$"


class _Refused(Exception):  # noqa: N818 # only carries control out of the recursion
    def __init__(self, message: str, steps: tuple[str, ...]) -> None:
        self.message = message
        self.path = join_path("".join(steps))


def _node(value: object, steps: tuple[str, ...]) -> Node | None:
    if len(steps) > MAX_DEPTH:
        raise _Refused(f"nested deeper than {MAX_DEPTH} levels", steps[:3])
    match value:
        case None:
            return None
        case list() | tuple():
            items = [_node(item, (*steps, f"[{i}]")) for i, item in enumerate(value)]
            return Items(tuple(items), any(map(is_filled, items)))
        case Mapping():
            fields = dict(_fields(value, steps))
            return Fields(fields, any(map(is_filled, fields.values())))
        case str():
            if lone_surrogate(value) is not None:
                raise _Refused("holds half a character (a lone surrogate)", steps)
            if is_blank(value):
                return None
    try:
        found = scalar(value)
    except OverLimit as error:
        raise _Refused(f"holds a number {error}", steps) from None
    if found is None:
        raise _Refused("is no value of JSON", steps)
    return found


def _fields(value: Mapping[object, object], steps: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
    for name, each in value.items():
        if not isinstance(name, str):
            raise _Refused("has a field whose name is no text", steps)
        if lone_surrogate(name) is not None:
            raise _Refused(f"has a field `{printable(name)}`, which is no proper text", steps)
        node = _node(each, (*steps, field_step(name)))
        if node is not None:
            yield name, node
