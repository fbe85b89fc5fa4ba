"""Tables (CSV) to records: cells become what JSON would have said, then conform like any record.

A cell has no type of its own, so the schema's type says how it is read: a number where a number is
declared, true, false, yes or no for a yes/no, JSON for a list, and the cell as it stands for
everything else. An empty cell is a field that is absent, never an empty text.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen
from msgspec.structs import replace

from rulesengine.diagnostics import Code, Diagnostic
from rulesengine.diagnostics.codes import NOT_UNICODE, REPEATED_FIELD, UNREADABLE_RECORD
from rulesengine.evidence.conform import IsUrl, conform
from rulesengine.evidence.decode import REFUSED, quick
from rulesengine.evidence.encoding import BYTE_ORDER_MARK, NotText, as_text, printable
from rulesengine.evidence.numbers import OverLimit, decimal
from rulesengine.evidence.schema import Record, Rejected, Schema
from rulesengine.source import Place
from rulesengine.types import DateType, JsonType, ListType, NumberType, RecordsType, Type, YesNoType

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


@frozen
class Row:
    """One row of a table, not yet a record: its cells under the names of the header."""

    header: tuple[str, ...]
    cells: tuple[str, ...]
    place: Place
    text: str


def read_csv(lines: Iterable[str], name: str) -> Iterator[Row | Rejected]:
    """Yield the rows below the header, in order; each knows the line on which it begins.

    Cells are separated by commas; a cell in double quotation marks may hold commas, line breaks
    and doubled quotation marks. Blank lines and a byte order mark at the start are passed over. A
    header that cannot be used is rejected once and nothing else is read.

    Args:
        lines: the lines with their ends, as a file opened with `newline=""` gives them.
        name: what messages call the file.
    """
    taken: list[str] = []
    recorded = _recorded(lines, taken)
    reader = csv.reader(recorded, strict=True)
    header: tuple[str, ...] | None = None
    while True:
        place = Place(name, reader.line_num + 1)
        taken.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            # Where the next record begins is anybody's guess: a line of this cell would pass for one.
            for _ in recorded:
                pass
            rest = "".join(taken)
            last = place.line + len(rest.splitlines()) - 1
            message = f"{_csv_fault(error)}; lines {place.line} to {last} are not read"
            yield _unreadable(message, rest, place, may_hide_more=True)
            return
        if cells is None:
            return
        if not cells:
            continue
        text = "".join(taken).rstrip("\r\n")
        problem = as_text(text)
        if "\0" in text:
            problem = NotText("a NUL character: this looks like a binary or damaged file", 0)
        if isinstance(problem, NotText):
            yield _unreadable(
                f"the row holds {problem.message}",
                text,
                place,
                NOT_UNICODE,
                help_=problem.help,
                may_hide_more=header is None,
            )
            if header is None:
                return
        elif header is None:
            header = tuple(cells)
            rejected = _bad_header(header, text, place)
            if rejected is not None:
                yield rejected
                return
        else:
            yield Row(header, tuple(cells), place, text)


def from_csv_row(
    header: Sequence[str],
    cells: Sequence[str],
    schema: Schema,
    place: Place,
    *,
    raw_text: str = "",
    allow_unknown: bool = False,
    is_url: IsUrl | None = None,
) -> Record | Rejected:
    """Return the record that a row is under `schema`, or every fault it has; it never raises.

    Args:
        header: the names of the columns; a column without a name is passed over.
        cells: one for each column.
        schema: what the rubric declares.
        place: the line on which the row begins.
        raw_text: the row as it was written, for the rejects.
        allow_unknown: as for `conform`.
        is_url: as for `conform`.
    """
    if len(cells) != len(header):
        # Cells may have moved, so the keys that stand here are a hint: the subject that they name fails, and the
        # run is incomplete, since it may be another's row.
        rejected = _unreadable(
            f"the row has {len(cells)} cells, the header {len(header)}",
            raw_text or ",".join(cells),
            place,
            help_="put a cell that holds a comma or a line break in double quotation marks",
            may_hide_more=True,
        )
        found = {
            name: cell_value(cell, schema.by_name[name].type)
            for name, cell in zip(header, cells, strict=False)
            if name in schema.keys and cell != ""
        }
        return replace(rejected, found=found)
    raw: dict[str, object] = {}
    for name, cell in zip(header, cells, strict=True):
        field = schema.by_name.get(name)
        value = cell if field is None else cell_value(cell, field.type)
        if name and value != "":
            raw[name] = value
    return conform(
        raw, schema, place, raw_text=raw_text, allow_unknown=allow_unknown, is_url=is_url
    )


def cell_value(cell: str, type_: Type) -> object:
    """Return what the cell says under its type, else the cell, for `conform` to reject."""
    match type_:
        case NumberType():
            stripped = cell.strip()
            if not _NUMBER.fullmatch(stripped):
                return stripped
            try:
                return decimal(stripped)
            except OverLimit:
                return stripped
        case YesNoType():
            stripped = cell.strip()
            return _YES_NO.get(stripped.lower(), stripped)
        case DateType():
            return cell.strip()
        case JsonType():
            # A cell that is no JSON is a text: a text needs no quotation marks there.
            value = quick(cell.strip())
            return cell if value is REFUSED else value
        case ListType() | RecordsType():
            stripped = cell.strip()
            value = quick(stripped) if stripped else stripped
            return value if isinstance(value, list) else stripped
        case _:
            return cell


def _recorded(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """Yield the lines, keeping in `taken` those that the row being read is made of."""
    for number, line in enumerate(lines):
        cleaned = line.removeprefix(BYTE_ORDER_MARK) if number == 0 else line
        taken.append(cleaned)
        yield cleaned


def _bad_header(header: tuple[str, ...], text: str, place: Place) -> Rejected | None:
    named = [name for name in header if name]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        names = ", ".join(f"`{name}`" for name in twice)
        message = f"the header has {names} more than once"
        return _unreadable(message, text, place, REPEATED_FIELD, may_hide_more=True)
    if len(header) == 1 and (";" in text or "\t" in text):
        sign = "tabs" if "\t" in text else "semicolons"
        message = f"the header has one column; its cells look separated by {sign}"
        return _unreadable(message, text, place, help_="save it with commas", may_hide_more=True)
    return None


def _csv_fault(error: csv.Error) -> str:
    words = str(error)
    if "field limit" in words:
        return f"a cell is longer than {csv.field_size_limit()} characters"
    if "end of data" in words:
        return 'a cell opens with a `"` that nothing closes'
    if "expected after" in words:
        return 'a `"` inside a cell is not doubled, or a comma after one is missing'
    return "a line break inside a cell without quotation marks"


def _unreadable(
    message: str,
    text: str,
    place: Place,
    code: Code = UNREADABLE_RECORD,
    *,
    help_: str | None = None,
    may_hide_more: bool = False,
) -> Rejected:
    diagnostic = Diagnostic(code, message, place, help=help_)
    return Rejected(printable(text), place, (diagnostic,), may_hide_more=may_hide_more)
