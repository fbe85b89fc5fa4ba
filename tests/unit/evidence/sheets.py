"""A schema in the manner of a comparison of respondents, and records that keep to it."""

from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Field, Record, Rejected, Schema
from rulesengine.source import Place
from rulesengine.types import DATE, INTEGER, NUMBER, TEXT, URL, YES_NO, ListType, OneOfType

HERE = Place("sheets.rubric")
QUESTIONS = OneOfType(("Q1", "Q2", "Q10", "Q9"))


def declare(*fields: Field) -> Schema:
    return Schema(fields)


SHEETS = declare(
    Field(name="respondent", type=TEXT, is_key=True, span=HERE),
    Field(name="question", type=QUESTIONS, is_key=True, span=HERE),
    Field(name="answer", type=TEXT, span=HERE),
    Field(name="target", type=URL, optional=True, span=HERE),
    Field(name="bends", type=YES_NO, default=False, span=HERE),
    Field(name="declared", type=NUMBER, optional=True, span=HERE),
    Field(name="runs", type=INTEGER, optional=True, span=HERE),
    Field(name="day", type=DATE, optional=True, span=HERE),
    Field(name="tags", type=ListType(TEXT), optional=True, span=HERE),
    Field(name="sure", type=YES_NO, optional=True, default=True, span=HERE),
)
GOOD: dict[str, object] = {"respondent": "m", "question": "Q1", "answer": "yes"}


def looks_like_url(text: str) -> bool:
    """Tell a url from other text well enough for these tests."""
    return text.startswith("https://") and " " not in text


def sheet(**fields: object) -> Record | Rejected:
    """Return a good record with some fields added or changed, as it conforms."""
    return conform({**GOOD, **fields}, SHEETS, Place("e.jsonl", 3), is_url=looks_like_url)


def codes(record: Record | Rejected) -> list[str]:
    """Return the codes of all that is wrong with a record."""
    return [each.code.id for each in record.diagnostics] if isinstance(record, Rejected) else []
