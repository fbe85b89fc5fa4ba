"""What comes out of comparing two values: a row for each leaf, and the counts of each list.

Every figure of a protocol can be told from the rows. A row is *expected* where the reference fills
it, *filled* where the candidate does, *extra* where only the candidate does, and *confirmed* where an
extra value was settled with credit. So, over all rows:

- completeness: count where `expected and filled or confirmed`, over count where
  `expected or confirmed`;
- correctness: mean of `credit` where `filled and (expected or confirmed)`;
- hallucination: count where `extra and not confirmed`, over count where `filled`.

A leaf that neither side fills has no row.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal, TypeAlias

from rulesengine.compare.leaves import Field, LeafType, Lists
from rulesengine.compare.normal import Scalar
from rulesengine.struct import Struct

RowKind: TypeAlias = Literal["both", "miss", "extra"]
Reach: TypeAlias = Literal["pairing", "all"]
"""How far a ladder may climb: free rungs and embeddings only, or to its end."""

ZERO, ONE = Fraction(0), Fraction(1)


class Options(Struct, frozen=True):
    """How two values are compared.

    `pair_threshold` is the least credit of a pair of items; a pair without any credit is never one.
    `most_pairs` bounds how many pairs of leaves are settled while lists are paired. Items of sets that are objects and
    give the same in the field `keyed` are pairs before any other, whatever else they say, where each list has it once;
    of what is left, only the fields `paired_by` speak for a pair, if they are named and an item has any.
    """

    lists: Lists = "sets"
    pair_threshold: Fraction = Fraction(1, 2)
    most_pairs: int = 5_000_000
    keyed: str | None = None
    paired_by: tuple[str, ...] = ()


class Leaf(Struct, frozen=True):
    """What a ladder is asked to settle: one leaf of the candidate, with the reference's if it has it.

    `type` is that of both values together; values of the type `date` are days. `row` is the key of
    the row that it is about, empty while lists are paired, where nothing depends on positions. So is `item`, what the
    innermost list item around it is called by identifying leaves other than this one.
    """

    field: Field
    kind: Literal["both", "extra"]
    type: LeafType
    candidate: Scalar
    reference: Scalar | None
    row: str = ""
    item: str = ""


class Settled(Struct, frozen=True):
    """The answer of a ladder: `credit` from 0 to 1 and the rung that gave it.

    For an extra leaf any credit above 0 confirms it.
    """

    credit: Fraction
    rung: str
    cosine: Fraction | None = None


class NeedsMore(Struct, frozen=True):
    """A ladder cannot settle a leaf before something is known: `what` says it, and is hashable."""

    what: object


Settle: TypeAlias = Callable[[Leaf, Reach], Settled | NeedsMore]


class Row(Struct, frozen=True):
    """One leaf that at least one side fills, and what it is worth.

    `row` tells rows apart: the path with positions, `authors[0].name`, those of the reference where
    it has the item and else the candidate's with a plus, `authors[+2].name`. `candidate_at` and
    `reference_at` are the places in the two values. `item` is the key of the list item that has no
    partner and that the leaf belongs to, the outermost one, so that its leaves can be asked about
    as one; empty elsewhere. `within` is the key of the innermost list item around the leaf, paired
    or not. `rung` is `miss` for what only the reference has.
    """

    row: str
    field: Field
    kind: RowKind
    type: LeafType
    candidate: Scalar | None
    reference: Scalar | None
    rung: str
    credit: Fraction
    cosine: Fraction | None = None
    item: str = ""
    within: str = ""
    candidate_at: str | None = None
    reference_at: str | None = None

    @property
    def path(self) -> str:
        """The path without positions."""
        return self.field.path

    @property
    def filled(self) -> bool:
        """Whether the candidate fills this leaf."""
        return self.candidate is not None

    @property
    def expected(self) -> bool:
        """Whether the reference fills it."""
        return self.reference is not None

    @property
    def extra(self) -> bool:
        """Whether only the candidate fills it."""
        return self.kind == "extra"

    @property
    def paired(self) -> bool:
        """Whether it stands in no list item that is without a partner."""
        return not self.item

    @property
    def confirmed(self) -> bool:
        """Whether it is extra, and was found to be right."""
        return self.kind == "extra" and self.credit > 0


class ListCount(Struct, frozen=True):
    """How the items of one list were found; empty items are not counted.

    `row` and `path` are the list's, as in `Row`. `missed` and `hallucinated` name the items without
    a partner. `matched` counts pairs of at least the threshold, whatever a judge said of them later.
    """

    row: str
    path: str
    ref_count: int
    cand_count: int
    matched: int
    missed: tuple[str, ...]
    hallucinated: tuple[str, ...]

    @property
    def precision(self) -> Fraction:
        """The share of the candidate's items that were matched; 1 where it has none."""
        return _share(self.matched, self.cand_count)

    @property
    def recall(self) -> Fraction:
        """The share of the reference's items that were matched; 1 where it has none."""
        return _share(self.matched, self.ref_count)

    @property
    def f1(self) -> Fraction:
        """The harmonic mean of precision and recall; 0 where both are."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else ZERO


class Comparison(Struct, frozen=True):
    """All rows, in the order of the schema and then of names and positions, and all lists."""

    rows: tuple[Row, ...]
    lists: tuple[ListCount, ...]


class Waiting(Struct, frozen=True):
    """What has to be known before the comparison can go on: the `what` of each demand, once."""

    demands: tuple[object, ...]


class Unusable(Struct, frozen=True):
    """Why two values cannot be compared: which input is at fault, where in it, and what to do."""

    side: Literal["candidate", "reference", "schema", "lists"]
    message: str
    at: str
    help: str | None = None


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else ONE
