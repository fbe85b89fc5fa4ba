"""Nodes of the rule graph: what is worked out, from what, and by which keys it varies.

    Definition   a let                      by every key
    Rows         ordered rows               judged once for each record
    Computed     a criterion `= …`          judged once for each record
    Combine      the mean over one key      that key is gone
    Fix          an item                    its key is fixed
    Sum          a criterion, the total     by what its parts vary by

Every node but a definition has an outcome: scored, unscored or failed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from rulesengine.evidence.schema import Schema
from rulesengine.graph.expressions import Expr
from rulesengine.source import Span
from rulesengine.struct import Placed, Struct
from rulesengine.types import Type

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

    `if_missing` is the row taken where a condition that is reached is missing. Results lie from 0 to `worth`; with
    `scale`, each is one of it.
    """

    rows: tuple[Row, ...]
    if_missing: Row | None
    worth: Fraction
    scale: tuple[Fraction, ...] | None


class Computed(Node, frozen=True, kw_only=True):
    """`criterion trust worth 60 = a + b`; results are as those of Rows."""

    value: Expr
    worth: Fraction
    scale: tuple[Fraction, ...] | None


class Exclusion(Placed, frozen=True, kw_only=True):
    """A result for which the condition holds is left out, with the reason."""

    condition: Expr
    reason: str
    span: Span


class Combine(Node, frozen=True, kw_only=True):
    """The mean of a node's results over one key."""

    source: str
    key: str
    exclusions: tuple[Exclusion, ...]


class Fix(Node, frozen=True, kw_only=True):
    """A node's result where one key has one value: an item."""

    source: str
    key: str
    option: str


class Sum(Node, frozen=True, kw_only=True):
    """The sum of parts, in the order written; each `worth` is what the part is out of."""

    parts: tuple[str, ...]
    worth: Fraction


AnyNode: TypeAlias = Definition | Rows | Computed | Combine | Fix | Sum


class Function(Struct, frozen=True, kw_only=True):
    """A pure function: its body reads its parameters only."""

    name: str
    parameters: tuple[str, ...]
    body: Expr


class Band(Struct, frozen=True, kw_only=True):
    """The scores from `low` to `high` (None: no bound), `high` itself only if `inclusive`."""

    name: str
    low: Fraction | None
    high: Fraction | None
    inclusive: bool

    def holds(self, score: Fraction) -> bool:
        """Whether a score lies in it."""
        if self.low is not None and score < self.low:
            return False
        if self.high is None:
            return True
        return score <= self.high if self.inclusive else score < self.high


class Bands(Struct, frozen=True, kw_only=True):
    """The first band that holds the total names it."""

    name: str
    label: str | None
    bands: tuple[Band, ...]


class Graph(Struct, frozen=True, kw_only=True):
    """A whole rubric, ready to run.

    INVARIANT (topological): every node stands after all that its edges point to; `total` is the last.
    """

    name: str
    title: str | None
    version: str | None
    about: str | None
    schema: Schema
    subject: tuple[str, ...]
    out_of: Fraction
    nodes: dict[str, AnyNode]
    total: str
    functions: dict[str, Function]
    bands: tuple[Bands, ...]
