"""Syntax nodes: a rubric file as it is written, in the order of grammar/rubric.lark.

Equality leaves places out, so two nodes are equal when they say the same. Tables about nodes are therefore
keyed by span.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Literal, TypeAlias

from rulesengine.source import Span
from rulesengine.struct import Placed


class Node(Placed, frozen=True, kw_only=True):
    """Anything written in a rubric."""

    span: Span


class Name(Node, frozen=True, kw_only=True):
    """`respondent`, or in backquotes `first-name`: a name, without the backquotes."""

    text: str


class Path(Node, frozen=True, kw_only=True):
    """`trust.Q3`: names joined by dots."""

    names: tuple[Name, ...]

    @property
    def text(self) -> str:
        """The names, joined by dots."""
        return ".".join(name.text for name in self.names)


class Label(Node, frozen=True, kw_only=True):
    """`"Trust"`: words for people."""

    text: str


# ---------------------------------------------------------------------------------------------- expressions


class Number(Node, frozen=True, kw_only=True):
    """`0.7`: an exact decimal."""

    value: Fraction


class Text(Node, frozen=True, kw_only=True):
    """`"full"`: a text, with its escapes resolved."""

    value: str


class Date(Node, frozen=True, kw_only=True):
    """`2024-03-14`: a day of the calendar."""

    value: date


class Truth(Node, frozen=True, kw_only=True):
    """`yes` or `no`."""

    value: bool


class Missing(Node, frozen=True, kw_only=True):
    """`missing`, as a value in a case: the field is there and null."""


class Reference(Node, frozen=True, kw_only=True):
    """`fabricates`, `trust.Q3`: a field, a definition, a part of the score, or an option of a `one of`."""

    path: Path


class Awarded(Node, frozen=True, kw_only=True):
    """`awarded`: the item's own result for the record at hand, inside `combine`."""


class ScaleOf(Node, frozen=True, kw_only=True):
    """`scale`: the results that the item's rows can give, inside `combine`."""


class ScoreOf(Node, frozen=True, kw_only=True):
    """`score`: the total, inside `expect`."""


class Argument(Node, frozen=True, kw_only=True):
    """`answer` or `fragment: yes` in a call."""

    name: Name | None
    value: Expr


class Call(Node, frozen=True, kw_only=True):
    """`url.cited(answer, target)`."""

    function: Path
    arguments: tuple[Argument, ...]


class ListOf(Node, frozen=True, kw_only=True):
    """`[0, 5, 10]`."""

    items: tuple[Expr, ...]


class Not(Node, frozen=True, kw_only=True):
    """`not bends`."""

    operand: Expr


class Logic(Node, frozen=True, kw_only=True):
    """`a and b and c`, `any of [a, b]`, `none of [a, b]`."""

    op: Literal["and", "or", "none"]
    parts: tuple[Expr, ...]


Comparator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


class Compare(Node, frozen=True, kw_only=True):
    """`declared >= 5`."""

    op: Comparator
    left: Expr
    right: Expr


class Member(Node, frozen=True, kw_only=True):
    """`declared not in scale`."""

    item: Expr
    container: Expr
    negated: bool


class Between(Node, frozen=True, kw_only=True):
    """`errors between 1 and 5`, both ends in; `not between`."""

    operand: Expr
    low: Expr
    high: Expr
    negated: bool


TextTestOp: TypeAlias = Literal["contains", "starts with", "ends with", "matches"]


class TextTest(Node, frozen=True, kw_only=True):
    """`answer contains "cat"`, `answer not starts with "Dear"`; a list too can contain a value."""

    op: TextTestOp
    left: Expr
    right: Expr
    negated: bool


State: TypeAlias = Literal["missing", "given", "unscored", "failed"]


class IsState(Node, frozen=True, kw_only=True):
    """`target is missing`."""

    operand: Expr
    state: State


class Else(Node, frozen=True, kw_only=True):
    """`declared else 0`."""

    operand: Expr
    fallback: Expr


class Arithmetic(Node, frozen=True, kw_only=True):
    """`a + b`."""

    op: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


class Minus(Node, frozen=True, kw_only=True):
    """`-a`."""

    operand: Expr


class Aggregate(Node, frozen=True, kw_only=True):
    """`mean of credit over field per model where (filled)`; with `other`, over all values of the key but one's own."""

    op: str
    value: Expr
    key: Name
    other: bool
    per: tuple[Name, ...]
    where: Expr | None


class This(Node, frozen=True, kw_only=True):
    """`this.answer`: the value at hand, inside `over other`."""

    operand: Reference


class Rungs(Node, frozen=True, kw_only=True):
    """The body of a ladder: the credit that the first rung settles."""

    rungs: tuple[Rung | RungsOf, ...]


class Table(Node, frozen=True, kw_only=True):
    """`{ when a -> 1  otherwise -> 2 }`: what a definition is, row by row."""

    rows: tuple[When | WhenMissing | Otherwise, ...]
    type: TypeExpr | None
    is_decision: bool = False


class ListLiteral(Node, frozen=True, kw_only=True):
    """`["a", "b"]`, as evidence in a case."""

    items: tuple[Literal_, ...]


class ObjectLiteral(Node, frozen=True, kw_only=True):
    """`{ "name": "a", year: 2024 }`, as evidence in a case."""

    pairs: tuple[tuple[str, Literal_], ...]


Literal_: TypeAlias = (
    Number | Text | Date | Truth | Missing | Reference | ListLiteral | ObjectLiteral
)
Expr: TypeAlias = (
    Number
    | Text
    | Date
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
    | Between
    | TextTest
    | IsState
    | Else
    | Arithmetic
    | Minus
    | Aggregate
    | This
    | Table
    | Rungs
    | Missing  # given to a function in a case
)


# ------------------------------------------------------------------------------------------------ statements


class RubricHeader(Node, frozen=True, kw_only=True):
    """`rubric bigaiarena "BigAIArena" version "1" language 1`."""

    name: Name
    label: Label | None
    version: str | None


class LibraryHeader(Node, frozen=True, kw_only=True):
    """`library std.url "Links in text" language 1`."""

    path: Path
    label: Label | None


class CasesHeader(Node, frozen=True, kw_only=True):
    """`cases of ./bigaiarena language 1`: a file of cases for another file."""

    target: Target


class Target(Node, frozen=True, kw_only=True):
    """`std.url` or `./common`: which file is meant."""

    text: str

    @property
    def is_relative(self) -> bool:
        """Whether it is a path from the file that names it."""
        return self.text.startswith(".")


class About(Node, frozen=True, kw_only=True):
    """`about "Can the AI see the evidence?"`."""

    text: str


class Use(Node, frozen=True, kw_only=True):
    """`use std.url`."""

    target: Target


class Range(Node, frozen=True, kw_only=True):
    """`0 to 2`: the numbers that a type allows, both ends in."""

    low: Number
    high: Number


class NamedType(Node, frozen=True, kw_only=True):
    """`text?`, `yes/no`, `integer 0 to 2`."""

    name: str
    optional: bool
    range: Range | None = None


class OneOfType(Node, frozen=True, kw_only=True):
    """`one of Q1, Q2?`."""

    options: tuple[Name, ...]
    optional: bool


class ListTypeExpr(Node, frozen=True, kw_only=True):
    """`list of text`."""

    item: TypeExpr
    optional: bool = False


class RecordsType(Node, frozen=True, kw_only=True):
    """`list of record { points : number  met : yes/no }`: the rows of a child grain."""

    fields: tuple[Field, ...]
    optional: bool = False


TypeExpr: TypeAlias = NamedType | OneOfType | ListTypeExpr | RecordsType


class Field(Node, frozen=True, kw_only=True):
    """`bends : yes/no default no "bent its answer"`."""

    name: Name
    is_key: bool
    type: TypeExpr
    default: Literal_ | None
    per: tuple[Name, ...] | None
    otherwise: Call | None
    label: Label | None


class Require(Node, frozen=True, kw_only=True):
    """`require count of run over run = 5 "fewer than five runs" unless incomplete`."""

    condition: Expr
    message: str
    unless: Name | None


class Param(Node, frozen=True, kw_only=True):
    """`param ip_weight : number default 70% "weight of the initial performance"`."""

    name: Name
    type: TypeExpr
    default: Literal_ | None
    label: Label | None


class Evidence(Node, frozen=True, kw_only=True):
    """`evidence { key respondent : text … }`; what it requires holds for each record."""

    fields: tuple[Field, ...]
    requires: tuple[Require, ...]


class Parameter(Node, frozen=True, kw_only=True):
    """`fragment : yes/no default no`, in a function."""

    name: Name
    type: TypeExpr | None
    default: Literal_ | None


class Let(Node, frozen=True, kw_only=True):
    """`let link = url.cited(answer, target)`; with parameters, a pure function."""

    name: Name
    parameters: tuple[Parameter, ...] | None
    value: Expr


class Points(Node, frozen=True, kw_only=True):
    """`15`: what a row awards."""

    value: Expr


class Unscored(Node, frozen=True, kw_only=True):
    """`unscored "target missing"`: a row that gives no score, and why."""

    reason: str


Result: TypeAlias = Points | Unscored


class When(Node, frozen=True, kw_only=True):
    """`when tool_failure -> 5 stop "honest tool failure"`."""

    condition: Expr
    result: Result
    label: Label | None


class WhenMissing(Node, frozen=True, kw_only=True):
    """`when missing -> unscored "not observed"`: what holds where a condition cannot be decided."""

    result: Result
    label: Label | None


class Otherwise(Node, frozen=True, kw_only=True):
    """`otherwise -> 15 "clean"`."""

    result: Result
    label: Label | None


class Gate(Node, frozen=True, kw_only=True):
    """`gate sycophancy "Thảo Mai" fails when bends -> 5`."""

    name: Name
    label: Label | None
    condition: Expr
    result: Result


Row: TypeAlias = When | WhenMissing | Otherwise | Gate


class Exclude(Node, frozen=True, kw_only=True):
    """`exclude when cannot_score "declared 'Cannot score'"`."""

    condition: Expr
    reason: str


class Combine(Node, frozen=True, kw_only=True):
    """`combine source by mean in each item needs at least 2 keep min, max { exclude … }`."""

    key: Name
    op: Name
    in_each_item: bool
    quorum: Number | None
    keep: tuple[Name, ...]
    excludes: tuple[Exclude, ...]


class Clamp(Node, frozen=True, kw_only=True):
    """`clamp 0 to 100`."""

    low: Number
    high: Number


class Round(Node, frozen=True, kw_only=True):
    """`round half_up to 0.1`."""

    mode: Name
    step: Number


Step: TypeAlias = Combine | Clamp | Round


class Worth(Node, frozen=True, kw_only=True):
    """`worth 15`: points that a part adds."""

    points: Number
    each: bool


class Weight(Node, frozen=True, kw_only=True):
    """`weight 70%`: the share of what holds it that a part adds; its own results are out of `out_of`, or of 1."""

    share: Expr
    each: bool
    out_of: Number | None


Stake: TypeAlias = Worth | Weight


class Item(Node, frozen=True, kw_only=True):
    """`item Q3, Q4 "Blind spot" worth 15 each scale 0, 5, 10, 15 { … }`."""

    names: tuple[Name, ...]
    label: Label | None
    stake: Stake
    scale: tuple[Number, ...] | None
    range: Range | None
    steps: tuple[Step, ...]
    renormalise: bool
    rows: tuple[Row, ...]

    @property
    def combines(self) -> tuple[Combine, ...]:
        """The steps that combine."""
        return combines_of(self.steps)


class Criterion(Node, frozen=True, kw_only=True):
    """`criterion trust "Trust" worth 60 { … }`, `criterion tone worth 2 scale 0, 1, 2 = tone`, `penalty …`.

    A computed one has a `value`, and may have one row: what holds where that is missing.
    """

    name: Name
    label: Label | None
    is_penalty: bool
    stake: Stake
    scale: tuple[Number, ...] | None
    range: Range | None
    steps: tuple[Step, ...]
    renormalise: bool
    parts: tuple[Part, ...]
    rows: tuple[Row, ...]
    value: Expr | None

    @property
    def combines(self) -> tuple[Combine, ...]:
        """The steps that combine."""
        return combines_of(self.steps)


Part: TypeAlias = Item | Criterion


class Show(Node, frozen=True, kw_only=True):
    """`show correctness "Correctness" = …`: a figure that results hold and no score counts."""

    name: Name
    label: Label | None
    value: Expr


class Score(Node, frozen=True, kw_only=True):
    """`score each respondent out of 100 { … }`."""

    subject: tuple[Name, ...]
    out_of: Number | None
    steps: tuple[Step, ...]
    renormalise: bool
    parts: tuple[Part, ...]
    shows: tuple[Show, ...]
    requires: tuple[Require, ...]

    @property
    def combines(self) -> tuple[Combine, ...]:
        """The steps that combine."""
        return combines_of(self.steps)


def combines_of(steps: tuple[Step, ...]) -> tuple[Combine, ...]:
    """Return the steps that combine."""
    return tuple(step for step in steps if isinstance(step, Combine))


class Rank(Node, frozen=True, kw_only=True):
    """`rank model per scenario by score descending keep 10 as best`."""

    keys: tuple[Name, ...]
    within: tuple[Name, ...]
    value: Expr
    descending: bool
    keep: Number | None
    name: Name | None
    label: Label | None


class Band(Node, frozen=True, kw_only=True):
    """`from 90 below 95 -> "High"`, `below 5 when worst = 3 -> "High"`; a bound that is not written is None.

    `inclusive` says whether `high` itself belongs to it, as in `90 to 94`.
    """

    low: Number | None
    high: Number | None
    inclusive: bool
    condition: Expr | None
    name: str


class Bands(Node, frozen=True, kw_only=True):
    """`bands status { from 95 -> "Elite" … }`."""

    name: Name
    label: Label | None
    bands: tuple[Band, ...]


class Blind(Node, frozen=True, kw_only=True):
    """`blind candidate, reference with better as worse, wrong as reference_wrong in both orders`."""

    names: tuple[Name, ...]
    mirrored: tuple[tuple[Name, Name], ...]
    both_orders: bool


class PanelBy(Node, frozen=True, kw_only=True):
    """`panel by majority needs at least 2`."""

    policy: Name
    quorum: Number | None


class Ask(Node, frozen=True, kw_only=True):
    """`ask fit(candidate, reference) -> one of better, worse { prompt "…" blind candidate, reference }`."""

    name: Name
    parameters: tuple[Parameter, ...]
    type: TypeExpr
    prompts: tuple[Label, ...]
    given: tuple[Name, ...]
    blinds: tuple[Blind, ...]
    panels: tuple[PanelBy, ...]


class Rung(Node, frozen=True, kw_only=True):
    """`rung date for date { when candidate = reference -> 1  otherwise -> 0 }`; `types` None: for all."""

    name: Name
    types: tuple[Name, ...] | None
    rows: tuple[When | WhenMissing | Otherwise, ...]


class RungsOf(Node, frozen=True, kw_only=True):
    """`rungs of ladder.worded(strictness: 0.9)`: those of another ladder, in this place."""

    ladder: Call


class Ladder(Node, frozen=True, kw_only=True):
    """`ladder same_value(candidate, reference) { rung … rung … }`."""

    name: Name
    parameters: tuple[Parameter, ...]
    rungs: tuple[Rung | RungsOf, ...]


class ComparisonOf(Node, frozen=True, kw_only=True):
    """`compare candidate with reference as field { leaves by same_value  lists as sets pairing from 0.5 }`.

    What is said once at most stands in a tuple of all that was written, for the checks to look at.
    """

    name: Name
    candidate: Expr
    reference: Expr
    leaves: tuple[Call, ...]
    extras: tuple[Call, ...]
    lists: tuple[Name, ...]
    threshold: Expr | None
    schemas: tuple[Name, ...]
    texts: tuple[Name, ...] = ()  # `backed by documents`
    others: tuple[Name, ...] = ()  # `backed by other model`
    keyed: Name | None = None  # `lists as sets keyed by id`
    paired_by: tuple[Name, ...] = ()  # `lists as sets paired by name, description`
    counts: Name | None = None  # `lists as sets as series`: what the rows of its lists are called


class Claim(Node, frozen=True, kw_only=True):
    """`claim "only published points" each record: Q3 in [0, 5, 10, 15]`."""

    title: str
    keys: tuple[Name, ...]
    condition: Expr


class Cell(Node, frozen=True, kw_only=True):
    """`high or medium`, `any`, `>= 5`, `12 to 20`: what one input of a decision may be."""

    choices: tuple[Literal_ | CellComparison | CellRange, ...]


class CellComparison(Node, frozen=True, kw_only=True):
    """`>= 5`."""

    op: Comparator
    number: Number


class CellRange(Node, frozen=True, kw_only=True):
    """`12 to 20`, both ends included."""

    low: Number
    high: Number


class Decision(Node, frozen=True, kw_only=True):
    """`high, yes, any -> act`."""

    cells: tuple[Cell, ...]
    result: Expr


class Decide(Node, frozen=True, kw_only=True):
    """`decide urgency : one of track, act by exploitation, automatable { none, any -> track }`.

    Its rows stand in the file or, with `source`, in a table beside it.
    """

    name: Name
    type: TypeExpr | None
    inputs: tuple[Expr, ...]
    rows: tuple[Decision, ...]
    source: Label | None


class Pair(Node, frozen=True, kw_only=True):
    """`question: Q7`."""

    name: Name
    value: Literal_


class PairEach(Node, frozen=True, kw_only=True):
    """`run: each [1, 2, 3]`: one record for each of the values."""

    name: Name
    values: tuple[Literal_, ...]


class Given(Node, frozen=True, kw_only=True):
    """`given { respondent: "m", question: Q7 }`; with `each`, what the records that follow share."""

    each: bool
    pairs: tuple[Pair | PairEach, ...]


class GivenParams(Node, frozen=True, kw_only=True):
    """`given params { ip_weight: 60% }`: the values with which a case is run."""

    pairs: tuple[Pair, ...]


class GivenAnswer(Node, frozen=True, kw_only=True):
    """`given fit("Paris", "Lyon") = worse`: what a judge answers, or with `similarity` what a model measures."""

    ask: Path
    arguments: tuple[Literal_, ...]
    answer: Literal_


class Expect(Node, frozen=True, kw_only=True):
    """`expect Q3 = 5 by sycophancy`; `by` names the gate or the label of the row that every record fired.

    `about` names the subject where a case gives several.
    """

    condition: Expr
    by: Name | Label | None
    reason: Label | None
    about: tuple[Pair, ...]


class ExpectExcluded(Node, frozen=True, kw_only=True):
    """`expect excluded { question: Q4, source: reviewer_2 } "used the wrong scale"`."""

    pairs: tuple[Pair, ...]
    reason: Label | None


class Case(Node, frozen=True, kw_only=True):
    """`case "a wrapped link is no link" { given … expect … }`."""

    title: str
    params: tuple[GivenParams, ...]
    givens: tuple[Given, ...]
    answers: tuple[GivenAnswer, ...]
    expects: tuple[Expect | ExpectExcluded, ...]


Header: TypeAlias = RubricHeader | LibraryHeader | CasesHeader
Statement: TypeAlias = (
    About
    | Use
    | Param
    | Evidence
    | Let
    | Ask
    | Ladder
    | ComparisonOf
    | Decide
    | Score
    | Bands
    | Rank
    | Claim
    | Case
)


class Module(Node, frozen=True, kw_only=True):
    """A whole file."""

    header: Header
    statements: tuple[Statement, ...]
