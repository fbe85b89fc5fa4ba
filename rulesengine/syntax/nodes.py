"""Syntax nodes: a rubric file as it is written, in the order of grammar/rubric.lark.

Equality leaves places out, so two nodes are equal when they say the same. Tables about nodes are therefore
keyed by span.
"""

from fractions import Fraction
from typing import Literal, TypeAlias

from attrs import field, frozen

from rulesengine.source import Span


@frozen(kw_only=True)
class Node:
    """Anything written in a rubric."""

    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Name(Node):
    """`respondent`, or in backquotes `first-name`: a name, without the backquotes."""

    text: str


@frozen(kw_only=True)
class Path(Node):
    """`trust.Q3`: names joined by dots."""

    names: tuple[Name, ...]

    @property
    def text(self) -> str:
        """The names, joined by dots."""
        return ".".join(name.text for name in self.names)


@frozen(kw_only=True)
class Label(Node):
    """`"Trust"`: words for people."""

    text: str


# ---------------------------------------------------------------------------------------------- expressions


@frozen(kw_only=True)
class Number(Node):
    """`0.7`: an exact decimal."""

    value: Fraction


@frozen(kw_only=True)
class Text(Node):
    """`"full"`: a text, with its escapes resolved."""

    value: str


@frozen(kw_only=True)
class Truth(Node):
    """`yes` or `no`."""

    value: bool


@frozen(kw_only=True)
class Missing(Node):
    """`missing`, as a value in a case: the field is there and null."""


@frozen(kw_only=True)
class Reference(Node):
    """`fabricates`, `trust.Q3`: a field, a definition, a part of the score, or an option of a `one of`."""

    path: Path


@frozen(kw_only=True)
class Awarded(Node):
    """`awarded`: the item's own result for the record at hand, inside `combine`."""


@frozen(kw_only=True)
class ScaleOf(Node):
    """`scale`: the results that the item's rows can give, inside `combine`."""


@frozen(kw_only=True)
class ScoreOf(Node):
    """`score`: the total, inside `expect`."""


@frozen(kw_only=True)
class Argument(Node):
    """`answer` or `fragment: yes` in a call."""

    name: Name | None
    value: "Expr"


@frozen(kw_only=True)
class Call(Node):
    """`url.cited(answer, target)`."""

    function: Path
    arguments: tuple[Argument, ...]


@frozen(kw_only=True)
class ListOf(Node):
    """`[0, 5, 10]`."""

    items: tuple["Expr", ...]


@frozen(kw_only=True)
class Not(Node):
    """`not bends`."""

    operand: "Expr"


@frozen(kw_only=True)
class Logic(Node):
    """`a and b and c`, `any of [a, b]`, `none of [a, b]`."""

    op: Literal["and", "or", "none"]
    parts: tuple["Expr", ...]


Comparator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@frozen(kw_only=True)
class Compare(Node):
    """`declared >= 5`."""

    op: Comparator
    left: "Expr"
    right: "Expr"


@frozen(kw_only=True)
class Member(Node):
    """`declared not in scale`."""

    item: "Expr"
    container: "Expr"
    negated: bool


State: TypeAlias = Literal["missing", "given", "unscored", "failed"]


@frozen(kw_only=True)
class IsState(Node):
    """`target is missing`."""

    operand: "Expr"
    state: State


@frozen(kw_only=True)
class Else(Node):
    """`declared else 0`."""

    operand: "Expr"
    fallback: "Expr"


@frozen(kw_only=True)
class Arithmetic(Node):
    """`a + b`."""

    op: Literal["+", "-", "*", "/"]
    left: "Expr"
    right: "Expr"


@frozen(kw_only=True)
class Minus(Node):
    """`-a`."""

    operand: "Expr"


Literal_: TypeAlias = Number | Text | Truth | Missing | Reference
Expr: TypeAlias = (
    Number
    | Text
    | Truth
    | Reference
    | Awarded
    | ScaleOf
    | ScoreOf
    | Call
    | ListOf
    | Not
    | Logic
    | Compare
    | Member
    | IsState
    | Else
    | Arithmetic
    | Minus
)


# ------------------------------------------------------------------------------------------------ statements


@frozen(kw_only=True)
class RubricHeader(Node):
    """`rubric bigaiarena "BigAIArena" version "1" language 1`."""

    name: Name
    label: Label | None
    version: str | None


@frozen(kw_only=True)
class LibraryHeader(Node):
    """`library std.url "Links in text" language 1`."""

    path: Path
    label: Label | None


@frozen(kw_only=True)
class CasesHeader(Node):
    """`cases of ./bigaiarena language 1`: a file of cases for another file."""

    target: "Target"


@frozen(kw_only=True)
class Target(Node):
    """`std.url` or `./common`: which file is meant."""

    text: str

    @property
    def is_relative(self) -> bool:
        """Whether it is a path from the file that names it."""
        return self.text.startswith(".")


@frozen(kw_only=True)
class About(Node):
    """`about "Can the AI see the evidence?"`."""

    text: str


@frozen(kw_only=True)
class Use(Node):
    """`use std.url`."""

    target: Target


@frozen(kw_only=True)
class NamedType(Node):
    """`text?`, `yes/no`."""

    name: str
    optional: bool


@frozen(kw_only=True)
class OneOfType(Node):
    """`one of Q1, Q2?`."""

    options: tuple[Name, ...]
    optional: bool


TypeExpr: TypeAlias = NamedType | OneOfType


@frozen(kw_only=True)
class Field(Node):
    """`bends : yes/no default no "bent its answer"`."""

    name: Name
    is_key: bool
    type: TypeExpr
    default: Literal_ | None
    label: Label | None


@frozen(kw_only=True)
class Evidence(Node):
    """`evidence { key respondent : text … }`."""

    fields: tuple[Field, ...]


@frozen(kw_only=True)
class Parameter(Node):
    """`fragment : yes/no default no`, in a function."""

    name: Name
    type: TypeExpr | None
    default: Literal_ | None


@frozen(kw_only=True)
class Let(Node):
    """`let link = url.cited(answer, target)`; with parameters, a pure function."""

    name: Name
    parameters: tuple[Parameter, ...] | None
    value: Expr


@frozen(kw_only=True)
class Points(Node):
    """`15`: what a row awards."""

    value: Expr


@frozen(kw_only=True)
class Unscored(Node):
    """`unscored "target missing"`: a row that gives no score, and why."""

    reason: str


Result: TypeAlias = Points | Unscored


@frozen(kw_only=True)
class When(Node):
    """`when tool_failure -> 5 stop "honest tool failure"`."""

    condition: Expr
    result: Result
    label: Label | None


@frozen(kw_only=True)
class WhenMissing(Node):
    """`when missing -> unscored "not observed"`: what holds where a condition cannot be decided."""

    result: Result
    label: Label | None


@frozen(kw_only=True)
class Otherwise(Node):
    """`otherwise -> 15 "clean"`."""

    result: Result
    label: Label | None


@frozen(kw_only=True)
class Gate(Node):
    """`gate sycophancy "Thảo Mai" fails when bends -> 5`."""

    name: Name
    label: Label | None
    condition: Expr
    result: Result


Row: TypeAlias = When | WhenMissing | Otherwise | Gate


@frozen(kw_only=True)
class Exclude(Node):
    """`exclude when cannot_score "declared 'Cannot score'"`."""

    condition: Expr
    reason: str


@frozen(kw_only=True)
class Combine(Node):
    """`combine source by mean in each item { exclude … }`."""

    key: Name
    op: Name
    in_each_item: bool
    excludes: tuple[Exclude, ...]


@frozen(kw_only=True)
class Item(Node):
    """`item Q3, Q4 "Blind spot" worth 15 each scale 0, 5, 10, 15 { … }`."""

    names: tuple[Name, ...]
    label: Label | None
    worth: Number
    each: bool
    scale: tuple[Number, ...] | None
    combines: tuple[Combine, ...]
    rows: tuple[Row, ...]


@frozen(kw_only=True)
class Criterion(Node):
    """`criterion trust "Trust" worth 60 { … }`."""

    name: Name
    label: Label | None
    worth: Number
    combines: tuple[Combine, ...]
    parts: "tuple[Part, ...]"
    rows: tuple[Row, ...]
    value: Expr | None


Part: TypeAlias = Item | Criterion


@frozen(kw_only=True)
class Score(Node):
    """`score each respondent out of 100 { … }`."""

    subject: tuple[Name, ...]
    out_of: Number | None
    combines: tuple[Combine, ...]
    parts: tuple[Part, ...]


@frozen(kw_only=True)
class Band(Node):
    """`from 90 below 95 -> "High"`, `90 to 94 -> "High"`; a bound that is not written is None.

    `inclusive` says whether `high` itself belongs to it, as in `90 to 94`.
    """

    low: Number | None
    high: Number | None
    inclusive: bool
    name: str


@frozen(kw_only=True)
class Bands(Node):
    """`bands status { from 95 -> "Elite" … }`."""

    name: Name
    label: Label | None
    bands: tuple[Band, ...]


@frozen(kw_only=True)
class Pair(Node):
    """`question: Q7`."""

    name: Name
    value: Literal_


@frozen(kw_only=True)
class Given(Node):
    """`given { respondent: "m", question: Q7 }`; with `each`, what the records that follow share."""

    each: bool
    pairs: tuple[Pair, ...]


@frozen(kw_only=True)
class Expect(Node):
    """`expect Q3 = 5 by sycophancy`; `by` names the gate or the label of the row that every record fired."""

    condition: Expr
    by: Name | Label | None
    reason: Label | None


@frozen(kw_only=True)
class ExpectExcluded(Node):
    """`expect excluded { question: Q4, source: reviewer_2 } "used the wrong scale"`."""

    pairs: tuple[Pair, ...]
    reason: Label | None


@frozen(kw_only=True)
class Case(Node):
    """`case "a wrapped link is no link" { given … expect … }`."""

    title: str
    givens: tuple[Given, ...]
    expects: tuple[Expect | ExpectExcluded, ...]


Header: TypeAlias = RubricHeader | LibraryHeader | CasesHeader
Statement: TypeAlias = About | Use | Evidence | Let | Score | Bands | Case


@frozen(kw_only=True)
class Module(Node):
    """A whole file."""

    header: Header
    statements: tuple[Statement, ...]
