"""Expressions of the graph: every name is resolved, every default is filled in."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Literal, TypeAlias

from rulesengine.source import Span
from rulesengine.struct import Placed


class Expression(Placed, frozen=True, kw_only=True):
    """Anything that has a value for a record."""

    span: Span


class Constant(Expression, frozen=True, kw_only=True):
    """`10`, `yes`, `"full"`, `2024-03-14`, or an option."""

    value: Fraction | bool | str | date


class Nothing(Expression, frozen=True, kw_only=True):
    """`missing`, given to a function in a case."""


class FieldValue(Expression, frozen=True, kw_only=True):
    """A field of the record at hand."""

    name: str


class LetValue(Expression, frozen=True, kw_only=True):
    """A definition; `name` is the id of its node."""

    name: str


class ParameterValue(Expression, frozen=True, kw_only=True):
    """A parameter of the function at hand."""

    name: str


class PartValue(Expression, frozen=True, kw_only=True):
    """The result of a part of the score, by the id of its node; `score` is the total. In figures and cases only."""

    name: str


class FigureValue(Expression, frozen=True, kw_only=True):
    """What a result says beside its parts: the band of a block, a figure shown, a rank. In cases only."""

    name: str


class AwardedValue(Expression, frozen=True, kw_only=True):
    """The result at hand, inside an exclusion."""


class Items(Expression, frozen=True, kw_only=True):
    """A list."""

    items: tuple[Expr, ...]


class Apply(Expression, frozen=True, kw_only=True):
    """A call of a function of the rubric or a library: one argument for each of its parameters, in order."""

    function: str
    arguments: tuple[Expr, ...]


class CallPrimitive(Expression, frozen=True, kw_only=True):
    """A call of a primitive."""

    primitive: str
    arguments: tuple[Expr, ...]


class Negation(Expression, frozen=True, kw_only=True):
    """`not a`."""

    operand: Expr


class All(Expression, frozen=True, kw_only=True):
    """`a and b`: holds where every part does."""

    parts: tuple[Expr, ...]


class Any(Expression, frozen=True, kw_only=True):
    """`a or b`: holds where at least one part does."""

    parts: tuple[Expr, ...]


class Comparison(Expression, frozen=True, kw_only=True):
    """`a >= b`."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


class Membership(Expression, frozen=True, kw_only=True):
    """`a in [b, c]`."""

    item: Expr
    container: Expr


class TextTest(Expression, frozen=True, kw_only=True):
    """`a contains b`; of a list, whether it holds a value; of `matches`, `right` is a pattern that can be read."""

    op: Literal["contains", "starts with", "ends with", "matches"]
    left: Expr
    right: Expr


class HasState(Expression, frozen=True, kw_only=True):
    """`a is missing`."""

    operand: Expr
    state: Literal["missing", "given", "unscored", "failed"]


class Otherwise(Expression, frozen=True, kw_only=True):
    """`a else b`: b where a is missing."""

    operand: Expr
    fallback: Expr


class Asked(Expression, frozen=True, kw_only=True):
    """A field that a judge stands in for where the record does not have it."""

    operand: FieldValue
    fallback: Expr


class Calculation(Expression, frozen=True, kw_only=True):
    """`a + b`: of numbers; of dates, the days between two, or the date some days later."""

    op: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


class Aggregate(Expression, frozen=True, kw_only=True):
    """`mean of credit over field where (filled)`: all values of `key`, or with `other` all but the one at hand.

    `grain` is the keys by which value and condition vary.
    """

    op: Literal[
        "mean",
        "median",
        "sum",
        "min",
        "max",
        "count",
        "share",
        "all",
        "any",
        "none",
        "stdev_sample",
        "stdev_population",
    ]
    value: Expr
    key: str
    other: bool
    where: Expr | None
    grain: tuple[str, ...]


class ThisValue(Expression, frozen=True, kw_only=True):
    """`this.answer`: a value at the point at hand, outside the `over other` that it stands in."""

    operand: Expr


class AttributeValue(Expression, frozen=True, kw_only=True):
    """`field.credit`: what a row of a child grain says."""

    child: str
    name: str


class AskValue(Expression, frozen=True, kw_only=True):
    """The judge's answer to a question: one argument for each of its parameters, in order."""

    ask: str
    arguments: tuple[Expr, ...]


class Similarity(Expression, frozen=True, kw_only=True):
    """The cosine of two texts, from -1 to 1; missing where there is no model to measure it."""

    left: Expr
    right: Expr


class Rung(Expression, frozen=True, kw_only=True):
    """One rung: its rows in order, for the types named (None: for all); `cost` is the dearest thing that it does."""

    name: str
    types: tuple[str, ...] | None
    rows: tuple[Case, ...]
    if_missing: Expr | None
    cost: Literal["free", "embedding", "judge"]


class RungsOf(Expression, frozen=True, kw_only=True):
    """The rungs of another ladder, told what the call says; `cost` is the dearest thing that its arguments do."""

    ladder: Apply
    cost: Literal["free", "embedding", "judge"]


class Rungs(Expression, frozen=True, kw_only=True):
    """The body of a ladder: the credit that the first rung settles, 0 where none does."""

    rungs: tuple[Rung | RungsOf, ...]


class Case(Expression, frozen=True, kw_only=True):
    """One row of a table: `condition` None for `otherwise`."""

    condition: Expr | None
    result: Expr


class Table(Expression, frozen=True, kw_only=True):
    """The first row whose condition holds.

    `if_missing` stands in where a condition that is reached, or the result, is missing.
    """

    rows: tuple[Case, ...]
    if_missing: Expr | None


Expr: TypeAlias = (
    Constant
    | Nothing
    | FieldValue
    | LetValue
    | ParameterValue
    | PartValue
    | FigureValue
    | AwardedValue
    | Items
    | Apply
    | CallPrimitive
    | Negation
    | All
    | Any
    | Comparison
    | Membership
    | TextTest
    | HasState
    | Otherwise
    | Asked
    | Calculation
    | Aggregate
    | ThisValue
    | AttributeValue
    | AskValue
    | Similarity
    | Rung
    | RungsOf
    | Rungs
    | Case
    | Table
)
