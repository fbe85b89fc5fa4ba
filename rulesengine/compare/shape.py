"""What a JSON Schema says of each place in a value: its types, and the marks that steer comparing.

This is no validator. A schema is read for `type`, `properties`, `additionalProperties`, `items`,
`prefixItems`, `enum`, `const`, `format: date`, `description`, `nullable`, the marks `x-exact`,
`x-prose` and `x-identifying`, and through `$ref`, `allOf`, `anyOf` and `oneOf`. What would change the
meaning of a place and is not read is refused; what only narrows values (`minLength`, `required`) is
passed over.

A place has *branches*: the ways in which a schema lets it be. `anyOf` and `oneOf` add branches,
`allOf` and what stands beside it hold for each of them. The values choose among the branches; see
`leaves`.

References are followed here and not by a library: only pointers into the schema itself are allowed,
which takes ten lines, while `referencing` brings a compiled dependency for anchors and remote
schemas that would then have to be refused, and `jsonschema` validates but does not say which marks
hold at a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias
from urllib.parse import unquote

from rulesengine.compare.normal import Scalar, equal
from rulesengine.compare.tree import Unreadable, scalar, tree
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.numbers import OverLimit
from rulesengine.evidence.scan import MAX_DEPTH
from rulesengine.struct import Struct

Sort: TypeAlias = Literal["text", "number", "integer", "yes/no", "object", "list"]
Raw: TypeAlias = "Mapping[str, object] | bool"
All: TypeAlias = "tuple[Raw, ...]"
"""Schemas that all hold at one place."""

MOST_BRANCHES = 64
MARKS = ("x-exact", "x-prose", "x-identifying")
_SORTS: dict[str, frozenset[Sort]] = {
    "string": frozenset(["text"]),
    "number": frozenset(["number", "integer"]),
    "integer": frozenset(["integer"]),
    "boolean": frozenset(["yes/no"]),
    "object": frozenset(["object"]),
    "array": frozenset(["list"]),
    "null": frozenset(),
}
_ANY = frozenset[Sort](["text", "number", "integer", "yes/no", "object", "list"])
_SCHEMAS_BY_NAME = ("properties", "$defs", "definitions")
_SCHEMA_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties")
_NOT_READ = (
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveRef",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "if",
    "then",
    "else",
)


class Marks(Struct, frozen=True):
    """The marks of a place; None where nothing is said, so that what stands around it counts."""

    exact: bool | None = None
    prose: bool | None = None
    identifying: bool | None = None


class Branch(Struct, frozen=True):
    """One way in which a place may be."""

    sorts: frozenset[Sort] = _ANY
    options: tuple[Scalar, ...] | None = None
    is_date: bool = False
    marks: Marks = Marks()
    description: str = ""
    properties: Mapping[str, All] = {}
    others: All = ()
    prefix: tuple[All, ...] = ()
    items: All = ()


class SchemaFault(Struct, frozen=True):
    """What is wrong with a schema; `pointer` says where, as `#/properties/name`."""

    message: str
    pointer: str
    help: str | None = None


class Shape(Struct, frozen=True):
    """A place of a value: its branches, at least one."""

    branches: tuple[Branch, ...]

    @property
    def description(self) -> str:
        """The first description that a branch gives."""
        return next((each.description for each in self.branches if each.description), "")

    @property
    def positions(self) -> int:
        """How many items have a schema of their own by their position."""
        return max(len(each.prefix) for each in self.branches)


ANYTHING = Shape((Branch(),))


class Schema:
    """A sound schema: `root` is the shape of the value itself, the methods those of what it holds.

    The methods raise `Faulty` where the ways to read a place are too many once put together.
    """

    def __init__(self, raw: Raw) -> None:
        self._reader = _Reader(raw)
        self.root = Shape(self._reader.all((raw,)))

    def field(self, shape: Shape, name: str) -> Shape:
        """Return the shape of one field of an object."""
        return self._any(
            branch.properties.get(name, branch.others)
            for branch in shape.branches
            if "object" in branch.sorts
        )

    def item(self, shape: Shape, position: int | None = None) -> Shape:
        """Return the shape of an item of a list; of the one at `position` where that counts."""
        return self._any(
            branch.items if position is None else _at(branch, position)
            for branch in shape.branches
            if "list" in branch.sorts
        )

    def _any(self, terms: Iterator[All]) -> Shape:
        # A branch that says nothing of this place leaves it to those that do.
        branches = [branch for term in terms if term for branch in self._reader.all(term)]
        return Shape(_distinct(branches)) if branches else ANYTHING


def read_schema(raw: object) -> Schema | SchemaFault:
    """Return a schema that was given as a value of JSON, or the first thing wrong with it.

    None stands for no schema: everything is then typed by the values alone. Never raises.
    """
    if raw is None:
        return Schema(True)
    ready = tree(raw)
    if isinstance(ready, Unreadable):
        return SchemaFault(ready.message, ready.path)
    try:
        return Schema(_checked(raw))
    except Faulty as faulty:
        return faulty.fault


class Faulty(Exception):  # noqa: N818 # only carries control out of the recursion
    """A schema cannot be used; `fault` says why."""

    def __init__(self, message: str, pointer: str, help_: str | None = None) -> None:
        self.fault = SchemaFault(message, pointer, help_)


def _checked(root: object) -> Raw:
    """Return `root`, every schema in it and each that they refer to having been looked at."""
    checked: Raw = True
    waiting: list[tuple[object, str]] = [(root, "#")]
    seen: set[int] = set()
    found: list[tuple[Raw, str]] = []
    while waiting:
        raw, pointer = waiting.pop()
        if isinstance(raw, bool):
            continue
        if not isinstance(raw, Mapping):
            raise Faulty("a schema has to be an object, or true or false", pointer)
        if raw is root:
            checked = raw
        if id(raw) in seen:
            continue
        seen.add(id(raw))
        found.append((raw, pointer))
        _check_keywords(raw, pointer)
        waiting.extend(reversed([*_inner(raw, pointer)]))
        if "$ref" in raw:
            waiting.append((_target(root, raw["$ref"], pointer), str(raw["$ref"])))
    # Each schema is sound by itself; what can still fail is how they are put together.
    reader = _Reader(checked)
    for raw, pointer in found:
        reader.branches(raw, (), pointer)
    return checked


def _check_keywords(raw: Mapping[object, object], pointer: str) -> None:
    for name, value in raw.items():
        if not isinstance(name, str):
            raise Faulty("a keyword of a schema has to be a text", pointer)
        if name in _NOT_READ:
            raise Faulty(
                f"`{name}` is not understood here", pointer, "say it with properties, items, anyOf"
            )
        if name.startswith("x-") and name not in MARKS and (meant := did_you_mean(name, MARKS)):
            raise Faulty(f"there is no mark `{name}`", pointer, meant)
        here = f"{pointer}/{name}"
        match name:
            case "x-exact" | "x-prose" | "x-identifying" | "nullable":
                if not isinstance(value, bool):
                    raise Faulty(f"`{name}` has to be true or false", here)
            case "type":
                _types(value, here)
            case "enum":
                if not isinstance(value, list | tuple) or not value:
                    raise Faulty("`enum` has to be a list of values", here)
            case "properties" | "$defs" | "definitions":
                if not isinstance(value, Mapping):
                    raise Faulty(f"`{name}` has to be an object of schemas", here)
            case "allOf" | "anyOf" | "oneOf" | "prefixItems":
                if not isinstance(value, list | tuple) or not value:
                    raise Faulty(f"`{name}` has to be a list of schemas", here)
            case "items":
                if isinstance(value, list | tuple):
                    raise Faulty(
                        "`items` has to be one schema for all items",
                        here,
                        "schemas by position stand in `prefixItems`",
                    )
            case "description" | "format" | "$ref":
                if not isinstance(value, str):
                    raise Faulty(f"`{name}` has to be a text", here)
    if raw.get("x-exact") is True and raw.get("x-prose") is True:
        raise Faulty("`x-exact` and `x-prose` contradict each other", pointer)


def _inner(raw: Mapping[object, object], pointer: str) -> Iterator[tuple[object, str]]:
    for keyword in _SCHEMAS_BY_NAME:
        group = raw.get(keyword)
        if isinstance(group, Mapping):
            for name, each in group.items():
                yield each, f"{pointer}/{keyword}/{name}"
    for keyword in _SCHEMA_LISTS:
        several = raw.get(keyword)
        if isinstance(several, list | tuple):
            for number, each in enumerate(several):
                yield each, f"{pointer}/{keyword}/{number}"
    for keyword in _SCHEMAS:
        if keyword in raw:
            yield raw[keyword], f"{pointer}/{keyword}"


def _target(root: object, reference: object, pointer: str) -> object:
    """Return what `#/a/b` points to in `root`."""
    assert isinstance(reference, str)
    if reference != "#" and not reference.startswith("#/"):
        raise Faulty(
            f"`{reference}` is not in this schema",
            pointer,
            "only references like `#/$defs/name` are followed",
        )
    found = root
    for step in reference.split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        match found:
            case Mapping() if name in found:
                found = found[name]
            case list() | tuple() if name.isdecimal() and int(name) < len(found):
                found = found[int(name)]
            case _:
                raise Faulty(f"`{reference}` leads nowhere in this schema", pointer)
    return found


def _types(value: object, pointer: str) -> frozenset[Sort]:
    names = value if isinstance(value, list | tuple) else [value]
    sorts = frozenset[Sort]()
    for name in names:
        if not isinstance(name, str) or name not in _SORTS:
            help_ = did_you_mean(name, _SORTS) if isinstance(name, str) else None
            raise Faulty(
                f"`{name}` is no type of JSON",
                pointer,
                help_ or f"the types are {', '.join(_SORTS)}",
            )
        sorts |= _SORTS[name]
    return sorts


class _Reader:
    """Reads the branches of schemas, references followed, each schema once."""

    def __init__(self, root: Raw) -> None:
        self._root = root
        # By identity: schemas cannot be hashed, and they live as long as the root does.
        self._known: dict[int, tuple[Branch, ...]] = {}
        self._together: dict[tuple[int, ...], tuple[Branch, ...]] = {}

    def all(self, schemas: All) -> tuple[Branch, ...]:
        """Return the branches of a place for which several schemas hold."""
        key = tuple(map(id, schemas))
        if key not in self._together:
            branches: tuple[Branch, ...] = (Branch(),)
            for raw in schemas:
                branches = _product(branches, self.branches(raw, (), "#"), "#")
            self._together[key] = branches
        return self._together[key]

    def branches(self, raw: Raw, trail: tuple[int, ...], pointer: str) -> tuple[Branch, ...]:
        """Return the branches of one schema that was reached by way of those in `trail`."""
        if isinstance(raw, bool):
            return (Branch(),)
        if id(raw) in trail:
            raise Faulty("this schema is defined by itself", pointer)
        if len(trail) > MAX_DEPTH:
            raise Faulty("this schema leads from one to the next too often", pointer)
        if id(raw) not in self._known:
            self._known[id(raw)] = self._read(raw, (*trail, id(raw)), pointer)
        return self._known[id(raw)]

    def _read(
        self, raw: Mapping[str, object], trail: tuple[int, ...], pointer: str
    ) -> tuple[Branch, ...]:
        branches: tuple[Branch, ...] = (_own(raw, pointer),)
        if "$ref" in raw:
            target = _schema(_target(self._root, raw["$ref"], pointer))
            branches = _product(branches, self.branches(target, trail, pointer), pointer)
        for each in _list(raw, "allOf"):
            branches = _product(branches, self.branches(each, trail, pointer), pointer)
        for keyword in ("anyOf", "oneOf"):
            choices = [
                branch
                for each in _list(raw, keyword)
                for branch in self.branches(each, trail, pointer)
            ]
            if choices:
                # null is no way to be filled; where there is no other, it stays
                filled = [branch for branch in choices if branch.sorts] or choices
                branches = _product(branches, _distinct(filled), pointer)
        return branches


def _own(raw: Mapping[str, object], pointer: str) -> Branch:
    """Return what a schema says by its own keywords."""
    additional = raw.get("additionalProperties")
    items = raw.get("items")
    properties = raw.get("properties", {})
    assert isinstance(properties, Mapping)
    return Branch(
        sorts=_types(raw["type"], pointer) if "type" in raw else _ANY,
        options=_options(raw, pointer),
        is_date=raw.get("format") == "date",
        marks=Marks(*(_mark(raw, name) for name in MARKS)),
        description=str(raw.get("description", "")),
        properties={name: (_schema(each),) for name, each in properties.items()},
        others=(_schema(additional),) if isinstance(additional, Mapping) else (),
        prefix=tuple((each,) for each in _list(raw, "prefixItems")),
        items=(_schema(items),) if isinstance(items, Mapping) else (),
    )


def _options(raw: Mapping[str, object], pointer: str) -> tuple[Scalar, ...] | None:
    """Return the values of `enum` or `const` that are leaves; None where there is neither."""
    if "const" in raw:
        values: object = [raw["const"]]
    elif "enum" in raw:
        values = raw["enum"]
    else:
        return None
    assert isinstance(values, list | tuple)
    try:
        singles = [scalar(value) for value in values]
    except OverLimit as error:
        raise Faulty(f"`enum` holds a number {error}", pointer) from None
    return tuple(single.value for single in singles if single is not None)


def _product(
    one: tuple[Branch, ...], other: tuple[Branch, ...], pointer: str
) -> tuple[Branch, ...]:
    """Return what is left where a branch of each side holds."""
    both = [_merge(left, right) for left in one for right in other]
    # Ways that contradict each other are none, unless nothing else is left.
    branches = _distinct([branch for branch in both if branch.sorts] or both)
    if len(branches) > MOST_BRANCHES:
        raise Faulty(f"more than {MOST_BRANCHES} ways to read one place", pointer)
    return branches


def _merge(one: Branch, other: Branch) -> Branch:
    options = one.options
    if other.options is not None:
        options = tuple(
            value
            for value in other.options
            if options is None or any(equal(value, each) for each in options)
        )
    names = [*one.properties, *(name for name in other.properties if name not in one.properties)]
    longest = max(len(one.prefix), len(other.prefix))
    return Branch(
        sorts=one.sorts & other.sorts,
        options=options,
        is_date=one.is_date or other.is_date,
        marks=Marks(
            _first(one.marks.exact, other.marks.exact),
            _first(one.marks.prose, other.marks.prose),
            _first(one.marks.identifying, other.marks.identifying),
        ),
        description=one.description or other.description,
        properties={
            name: _both(
                one.properties.get(name, one.others), other.properties.get(name, other.others)
            )
            for name in names
        },
        others=_both(one.others, other.others),
        prefix=tuple(_both(_at(one, i), _at(other, i)) for i in range(longest)),
        items=_both(one.items, other.items),
    )


def _both(one: All, other: All) -> All:
    known = set(map(id, one))
    return (*one, *(raw for raw in other if id(raw) not in known))


def _at(branch: Branch, position: int) -> All:
    return branch.prefix[position] if position < len(branch.prefix) else branch.items


def _first(one: bool | None, other: bool | None) -> bool | None:
    return other if one is None else one


def _distinct(branches: list[Branch]) -> tuple[Branch, ...]:
    kept: list[Branch] = []
    for branch in branches:
        if branch not in kept:
            kept.append(branch)
    return tuple(kept)


def _list(raw: Mapping[str, object], keyword: str) -> tuple[Raw, ...]:
    several = raw.get(keyword, ())
    assert isinstance(several, list | tuple)
    return tuple(map(_schema, several))


def _schema(value: object) -> Raw:
    """Return a value that was checked to be a schema."""
    assert isinstance(value, Mapping | bool)
    return value


def _mark(raw: Mapping[str, object], name: str) -> bool | None:
    value = raw.get(name)
    assert value is None or isinstance(value, bool)
    return value
