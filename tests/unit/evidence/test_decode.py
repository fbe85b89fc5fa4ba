"""JSON texts to raw objects: exact, strict, and with the place of what is wrong."""

from decimal import Decimal

import pytest

from rulesengine.evidence.decode import decode
from rulesengine.evidence.numbers import MAX_DIGITS, MAX_EXPONENT
from rulesengine.evidence.scan import MAX_DEPTH
from rulesengine.evidence.schema import Rejected
from rulesengine.source import Place

PLACE = Place("e.jsonl", 3)


def refused(line: bytes | str) -> list[tuple[str, int]]:
    """Return the code and column of each fault of `line`."""
    rejected = decode(line, PLACE)
    assert isinstance(rejected, Rejected)
    return [(each.code.id, each.span.column) for each in rejected.diagnostics]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (b"28857836529306024611912", 28857836529306024611912),
        (b"9007199254740993", 9007199254740993),
        (b"9007199254740992.0", Decimal("9007199254740992.0")),
        (b"0.1", Decimal("0.1")),
        (b"1e-30", Decimal("1e-30")),
        (b"1e308", Decimal("1e308")),
        (b"-0", 0),
        (b"1" + b"0" * (MAX_DIGITS - 1), 10 ** (MAX_DIGITS - 1)),
    ],
)
def test_a_number_keeps_every_digit(written: bytes, value: object) -> None:
    """What is written is what is read, beyond 2^53 and below it (L21, L25)."""
    actual = decode(b'{"x": ' + written + b"}", PLACE)

    assert {"x": value} == actual


@pytest.mark.parametrize(
    "written",
    [
        b"1e999999999",
        b"1e-999999999",
        b"1e99999999999999999999999",
        b"1e" + str(MAX_EXPONENT + 1).encode(),
        b"1" + b"0" * MAX_DIGITS,
        b"0." + b"1" * MAX_DIGITS,
    ],
)
def test_a_number_past_a_limit_is_rejected(written: bytes) -> None:
    """No number can exhaust the machine."""
    actual = refused(b'{"x": ' + written + b"}")

    assert actual == [("R512", 7)]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        (b'{"a": 1, "a": 2}', [("R508", 10)]),
        (b'{"a": [{"b": 1, "b": 1}]}', [("R508", 17)]),
        (b'{"a": 1, "\\u0061": 2}', [("R508", 10)]),
        (b'{"a": NaN, "b": -Infinity, "c": Infinity}', [("R501", 7), ("R501", 17), ("R501", 33)]),
        (b'{"a": "\\ud800"}', [("R509", 7)]),
        (b'{"\\udc00": 1}', [("R509", 2)]),
        (b'{"a": ["\\udc00\\ud800"]}', [("R509", 8)]),
        ('{"a": "\ud800"}', [("R509", 8)]),
        (b'{"a": "caf\xe9"}', [("R509", 11)]),
        (b'{"a": "\xed\xa0\x80"}', [("R509", 8)]),
        (b'{"a":\0 1}', [("R509", 6)]),
        ("\ufeff{}".encode(), [("R501", 1)]),
        ("{}".encode("utf-16"), [("R509", 1)]),
        ('{"a": "b"}'.encode("utf-16-le"), [("R509", 1)]),
        (b"[1, 2]", [("R501", 1)]),
        (b' "text"', [("R501", 2)]),
        (b"", [("R501", 1)]),
        (b"{} {}", [("R501", 4)]),
        (b'{"a": 1,}', [("R501", 9)]),
        (b'{"a": 01}', [("R501", 7)]),
        (b'{"a": .5}', [("R501", 7)]),
        (b'{"a": 1_000}', [("R501", 7)]),
        ('{"a": ١}', [("R501", 7)]),
        (b'{"a": True}', [("R501", 7)]),
        (b'{"a": "x\ty"}', [("R501", 9)]),
        (b'{"a": "\\x"}', [("R501", 8)]),
        (b'{"a" 1}', [("R501", 6)]),
        (b'{"a": 1]', [("R501", 8)]),
        (b"{'a': 1}", [("R501", 2)]),
        (b'{"a": "b', [("R501", 9)]),
        ('{"ü": "ü", "ü": 1}', [("R508", 12)]),
    ],
)
def test_says_what_is_wrong_and_where(line: bytes | str, faults: list[tuple[str, int]]) -> None:
    """Every departure from strict JSON is a fault at its column, in characters."""
    actual = refused(line)

    assert faults == actual


def test_messages_are_in_peoples_words() -> None:
    """A message names the author's words and what to do, never what the program calls them."""
    rejected = decode(b'{"mark": True}', PLACE)

    assert isinstance(rejected, Rejected)
    assert [(each.message, each.help) for each in rejected.diagnostics] == [
        ("`True` is no value of JSON", "write true")
    ]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_has_a_limit(opening: str) -> None:
    """A text nested too deep is rejected, whatever its depth, and one at the limit is read."""
    closing = "]" if opening == "[" else "}"
    levels = MAX_DEPTH - 1
    at_limit = '{"x":' + opening * levels + "1" + closing * levels + "}"
    past_it = '{"x":' + opening * MAX_DEPTH + "1" + closing * MAX_DEPTH + "}"

    assert isinstance(decode(at_limit, PLACE), dict)
    assert [code for code, _ in refused(past_it)] == ["R512"]
    assert "R512" in [code for code, _ in refused(opening * 200_000)]


def test_brackets_in_a_text_are_no_nesting() -> None:
    """A text may hold any number of brackets."""
    actual = decode('{"x": "' + "[{" * 1000 + '\\""}', PLACE)

    assert actual == {"x": "[{" * 1000 + '"'}


def test_whole_characters_written_as_escapes_are_read() -> None:
    """A pair of surrogate escapes is one character, and so is an escaped NUL."""
    actual = decode(rb'{"x": "\ud83d\ude00", "y": "\u0000"}', PLACE)

    assert actual == {"x": "😀", "y": "\0"}


@pytest.mark.parametrize(
    ("line", "found", "may_hide_more"),
    [
        (b'{"r": "m", "mark": NaN}', {"r": "m"}, False),
        (b'{"r": "m", "r": "n", "q": 1}', {"q": 1}, False),
        (b'{"r": "m", "answer": "cut o', {"r": "m"}, False),
        (b'{"r": "m", "q": 12', {"r": "m"}, False),
        (b'{"r": "m"x", "q": 12', {}, True),
        (b'{"r": "m"}{"r": "n"}', {"r": "m"}, True),
        (b'{"r": "m", "answer": "cut o{"r": "n"}', {"r": "m"}, True),
        (b'{"r": "m", "answer": {"r": "n"}', {"r": "m"}, True),
    ],
)
def test_what_is_beyond_doubt_is_kept(
    line: bytes, found: dict[str, object], may_hide_more: bool
) -> None:
    """A faulty text still tells whose record it was, and whether it may have swallowed another."""
    rejected = decode(line, PLACE)

    assert isinstance(rejected, Rejected)
    assert (found, may_hide_more) == (rejected.found, rejected.may_hide_more)


def test_a_rejected_text_is_kept_whole() -> None:
    """The rejects file can show what was read, also where it was no text."""
    rejected = decode(b'{"a": "caf\xe9"}', PLACE)

    assert isinstance(rejected, Rejected)
    assert rejected.raw == '{"a": "caf\\xe9"}'
