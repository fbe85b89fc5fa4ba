"""Raw records against a schema."""

from collections import OrderedDict
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from unit.evidence.sheets import GOOD, SHEETS, codes, looks_like_url, sheet

from rulesengine.evidence.conform import conform
from rulesengine.evidence.decode import decode
from rulesengine.evidence.schema import Cell, Record, Rejected
from rulesengine.source import Place
from rulesengine.values import Missing


def cell(name: str, **fields: object) -> Cell | list[str]:
    """Return one cell of a good record with `fields`, or the codes of what is wrong."""
    record = sheet(**fields)
    return record.cells[name] if isinstance(record, Record) else codes(record)


def from_line(line: str) -> Record | Rejected:
    """Return the record that a line of a file holds."""
    place = Place("e.jsonl", 3)
    raw = decode(line, place)
    assert isinstance(raw, dict)
    return conform(raw, SHEETS, place, raw_text=line, is_url=looks_like_url)


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("declared", 12, Fraction(12)),
        ("declared", Decimal("0.1"), Fraction(1, 10)),
        ("declared", 0.1, Fraction(1, 10)),
        ("declared", Fraction(1, 3), Fraction(1, 3)),
        ("declared", 28857836529306024611912, Fraction(28857836529306024611912)),
        ("runs", Decimal("4.0"), Fraction(4)),
        ("runs", 4.0, Fraction(4)),
        ("bends", True, True),
        ("bends", False, False),
        ("answer", "", ""),
        ("answer", "12", "12"),
        ("day", "2024-02-29", date(2024, 2, 29)),
        ("day", date(2024, 2, 29), date(2024, 2, 29)),
        ("target", "https://example.org/", "https://example.org/"),
        ("question", "Q10", "Q10"),
        ("tags", ["a", "b"], ("a", "b")),
        ("tags", [], ()),
    ],
)
def test_a_value_of_the_type_is_given(name: str, given: object, value: object) -> None:
    """A value of its field's type is kept by value, and known as given."""
    actual = cell(name, **{name: given})

    assert Cell(value, "given") == actual  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("declared", True, "R502"),
        ("declared", False, "R502"),
        ("declared", "12", "R502"),
        ("declared", float("nan"), "R502"),
        ("declared", float("inf"), "R502"),
        ("declared", Decimal("NaN"), "R502"),
        ("declared", Decimal("1e999999999"), "R512"),
        pytest.param("declared", 10**5000, "R512", id="huge"),
        ("declared", [], "R502"),
        ("runs", Decimal("4.5"), "R502"),
        ("bends", 0, "R502"),
        ("bends", 1, "R502"),
        ("bends", "true", "R502"),
        ("bends", "", "R502"),
        ("answer", 12, "R502"),
        ("answer", True, "R502"),
        ("answer", "\ud800", "R509"),
        ("answer", {}, "R502"),
        ("day", "2023-02-29", "R502"),
        ("day", "2024-2-9", "R502"),
        ("day", "20240229", "R502"),
        ("day", "2024-02-29T00:00:00", "R502"),
        ("day", "٢٠٢٤-٠٢-٢٩", "R502"),
        ("day", datetime(2024, 2, 29), "R502"),
        ("target", "example.org", "R502"),
        ("question", "q1", "R502"),
        ("question", "Q1 ", "R502"),
        ("tags", "a", "R502"),
        ("tags", ["a", 1], "R502"),
        ("tags", ["a", None], "R507"),
        ("answer", object(), "R502"),
    ],
)
def test_a_value_of_another_kind_is_rejected(name: str, given: object, code: str) -> None:
    """Nothing is made to fit; above all, a bool is never a number nor a number a bool."""
    actual = cell(name, **{name: given})

    assert [code] == actual


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("answer", ["R503"]),
        ("respondent", ["R503"]),
        ("bends", Cell(False, "default")),
        ("sure", Cell(True, "default")),
        ("declared", Cell(Missing("absent"), "absent")),
    ],
)
def test_a_field_that_is_absent(name: str, expected: object) -> None:
    """Absent is an error, the default or missing, as declared; never 0, false or "" (L13)."""
    fields = {key: value for key, value in GOOD.items() if key != name}

    record = conform(fields, SHEETS, Place("e.jsonl", 3))
    actual = record.cells[name] if isinstance(record, Record) else codes(record)

    assert expected == actual


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("answer", ["R507"]),
        ("respondent", ["R507"]),
        ("bends", ["R507"]),
        ("sure", Cell(Missing("null"), "null")),
        ("declared", Cell(Missing("null"), "null")),
    ],
)
def test_a_field_that_is_null(name: str, expected: object) -> None:
    """Null is missing where the type has a `?`, and never the default (L13)."""
    actual = cell(name, **{name: None})

    assert expected == actual


def test_null_where_there_is_a_default_says_what_to_do() -> None:
    """The author of the record and that of the rubric each learn their way out."""
    record = sheet(bends=None)

    assert isinstance(record, Rejected)
    assert record.diagnostics[0].help == (
        "leave the field out to get its default no, or declare its type with a `?` to let it be "
        "missing"
    )


def test_big_integers_are_compared_by_value() -> None:
    """9007199254740993 is not 9007199254740992.0, and 4.0 is 4 (L21, L25, L29)."""
    odd = from_line(
        '{"respondent": "m", "question": "Q1", "answer": "", "declared": 9007199254740993}'
    )
    even = from_line(
        '{"respondent": "m", "question": "Q1", "answer": "", "declared": 9007199254740992.0}'
    )

    assert isinstance(odd, Record)
    assert isinstance(even, Record)
    difference = [each.cells["declared"].value for each in (odd, even)]
    assert [Fraction(2**53 + 1), Fraction(2**53)] == difference


def test_every_fault_is_told_where_it_stands() -> None:
    """All faults of a record are told at once, each at its own column, with the readable keys."""
    line = '{"respondent": "m", "question": "Q3", "declared": true, "bends": null}'

    record = from_line(line)

    assert isinstance(record, Rejected)
    told = [(each.code.id, each.span.line, each.span.column) for each in record.diagnostics]
    assert told == [("R503", 3, 0), ("R502", 3, 33), ("R502", 3, 51), ("R507", 3, 66)]
    assert ({"respondent": "m"}, line) == (record.keys, record.raw)


def test_a_misspelt_field_is_an_error_with_place_and_suggestion() -> None:
    """`bend` must not leave `bends` to its default unseen (E1)."""
    line = '{"respondent": "m", "question": "Q1", "answer": "a", "bend": true}'

    record = from_line(line)

    assert isinstance(record, Rejected)
    told = [(each.code.id, each.span.column, each.help) for each in record.diagnostics]
    assert told == [("R504", 54, "did you mean `bends`?")]


def test_a_misspelt_required_field_is_told_once() -> None:
    """The field that is absent because its name is misspelt is no second mistake."""
    actual = codes(conform({"respondnt": "m", "question": "Q1", "answer": ""}, SHEETS, Place("e")))

    assert actual == ["R504"]


def test_a_field_inside_another_is_an_error() -> None:
    """`bends` under `observations` must not leave `bends` to its default unseen (E2)."""
    line = '{"respondent": "m", "question": "Q1", "answer": "a", "observations": {"bends": true}}'

    record = from_line(line)

    assert isinstance(record, Rejected)
    told = [(each.code.id, each.span.column, each.message) for each in record.diagnostics]
    assert told == [("R513", 70, "`bends` stands inside `observations`, where nothing reads it")]


@pytest.mark.parametrize(
    ("extra", "unknown"),
    [
        ({"model_version": "3"}, ("model_version",)),
        ({"answers": "x"}, ("answers",)),  # like a field that is there
        ({"notes": {"any": 1}, "": 2}, ("notes", "")),
    ],
)
def test_other_unknown_fields_are_named_and_ignored(
    extra: dict[str, object], unknown: tuple[str, ...]
) -> None:
    """A field that cannot be meant for a declared one does no harm."""
    record = sheet(**extra)

    assert isinstance(record, Record)
    assert unknown == record.unknown


def test_unknown_fields_can_be_allowed() -> None:
    """With `allow_unknown`, what looks misspelt or misplaced is ignored too."""
    raw = {**GOOD, "bend": True, "more": {"declared": 3}}

    record = conform(raw, SHEETS, Place("e"), allow_unknown=True)

    assert isinstance(record, Record)
    assert record.unknown == ("bend", "more")


def test_a_wrong_option_is_told_with_the_nearest() -> None:
    """Options are matched exactly, and a near miss says what was meant."""
    record = sheet(question="q10")

    assert isinstance(record, Rejected)
    assert record.diagnostics[0].help == "did you mean `Q10`?"


def test_a_mapping_from_python_is_kept_as_json() -> None:
    """A record that never was a text can be written to the rejects all the same."""
    raw = OrderedDict(
        answer=3, declared=Fraction(1, 3), day=date(2024, 1, 2), tags=["é", Decimal("1.50")]
    )

    record = conform(raw, SHEETS, Place("records", 0))

    assert isinstance(record, Rejected)
    assert (
        record.raw == '{"answer": 3, "declared": "1/3", "day": "2024-01-02", "tags": ["é", 1.50]}'
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://example.org/a", []),
        ("HTTP://EXAMPLE.ORG", []),
        ("example.org", ["R502"]),
        ("ftp://example.org/a", ["R502"]),
        ("see https://example.org/a", ["R502"]),
    ],
)
def test_a_url_is_what_the_language_takes_for_one(given: str, expected: list[str]) -> None:
    """Left to itself, `conform` asks the language's own rule."""
    actual = codes(conform({**GOOD, "target": given}, SHEETS, Place("e")))

    assert expected == actual
