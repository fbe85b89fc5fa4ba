"""A slow reader of JSON that knows places: for the texts that the fast one refuses.

`decode` reads with a scanner written in C, which says neither where a field is repeated nor, in
words that an author knows, what is wrong. Only when it fails is the text read again, here, one
token at a time. Nothing is nested in the program, so that no depth of the text can exhaust it.
Faults are of two sorts: after a *breaking* one (a missing comma) nobody can tell what the rest
means, so reading ends; any other (a field written twice, `NaN`) leaves the record's extent known,
and reading goes on to find them all.

INVARIANT (one grammar): `scan` finds no fault in a text if and only if `decode` reads it; see
tests/laws.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import Factory, define, frozen

from rulesengine.diagnostics.codes import (
    NOT_UNICODE,
    OVER_A_LIMIT,
    REPEATED_FIELD,
    UNREADABLE_RECORD,
)
from rulesengine.diagnostics.diagnostic import Code
from rulesengine.diagnostics.short import short
from rulesengine.evidence.encoding import BYTE_ORDER_MARK, lone_surrogate, printable
from rulesengine.evidence.numbers import OverLimit, decimal, integer

# Deeper than any record needs, far from where the C scanner would exhaust the stack.
MAX_DEPTH = 100

_BLANK = re.compile(r"[ \t\n\r]*")
_TEXT = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*')
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
_WORD = re.compile(r"[\w.+\-]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}
_NESTING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)

Sort: TypeAlias = Literal["{", "}", "[", "]", ",", ":", "text", "word", "stray"]
Want: TypeAlias = Literal["value", "value or ]", "name", "name or }", ":", ", or end"]


@frozen
class Fault:
    """One thing wrong with a text, at the characters from `start` to `end`."""

    code: Code
    message: str
    start: int
    end: int
    help: str | None = None
    breaking: bool = False


@define
class Spot:
    """Where a field of the outermost object stands: its name, and its value once that is over."""

    name: tuple[int, int]
    value: tuple[int, int]


@frozen
class Scan:
    """What a value of JSON holds and what is wrong with it.

    `end` is the offset behind the value, or where reading broke off. `spots` are the fields of the
    outermost object, `plain` those of its values that are texts, numbers, yes, no or null, without
    a fault and written once. `cut_off` says that the text ended too early, and held no second
    object.
    """

    end: int
    faults: tuple[Fault, ...]
    spots: dict[str, Spot]
    plain: dict[str, object]
    is_object: bool
    cut_off: bool


def too_deep(text: str) -> bool:
    """Tell whether `text` nests lists and objects deeper than `MAX_DEPTH`."""
    # Two counts settle nearly every record; only a text full of brackets is looked at one by one.
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for found in _NESTING.finditer(text):
        first = found[0][0]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif first in "]}":
            depth -= 1
    return False


def scan(text: str, start: int = 0) -> Scan:
    """Read the value that begins at `start`, or behind white space there. Never raises."""
    reader = _Reader(text)
    end = reader.read(start)
    return Scan(
        end,
        tuple(reader.faults),
        reader.spots,
        {name: value for name, value in reader.plain.items() if name not in reader.doubtful},
        reader.is_object,
        reader.cut_off,
    )


def skip_blank(text: str, start: int) -> int:
    """Return the offset of the first character from `start` on that is not white space to JSON."""
    found = _BLANK.match(text, start)
    assert found is not None
    return found.end()


@define
class _Open:
    """A list or object that is not closed yet."""

    sign: Literal["[", "{"]
    start: int
    names: set[str] = Factory(set)


@define
class _Reader:
    text: str
    faults: list[Fault] = Factory(list)
    spots: dict[str, Spot] = Factory(dict)
    plain: dict[str, object] = Factory(dict)
    doubtful: set[str] = Factory(set)
    is_object: bool = False
    cut_off: bool = False
    stack: list[_Open] = Factory(list)
    field: str = ""  # the field of the outermost object that is being read
    deep: bool = False
    objects: int = 0

    def read(self, start: int) -> int:
        """Read one value; return the offset behind it, or that of a breaking fault."""
        want: Want = "value"
        position = start
        for sort, begin, end in _tokens(self.text, start):
            follows = self.step(want, sort, begin, end)
            if follows is None:
                return begin
            position, want = end, follows
            if want == ", or end" and not self.stack:
                return end
        self.ended_early(want, position)
        return position

    def step(self, want: Want, sort: Sort, begin: int, end: int) -> Want | None:
        """Take one token and return what has to follow; None when nothing after it makes sense."""
        match want, sort:
            case (("value" | "value or ]"), ("[" | "{")):
                return self.open(sort, begin)
            case ("value or ]", "]") | ("name or }", "}"):
                return self.close(end)
            case ", or end", ("]" | "}") if (sort == "]") == (self.stack[-1].sign == "["):
                return self.close(end)
            case (("value" | "value or ]"), "text"):
                value = self.read_text(begin, end)
                return None if value is None else self.finish(value, begin, end)
            case (("value" | "value or ]"), "word"):
                return self.read_word(begin, end)
            case (("name" | "name or }"), "text"):
                return self.read_name(begin, end)
            case ":", ":":
                return "value"
            case ", or end", ",":
                return "value" if self.stack[-1].sign == "[" else "name"
            case _:
                self.unexpected(want, sort, begin, end)
                return None

    def open(self, sign: Literal["[", "{"], begin: int) -> Want:
        """Begin a list or an object."""
        if not self.stack:
            self.is_object = sign == "{"
        self.objects += sign == "{"
        self.stack.append(_Open(sign, begin))
        if len(self.stack) > MAX_DEPTH and not self.deep:
            self.deep = True
            self.fault(OVER_A_LIMIT, f"nested deeper than {MAX_DEPTH} levels", begin, begin + 1)
        return "value or ]" if sign == "[" else "name or }"

    def close(self, end: int) -> Want:
        """End the innermost list or object, which is a value of what is around it."""
        opened = self.stack.pop()
        if self.at_top():
            self.spots[self.field].value = (opened.start, end)
            self.doubtful.add(self.field)  # a list or an object is never a key
        return ", or end"

    def finish(self, value: object, begin: int, end: int) -> Want:
        """Note a value that is neither a list nor an object."""
        if self.at_top():
            self.spots[self.field].value = (begin, end)
            self.plain[self.field] = value
        return ", or end"

    def read_text(self, begin: int, end: int) -> str | None:
        """Return what a text says, or None when it is never closed or breaks the rules."""
        # `_TEXT` matches everything but the closing sign, so a match of the whole token was never
        # closed.
        if _TEXT.fullmatch(self.text, begin, end):
            self.broken_text(end)
            return None
        value = str(json.loads(self.text[begin:end]))
        if lone_surrogate(value) is not None:
            self.fault(NOT_UNICODE, "half a character (a lone surrogate) in a text", begin, end)
            if self.at_top():
                self.doubtful.add(self.field)
        return value

    def read_name(self, begin: int, end: int) -> Want | None:
        """Read the name of a field."""
        # A fault of the name must not be laid to the field before it.
        before, self.field = self.field, ""
        name = self.read_text(begin, end)
        if name is None:
            self.field = before
            return None
        names = self.stack[-1].names
        if name in names:
            self.fault(
                REPEATED_FIELD,
                f"`{short(name)}` is written twice",
                begin,
                end,
                "keep the right one and take the other out",
            )
        names.add(name)
        if not self.at_top():
            self.field = before
            return ":"
        self.field = name
        if name in self.spots:
            self.doubtful.add(name)
        else:
            self.spots[name] = Spot((begin, end), (begin, end))
        return ":"

    def read_word(self, begin: int, end: int) -> Want | None:
        """Read a number, true, false, null, or a word that JSON does not have."""
        word = self.text[begin:end]
        if word in _LITERALS:
            return self.finish(_LITERALS[word], begin, end)
        if found := _NUMBER.fullmatch(word):
            try:
                number = integer(word) if found.lastindex is None else decimal(word)
            except OverLimit as error:
                self.fault(OVER_A_LIMIT, f"the number {short(word)} is {error}", begin, end)
                return self.doubt(begin, end)
            return self.finish(number, begin, end)
        if _NOT_FINITE.fullmatch(word):
            self.fault(
                UNREADABLE_RECORD,
                f"`{word}` is not a number",
                begin,
                end,
                "leave the field out where there is no number",
            )
            return self.doubt(begin, end)
        help_ = "put a text in double quotation marks"
        if word.lower() in ("true", "false", "null", "none"):
            right = "null" if word.lower() == "none" else word.lower()
            help_ = f"write {right}"
        elif word[0] in "+-.0123456789":
            help_ = "write a number as 12, -3, 0.5 or 1e6"
        self.breaking(f"`{short(word)}` is no value of JSON", begin, end, help_)
        return None

    def doubt(self, begin: int, end: int) -> Want:
        """Pass over a value that is at fault, so that nobody takes it for good."""
        if self.at_top():
            self.doubtful.add(self.field)
        return self.finish(None, begin, end)

    def doubt_last(self, want: Want) -> None:
        """Distrust a value that something other than its comma follows: it may go on there."""
        if want == ", or end" and self.at_top():
            self.doubtful.add(self.field)

    def at_top(self) -> bool:
        """Tell whether what is read now belongs to the outermost object itself."""
        return len(self.stack) == 1 and self.stack[0].sign == "{"

    def fault(
        self, code: Code, message: str, begin: int, end: int, help_: str | None = None
    ) -> None:
        """Note a fault after which reading goes on."""
        self.faults.append(Fault(code, message, begin, end, help_))

    def breaking(self, message: str, begin: int, end: int, help_: str | None = None) -> None:
        """Note the fault that ends the reading."""
        self.faults.append(Fault(UNREADABLE_RECORD, message, begin, end, help_, breaking=True))

    def broken_text(self, end: int) -> None:
        """Say what is wrong with a text that was read up to `end`."""
        rest = self.text[end : end + 2]
        if not rest or _HALF_ESCAPE.fullmatch(self.text, end):
            self.cut_off = self.objects < 2
            self.breaking("the record ends inside a text", end, end, 'a closing `"` is missing')
        elif rest[0] == "\\":
            self.breaking(
                f"`{printable(rest)}` means nothing in a text",
                end,
                end + len(rest),
                "write a backslash as two",
            )
        else:
            name = {"\n": "a line break", "\r": "a line break", "\t": "a tab"}.get(rest[0])
            shown = name or f"the control character {ord(rest[0]):#04x}"
            self.breaking(f"{shown} inside a text", end, end + 1, r"write it as \n, \t or \u001f")

    def ended_early(self, want: Want, position: int) -> None:
        """Say that the text is over while more has to follow."""
        if not self.stack:
            self.breaking("there is nothing to read", position, position)
            return
        self.doubt_last(want)
        # A second object inside a text that was cut off may be the next record, its beginning lost.
        self.cut_off = self.objects < 2
        missing = "}" if self.stack[-1].sign == "{" else "]"
        what = f"`{missing}` is missing" if want == ", or end" else "something is missing"
        self.breaking("the record ends too early", position, position, f"{what} at the end")

    def unexpected(self, want: Want, sort: Sort, begin: int, end: int) -> None:
        """Say what stands where something else has to."""
        self.doubt_last(want)
        shown = f"`{short(self.text[begin:end])}`"
        if self.text.startswith(BYTE_ORDER_MARK, begin):
            self.breaking("a byte order mark that is not at the start of the file", begin, end)
            return
        if sort == "stray" and self.text[begin] in "'‘’“”„":
            self.breaking(f"{shown} opens no text", begin, end, 'use straight double quotes: `"`')
            return
        match want:
            case "value" | "value or ]":
                after_comma = want == "value" and sort in ("]", "}") and bool(self.stack)
                help_ = "take out the comma before it" if after_comma else None
                self.breaking(f"a value has to stand before {shown}", begin, end, help_)
            case "name" | "name or }":
                help_ = "put it in double quotation marks" if sort == "word" else None
                if want == "name" and sort == "}":
                    help_ = "take out the comma before it"
                self.breaking(f"{shown} is not the name of a field", begin, end, help_)
            case ":":
                self.breaking(f"a `:` has to stand before {shown}", begin, end)
            case ", or end":
                closing = "}" if self.stack[-1].sign == "{" else "]"
                help_ = (
                    'a text that holds a `"` has to write it as `\\"`' if sort == "word" else None
                )
                self.breaking(
                    f"a `,` or `{closing}` has to stand before {shown}", begin, end, help_
                )


def _tokens(text: str, start: int) -> Iterator[tuple[Sort, int, int]]:
    """Yield each token with its first and last offset; a faulty text ends where it goes wrong."""
    position = skip_blank(text, start)
    while position < len(text):
        sort, end = _token(text, position)
        yield sort, position, end
        position = skip_blank(text, end)


def _token(text: str, position: int) -> tuple[Sort, int]:
    match text[position]:
        case "{" | "}" | "[" | "]" | "," | ":" as sign:
            return sign, position + 1
        case '"':
            found = _TEXT.match(text, position)
            assert found is not None
            closed = text.startswith('"', found.end())
            return "text", found.end() + closed
        case _:
            word = _WORD.match(text, position)
            return ("word", word.end()) if word else ("stray", position + 1)
