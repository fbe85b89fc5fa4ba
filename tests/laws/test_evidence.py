"""Laws of evidence: nothing raises, is rounded, or is lost uncounted; order is nothing."""

import json
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from unit.evidence.sheets import GOOD, SHEETS, looks_like_url, sheet

from rulesengine.evidence.conform import conform
from rulesengine.evidence.decode import REFUSED, decode, quick
from rulesengine.evidence.gather import gather
from rulesengine.evidence.read import read_json, read_jsonl
from rulesengine.evidence.scan import scan, skip_blank
from rulesengine.evidence.schema import Record, Rejected
from rulesengine.evidence.table import Row, from_csv_row, read_csv
from rulesengine.source import Place
from rulesengine.values import Missing

PLACE = Place("e.jsonl", 3)
WORDS = r"""{"a": "b" [ ] { } , : 1 -0.5e3 NaN true null \ " \u "\ud800" 1e999 01 ' nan é"""
PIECES = st.sampled_from([*WORDS.split(), " ", "\t", "\n", "\ufeff"])
SHREDS = st.lists(PIECES, max_size=12).map("".join)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.decimals()
    | st.fractions()
    | st.text()
    | st.dates()
    | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from([field.name for field in SHEETS.fields]) | st.text(max_size=8)
RAWS = st.dictionaries(NAMES, VALUES, max_size=6).map(lambda more: {**GOOD, **more})


@st.composite
def sheets(draw: st.DrawFn) -> list[Record | Rejected]:
    """Draw records of few subjects, so that keys collide; some have no keys, some are no JSON."""
    records: list[Record | Rejected] = []
    for number in range(draw(st.integers(0, 12))):
        place = Place("e.jsonl", number + 1)
        raw: dict[str, object] = {
            "respondent": draw(st.sampled_from(["m", "n", "o"])),
            "question": draw(st.sampled_from(["Q1", "Q9", "Q10"])),
            "answer": draw(st.sampled_from(["", "yes", None])),
        }
        if draw(st.integers(0, 7)) == 0:
            del raw[draw(st.sampled_from(sorted(raw)))]
        if draw(st.integers(0, 3)) == 0:
            raw["zeal"] = number
        line = json.dumps(raw)[: draw(st.sampled_from([None, None, None, None, -3]))]
        read = decode(line, place)
        records.append(
            read if isinstance(read, Rejected) else conform(read, SHEETS, place, raw_text=line)
        )
    return records


@given(st.binary() | SHREDS.map(lambda text: text.encode()))
def test_any_bytes_are_read_or_rejected(data: bytes) -> None:
    """The readers never raise, and a rejected text can be written as UTF-8."""
    records = [decode(data, PLACE), *read_jsonl(data.splitlines(keepends=True), "e.jsonl")]
    records.extend(read_json(data, "e.json"))

    for record in records:
        if isinstance(record, Rejected):
            assert record.diagnostics
            assert record.raw.encode("utf-8").decode("utf-8") == record.raw
            assert all(each.message.encode("utf-8") for each in record.diagnostics)


@given(st.text(st.characters(codec=None)) | SHREDS)
def test_any_text_is_read_or_rejected(text: str) -> None:
    """The same for text that no file can hold, and for tables."""
    records = [decode(text, PLACE), *read_csv(text.splitlines(keepends=True), "e.csv")]

    for record in records:
        if isinstance(record, Row):
            from_csv_row(record.header, record.cells, SHEETS, record.place, is_url=looks_like_url)


@given(SHREDS | VALUES.map(lambda value: json.dumps(value, default=str)))
def test_the_slow_reader_and_the_fast_one_agree(text: str) -> None:
    """`scan` finds no fault in a text, to its end, if and only if `quick` reads it."""
    found = scan(text)
    whole = not found.faults and skip_blank(text, found.end) == len(text)

    assert (quick(text) is not REFUSED) == whole


@given(
    st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30)
)
def test_a_number_survives_exactly(number: int | Decimal) -> None:
    """From its digits to its cell, no number is rounded."""
    raw = decode(f'{{"declared": {number}}}', PLACE)
    assert isinstance(raw, dict)
    record = sheet(**raw)

    assert isinstance(record, Record)
    assert Fraction(number) == record.cells["declared"].value


@given(st.booleans(), st.sampled_from(["declared", "runs"]))
def test_a_yes_or_no_is_never_a_number(value: bool, name: str) -> None:
    """True is not 1 and false is not 0."""
    assert isinstance(sheet(**{name: value}), Rejected)


@given(RAWS)
def test_any_mapping_is_a_record_or_rejected(raw: dict[str, object]) -> None:
    """`conform` never raises, and gives a cell for every field or a reason."""
    record = conform(raw, SHEETS, PLACE, is_url=looks_like_url)

    if isinstance(record, Rejected):
        assert record.diagnostics
        json.loads(record.raw)
    else:
        assert list(record.cells) == [field.name for field in SHEETS.fields]


@given(RAWS)
def test_missing_never_becomes_a_value(raw: dict[str, object]) -> None:
    """A field that is null or absent is missing or its declared default: never 0, false or ""."""
    record = conform(raw, SHEETS, PLACE, is_url=looks_like_url, allow_unknown=True)
    if isinstance(record, Rejected):
        return
    for field in SHEETS.fields:
        cell = record.cells[field.name]
        if raw.get(field.name) is None:
            nothing = Missing("null" if field.name in raw else "absent")
            has_default = field.default is not None and field.name not in raw
            assert (field.default if has_default else nothing) == cell.value
            assert ("default" if has_default else nothing.why) == cell.origin
        else:
            assert cell.origin == "given"


@given(sheets(), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_records_never_matters(
    records: list[Record | Rejected], random: object, allow_rejects: bool
) -> None:
    """`gather` gives the same for every order of the same records."""
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    straight = gather(records, SHEETS, ("respondent",), allow_rejects=allow_rejects)
    mixed = gather(shuffled, SHEETS, ("respondent",), allow_rejects=allow_rejects)

    assert straight == mixed
    assert list(straight.unknown_fields) == list(mixed.unknown_fields)


@given(sheets(), st.booleans())
def test_every_record_is_counted(records: list[Record | Rejected], allow_rejects: bool) -> None:
    """Read = scored + rejected + ignored; nothing is scored twice or lost from sight."""
    gathered = gather(records, SHEETS, ("respondent",), allow_rejects=allow_rejects)

    assert len(records) == gathered.read
    assert gathered.read == gathered.scored + gathered.rejected_count + gathered.ignored
    assert gathered.rejected_count == len(gathered.rejected)
    kept = [record for each in gathered.subjects for record in each.records]
    assert gathered.scored + gathered.ignored == len(kept)
