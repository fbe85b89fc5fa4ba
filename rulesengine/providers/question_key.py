"""What a question is kept by: a hash of all that another answer could come of."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from hashlib import sha256
from typing import assert_never

from rulesengine.providers.protocols import Question
from rulesengine.types import (
    Attribute,
    DateType,
    JsonType,
    ListType,
    NumberType,
    OneOfType,
    RecordsType,
    TextType,
    Type,
    UnknownType,
    UrlType,
    YesNoType,
)
from rulesengine.values import exact_text

FORMAT = 1  # of what is hashed: a change of it asks everything anew


def question_key(question: Question, judge: str, scope: str = "") -> str:
    """Return the key of a question as 64 hexadecimal digits.

    In it are the template, the inputs, what is given, the type, and how the question is to be put. The name of the
    `ask` is not: to rename it asks nothing anew.

    Args:
        question: what is asked.
        judge: the judge's name, which says its model and settings.
        scope: a part of the world in which alone the answer holds, such as a scenario; empty for all of it.
    """
    parts: list[object] = [
        FORMAT,
        question.template,
        question.inputs,
        question.given,
        type_text(question.type),
        judge,
        scope,
    ]
    # A question that reaches the judge itself is plain: blind pairs and panels were taken apart above it.
    panel = question.panel
    if question.blind or question.mirrored or question.both_orders or panel:
        parts += [question.blind, question.mirrored, question.both_orders]
        parts += [None if panel is None else (panel.by, panel.quorum)]
    return digest(json.dumps(parts, ensure_ascii=True, separators=(",", ":")))


def digest(text: str) -> str:
    """Return the hash of a text as 64 hexadecimal digits."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def type_text(type_: Type) -> str:
    """Return a type as a text that no other type has."""
    return json.dumps(_type(type_), separators=(",", ":"))


def _type(type_: Type) -> list[object]:
    match type_:
        case TextType():
            return ["text"]
        case NumberType(integer=integer, low=low, high=high, exact=exact):
            kind = "integer" if integer else "number"
            return [kind, _bound(low), _bound(high), *([] if exact else ["inexact"])]
        case YesNoType():
            return ["yes/no"]
        case DateType():
            return ["date"]
        case UrlType():
            return ["url"]
        case OneOfType(options=options):
            return ["one of", *options]
        case ListType(item=item):
            return ["list", _type(item)]
        case JsonType():
            return ["json"]
        case RecordsType(fields=fields):
            return ["records", *_fields(fields)]
        case UnknownType():
            return ["unknown"]
        case _:
            assert_never(type_)


def _fields(fields: Iterable[Attribute]) -> list[object]:
    return [[each.name, _type(each.type), each.optional, _default(each.default)] for each in fields]


def _default(value: str | Fraction | bool | None) -> object:
    return ["number", exact_text(value)] if isinstance(value, Fraction) else value


def _bound(number: Fraction | None) -> str | None:
    return None if number is None else exact_text(number)
