"""Records to subjects."""

from fractions import Fraction

from unit.evidence.sheets import SHEETS

from rulesengine.evidence.conform import conform
from rulesengine.evidence.decode import decode
from rulesengine.evidence.gather import Gathered, gather
from rulesengine.evidence.schema import Field, Record, Rejected, Schema
from rulesengine.source import Place
from rulesengine.types import NUMBER, YES_NO, OneOfType

HERE = Place("sheets.rubric")


def run(*lines: str, allow_rejects: bool = False) -> Gathered:
    """Return what the lines of a file gather to, the respondent being the subject."""
    records: list[Record | Rejected] = []
    for number, line in enumerate(lines, 1):
        place = Place("e.jsonl", number)
        raw = decode(line, place)
        records.append(
            raw if isinstance(raw, Rejected) else conform(raw, SHEETS, place, raw_text=line)
        )
    return gather(records, SHEETS, ("respondent",), allow_rejects=allow_rejects)


def line(respondent: str, question: str = "Q1", more: str = "") -> str:
    """Return a good record, with more fields."""
    return f'{{"respondent": "{respondent}", "question": "{question}", "answer": "a"{more}}}'


def counts(gathered: Gathered) -> tuple[int, int, int, int]:
    """Return how many records were read, scored, rejected and ignored."""
    return gathered.read, gathered.scored, gathered.rejected_count, gathered.ignored


def failed(gathered: Gathered) -> dict[object, bool]:
    """Return whether each respondent failed, in order."""
    return {each.keys["respondent"]: each.failed for each in gathered.subjects}


def test_subjects_and_records_are_sorted_by_value() -> None:
    """Options sort as declared, text by its characters; the order of the file is forgotten."""
    gathered = run(line("n", "Q9"), line("m", "Q10"), line("n", "Q1"), line("n", "Q10"))

    order = [
        (each.keys["respondent"], [record.key("question") for record in each.records])
        for each in gathered.subjects
    ]
    assert order == [("m", ["Q10"]), ("n", ["Q1", "Q10", "Q9"])]


def test_numbers_and_options_sort_by_value() -> None:
    """Ten comes after two, and options in the order in which they were declared."""
    schema = Schema(
        (
            Field(name="grade", type=OneOfType(("low", "high")), is_key=True, span=HERE),
            Field(name="run", type=NUMBER, is_key=True, span=HERE),
            Field(name="again", type=YES_NO, is_key=True, span=HERE),
        )
    )
    raws = [("high", 2, False), ("low", 10, True), ("low", 2, True), ("low", 2, False)]
    records = [
        conform(dict(zip(schema.keys, raw, strict=True)), schema, Place("e", number))
        for number, raw in enumerate(raws, 1)
    ]

    gathered = gather(records, schema, ("grade", "run", "again"))

    assert [
        ("low", Fraction(2), False),
        ("low", Fraction(2), True),
        ("low", Fraction(10), True),
        ("high", Fraction(2), False),
    ] == [tuple(each.keys.values()) for each in gathered.subjects]


def test_records_with_the_same_keys_are_all_rejected() -> None:
    """None of them is right, each names the others, and the subject fails with its good records."""
    gathered = run(
        line("m"), line("n"), line("m"), line("m", "Q9"), line("m", more=', "bends": true')
    )

    told = [
        (each.code.id, each.span.line, [label.span.line for label in each.labels])
        for rejected in gathered.rejected
        for each in rejected.diagnostics
    ]
    assert told == [("R505", 1, [3, 5]), ("R505", 3, [1, 5]), ("R505", 5, [1, 3])]
    assert (failed(gathered), counts(gathered)) == ({"m": True, "n": False}, (5, 1, 3, 1))
    assert (
        gathered.rejected[0].diagnostics[0].message
    ) == "3 records have respondent `m`, question `Q1`"


def test_a_subject_that_lost_a_record_fails() -> None:
    """Its keys are known, so it says why (R530), and the others are scored."""
    gathered = run(line("m"), line("m", "Q9", ', "bends": 1'), line("n"))

    lost = [(each.code.id, each.span.line, each.message) for each in gathered.subjects[0].lost]
    why = "a record was rejected: `bends` has to be yes or no, but holds the number 1"
    assert [("R530", 2, why)] == lost
    assert (failed(gathered), counts(gathered)) == ({"m": True, "n": False}, (3, 1, 1, 1))
    assert not gathered.incomplete


def test_a_text_that_breaks_json_still_fails_its_subject() -> None:
    """`NaN` in a field, or a line cut off, must not leave the subject a score on the rest."""
    gathered = run(
        line("m"), line("m", "Q9", ', "declared": NaN'), line("n"), line("n", "Q9")[:-4], line("o")
    )

    assert failed(gathered) == {"m": True, "n": True, "o": False}
    assert not gathered.incomplete


def test_rejects_can_be_allowed() -> None:
    """Then the subject is scored on what is left, and its losses are told all the same."""
    gathered = run(line("m"), line("m", "Q9", ', "bends": 1'), allow_rejects=True)

    assert (failed(gathered), counts(gathered)) == ({"m": False}, (2, 1, 1, 0))
    assert [each.code.id for each in gathered.subjects[0].lost] == ["R530"]


def test_a_subject_that_lost_all_its_records_is_there() -> None:
    """A subject never vanishes from the results because its records are bad."""
    gathered = run(line("m", more=', "bends": 1'))

    assert (failed(gathered), counts(gathered)) == ({"m": True}, (1, 0, 1, 0))


def test_a_record_of_nobody_makes_the_run_incomplete() -> None:
    """Any subject may have lost it; allowing rejects changes nothing."""
    lines = (line("m"), '{"question": "Q1", "answer": "a"}')

    gathered = run(*lines)

    assert (
        gathered.incomplete,
        failed(gathered),
        counts(gathered),
    ) == (True, {"m": False}, (2, 1, 1, 0))
    assert run(*lines, allow_rejects=True).incomplete


def test_a_line_that_may_hold_two_records_makes_the_run_incomplete() -> None:
    """A record written behind half of another one: the second subject is not known."""
    gathered = run('{"respondent": "m", "answer": "cut o' + line("n"), line("n", "Q9"))

    assert (gathered.incomplete, failed(gathered)) == (True, {"m": True, "n": False})


def test_unknown_fields_are_counted_with_one_warning_each() -> None:
    """A field that nobody declared is told once, where it stands first, however often it occurs."""
    gathered = run(line("m"), line("n", more=', "zeal": 1'), line("o", more=', "zeal": 2, "x": 0'))

    assert gathered.unknown_fields == {"x": 1, "zeal": 2}
    assert [(each.code.id, each.span.line) for each in gathered.warnings] == [
        ("R506", 3),
        ("R506", 2),
    ]


def test_without_subject_keys_there_is_one_subject() -> None:
    """A score over all the evidence fails with any record that is lost."""
    place = Place("e.jsonl", 2)
    bad = decode("{", place)
    good = conform({"respondent": "m", "question": "Q1", "answer": ""}, SHEETS, Place("e.jsonl", 1))
    assert isinstance(bad, Rejected)

    gathered = gather([good, bad], SHEETS, ())

    assert [(each.keys, each.failed) for each in gathered.subjects] == [({}, True)]
