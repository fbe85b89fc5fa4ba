"""The leaves of a value, each with its path, its type and what the schema says of it.

The type of a leaf is that of its values where they are of one kind, and the schema decides what JSON
cannot tell: an enum or `x-exact` makes it `exact`, `x-prose` makes a text `prose`, `number` keeps 4
from being an integer. Values that are of two kinds, or none of the schema's, are `mixed`: they can
be the same by the documents or to a judge, but no typed rung speaks of them. Two texts that spell
days are dates even where the schema says only `string`, so that days are never compared by how alike
they look.

Of the branches that `anyOf` and `oneOf` leave, the one is taken that both values fit, a narrower
one first (enum, then date); else one that either fits; else the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from attrs import define, field

from rulesengine.compare.normal import Scalar, equal
from rulesengine.compare.shape import Branch, Marks, Schema, Shape
from rulesengine.compare.tree import (
    Fields,
    Items,
    Kind,
    Node,
    Single,
    field_step,
    is_filled,
    join_path,
)
from rulesengine.struct import Struct
from rulesengine.values import show

LeafType: TypeAlias = Literal[
    "text", "prose", "number", "integer", "date", "yes/no", "exact", "mixed"
]
Lists: TypeAlias = Literal["sets", "sequences"]
_SORTS = {
    "text": "text",
    "date": "text",
    "number": "number",
    "integer": "integer",
    "yes/no": "yes/no",
}


class Field(Struct, frozen=True):
    """What is known of a leaf apart from its values.

    `path` leaves positions out, as in `authors[].name`, and is `$` for a value that is itself a
    leaf. `parents` are the places around it that the schema describes, outermost first, each with
    its path. `options` are those of an enum. `exact` holds for an enum and for `x-exact`.
    """

    path: str
    exact: bool = False
    prose: bool = False
    identifying: bool = False
    options: tuple[Scalar, ...] | None = None
    description: str = ""
    parents: tuple[tuple[str, str], ...] = ()


@define(eq=False)
class Spot:
    """A place that values can have, with what the schema says of it; made once for each path."""

    schema: Schema
    lists: Lists
    shape: Shape
    steps: str = ""
    marks: Marks = field(default=Marks())  # those of the places around it
    parents: tuple[tuple[str, str], ...] = ()
    _children: dict[str | int | None, Spot] = field(factory=dict)
    _branches: tuple[Branch, ...] = field(init=False)
    _positions: int = field(init=False)
    _names: dict[tuple[tuple[str, ...], ...], list[str]] = field(factory=dict)
    _chosen: dict[tuple[int, int, Kind, Kind], tuple[Field, LeafType]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._positions = self.shape.positions
        alone = [each for each in self.shape.branches if each.sorts & set(_SORTS.values())]
        self._branches = tuple(
            sorted(alone, key=lambda each: (each.options is None, not each.is_date))
        )

    @property
    def path(self) -> str:
        """The path as text, such as `authors[].name`."""
        return join_path(self.steps)

    @property
    def by_position(self) -> bool:
        """Whether a list here is compared item by item: in a sequence, or where positions have schemas."""
        return self.lists == "sequences" or self._positions > 0

    def at_field(self, name: str) -> Spot:
        """Return the place of a field of the object here."""
        if name not in self._children:
            self._children[name] = self._inner(
                self.schema.field(self.shape, name), field_step(name)
            )
        return self._children[name]

    def at_item(self, position: int) -> Spot:
        """Return the place of an item of the list here: one for all, but for those with own schemas."""
        key = position if position < self._positions else None
        if key not in self._children:
            shape = self.schema.item(self.shape, position)
            self._children[key] = self._inner(shape, "[]" if key is None else f"[{key}]")
        return self._children[key]

    def names(self, *values: Mapping[str, Node]) -> list[str]:
        """Return the fields that objects here have, in the schema's order, then alphabetically."""
        key = tuple(tuple(value) for value in values)
        if key not in self._names:
            self._names[key] = self._sorted({name for value in values for name in value})
        return self._names[key]

    def _sorted(self, present: set[str]) -> list[str]:
        declared = dict.fromkeys(name for each in self.shape.branches for name in each.properties)
        return [
            *(name for name in declared if name in present),
            *sorted(present - declared.keys()),
        ]

    def fits(self, single: Single) -> int:
        """Return which branches a value fits, as the bits of a number."""
        bits = 0
        for number, branch in enumerate(self._branches):
            if _fits(branch, single):
                bits |= 1 << number
        return bits

    def leaf(self, one: Kind, fits: int, other: Kind, other_fits: int) -> tuple[Field, LeafType]:
        """Return what is known of a leaf whose two values are of these kinds and fit these branches."""
        key = (fits, other_fits, one, other)
        if key not in self._chosen:
            self._chosen[key] = self._choose(fits, other_fits, {one, other})
        return self._chosen[key]

    def _choose(self, fits: int, other_fits: int, kinds: set[Kind]) -> tuple[Field, LeafType]:
        if self._branches:
            bits = fits & other_fits or fits | other_fits or 1
            branch = self._branches[(bits & -bits).bit_length() - 1]
        else:
            branch = self.shape.branches[0]
        marks = _within(self.marks, branch.marks)
        known = Field(
            self.path,
            exact=branch.options is not None or marks.exact is True,
            prose=marks.prose is True,
            identifying=marks.identifying is True,
            options=branch.options,
            description=branch.description or self.shape.description,
            parents=self.parents,
        )
        return known, _leaf_type(known, branch, kinds)

    def _inner(self, shape: Shape, step: str) -> Spot:
        said = self.shape.description
        return Spot(
            self.schema,
            self.lists,
            shape,
            self.steps + step,
            _within(self.marks, _together(self.shape)),
            (*self.parents, (self.path, said)) if said else self.parents,
        )


def leaves(spot: Spot, node: Node | None) -> Iterator[tuple[Spot, Single]]:
    """Yield every leaf of a value with its place, in the order of the places; in a set that of contents."""
    match node:
        case None:
            return
        case Single():
            yield spot, node
        case Fields(fields=fields):
            for name in spot.names(fields):
                yield from leaves(spot.at_field(name), fields[name])
        case Items(items=items):
            places = [(spot.at_item(position), item) for position, item in enumerate(items)]
            if len(places) > 1 and not spot.by_position:
                places.sort(key=lambda place: content(*place))
            for at, item in places:
                yield from leaves(at, item)


def label(spot: Spot, node: Node) -> str:
    """Return what a list item is called: its identifying leaves, or else its first leaf."""
    found = list(leaves(spot, node))
    named = [single for at, single in found if _is_identifying(at, single)]
    return _line(named or [single for _, single in found[:1]])


def naming(spot: Spot, node: Node | None) -> str:
    """Return the identifying leaves of a list item, empty where it has none."""
    return _line([single for at, single in leaves(spot, node) if _is_identifying(at, single)])


def _line(singles: list[Single]) -> str:
    line = " ".join(", ".join(map(_shown, singles)).split())
    return line if len(line) <= _LONGEST_LABEL else f"{line[: _LONGEST_LABEL - 1]}…"


def content(spot: Spot, node: Node | None) -> str:
    """Return a text that two values have in common only if every comparison treats them alike.

    The order of fields is left out, and so is that of items where lists are sets; 4.0 is 4.
    """
    match node:
        case None:
            return "-"
        case Single(value=value):
            return f"{type(value).__name__}:{len(str(value))}:{value}"
        case Fields(fields=fields):
            inner = [
                f"{len(name)}:{name}={content(spot.at_field(name), fields[name])}"
                for name in sorted(fields)  # empty lists too: they are counted
            ]
            return f"{{{';'.join(inner)}}}"
        case Items(items=items):
            parts = [content(spot.at_item(i), item) for i, item in enumerate(items)]
            if not spot.by_position:
                parts = sorted(
                    part for part, item in zip(parts, items, strict=True) if is_filled(item)
                )
            return f"[{';'.join(parts)}]"


_LONGEST_LABEL = 80


def _is_identifying(spot: Spot, single: Single) -> bool:
    bits = spot.fits(single)
    return spot.leaf(single.kind, bits, single.kind, bits)[0].identifying


def _shown(single: Single) -> str:
    if isinstance(single.value, bool):
        return "yes" if single.value else "no"
    return show(single.value)


def _fits(branch: Branch, single: Single) -> bool:
    if _SORTS[single.kind] not in branch.sorts:
        return False
    if branch.is_date and single.kind != "date":
        return False
    return branch.options is None or any(equal(single.value, each) for each in branch.options)


def _leaf_type(known: Field, branch: Branch, kinds: set[Kind]) -> LeafType:
    if known.exact:
        return "exact"
    if not any(_SORTS[kind] in branch.sorts for kind in kinds):
        return "mixed"
    if kinds <= {"text", "date"}:
        if known.prose:
            return "prose"
        return "date" if kinds == {"date"} else "text"
    if kinds <= {"number", "integer"}:
        # A place that may hold other numbers than integers, and says so, holds numbers.
        says_number = "number" in branch.sorts and "text" not in branch.sorts
        return "integer" if kinds == {"integer"} and not says_number else "number"
    return "yes/no" if kinds == {"yes/no"} else "mixed"


def _within(around: Marks, own: Marks) -> Marks:
    """Return the marks of a place inside another: what it says itself counts before what is around."""
    says = own.exact is not None or own.prose is not None
    return Marks(
        exact=own.exact if says else around.exact,
        prose=own.prose if says else around.prose,
        identifying=around.identifying if own.identifying is None else own.identifying,
    )


def _together(shape: Shape) -> Marks:
    """Return what the branches of a list or object say for all that is in it."""
    marks = [each.marks for each in shape.branches if each.sorts & {"object", "list"}]
    return Marks(
        next((each.exact for each in marks if each.exact is not None), None),
        next((each.prose for each in marks if each.prose is not None), None),
        next((each.identifying for each in marks if each.identifying is not None), None),
    )
