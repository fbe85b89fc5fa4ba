"""Expressions of the graph: every name is resolved, every default is filled in."""

from fractions import Fraction
from typing import Literal, TypeAlias

from attrs import field, frozen

from rulesengine.source import Span


@frozen(kw_only=True)
class Expression:
    """Anything that has a value for a record."""

    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Constant(Expression):
    """`10`, `yes`, `"full"`, or an option."""

    value: Fraction | bool | str


@frozen(kw_only=True)
class FieldValue(Expression):
    """A field of the record at hand."""

    name: str


@frozen(kw_only=True)
class LetValue(Expression):
    """A definition; `name` is the id of its node."""

    name: str


@frozen(kw_only=True)
class ParameterValue(Expression):
    """A parameter of the function at hand."""

    name: str


@frozen(kw_only=True)
class PartValue(Expression):
    """The result of a part of the score, by the id of its node; `score` is the total. In cases only."""

    name: str


@frozen(kw_only=True)
class BandValue(Expression):
    """The name of the band that the total falls into. In cases only."""

    name: str


@frozen(kw_only=True)
class AwardedValue(Expression):
    """The result at hand, inside an exclusion."""


@frozen(kw_only=True)
class Items(Expression):
    """A list."""

    items: tuple["Expr", ...]


@frozen(kw_only=True)
class Apply(Expression):
    """A call of a function of the rubric or a library: one argument for each of its parameters, in order."""

    function: str
    arguments: tuple["Expr", ...]


@frozen(kw_only=True)
class CallPrimitive(Expression):
    """A call of a primitive."""

    primitive: str
    arguments: tuple["Expr", ...]


@frozen(kw_only=True)
class Negation(Expression):
    """`not a`."""

    operand: "Expr"


@frozen(kw_only=True)
class All(Expression):
    """`a and b`: holds where every part does."""

    parts: tuple["Expr", ...]


@frozen(kw_only=True)
class Any(Expression):
    """`a or b`: holds where at least one part does."""

    parts: tuple["Expr", ...]


@frozen(kw_only=True)
class Comparison(Expression):
    """`a >= b`."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: "Expr"
    right: "Expr"


@frozen(kw_only=True)
class Membership(Expression):
    """`a in [b, c]`."""

    item: "Expr"
    container: "Expr"


@frozen(kw_only=True)
class HasState(Expression):
    """`a is missing`."""

    operand: "Expr"
    state: Literal["missing", "given", "unscored", "failed"]


@frozen(kw_only=True)
class Otherwise(Expression):
    """`a else b`: b where a is missing."""

    operand: "Expr"
    fallback: "Expr"


@frozen(kw_only=True)
class Calculation(Expression):
    """`a + b`."""

    op: Literal["+", "-", "*", "/"]
    left: "Expr"
    right: "Expr"


Expr: TypeAlias = (
    Constant
    | FieldValue
    | LetValue
    | ParameterValue
    | PartValue
    | BandValue
    | AwardedValue
    | Items
    | Apply
    | CallPrimitive
    | Negation
    | All
    | Any
    | Comparison
    | Membership
    | HasState
    | Otherwise
    | Calculation
)
