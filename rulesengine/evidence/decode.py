r"""One text of JSON to one raw record, strictly: no number rounded, no field silently dropped.

The scanner of the standard library does the reading. Left alone it takes the last of a repeated
field, reads `NaN` and half characters such as `"\ud800"`, rounds 0.1, and runs out of stack or
patience where a text is deep or a number is huge; all of that is closed here, by its hooks and by
what is checked around it. What it refuses is read again by `scan`, which knows what is wrong and
where.
"""

from __future__ import annotations

import re
from decimal import Decimal
from json import JSONDecoder
from typing import NoReturn

from rulesengine.diagnostics import Diagnostic
from rulesengine.diagnostics.codes import NOT_UNICODE, UNREADABLE_RECORD
from rulesengine.diagnostics.short import short
from rulesengine.evidence.encoding import NotText, as_text, lone_surrogate, printable
from rulesengine.evidence.numbers import OverLimit, decimal, integer
from rulesengine.evidence.places import place_in
from rulesengine.evidence.scan import Fault, scan, skip_blank, too_deep
from rulesengine.evidence.schema import Rejected
from rulesengine.source import Place

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class _Refused(Exception):  # noqa: N818 # only carries control out of the C scanner
    """The fast reader met something that only the slow one can name."""


# What the fast reader returns for such a text; no value of JSON is equal to it.
REFUSED = object()


def decode(line: bytes | str, place: Place) -> dict[str, object] | Rejected:
    """Return the object that `line` spells, or why it does not spell one. Never raises.

    Args:
        line: one object of JSON in UTF-8, with white space around it at most. A byte order mark is
            a fault here; whoever reads the file passes over the one at its start.
        place: where the first character of `line` stands.

    Returns:
        Field name to value: `str`, `int`, `Decimal` (as written, exact), `bool`, None, list or
        dict.
    """
    text = as_text(line)
    if isinstance(text, NotText):
        return unreadable_text(line, text, place)
    value = quick(text)
    if isinstance(value, dict):
        return value
    return refuse(text, place)


def quick(text: str) -> object:
    """Return the value that `text` spells, or `REFUSED`."""
    if too_deep(text):
        return REFUSED
    try:
        value = _DECODER.decode(text)
    except (ValueError, OverLimit, _Refused, RecursionError):
        return REFUSED
    return value if _whole_characters(text, value) else REFUSED


def quick_at(text: str, start: int) -> tuple[object, int]:
    """Return the value that begins at `start`, or `REFUSED`, and the offset behind it.

    The caller has made sure that `text` is not too deep.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, OverLimit, _Refused, RecursionError):
        return REFUSED, start
    if _whole_characters(text[start:end], value):
        return value, end
    return REFUSED, start


def refuse(text: str, place: Place) -> Rejected:
    """Return what is wrong with `text`, which `quick` could not read as an object."""
    found = scan(text)
    faults = list(found.faults)
    broken = any(fault.breaking for fault in faults)
    rest = skip_blank(text, found.end)
    if not broken and rest < len(text):
        broken = True
        faults.append(
            Fault(
                UNREADABLE_RECORD,
                f"`{short(text[rest])}` after the end of the record",
                rest,
                rest + 1,
                "write one record a line",
            )
        )
    if not broken and not found.is_object:
        start = skip_blank(text, 0)
        faults.append(not_an_object(text, start, found.end))
    if not faults:  # pragma: no cover # the law that both readers agree says this is never reached
        faults.append(Fault(UNREADABLE_RECORD, "this record cannot be read", 0, len(text)))
    return Rejected(
        text,
        place,
        tuple(as_diagnostic(fault, text, place) for fault in faults),
        found=found.plain,
        may_hide_more=broken and not found.cut_off,
    )


def not_an_object(text: str, start: int, end: int) -> Fault:
    """Return the fault of a record that is a value of another kind, or a list of records."""
    shown = short(text[start:end])
    return Fault(
        UNREADABLE_RECORD,
        f"a record has to be an object, not `{shown}`",
        start,
        end,
        'write it as {"field": value, …}',
    )


def unreadable_text(data: bytes | str, problem: NotText, place: Place) -> Rejected:
    """Return `data` as a record that could not be read as text."""
    raw = printable(data)
    # The text before the place is sound, so its offset in `raw` is the same.
    span = place_in(raw, problem.offset, problem.offset + 1, place)
    diagnostic = Diagnostic(NOT_UNICODE, problem.message, span, help=problem.help)
    return Rejected(raw, place, (diagnostic,), may_hide_more=problem.whole_file)


def as_diagnostic(fault: Fault, text: str, place: Place) -> Diagnostic:
    """Return a fault of `text` as a diagnostic at its place in the file."""
    span = place_in(text, fault.start, fault.end, place)
    return Diagnostic(fault.code, fault.message, span, help=fault.help)


def _whole_characters(text: str, value: object) -> bool:
    """Tell whether every text inside `value`, which `text` spelt, is proper Unicode."""
    # Only an escape can spell half a character, and most that look like one are halves of a pair.
    if not _SURROGATE_ESCAPE.search(text):
        return True
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(string):
                if lone_surrogate(string) is not None:
                    return False
            case list(items):
                waiting.extend(items)
            case dict(fields):
                waiting.extend(fields)
                waiting.extend(fields.values())
    return True


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Refused
    return fields


def _constant(word: str) -> NoReturn:
    raise _Refused


def _decimal(text: str) -> Decimal:
    return decimal(text)


_DECODER = JSONDecoder(
    object_pairs_hook=_object, parse_float=_decimal, parse_int=integer, parse_constant=_constant
)
