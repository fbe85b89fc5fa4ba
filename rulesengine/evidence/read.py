"""Files of JSON to raw records: one object a line, or one list of objects, or one object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulesengine.diagnostics.codes import UNREADABLE_RECORD
from rulesengine.evidence.decode import (
    as_diagnostic,
    decode,
    not_an_object,
    quick_at,
    unreadable_text,
)
from rulesengine.evidence.encoding import BYTE_ORDER_MARK, NotText, as_text
from rulesengine.evidence.scan import Fault, scan, skip_blank, too_deep
from rulesengine.evidence.schema import Raw, Rejected
from rulesengine.source import Place, Source

_UTF8_MARK = BYTE_ORDER_MARK.encode("utf-8")


def read_jsonl(lines: Iterable[bytes], name: str) -> Iterator[Raw | Rejected]:
    r"""Yield the records of a file of JSON lines, in order; each knows its line.

    A byte order mark at the start and blank lines are passed over, a line may end in `\n`, `\r\n`
    or with the file. A file that is in another encoding is rejected once and read no further.

    Args:
        lines: the lines as a file opened in binary mode gives them.
        name: what messages call the file.
    """
    for number, line in enumerate(lines, 1):
        data = line.removeprefix(_UTF8_MARK) if number == 1 else line
        if not data.strip(b" \t\r\n"):
            continue
        place = Place(name, number)
        text = as_text(data.rstrip(b"\r\n"))
        if isinstance(text, NotText):
            yield unreadable_text(data.rstrip(b"\r\n"), text, place)
            if text.whole_file and number == 1:
                return
            continue
        fields = decode(text, place)
        yield fields if isinstance(fields, Rejected) else Raw(fields, place, text)


def read_json(data: bytes, name: str) -> Iterator[Raw | Rejected]:
    """Yield the records of a file of one object or one list of objects, each with its place.

    A record with a fault that leaves its extent known (a field written twice, `NaN`) is rejected
    alone. A fault that does not (a missing comma) ends the reading: what stands before it is kept,
    the rest is rejected as one.
    """
    data = data.removeprefix(_UTF8_MARK)
    text = as_text(data)
    if isinstance(text, NotText):
        rejected = unreadable_text(data, text, Place(name, 1, 1))
        yield replace(rejected, may_hide_more=True)
        return
    start = skip_blank(text, 0)
    if text[start : start + 1] == "[":
        yield from _elements(text, start, name)
        return
    place = _place(Source(name, text), start)
    fields = decode(text[start:], place)
    yield fields if isinstance(fields, Rejected) else Raw(fields, place, text[start:].rstrip())


def _elements(text: str, start: int, name: str) -> Iterator[Raw | Rejected]:
    """Yield the elements of the list that opens at `start`."""
    source = Source(name, text)
    # The list around the records counts as one level; it is let pass, so that a record may be as
    # deep as in lines.
    deep = too_deep(text)
    position = skip_blank(text, start + 1)
    if text.startswith("]", position):
        yield from _after(source, position + 1)
        return
    while True:
        place = _place(source, position)
        fields, end = (None, position) if deep else quick_at(text, position)
        if isinstance(fields, dict):
            yield Raw(fields, place, text[position:end])
        else:
            # Only the record itself is scanned: `scan` ends where its value does.
            found = scan(text, position)
            faults = found.faults
            if any(fault.breaking for fault in faults):
                yield _rest(source, position, faults)
                return
            end = found.end
            if not found.is_object:
                faults = (*faults, not_an_object(text, position, end))
            if faults:
                yield Rejected(
                    text[position:end],
                    place,
                    tuple(as_diagnostic(each, text, _origin(source)) for each in faults),
                    found=found.plain,
                )
            else:
                again = decode(text[position:end], place)
                yield (
                    again if isinstance(again, Rejected) else Raw(again, place, text[position:end])
                )
        position = skip_blank(text, end)
        if text.startswith("]", position):
            yield from _after(source, position + 1)
            return
        if not text.startswith(",", position):
            what = "a `,` or `]` has to stand here, between or after the records"
            yield _rest(source, position, (Fault(UNREADABLE_RECORD, what, position, position + 1),))
            return
        position = skip_blank(text, position + 1)


def _after(source: Source, end: int) -> Iterator[Rejected]:
    """Yield what stands behind the list, if anything does."""
    position = skip_blank(source.text, end)
    if position < len(source.text):
        what = "something stands after the list of records"
        yield _rest(source, position, (Fault(UNREADABLE_RECORD, what, position, position + 1),))


def _rest(source: Source, start: int, faults: tuple[Fault, ...]) -> Rejected:
    """Return the text from `start` on as one record that cannot be read, with others behind it."""
    text = source.text
    return Rejected(
        text[start:],
        _place(source, start),
        tuple(as_diagnostic(fault, text, _origin(source)) for fault in faults),
        may_hide_more=True,
    )


def _place(source: Source, offset: int) -> Place:
    line = source.line_of(offset)
    return Place(source.name, line, offset - source.line_starts[line - 1] + 1)


def _origin(source: Source) -> Place:
    return Place(source.name, 1, 1)
