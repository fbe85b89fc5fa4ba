"""Files of JSON to records with their places."""

import pytest

from rulesengine.evidence.read import read_json, read_jsonl
from rulesengine.evidence.schema import Raw, Rejected

Told = list[tuple[object, int, int]]


def told(records: list[Raw | Rejected]) -> Told:
    """Return, of each record, its fields or codes and the line and column where it begins."""
    return [
        (
            each.fields if isinstance(each, Raw) else [d.code.id for d in each.diagnostics],
            each.place.line,
            each.place.column,
        )
        for each in records
    ]


def test_lines_are_told_apart_whatever_their_ends() -> None:
    """A byte order mark, blank lines, CRLF and a missing last line end do not matter."""
    data = b'\xef\xbb\xbf{"a": 1}\r\n\r\n \n{"a": 2}\n{"a": }\n{"a": 3}'

    actual = told(list(read_jsonl(data.splitlines(keepends=True), "e.jsonl")))

    assert actual == [({"a": 1}, 1, 0), ({"a": 2}, 4, 0), (["R501"], 5, 0), ({"a": 3}, 6, 0)]


def test_a_byte_order_mark_is_passed_over_at_the_start_only() -> None:
    """Two files put one behind the other are told about."""
    lines = [b"\xef\xbb\xbf{}\n", b"\xef\xbb\xbf{}\n"]

    actual = told(list(read_jsonl(lines, "e.jsonl")))

    assert actual == [({}, 1, 0), (["R501"], 2, 0)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_file_in_another_encoding_is_told_once(encoding: str) -> None:
    """One mistake is one message, and the run knows that it read nothing."""
    data = '{"a": "b"}\n{"a": "b"}\n'.encode(encoding)

    rejects = list(read_jsonl(data.splitlines(keepends=True), "e.jsonl"))

    assert told(rejects) == [(["R509"], 1, 0)]
    assert isinstance(rejects[0], Rejected)
    assert rejects[0].may_hide_more


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a": 1}\n', [({"a": 1}, 1, 1)]),
        (b"[]", []),
        (b"[ ] x", [(["R501"], 1, 5)]),
        (b'[{"a": 1},\n  {"a": 2}\n]', [({"a": 1}, 1, 2), ({"a": 2}, 2, 3)]),
        (b'\xef\xbb\xbf\n[{"a": 1}]', [({"a": 1}, 2, 2)]),
        (b'[{"a": NaN}, 3, {"a": 2}]', [(["R501"], 1, 2), (["R501"], 1, 14), ({"a": 2}, 1, 17)]),
        (b'[{"a": 1}\n {"a": 2}]', [({"a": 1}, 1, 2), (["R501"], 2, 2)]),
        (b'[{"a": 1},\n {"a": ,}, {"a": 2}]', [({"a": 1}, 1, 2), (["R501"], 2, 2)]),
        (b'[{"a": 1},]', [({"a": 1}, 1, 2), (["R501"], 1, 11)]),
        (b'[{"a": 1}', [({"a": 1}, 1, 2), (["R501"], 1, 10)]),
        (b"[", [(["R501"], 1, 2)]),
        (b'{"a": 1}\n{"a": 2}', [(["R501"], 1, 1)]),
        (b'[{"a": "\xff"}]', [(["R509"], 1, 1)]),
        (b"", [(["R501"], 1, 1)]),
    ],
)
def test_a_file_of_one_list_or_one_object(data: bytes, expected: Told) -> None:
    """Each record has its line and column; what follows a breaking fault is rejected as one."""
    actual = told(list(read_json(data, "e.json")))

    assert expected == actual


def test_a_fault_in_a_list_is_told_at_its_own_line() -> None:
    """The place of a fault counts from the start of the file."""
    records = list(read_json(b'[\n  {"a": 1,\n   "a": 2}\n]', "e.json"))

    assert isinstance(records[0], Rejected)
    span = records[0].diagnostics[0].span
    assert (span.line, span.column, span.line_text) == (3, 4, '   "a": 2}')


def test_a_deep_record_in_a_list_spoils_no_other() -> None:
    """The limit of nesting goes for each record by itself."""
    deep = b'{"a":' * 101 + b"1" + b"}" * 101
    level = b'{"a":' * 100 + b"1" + b"}" * 100

    actual = told(list(read_json(b"[" + deep + b"," + level + b', {"a": 1}]', "e.json")))

    assert [actual[0][0], actual[2][0]] == [["R512"], {"a": 1}]
    assert isinstance(actual[1][0], dict)
