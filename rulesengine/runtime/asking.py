"""Between values and providers: questions from values, values from answers, leaves as values."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import TypeAlias, get_args

from rulesengine.compare.leaves import LeafType, Spot, leaves
from rulesengine.compare.normal import Scalar, normal
from rulesengine.compare.outcome import ListCount, Row, Settled
from rulesengine.compare.shape import SchemaFault, read_schema
from rulesengine.compare.tree import Unreadable, tree
from rulesengine.diagnostics import Code, Diagnostic, codes
from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Field, Record, Schema
from rulesengine.graph import nodes as g
from rulesengine.providers.protocols import Question
from rulesengine.providers.recorded import as_text
from rulesengine.source import Place, Span
from rulesengine.types import NumberType, Type
from rulesengine.values import Entries, Error, Json, Missing, Value, Waits, show

ANSWER = Place("answer", 0)
WAITS = Code("R000", "an answer that is waited for")  # of no result, so it has no page
UNDECIDED = "undecided"  # the rung at which judges did not agree
ROUNDING = Fraction(1, 10**6)  # by which a cosine that a machine worked out may pass 1


def question(ask: g.Ask, values: list[Value], given: list[Value]) -> Question:
    """Return what is asked about these values."""
    return Question(
        ask=ask.name,
        inputs=tuple(zip(ask.parameters, map(told, values), strict=True)),
        given=tuple(zip(ask.given, map(told, given), strict=True)),
        template=ask.prompt,
        type=ask.type,
        blind=ask.blind,
        mirrored=ask.mirrored,
        both_orders=ask.both_orders,
        panel=ask.panel,
    )


def told(value: Value) -> str:
    """Return a value as a question holds it: lists and records as JSON, whole; see `recorded.as_text`."""
    match value:
        case Missing():
            return as_text(None)
        case Json(value=inner):
            return as_text(inner)
        case Entries(rows=rows):
            return as_text([{name: _inside(each) for name, each in row} for row in rows])
        case Error():
            return show(value)
        case _:
            return as_text(value)


def _inside(value: Value) -> object:
    match value:
        case Missing():
            return None
        case Json(value=inner):
            return inner
        case _:
            return value


def read_answer(answer: object, type_: Type) -> Value:
    """Return what an answer says, held to its type as evidence is; or an error."""
    field = Field(name="answer", type=type_, span=ANSWER)
    record = conform({"answer": answer}, Schema((field,)), ANSWER)
    if isinstance(record, Record):
        return record.cells["answer"].value
    message = record.diagnostics[0].message.replace("`answer`", "the judge's answer")
    return Error(Diagnostic(codes.BAD_ANSWER, message, ANSWER))


def read_cosine(cosine: object) -> Value:
    """Return what a model says of two texts, held to the range of a cosine; or an error."""
    answer = read_answer(cosine, NumberType())
    if isinstance(answer, Fraction) and 1 < abs(answer) <= 1 + ROUNDING:
        return Fraction(1 if answer > 0 else -1)
    answer = read_answer(cosine, NumberType(low=Fraction(-1), high=Fraction(1)))
    if isinstance(answer, Error):
        message = answer.diagnostic.message.replace("the judge's answer", "the cosine")
        return Error(Diagnostic(codes.BAD_ANSWER, message, ANSWER))
    return answer


def raw(value: Value) -> object:
    """Return a value as a comparison takes it."""
    match value:
        case Json(value=inner):
            return inner
        case Missing():
            return None
        case _:
            return value


Given: TypeAlias = frozenset[tuple[str, Scalar]]
"""The leaves of a value: path without positions, and what stands there after folding."""


def folded(value: Scalar) -> Scalar:
    """Return a leaf without what only looks different; a day as it is written."""
    return value.isoformat() if isinstance(value, date) else normal(value).value


def leaves_of(value: object, schema: object) -> Given:
    """Return what a value gives, nothing where it or its schema cannot be read."""
    node, shapes = tree(value), read_schema(schema)
    if isinstance(node, Unreadable) or isinstance(shapes, SchemaFault):
        return frozenset()
    return frozenset(
        (spot.path, folded(single.value))
        for spot, single in leaves(Spot(shapes, "sets", shapes.root), node)
    )


def most(given: list[bool]) -> bool:
    """Tell whether more than half say yes."""
    return 2 * sum(given) > len(given)


def said(row: Row | ListCount, name: str) -> Value:
    """Return what a row of a comparison says."""
    if isinstance(row, ListCount):
        count = getattr(row, name)
        return Fraction(count) if isinstance(count, int) else count
    if row.rung == UNDECIDED and name in ("credit", "confirmed"):
        return Missing("undecided", f"the value at {row.path}")
    match name:
        case "identifying":
            return row.field.identifying
        case "description":
            return row.field.description or Missing("absent")
        case "candidate":
            return Missing("absent") if row.candidate is None else as_text(row.candidate)
        case "reference":
            return Missing("absent") if row.reference is None else as_text(row.reference)
        case "cosine":
            return Missing("absent") if row.cosine is None else row.cosine
        case _:
            value: Value = getattr(row, name)
            return value


def credit_of(settled: Settled) -> Value:
    """Return what a ladder that was climbed gives."""
    return Missing("undecided", "the ladder") if settled.rung == UNDECIDED else settled.credit


def waiting(what: str, span: Span) -> Waits:
    """Return what stands for an answer that is not there yet."""
    return Waits(Diagnostic(WAITS, f"{what} is asked", span))


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


KINDS = frozenset(get_args(LeafType))


def fits(type_: str, types: tuple[str, ...]) -> bool:
    """Tell whether a rung is for a leaf: one for numbers is for whole ones too."""
    return type_ in types or (type_ == "integer" and "number" in types)
