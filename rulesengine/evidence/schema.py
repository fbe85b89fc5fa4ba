"""What a rubric's `evidence` declares, as data, and records that keep to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import field

from rulesengine.diagnostics import Diagnostic
from rulesengine.source import Place, Span
from rulesengine.struct import Placed, Struct
from rulesengine.types import Type
from rulesengine.values import Entries, Json, Missing, Plain

Origin: TypeAlias = Literal["given", "null", "absent", "default"]
Content: TypeAlias = Plain | tuple[Plain, ...] | Json | Entries


class Raw(Struct, frozen=True):
    """One record as it was read, before anyone asked whether it keeps to a schema.

    `fields` maps names to what JSON can say: text, exact number (`int` or `Decimal`), yes or no,
    null, list, object. `text` is the record as it was written, from `place` on.
    """

    fields: Mapping[str, object]
    place: Place
    text: str


class Field(Placed, frozen=True, kw_only=True):
    """`bends : yes/no default no`. A key is never optional and has no default.

    `is_asked`: where it is missing, a judge is asked. `per` is the keys that it varies by where those are fewer than
    all; records that agree in them agree in it.
    """

    name: str
    type: Type
    is_key: bool = False
    optional: bool = False
    per: tuple[str, ...] | None = None
    is_asked: bool = False
    default: Plain | None = None
    label: str | None = None
    span: Span | Place


class Schema(Struct, frozen=True, dict=True):
    """The fields of a record, in the order they were declared."""

    fields: tuple[Field, ...]

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """Every field by its name."""
        return {each.name: each for each in self.fields}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The names of the key fields, in order."""
        return tuple(each.name for each in self.fields if each.is_key)


class Cell(Struct, frozen=True):
    """The value of one field of one record, and where it came from; a list is a tuple.

    `origin` is `given` for a value written in the record, `null` for a null, `absent` for a field
    that is not there and has no default, `default` for the declared default. The value is
    `Missing` for `null` and `absent`.
    """

    value: Content | Missing
    origin: Origin


class Record(Struct, frozen=True):
    """One record of evidence that keeps to its schema: a cell for every declared field.

    `unknown` are the fields that the record has and the schema has not. `raw` is the record as it
    was written.
    """

    cells: Mapping[str, Cell]
    place: Place
    unknown: tuple[str, ...] = ()
    raw: str = ""

    def keys(self, names: tuple[str, ...]) -> tuple[Plain, ...]:
        """Return the values of key fields."""
        return tuple(self.key(name) for name in names)

    def key(self, name: str) -> Plain:
        """Return the value of one key field, which is never missing and never a list."""
        value = self.cells[name].value
        assert not isinstance(value, Missing | tuple | Json | Entries)
        return value


class Rejected(Struct, frozen=True):
    """A record that cannot be used, whole, and why.

    `raw` is the text of the record as it was read (for a mapping that came from Python, its JSON).
    `keys` holds those key fields that could be read all the same, by name; `found` the plain
    values of a text that breaks the rules of JSON, as far as they are beyond doubt, for the keys
    to be looked up in. `may_hide_more` says that the text may have held further records, so that
    no one can tell which subjects lost one.
    """

    raw: str
    place: Place
    diagnostics: tuple[Diagnostic, ...]
    keys: Mapping[str, Plain] = field(default_factory=dict)
    found: Mapping[str, object] = field(default_factory=dict)
    may_hide_more: bool = False
