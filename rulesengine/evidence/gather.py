"""Records to subjects: who is scored on what, and who lost a record and so cannot be scored.

A score on part of the evidence looks like any other score, so a subject that lost a record fails
unless the caller says otherwise, and a rejected record that nobody can assign makes the whole run
incomplete. Nothing here depends on the order in which the records came.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction

from attrs import field, frozen

from rulesengine.diagnostics import Diagnostic, Label
from rulesengine.diagnostics.codes import DIFFERING_FIELD, LOST_RECORD, SAME_KEYS, UNKNOWN_FIELD
from rulesengine.diagnostics.short import short
from rulesengine.evidence.conform import readable_keys
from rulesengine.evidence.schema import Field, Record, Rejected, Schema
from rulesengine.source import Place
from rulesengine.types import OneOfType, Type
from rulesengine.values import Missing, Plain, show

# How many of the other records with the same keys a diagnostic points at.
MOST_LABELS = 5

_Keys = tuple[Plain, ...]
# What a value sorts by: its kind first, so that no two that cannot be compared ever are.
_SortKey = tuple[int, int | Fraction | str]


@frozen
class Subject:
    """What one score is about, and its evidence.

    `keys` are the subject's keys by name, in the order the score names them. `records` are its
    good records, sorted by their keys. `lost` says of each record that was rejected why (R530). A
    subject that `failed` is not to be scored; its good records count as ignored.
    """

    keys: Mapping[str, Plain]
    records: tuple[Record, ...]
    lost: tuple[Diagnostic, ...]
    failed: bool


@frozen
class Gathered:
    """All the evidence of a run: `read` = `scored` + `rejected_count` + `ignored`, in records.

    `subjects` are sorted by their keys, `rejected` by place. `unknown_fields` counts, for each
    field that the rubric does not declare, the records that have it; `warnings` holds one R506 for
    each. `by_default` names the fields that no good record has, so that their default holds
    throughout. `incomplete` says that a rejected record may belong to any subject, so that all
    scores are in doubt.
    """

    subjects: tuple[Subject, ...]
    rejected: tuple[Rejected, ...]
    unknown_fields: Mapping[str, int]
    warnings: tuple[Diagnostic, ...] = field(repr=False)
    by_default: tuple[str, ...]
    read: int
    scored: int
    rejected_count: int
    ignored: int
    incomplete: bool


def gather(
    records: Iterable[Record | Rejected],
    schema: Schema,
    subject: tuple[str, ...],
    *,
    allow_rejects: bool = False,
) -> Gathered:
    """Return the records by subject, whatever order they came in.

    Records with the same keys are all rejected: none of them is more right than the others. A
    record that was rejected is lost to its subject; with `allow_rejects` the subject is scored
    without it all the same.

    Args:
        records: every record that was read, good or rejected.
        schema: what the rubric declares.
        subject: the key fields that one score is about; empty when there is one score in all.
        allow_rejects: do not fail a subject that lost a record.
    """
    by_keys: defaultdict[_Keys, list[Record]] = defaultdict(list)
    rejected: list[Rejected] = []
    unknown: Counter[str] = Counter()
    by_default = {each.name for each in schema.fields if each.default is not None}
    first_seen: dict[str, Place] = {}
    for each in records:
        if isinstance(each, Rejected):
            rejected.append(each)
            continue
        by_keys[each.keys(schema.keys)].append(each)
        by_default = {name for name in by_default if each.cells[name].origin == "default"}
        for name in each.unknown:
            unknown[name] += 1
            seen = first_seen.get(name)
            if seen is None or _in_file(each.place) < _in_file(seen):
                first_seen[name] = each.place

    good: defaultdict[_Keys, list[Record]] = defaultdict(list)
    twins: dict[_Keys, Rejected] = {}
    for each in sorted(rejected, key=_by_place):
        readable = readable_keys(each, schema)
        if len(readable) == len(schema.keys):
            twins.setdefault(tuple(readable[name] for name in schema.keys), each)
    for own, same in by_keys.items():
        if len(same) == 1 and own in twins:
            rejected.append(_twin(same[0], twins[own], schema))
        elif len(same) == 1:
            good[same[0].keys(subject)].append(same[0])
        else:
            rejected.extend(_same_keys(same, schema))
    for each in _differing(good, schema):
        good[tuple(each.keys[name] for name in subject)] = [
            record
            for record in good[tuple(each.keys[name] for name in subject)]
            if record.keys(schema.keys) != tuple(each.keys[name] for name in schema.keys)
        ]
        rejected.append(each)
    rejected.sort(key=_by_place)

    lost: defaultdict[_Keys, list[Diagnostic]] = defaultdict(list)
    incomplete = False
    for each in rejected:
        keys = readable_keys(each, schema)
        incomplete = incomplete or each.may_hide_more
        if all(name in keys for name in subject):
            lost[tuple(keys[name] for name in subject)].append(_lost(each))
        else:
            incomplete = True

    subjects = tuple(
        Subject(
            dict(zip(subject, keys, strict=True)),
            tuple(sorted(good.get(keys, ()), key=lambda record: _order(record, schema))),
            tuple(lost.get(keys, ())),
            failed=keys in lost and not allow_rejects,
        )
        for keys in sorted(
            good.keys() | lost.keys(), key=lambda keys: _sort_keys(keys, subject, schema)
        )
    )
    scored = sum(len(each.records) for each in subjects if not each.failed)
    ignored = sum(len(each.records) for each in subjects if each.failed)
    return Gathered(
        subjects,
        tuple(rejected),
        {name: unknown[name] for name in sorted(unknown)},
        tuple(_unknown(name, unknown[name], first_seen[name]) for name in sorted(unknown)),
        tuple(name for name in schema.by_name if name in by_default and by_keys),
        read=scored + ignored + len(rejected),
        scored=scored,
        rejected_count=len(rejected),
        ignored=ignored,
        incomplete=incomplete,
    )


def _differing(good: Mapping[_Keys, list[Record]], schema: Schema) -> list[Rejected]:
    """Return the records that agree in the keys that a field varies by, and not in the field, as rejected."""
    found: dict[_Keys, Rejected] = {}
    records = [record for own in good.values() for record in own]
    for each in schema.fields:
        if each.per is None:
            continue
        groups: defaultdict[_Keys, list[Record]] = defaultdict(list)
        for record in records:
            if not isinstance(record.cells[each.name].value, Missing):
                groups[record.keys(each.per)].append(record)
        for group in groups.values():
            first_with: dict[object, Record] = {}
            for record in sorted(group, key=lambda record: (_in_file(record.place), record.raw)):
                first_with.setdefault(record.cells[each.name].value, record)
            if len(first_with) > 1:
                one, other = list(first_with.values())[:2]
                for record in group:
                    against = other if record.cells[each.name] == one.cells[each.name] else one
                    found.setdefault(
                        record.keys(schema.keys), _differs(record, against, each, schema)
                    )
    return list(found.values())


def _differs(record: Record, other: Record, of: Field, schema: Schema) -> Rejected:
    by = " and ".join(f"`{name}`" for name in of.per or ())
    diagnostic = Diagnostic(
        DIFFERING_FIELD,
        f"`{of.name}` varies by {by or 'nothing'} alone, and another record has another value",
        record.place,
        (Label(other.place, "it is here"),),
        "give all of them the right value",
    )
    return Rejected(
        record.raw, record.place, (diagnostic,), {name: record.key(name) for name in schema.keys}
    )


def _same_keys(records: list[Record], schema: Schema) -> list[Rejected]:
    """Return all of `records`, which have the same keys, as rejected; each points at the others."""
    ordered = sorted(records, key=lambda record: (_in_file(record.place), record.raw))
    keys = {name: ordered[0].key(name) for name in schema.keys}
    named = ", ".join(f"{name} `{short(show(value))}`" for name, value in keys.items())
    count = "two" if len(ordered) == 2 else str(len(ordered))
    rejects = []
    for number, record in enumerate(ordered):
        near = ordered[: MOST_LABELS + 1]
        others = [*near[:number], *near[number + 1 :]] if number < len(near) else near
        diagnostic = Diagnostic(
            SAME_KEYS,
            f"{count} records have {named}" if named else f"{count} records, but no key",
            record.place,
            tuple(Label(other.place, "another is here") for other in others[:MOST_LABELS]),
            "keep the right one and take the others out",
        )
        rejects.append(Rejected(record.raw, record.place, (diagnostic,), keys))
    return rejects


def _twin(record: Record, rejected: Rejected, schema: Schema) -> Rejected:
    """Return a good record as rejected, since a rejected one has its keys: which is meant, none can tell."""
    diagnostic = Diagnostic(
        SAME_KEYS,
        "a rejected record has the same keys",
        record.place,
        (Label(rejected.place, "it is here"),),
        "keep the right one and take the other out",
    )
    keys = {name: record.key(name) for name in schema.keys}
    return Rejected(record.raw, record.place, (diagnostic,), keys)


def _lost(rejected: Rejected) -> Diagnostic:
    why = rejected.diagnostics[0]
    more = len(rejected.diagnostics) - 1
    return Diagnostic(
        LOST_RECORD,
        f"a record was rejected: {why.message}" + (f", and {more} more" if more else ""),
        why.span,
        why.labels,
        "correct the record, or score without it: `--allow-rejects`",
    )


def _unknown(name: str, count: int, first: Place) -> Diagnostic:
    times = "1 record" if count == 1 else f"{count} records"
    message = f"the rubric has no field `{short(name)}`; it is ignored in {times}"
    return Diagnostic(UNKNOWN_FIELD, message, first)


def _order(record: Record, schema: Schema) -> tuple[_SortKey, ...]:
    return _sort_keys(record.keys(schema.keys), schema.keys, schema)


def _sort_keys(keys: _Keys, names: tuple[str, ...], schema: Schema) -> tuple[_SortKey, ...]:
    return tuple(
        _sort_key(value, schema.by_name[name].type) for name, value in zip(names, keys, strict=True)
    )


def _sort_key(value: Plain, type_: Type) -> _SortKey:
    match value:
        case bool():
            return (0, int(value))
        case Fraction():
            return (1, value)
        case date():
            return (2, value.toordinal())
        case str():
            if isinstance(type_, OneOfType):
                return (3, type_.options.index(value))
            return (4, value)


def _in_file(place: Place) -> tuple[str, int, int]:
    return (place.name, place.line, place.column)


def _by_place(rejected: Rejected) -> tuple[str, int, int, str, str]:
    first = rejected.diagnostics[0]
    return (*_in_file(rejected.place), rejected.raw, first.message)
