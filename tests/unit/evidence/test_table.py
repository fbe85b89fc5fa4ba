"""Tables to records."""

from fractions import Fraction

import pytest
from unit.evidence.sheets import SHEETS, codes, looks_like_url

from rulesengine.evidence.schema import Cell, Record, Rejected
from rulesengine.evidence.table import Row, from_csv_row, read_csv
from rulesengine.source import Place
from rulesengine.values import Missing

HEADER = ["respondent", "question", "answer"]


def rows(text: str) -> list[tuple[object, int]]:
    """Return the cells or codes of each row, and its line."""
    return [
        (
            each.cells if isinstance(each, Row) else [d.code.id for d in each.diagnostics],
            each.place.line,
        )
        for each in read_csv(text.splitlines(keepends=True), "e.csv")
    ]


def cell(name: str, written: str) -> Cell | list[str]:
    """Return the cell that `written` gives in the column `name`."""
    given = {**dict(zip(HEADER, ["m", "Q1", "a"], strict=True)), name: written}
    record = from_csv_row(
        list(given), list(given.values()), SHEETS, Place("e.csv", 2), is_url=looks_like_url
    )
    return record.cells[name] if isinstance(record, Record) else codes(record)


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("bends", "Yes", Cell(True, "given")),
        ("bends", "FALSE", Cell(False, "given")),
        ("bends", " no ", Cell(False, "given")),
        ("bends", "1", ["R502"]),
        ("bends", "", Cell(False, "default")),
        ("sure", "", Cell(True, "default")),
        ("declared", "", Cell(Missing("absent"), "absent")),
        ("declared", "  ", Cell(Missing("absent"), "absent")),
        ("declared", "0.1", Cell(Fraction(1, 10), "given")),
        ("declared", "+.5e1", Cell(Fraction(5), "given")),
        ("declared", "9007199254740993", Cell(Fraction(9007199254740993), "given")),
        ("declared", "1,5", ["R502"]),
        ("declared", "NaN", ["R502"]),
        ("declared", "1e999999999", ["R502"]),
        ("declared", "true", ["R502"]),
        ("runs", "4.0", Cell(Fraction(4), "given")),
        ("answer", "", ["R503"]),
        ("answer", " a ", Cell(" a ", "given")),
        ("answer", "12", Cell("12", "given")),
        ("tags", '["a", "b"]', Cell(("a", "b"), "given")),
        ("tags", "a;b", ["R502"]),
        ("tags", "", Cell(Missing("absent"), "absent")),
        ("question", "q1", ["R502"]),
    ],
)
def test_a_cell_is_read_by_the_type_of_its_column(
    name: str, written: str, expected: object
) -> None:
    """A cell says what its column's type lets it say; an empty one is a field that is absent."""
    actual = cell(name, written)

    assert expected == actual


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n\n3,4", [(("1", "2"), 2), (("3", "4"), 4)]),
        ('\ufeffa,b\r\n"1\r\n,""x""",2\r\n3,4\r\n', [(('1\r\n,"x"', "2"), 2), (("3", "4"), 4)]),
        ("a,a\n1,2\n", [(["R508"], 1)]),
        ("a;b\n1;2\n", [(["R501"], 1)]),
        ("a,b\n1,\0\n3,4\n", [(["R509"], 2), (("3", "4"), 3)]),
        ("a,b\n1,\ud800\n", [(["R509"], 2)]),
        # Behind a fault in quotation marks no line is known to be a record: a line of a cell would pass for one.
        ('a,b\n"1"x,2\n3,4\n', [(["R501"], 2)]),
        ('a,b\nm,"he said "x"\nn,9"\n', [(["R501"], 2)]),
        ('a,b\n1,"2\n3,4\n', [(["R501"], 2)]),
        ("", []),
        ("a,b\n", []),
    ],
)
def test_rows_are_told_apart(text: str, expected: object) -> None:
    """Each row knows the line on which it begins; after a fault in quotation marks none is read."""
    actual = rows(text)

    assert expected == actual


@pytest.mark.parametrize("cells", [["m", "Q1"], ["m", "Q1", "a", "b"]])
def test_a_row_of_another_length_is_rejected(cells: list[str]) -> None:
    """Where cells are missing or too many, none of them can be laid to a column: not even a key."""
    record = from_csv_row(HEADER, cells, SHEETS, Place("e.csv", 2))

    assert isinstance(record, Rejected)
    assert (codes(record), record.keys, record.place.line) == (["R501"], {}, 2)


def test_a_column_without_a_name_is_passed_over() -> None:
    """The row numbers that some programs write in front do no harm."""
    record = from_csv_row(["", *HEADER], ["0", "m", "Q1", "a"], SHEETS, Place("e.csv", 2))

    assert isinstance(record, Record)
    assert record.unknown == ()
