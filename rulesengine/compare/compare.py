"""Two values of JSON compared leaf by leaf, their lists paired first.

*Aligning* says which leaf of the candidate stands against which of the reference. Objects are aligned
field by field. Of two lists every item is aligned with every other, the leaves of each such pair are
settled as far as it is free or takes an embedding, and the best assignment of pairs is kept; inside
them the same was done before. Values of two shapes, a text against a list, have nothing to do with
each other: what the one holds is missing, what the other holds is extra.

*Settling* then asks the ladder, to its end, about each leaf of the candidate that the alignment left:
once for those with a partner, once for those without. No pair of items that was not chosen reaches a
judge. Where an embedding is still to be had, its list stays unpaired and nothing in it is asked.

A list of one item goes the way of every other list, and the credit of a pair is worked out from the
same alignment that its rows are made from.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve, field, frozen

from rulesengine.compare.leaves import Field, LeafType, Spot, content, label, naming
from rulesengine.compare.normal import Scalar
from rulesengine.compare.outcome import (
    ZERO,
    Comparison,
    Leaf,
    ListCount,
    NeedsMore,
    Options,
    Row,
    RowKind,
    Settle,
    Settled,
    Unusable,
    Waiting,
)
from rulesengine.compare.pairing import TooManyItems, Worth, grouped, pairs
from rulesengine.compare.shape import Faulty, SchemaFault, read_schema
from rulesengine.compare.tree import (
    Fields,
    Items,
    Kind,
    Node,
    Single,
    Unreadable,
    as_date,
    field_step,
    is_filled,
    join_path,
    tree,
)
from rulesengine.errors import InternalError

DEFAULT_OPTIONS = Options()
_IDENTIFYING_WEIGHT = 2


def compare(
    candidate: object,
    reference: object,
    schema: object = None,
    options: Options = DEFAULT_OPTIONS,
    *,
    settle: Settle,
) -> Comparison | Waiting | Unusable:
    """Compare a candidate's value of JSON with the reference's. Never raises by itself.

    Args:
        candidate: text, yes or no, None, number, list, object, as the evidence reader gives them.
        reference: the same.
        schema: a JSON Schema of both, or None; see `shape` for what is read of it.
        options: how lists are treated, and limits.
        settle: the ladder, a function of the leaf and of how far it may climb, without side effects
            that matter. While lists are paired (`"pairing"`) it answers `NeedsMore` only for an
            embedding, and `Settled` with credit 0 for what would climb further.

    Returns:
        The rows and list counts; or what the ladder waits for, all that can be told already; or what
        makes the inputs unusable.
    """
    left, right, shapes = tree(candidate), tree(reference), read_schema(schema)
    if isinstance(left, Unreadable):
        return Unusable("candidate", left.message, left.path)
    if isinstance(right, Unreadable):
        return Unusable("reference", right.message, right.path)
    if isinstance(shapes, SchemaFault):
        return Unusable("schema", shapes.message, shapes.pointer, shapes.help)
    spot = Spot(shapes, options.lists, shapes.root)
    work = _Work(options, settle)
    rows: list[Row] = []
    counts: list[ListCount] = []
    try:
        for found in work.align(spot, left, right, _START):
            if isinstance(found, _Lists):
                if found.pairs is not None:
                    counts.append(_count(found, found.pairs))
            elif (row := work.row(found)) is not None:
                rows.append(row)
    except Faulty as faulty:
        return Unusable("schema", faulty.fault.message, faulty.fault.pointer, faulty.fault.help)
    except _TooMuch as much:
        return Unusable("lists", much.message, much.path)
    if work.demands:
        return Waiting(tuple(work.demands))
    return Comparison(tuple(rows), tuple(counts))


class _TooMuch(Exception):  # noqa: N818 # only carries control out of the recursion
    def __init__(self, message: str, path: str) -> None:
        self.message = message
        self.path = path


@frozen
class _Place:
    """Where the walk is: the steps in the row's key, in the candidate and in the reference."""

    row: tuple[str, ...] = ()
    candidate: tuple[str, ...] | None = ()
    reference: tuple[str, ...] | None = ()
    item: str = ""
    called: str = ""  # what names the innermost item around it
    within: str = ""  # its row

    def at_field(self, name: str) -> _Place:
        """Return the place of a field of the objects here."""
        step = field_step(name)
        return evolve(
            self,
            row=(*self.row, step),
            candidate=_step(self.candidate, step),
            reference=_step(self.reference, step),
        )

    def at_item(self, candidate: int | None, reference: int | None, called: str) -> _Place:
        """Return the place of an item of the lists here, or of a pair of items."""
        mark = f"[+{candidate}]" if reference is None else f"[{reference}]"
        row = (*self.row, mark)
        paired = candidate is not None and reference is not None
        return _Place(
            row,
            None if candidate is None else _step(self.candidate, f"[{candidate}]"),
            None if reference is None else _step(self.reference, f"[{reference}]"),
            self.item if paired else self.item or _path(row),
            called or self.called,
            _path(row),
        )


_START = _Place()


@frozen
class _Match:
    """A leaf of one side or of both, aligned. `place` is left out while lists are paired."""

    spot: Spot
    candidate: Single | None
    reference: Single | None
    place: _Place | None


@frozen
class _Pairs:
    """How the items of two lists stand together, as positions: pairs and lone ones, each once.

    In the order of the reference, then of what only the candidate has. `matched` counts the pairs
    of enough credit; where lists are sets that is all of them.
    """

    items: tuple[tuple[int | None, int | None], ...]
    matched: frozenset[tuple[int | None, int | None]]


@frozen
class _Lists:
    """Two lists that were met, one of them perhaps absent; no `pairs` where they have to wait."""

    spot: Spot
    candidate: Items
    reference: Items
    pairs: _Pairs | None
    place: _Place | None


_NO_ITEMS = Items((), filled=False)
_WORTH_NOTHING = Worth(ZERO)


@define(eq=False)
class _Work:
    options: Options
    settle: Settle
    demands: dict[object, None] = field(factory=dict)
    spent: int = 0
    # By identity, since a list is met once for each pair of the items around it, and again where
    # that pair is chosen. None where an embedding is still to be had.
    paired: dict[tuple[int, int], _Pairs | None] = field(factory=dict)
    contents: dict[int, str] = field(factory=dict)
    fits: dict[int, int] = field(factory=dict)

    def align(
        self, spot: Spot, left: Node | None, right: Node | None, place: _Place | None
    ) -> Iterator[_Match | _Lists]:
        """Yield the leaves of a candidate's and a reference's value, those of one place together."""
        match left, right:
            case None, None:
                return
            case (Single() | None, Single() | None):
                yield _Match(spot, left, right, place)
            case (Fields() | None, Fields() | None):
                mine = left.fields if left is not None else {}
                theirs = right.fields if right is not None else {}
                for name in spot.names(mine, theirs):
                    yield from self.align(
                        spot.at_field(name),
                        mine.get(name),
                        theirs.get(name),
                        place.at_field(name) if place is not None else None,
                    )
            case (Items() | None, Items() | None):
                yield from self.align_lists(spot, left or _NO_ITEMS, right or _NO_ITEMS, place)
            case _:
                yield from self.align(spot, None, right, place)
                yield from self.align(spot, left, None, place)

    def align_lists(
        self, spot: Spot, left: Items, right: Items, place: _Place | None
    ) -> Iterator[_Match | _Lists]:
        """Yield two lists, and then the leaves of their items."""
        found = self.pairs(spot, left, right)
        yield _Lists(spot, left, right, found, place)
        if found is None:
            return
        for i, j in found.items:
            at = spot.at_item(_either(i, j))
            mine = None if i is None else left.items[i]
            theirs = None if j is None else right.items[j]
            inner = (
                None
                if place is None
                else place.at_item(i, j, naming(at, mine if theirs is None else theirs))
            )
            yield from self.align(at, mine, theirs, inner)

    def pairs(self, spot: Spot, left: Items, right: Items) -> _Pairs | None:
        """Return how the items of two lists stand together, None where an embedding is missing."""
        key = (id(left), id(right))
        if left is _NO_ITEMS or right is _NO_ITEMS:
            return self.pair_items(spot, left, right)
        if key not in self.paired:
            self.paired[key] = self.pair_items(spot, left, right)
        return self.paired[key]

    def pair_items(self, spot: Spot, left: Items, right: Items) -> _Pairs | None:
        """Work out `pairs`."""
        mine = [i for i, item in enumerate(left.items) if is_filled(item)]
        theirs = [j for j, item in enumerate(right.items) if is_filled(item)]
        if not mine or not theirs:
            return _stood(mine, theirs, [])
        if spot.by_position:
            return self.in_sequence(spot, left, right, mine, theirs)
        keyed = self.keyed(left, right, mine, theirs)
        everyone = mine, theirs
        mine = [i for i in mine if i not in {i for i, _ in keyed}]
        theirs = [j for j in theirs if j not in {j for _, j in keyed}]
        ours = grouped([(i, self.content(spot, left.items[i])) for i in mine])
        others = grouped([(j, self.content(spot, right.items[j])) for j in theirs])
        self.spend(spot, len(ours) * len(others), ahead=True)
        item_spot = spot.at_item(0)
        numbers: dict[Worth, int] = {}
        grid: list[list[int]] = []
        waits = False
        for group in ours:
            row: list[int] = []
            for other in others:
                worth = self.worth(
                    item_spot, left.items[group.positions[0]], right.items[other.positions[0]]
                )
                if worth is None:
                    waits = True
                    row.append(-1)
                elif self.enough(worth):
                    row.append(numbers.setdefault(worth, len(numbers)))
                else:
                    row.append(-1)
            grid.append(row)
        if waits:
            return None
        chosen = pairs(ours, others, grid, list(numbers))
        if isinstance(chosen, TooManyItems):
            raise _TooMuch(chosen.message, spot.path)
        return _stood(*everyone, [*keyed, *chosen])

    def keyed(
        self, left: Items, right: Items, mine: list[int], theirs: list[int]
    ) -> list[tuple[int, int]]:
        """Return the pairs of items whose key is the same, where it is no other's in either list."""
        if self.options.keyed is None:
            return []
        ours = _by_key(left, mine, self.options.keyed)
        others = _by_key(right, theirs, self.options.keyed)
        return [
            (positions[0], others[key][0])
            for key, positions in ours.items()
            if len(positions) == 1 and len(others.get(key, ())) == 1
        ]

    def in_sequence(
        self, spot: Spot, left: Items, right: Items, mine: list[int], theirs: list[int]
    ) -> _Pairs | None:
        """Pair two lists position by position."""
        both = sorted(set(mine) & set(theirs))
        worths = [self.worth(spot.at_item(i), left.items[i], right.items[i]) for i in both]
        if None in worths:
            return None
        enough = [i for i, worth in zip(both, worths, strict=True) if worth and self.enough(worth)]
        stood = _stood(mine, theirs, [(i, i) for i in both])
        return evolve(stood, matched=frozenset((i, i) for i in enough))

    def enough(self, worth: Worth) -> bool:
        """Tell whether two items may be paired."""
        return worth is not _WORTH_NOTHING and worth.credit >= self.options.pair_threshold

    def worth(self, spot: Spot, left: Node | None, right: Node | None) -> Worth | None:
        """Return what speaks for a pair of items, None where an embedding is missing.

        Nearly all pairs of a long list have no credit, so fractions are touched only where there is
        some.
        """
        total = 0
        credit = identifying = leaf_credit = ZERO
        waits = False
        sides = self.spoken_for(left, right)
        for found in self.align(spot, *sides, None):
            self.spend(spot, 1)
            if isinstance(found, _Lists):
                waits = waits or found.pairs is None
                continue
            known, leaf_type = self.known(found)
            weight = _IDENTIFYING_WEIGHT if known.identifying else 1
            total += weight
            if found.candidate is None or found.reference is None:
                continue
            settled = self.settle(
                _leaf(known, leaf_type, found.candidate, found.reference), "pairing"
            )
            if isinstance(settled, NeedsMore):
                self.demands[settled.what] = None
                waits = True
            elif settled.credit:
                credit += weight * settled.credit
                leaf_credit += settled.credit
                if known.identifying:
                    identifying += settled.credit
        if waits:
            return None
        return Worth(credit / total, identifying, leaf_credit) if credit else _WORTH_NOTHING

    def spoken_for(self, left: Node | None, right: Node | None) -> tuple[Node | None, Node | None]:
        """Return what of two items speaks for their being a pair."""
        narrowed = [_only(each, self.options.paired_by) for each in (left, right)]
        has_any = any(isinstance(each, Fields) and each.fields for each in narrowed)
        return (narrowed[0], narrowed[1]) if has_any else (left, right)

    def row(self, match: _Match) -> Row | None:
        """Return the row of an aligned leaf, None where the ladder waits for something."""
        assert match.place is not None
        known, leaf_type = self.known(match)
        place, key = match.place, _path(match.place.row)
        reference = None if match.reference is None else _value(match.reference, leaf_type)
        candidate: Scalar | None = None
        if match.candidate is None:
            kind: RowKind = "miss"
            settled: Settled | NeedsMore = _MISS
        else:
            kind = "extra" if match.reference is None else "both"
            called = "" if known.identifying else place.called
            leaf = _leaf(known, leaf_type, match.candidate, match.reference, key, called)
            candidate = leaf.candidate
            settled = self.settle(leaf, "all")
        if isinstance(settled, NeedsMore):
            self.demands[settled.what] = None
            return None
        if not 0 <= settled.credit <= 1:
            raise InternalError(f"the rung {settled.rung} gave the credit {settled.credit}")
        return Row(
            key,
            known,
            kind,
            leaf_type,
            candidate,
            reference,
            settled.rung,
            settled.credit,
            settled.cosine,
            place.item,
            place.within,
            None if candidate is None else _path(place.candidate or ()),
            None if reference is None else _path(place.reference or ()),
        )

    def known(self, match: _Match) -> tuple[Field, LeafType]:
        """Return what is known of a leaf, chosen by its one or two values."""
        one, other = match.candidate or match.reference, match.reference or match.candidate
        assert one is not None
        assert other is not None
        return match.spot.leaf(
            one.kind, self.fitting(match.spot, one), other.kind, self.fitting(match.spot, other)
        )

    def fitting(self, spot: Spot, single: Single) -> int:
        """Return `Spot.fits`, worked out once for each value."""
        found = self.fits.get(id(single))
        if found is None:
            found = self.fits[id(single)] = spot.fits(single)
        return found

    def content(self, spot: Spot, item: Node | None) -> str:
        """Return the content of an item of a list, worked out once."""
        found = self.contents.get(id(item))
        if found is None:
            found = self.contents[id(item)] = content(spot.at_item(0), item)
        return found

    def spend(self, spot: Spot, pairs: int, *, ahead: bool = False) -> None:
        """Count pairs that are looked at, and stop where they are too many."""
        if self.spent + pairs > self.options.most_pairs:
            raise _TooMuch(
                f"more than {self.options.most_pairs} pairs of items and leaves to be looked at",
                spot.path,
            )
        if not ahead:
            self.spent += pairs


_MISS = Settled(ZERO, "miss")


def _leaf(
    known: Field,
    leaf_type: LeafType,
    candidate: Single,
    reference: Single | None,
    row: str = "",
    item: str = "",
) -> Leaf:
    return Leaf(
        known,
        "extra" if reference is None else "both",
        leaf_type,
        _value(candidate, leaf_type),
        None if reference is None else _value(reference, leaf_type),
        row,
        item,
    )


def _value(single: Single, leaf_type: LeafType) -> Scalar:
    """Return a leaf's value; that of a date as a day."""
    if leaf_type == "date" and isinstance(single.value, str):
        return as_date(single.value) or single.value
    return single.value


def _by_key(items: Items, positions: list[int], name: str) -> dict[tuple[Kind, Scalar], list[int]]:
    """The items of a list by what they give in a field; those that give nothing there are left out."""
    found: dict[tuple[Kind, Scalar], list[int]] = {}
    for position in positions:
        item = items.items[position]
        key = item.fields.get(name) if isinstance(item, Fields) else None
        if isinstance(key, Single):
            found.setdefault((key.kind, key.value), []).append(position)
    return found


def _only(item: Node | None, names: tuple[str, ...]) -> Node | None:
    """An object with some of its fields alone; anything else as it is."""
    if not names or not isinstance(item, Fields):
        return item
    chosen = {name: each for name, each in item.fields.items() if name in names}
    return Fields(chosen, item.filled)


def _stood(mine: list[int], theirs: list[int], chosen: list[tuple[int, int]]) -> _Pairs:
    partner = {j: i for i, j in chosen}
    taken = {i for i, _ in chosen}
    items: list[tuple[int | None, int | None]] = [(partner.get(j), j) for j in theirs]
    items += [(i, None) for i in mine if i not in taken]
    return _Pairs(tuple(items), frozenset(chosen))


def _count(lists: _Lists, found: _Pairs) -> ListCount:
    assert lists.place is not None
    alone = [pair for pair in found.items if pair not in found.matched]
    mine, theirs = lists.candidate.items, lists.reference.items
    return ListCount(
        _path(lists.place.row),
        lists.spot.path,
        sum(j is not None for _, j in found.items),
        sum(i is not None for i, _ in found.items),
        len(found.matched),
        tuple(_label(lists.spot, j, theirs) for _, j in alone if j is not None),
        tuple(_label(lists.spot, i, mine) for i, _ in alone if i is not None),
    )


def _label(spot: Spot, position: int, items: tuple[Node | None, ...]) -> str:
    item = items[position]
    return "" if item is None else label(spot.at_item(position), item)


def _either(one: int | None, other: int | None) -> int:
    position = other if other is not None else one
    assert position is not None
    return position


def _step(steps: tuple[str, ...] | None, step: str) -> tuple[str, ...] | None:
    return None if steps is None else (*steps, step)


def _path(steps: tuple[str, ...]) -> str:
    return join_path("".join(steps))
