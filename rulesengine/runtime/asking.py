"""Between values and providers: questions from values, values from answers, leaves as values."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

from rulesengine.compare.outcome import Row
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Field, Record, Schema
from rulesengine.graph import nodes as g
from rulesengine.providers.protocols import Question
from rulesengine.source import Place
from rulesengine.types import Type
from rulesengine.values import Error, Json, Missing, Value, show

HOLE = re.compile(r"\{([^{}\s]+)\}")
ANSWER = Place("answer", 0)


def question(ask: g.Ask, values: list[Value], given: list[Value]) -> Question:
    """Return a question with its holes filled."""
    inputs = tuple(zip(ask.parameters, map(show, values), strict=True))
    along = tuple(zip(ask.given, map(show, given), strict=True))
    known = dict(inputs + along)
    return Question(
        ask=ask.name,
        inputs=inputs,
        given=along,
        prompt=HOLE.sub(lambda hole: known.get(hole[1], hole[0]), ask.prompt),
        type=ask.type,
        blind=ask.blind,
    )


def read_answer(answer: object, type_: Type) -> Value:
    """Return what an answer says, held to its type as evidence is; or an error."""
    field = Field(name="answer", type=type_, span=ANSWER)
    record = conform({"answer": answer}, Schema((field,)), ANSWER)
    if isinstance(record, Record):
        return record.cells["answer"].value
    message = record.diagnostics[0].message.replace("`answer`", "the judge's answer")
    return Error(Diagnostic(codes.BAD_ANSWER, message, ANSWER))


def raw(value: Value) -> object:
    """Return a value as a comparison takes it."""
    match value:
        case Json(value=inner):
            return inner
        case Missing():
            return None
        case _:
            return value


def said(row: Row, name: str) -> Value:
    """Return what a row of a comparison says."""
    match name:
        case "identifying":
            return row.field.identifying
        case "description":
            return row.field.description or Missing("absent")
        case "cosine":
            return Missing("absent") if row.cosine is None else row.cosine
        case _:
            value: Value = getattr(row, name)
            return value


def type_name(value: Value | None) -> str:
    """Return the type of leaf that a value is."""
    match value:
        case bool():
            return "yes/no"
        case Fraction():
            return "number"
        case date():
            return "date"
        case _:
            return "text"


def fits(type_: str, types: tuple[str, ...]) -> bool:
    """Tell whether a rung is for a leaf: one for numbers is for whole ones too."""
    return type_ in types or (type_ == "integer" and "number" in types)
