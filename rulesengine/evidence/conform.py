"""A raw record against the schema: a cell for every declared field, or all that is wrong with it.

Nothing is made to fit: a text that spells a number is no number, 1 is not yes, and null is not the
default. A wrong guess here would be a wrong score that nobody sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal

from attrs import frozen

from rulesengine.diagnostics import Code, Diagnostic
from rulesengine.diagnostics.codes import (
    ABSENT_FIELD,
    MISSPELT_FIELD,
    NESTED_FIELD,
    NOT_UNICODE,
    NULL_FIELD,
    OVER_A_LIMIT,
    WRONG_VALUE,
)
from rulesengine.diagnostics.short import short
from rulesengine.diagnostics.suggest import did_you_mean, nearest
from rulesengine.errors import InternalError
from rulesengine.evidence.canonical import NotJson, TooDeep, as_json
from rulesengine.evidence.encoding import lone_surrogate
from rulesengine.evidence.numbers import OverLimit, exact
from rulesengine.evidence.places import place_in
from rulesengine.evidence.scan import Spot, scan
from rulesengine.evidence.schema import Cell, Content, Field, Record, Rejected, Schema
from rulesengine.evidence.written import written
from rulesengine.source import Place
from rulesengine.types import (
    Attribute,
    DateType,
    JsonType,
    ListType,
    NumberType,
    OneOfType,
    RecordsType,
    TextType,
    Type,
    UnknownType,
    UrlType,
    YesNoType,
    describe,
)
from rulesengine.values import Entries, Json, Missing, Plain, Value, show, show_number

IsUrl = Callable[[str], bool]
_ABSENT, _NULL = Cell(Missing("absent"), "absent"), Cell(Missing("null"), "null")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@frozen
class _Fault:
    """What is wrong with one field, not yet at its place in the file."""

    code: Code
    field: str
    message: str
    help: str | None = None
    at_name: bool = False  # the name is to blame, not the value


@frozen
class _Wrong:
    """Why a value is not of its type."""

    why: str
    help: str | None = None
    code: Code = WRONG_VALUE


def conform(
    raw: Mapping[str, object],
    schema: Schema,
    place: Place,
    *,
    raw_text: str = "",
    allow_unknown: bool = False,
    is_url: IsUrl | None = None,
) -> Record | Rejected:
    """Return the record that `raw` is under `schema`, or every fault it has; it never raises.

    Args:
        raw: field name to value, from `decode` or from Python (there a float counts as the decimal
            it shows).
        schema: what the rubric declares.
        place: where the record begins.
        raw_text: the record as it was written, `place` being its first character; faults are then
            told with their column. Without it, a rejected record is written as JSON.
        allow_unknown: let pass fields that look misspelt or stand inside another field.
        is_url: tells whether a text is a url; the language's own rule if left out.

    Returns:
        A record whose `unknown` names the fields it has beyond the schema, or a rejected one with
        its faults in the order in which they stand and those of its keys that could be read.
    """
    cells: dict[str, Cell] = {}
    faults: list[_Fault] = []
    declared = schema.by_name
    unknown = tuple([name for name in raw if name not in declared])
    excused: set[str] = set()
    if unknown and not allow_unknown:
        for fault, meant in _stray_fields(raw, schema, unknown):
            faults.append(fault)
            excused.add(meant)
    is_url = is_url or is_language_url
    for field in schema.fields:
        cell = _cell(field, raw, is_url)
        if isinstance(cell, Cell):
            cells[field.name] = cell
        # One mistake is told once: the misspelt name has been reported already.
        elif not (cell.code is ABSENT_FIELD and field.name in excused):
            faults.append(cell)
    if not faults:
        return Record(cells, place, unknown, raw_text or written(raw))
    return Rejected(
        raw_text or written(raw),
        place,
        _located(faults, raw_text, place),
        _keys(cells, schema),
    )


def readable_keys(
    rejected: Rejected, schema: Schema, *, is_url: IsUrl | None = None
) -> dict[str, Plain]:
    """Return the keys of a rejected record that can be read, also where its JSON is at fault."""
    keys = dict(rejected.keys)
    for name in schema.keys:
        if name not in keys and name in rejected.found:
            cell = _cell(schema.by_name[name], rejected.found, is_url or is_language_url)
            if isinstance(cell, Cell):
                keys |= _keys({name: cell}, schema)
    return keys


def is_language_url(text: str) -> bool:
    """Tell whether `text` is a url to the language: absolute, http or https, nothing around it."""
    # Late, because few rubrics have a url and its tables are large.
    from rulesengine.links.url import parse_url

    return parse_url(text) is not None


def _keys(cells: Mapping[str, Cell], schema: Schema) -> dict[str, Plain]:
    keys: dict[str, Plain] = {}
    for name in schema.keys:
        if name in cells:
            value = cells[name].value
            if not isinstance(value, Missing | tuple | Json | Entries):
                keys[name] = value
    return keys


def _located(faults: list[_Fault], raw_text: str, place: Place) -> tuple[Diagnostic, ...]:
    """Return the faults as diagnostics, each at its field, in the order in which they stand."""
    spots: dict[str, Spot] = scan(raw_text).spots if raw_text and place.line else {}
    told: list[tuple[int, Diagnostic]] = []
    for fault in faults:
        spot = spots.get(fault.field)
        where, start = place, -1
        if spot is not None:
            start, end = spot.name if fault.at_name else spot.value
            where = place_in(raw_text, start, end, place)
        told.append((start, Diagnostic(fault.code, fault.message, where, help=fault.help)))
    return tuple(diagnostic for _, diagnostic in sorted(told, key=lambda each: each[0]))


def _stray_fields(
    raw: Mapping[str, object], schema: Schema, unknown: tuple[str, ...]
) -> list[tuple[_Fault, str]]:
    """Return the faults of undeclared fields, each with the absent field it seems meant for."""
    absent = [name for name in schema.by_name if name not in raw]
    strays: list[tuple[_Fault, str]] = []
    for name in unknown:
        meant = nearest(name, absent)
        if meant is not None:
            message = f"the rubric has no field `{short(name)}`"
            help_ = f"did you mean `{meant}`?"
            strays.append((_Fault(MISSPELT_FIELD, name, message, help_, at_name=True), meant))
            continue
        inside = raw[name]
        if isinstance(inside, Mapping):
            for meant in absent:
                if meant in inside:
                    message = f"`{meant}` stands inside `{short(name)}`, where nothing reads it"
                    help_ = f"move `{meant}` out to the other fields of the record"
                    strays.append((_Fault(NESTED_FIELD, name, message, help_), meant))
    return strays


def _cell(field: Field, raw: Mapping[str, object], is_url: IsUrl) -> Cell | _Fault:
    name = field.name
    if name not in raw:
        if field.default is not None:
            return Cell(field.default, "default")
        if field.optional:
            return _ABSENT
        return _Fault(ABSENT_FIELD, name, f"`{name}` is absent", f"give {describe(field.type)}")
    given = raw[name]
    if given is None:
        if field.optional:
            return _NULL
        return _Fault(NULL_FIELD, name, f"`{name}` is null", _instead_of_null(field))
    value = _read(given, field.type, is_url)
    if isinstance(value, _Wrong):
        return _Fault(value.code, name, f"`{name}` {value.why}", value.help)
    return Cell(value, "given")


def _instead_of_null(field: Field) -> str:
    if field.is_key:
        return "a key is never missing"
    if field.default is not None:
        default = show(field.default)
        return (
            f"leave the field out to get its default {default}, or declare its type with a `?` "
            "to let it be missing"
        )
    return f"give {describe(field.type)}, or declare its type with a `?` to let it be missing"


def _read(given: object, type_: Type, is_url: IsUrl) -> Content | _Wrong:
    """Return the value of the type that `given` is, or why it is none."""
    if isinstance(given, str) and lone_surrogate(given) is not None:
        return _Wrong("holds half a character (a lone surrogate)", code=NOT_UNICODE)
    match type_:
        case TextType():
            return given if isinstance(given, str) else _not(type_, given, _quoted(given))
        case NumberType():
            return _read_number(given, type_)
        case YesNoType():
            if isinstance(given, bool):
                return given
            return _not(
                type_,
                given,
                "in JSON write true or false, without quotation marks; in CSV yes or no",
            )
        case DateType():
            return _read_date(given, type_)
        case UrlType():
            if isinstance(given, str) and is_url(given):
                return given
            return _not(type_, given, "write it whole, as https://example.org/page")
        case OneOfType(options=options):
            if isinstance(given, str) and given in options:
                return given
            meant = did_you_mean(given, options) if isinstance(given, str) else None
            return _not(type_, given, meant or f"the options are {', '.join(options)}")
        case ListType(item=item):
            return _read_list(given, type_, item, is_url)
        case JsonType():
            return _read_json(given)
        case RecordsType(fields=fields):
            return _read_records(given, type_, fields, is_url)
        case UnknownType():
            raise InternalError("a rubric with a field of unknown type was run")


def _read_number(given: object, type_: NumberType) -> Content | _Wrong:
    try:
        number = exact(given)
    except OverLimit as error:
        return _Wrong(f"holds a number {error}", code=OVER_A_LIMIT)
    if number is not None and type_.holds(number):
        return number
    help_ = None
    if isinstance(given, str) and re.fullmatch(r"\s*-?[0-9]+(\.[0-9]+)?\s*", given):
        help_ = f"write {given.strip()} without quotation marks"
    return _not(type_, given, help_)


def _read_date(given: object, type_: Type) -> Content | _Wrong:
    # A moment is a date to Python; here, leaving out its hour would be guessing its time zone.
    if isinstance(given, date) and not isinstance(given, datetime):
        return given
    if isinstance(given, str) and _DATE.fullmatch(given):
        try:
            return date.fromisoformat(given)
        except ValueError:
            return _Wrong(f"holds `{given}`, a day that is in no calendar")
    return _not(type_, given, "write it as year-month-day, such as 2024-05-31")


def _read_list(given: object, type_: Type, item: Type, is_url: IsUrl) -> Content | _Wrong:
    if not isinstance(given, list | tuple):
        return _not(type_, given, "write it as a list: [ … ]")
    values: list[Plain] = []
    for number, each in enumerate(given, 1):
        if each is None:
            return _Wrong(f"holds null as item {number}", "leave the item out", NULL_FIELD)
        value = _read(each, item, is_url)
        if isinstance(value, _Wrong):
            return _Wrong(f"item {number}: {value.why}", value.help, value.code)
        if isinstance(value, tuple | Json | Entries):
            raise InternalError("a rubric with a list of lists was run")
        values.append(value)
    return tuple(values)


def _read_json(given: object) -> Content | _Wrong:
    try:
        return as_json(given)
    except OverLimit as error:
        return _Wrong(f"holds a number {error}", code=OVER_A_LIMIT)
    except TooDeep as error:
        return _Wrong(str(error), code=OVER_A_LIMIT)
    except NotJson as error:
        return _Wrong(str(error))


def _read_records(
    given: object, type_: Type, fields: tuple[Attribute, ...], is_url: IsUrl
) -> Content | _Wrong:
    if not isinstance(given, list | tuple):
        return _not(type_, given, "write it as a list of objects: [{ … }]")
    rows = []
    for number, each in enumerate(given, 1):
        if not isinstance(each, Mapping):
            return _Wrong(f"item {number} is no object but {_holding(each)}")
        row = _read_row(each, fields, is_url)
        if isinstance(row, _Wrong):
            return _Wrong(f"item {number}: {row.why}", row.help, row.code)
        rows.append(row)
    return Entries(tuple(rows))


def _read_row(
    given: Mapping[str, object], fields: tuple[Attribute, ...], is_url: IsUrl
) -> tuple[tuple[str, Value], ...] | _Wrong:
    row: list[tuple[str, Value]] = []
    absent = [each.name for each in fields if each.name not in given]
    for name in given:
        if not isinstance(name, str):
            return _Wrong("has a name that is no text")
        meant = nearest(name, absent) if all(name != each.name for each in fields) else None
        if meant is not None:
            return _Wrong(f"has `{short(name)}`", f"did you mean `{meant}`?", MISSPELT_FIELD)
    for each in fields:
        value = given.get(each.name)
        if value is None:
            if each.name not in given and each.default is not None:
                row.append((each.name, each.default))
            elif each.optional:
                row.append((each.name, Missing("null" if each.name in given else "absent")))
            else:
                what = "null" if each.name in given else "absent"
                code = NULL_FIELD if each.name in given else ABSENT_FIELD
                return _Wrong(f"`{each.name}` is {what}", f"give {describe(each.type)}", code)
            continue
        read = _read(value, each.type, is_url)
        if isinstance(read, _Wrong):
            return _Wrong(f"`{each.name}` {read.why}", read.help, read.code)
        row.append((each.name, read))
    return tuple(row)


def _not(type_: Type, given: object, help_: str | None) -> _Wrong:
    return _Wrong(f"has to be {describe(type_)}, but holds {_holding(given)}", help_)


def _quoted(given: object) -> str | None:
    """Return how to write a number or yes or no that was meant as a text."""
    if isinstance(given, bool | int | float | Decimal):
        return "put it in quotation marks if it is meant as a text"
    return None


def _holding(given: object) -> str:
    """Return what a record holds, in people's words."""
    match given:
        case None:
            return "null"
        case bool():
            return "true" if given else "false"
        case str():
            return f"the text `{short(given)}`" if given else "an empty text"
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
        case datetime():
            return "a moment with a time of day"
        case date():
            return f"the date {given.isoformat()}"
        case _:
            try:
                number = exact(given)
            except OverLimit as error:
                return f"a number {error}"
            if number is not None:
                return f"the number {short(show_number(number))}"
            words = str(given) if isinstance(given, float | Decimal) else ""
            return f"`{words}`, which is not a number" if words else "what no record can hold"
