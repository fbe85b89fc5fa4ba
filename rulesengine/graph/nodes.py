"""Nodes of the rule graph: what is worked out, from what, and by which keys it varies.

    Definition   a let                      by what it reads
    Rows         ordered rows               judged once for each record, or by what they read
    Computed     a criterion `= …`          the same
    Combine      one key rolled up          that key is gone
    Clamp        held between two numbers   by what it holds
    Round        to a multiple of a step    the same
    Fix          an item                    its key is fixed
    Sum          a criterion, the total     by what its parts vary by

Every node but a definition has an outcome: scored, unscored or failed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from rulesengine.evidence.schema import Schema
from rulesengine.graph.expressions import Expr
from rulesengine.providers.protocols import Panel
from rulesengine.source import Span
from rulesengine.struct import Placed, Struct
from rulesengine.types import Type
from rulesengine.values import Plain

Grain: TypeAlias = tuple[str, ...]


class Edge(Placed, frozen=True):
    """One node needs another; the span is the use that says so."""

    target: str
    span: Span


class Node(Placed, frozen=True, kw_only=True):
    """Anything in the graph.

    `id` is unique; `path` is the name that results give it (`trust.Q3`), or None for what only stands inside.
    `grain` is the keys that it varies by, in the order of the evidence.
    """

    id: str
    path: str | None = None
    label: str | None = None
    grain: Grain
    edges: tuple[Edge, ...]
    span: Span


class Definition(Node, frozen=True, kw_only=True):
    """`let link = url.cited(answer, target)`."""

    type: Type
    value: Expr


class NoScore(Placed, frozen=True, kw_only=True):
    """`unscored "target missing"`, as what a row gives."""

    reason: str
    span: Span


class Row(Placed, frozen=True, kw_only=True):
    """One row. `condition` is None for `otherwise` and for `when missing`; `gate` is the name of a gate."""

    condition: Expr | None
    result: Expr | NoScore
    gate: str | None
    label: str | None
    span: Span


class Rows(Node, frozen=True, kw_only=True):
    """Ordered rows: the first whose condition holds gives the result.

    `if_missing` is the row taken where a condition that is reached, or the result, is missing. Results lie from `low`
    to `high`, and are out of `out_of`; with `scale`, each is one of it.
    """

    rows: tuple[Row, ...]
    if_missing: Row | None
    out_of: Fraction
    low: Fraction
    high: Fraction
    scale: tuple[Fraction, ...] | None


class Computed(Node, frozen=True, kw_only=True):
    """`criterion trust worth 60 = a + b`; `if_missing` and the results are as those of Rows."""

    value: Expr
    if_missing: Row | None
    out_of: Fraction
    low: Fraction
    high: Fraction
    scale: tuple[Fraction, ...] | None


class Exclusion(Placed, frozen=True, kw_only=True):
    """A result for which the condition holds is left out, with the reason."""

    condition: Expr
    reason: str
    span: Span


class Combine(Node, frozen=True, kw_only=True):
    """A node's results rolled up over one key.

    `op` is `mean`, `median`, `min`, `max` or `sum`. With fewer than `quorum` results there is none. `keep` names the
    statistics of the results that are reported beside it.
    """

    source: str
    key: str
    op: str
    quorum: int
    keep: tuple[str, ...]
    exclusions: tuple[Exclusion, ...]


class Clamp(Node, frozen=True, kw_only=True):
    """A node's result, or the nearer end where it lies outside."""

    source: str
    low: Fraction
    high: Fraction


class Round(Node, frozen=True, kw_only=True):
    """A node's result as a multiple of `step`; `mode` is one of rounding.MODES."""

    source: str
    mode: str
    step: Fraction


class Fix(Node, frozen=True, kw_only=True):
    """A node's result where one key has one value: an item."""

    source: str
    key: str
    option: str


class Sum(Node, frozen=True, kw_only=True):
    """The sum of parts, in the order written, each times its factor: below 0 for a penalty.

    `shares` is what each part can add at most, in points; 0 for a penalty. With `renormalise`, parts without a score
    are left out, and the others count for the whole.
    """

    parts: tuple[str, ...]
    factors: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    out_of: Fraction
    renormalise: bool


AnyNode: TypeAlias = Definition | Rows | Computed | Combine | Clamp | Round | Fix | Sum


class Requirement(Placed, frozen=True, kw_only=True):
    """What has to hold, at each point of its grain; where `excused`, a breach is noted and no more."""

    condition: Expr
    message: str
    grain: Grain
    excused: bool
    span: Span


class Show(Placed, frozen=True, kw_only=True):
    """A figure that results hold and no score counts."""

    name: str
    label: str | None
    value: Expr
    span: Span


class Ranking(Placed, frozen=True, kw_only=True):
    """An order of the subjects that agree in `within`; of each such group the best `keep` are kept (None: all)."""

    name: str
    label: str | None
    within: tuple[str, ...]
    value: Expr
    descending: bool
    keep: int | None
    span: Span


class Function(Struct, frozen=True, kw_only=True):
    """A pure function: its body reads its parameters only."""

    name: str
    parameters: tuple[str, ...]
    body: Expr


class Ask(Struct, frozen=True, kw_only=True):
    """A question to a judge.

    `given` are the fields of the record that go along; `blind` the parameters whose order the judge does not see,
    `mirrored` the pairs of options that an exchange of the two turns into each other.
    """

    name: str
    parameters: tuple[str, ...]
    type: Type
    prompt: str
    given: tuple[str, ...]
    blind: tuple[str, ...]
    mirrored: tuple[tuple[str, str], ...]
    both_orders: bool
    panel: Panel | None


class Settling(Struct, frozen=True, kw_only=True):
    """`leaves by ladder.number(within: 1%)`: a ladder, and what it is told beside what stands in each leaf."""

    ladder: str
    settings: tuple[tuple[str, Expr], ...]


class Comparison(Struct, frozen=True, kw_only=True):
    """`compare candidate with reference as field`: what its rows are worked out from.

    `leaves` and `extras` settle leaves; `schema` is the field that holds a JSON Schema. A value is backed by fields
    that are `texts`, and by `others`: a key among whose other values most give it; `shared` are the keys of the
    reference.
    """

    name: str
    candidate: Expr
    reference: Expr
    leaves: Settling
    extras: Settling | None
    lists: Literal["sets", "sequences"]
    threshold: Fraction
    keyed: str | None
    paired_by: tuple[str, ...]
    schema: str | None
    texts: tuple[str, ...]
    others: tuple[str, ...]
    shared: Grain


class Child(Struct, frozen=True, kw_only=True):
    """A child grain: the rows of a list of records in evidence, or of a comparison; `grain` is whose rows they are."""

    name: str
    grain: Grain
    comparison: Comparison | None
    of: Literal["leaves", "lists"] = "leaves"


class Claim(Placed, frozen=True, kw_only=True):
    """A statement about every evidence, at each point of `keys`."""

    title: str
    keys: tuple[str, ...]
    condition: Expr
    span: Span


class Band(Struct, frozen=True, kw_only=True):
    """The scores from `low` to `high` (None: no bound), `high` itself only if `inclusive`.

    With a condition, it takes them only where that holds for the subject.
    """

    name: str
    low: Fraction | None
    high: Fraction | None
    inclusive: bool
    condition: Expr | None

    def reaches(self, score: Fraction) -> bool:
        """Whether a score lies between its bounds."""
        if self.low is not None and score < self.low:
            return False
        if self.high is None:
            return True
        return score <= self.high if self.inclusive else score < self.high


class Bands(Struct, frozen=True, kw_only=True):
    """The first band that takes the total names it."""

    name: str
    label: str | None
    bands: tuple[Band, ...]


class Graph(Struct, frozen=True, kw_only=True):
    """A whole rubric, ready to run.

    `inexact` names the parts and figures that may be the first 50 digits of a number that has no end.

    INVARIANT (topological): every node stands after all that its edges point to; `total` is the last.
    """

    name: str
    title: str | None
    version: str | None
    about: str | None
    schema: Schema
    params: dict[str, Plain]
    subject: tuple[str, ...]
    out_of: Fraction
    nodes: dict[str, AnyNode]
    total: str
    functions: dict[str, Function]
    asks: dict[str, Ask]
    children: dict[str, Child]
    claims: tuple[Claim, ...]
    inexact: tuple[str, ...]
    bands: tuple[Bands, ...]
    record_requirements: tuple[Requirement, ...]
    requirements: tuple[Requirement, ...]
    shows: tuple[Show, ...]
    rankings: tuple[Ranking, ...]
