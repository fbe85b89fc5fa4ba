"""Answers as a ledger holds them: canonical JSON and back, the same whoever wrote it."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

from rulesengine.evidence.canonical import NotJson, as_json
from rulesengine.evidence.numbers import OverLimit
from rulesengine.providers.protocols import Answer, Question, Undecided
from rulesengine.runtime.asking import read_answer
from rulesengine.values import Error, exact_text


def why_not_kept(question: Question, value: object) -> str | None:
    """Return why an answer is none: JSON cannot say it, or it is not of the question's type; None where it is one.

    What is none is not kept, or the question would never be asked again.
    """
    try:
        written(value)
        said = read_answer(value, question.type)
    except (NotJson, OverLimit, TypeError, ValueError) as error:
        return f"the judge's answer {error}"
    return said.diagnostic.message if isinstance(said, Error) else None


def written(value: object) -> tuple[str, str]:
    """Return a value's kind, `value` or `fraction`, and its text.

    Raises:
        NotJson: JSON cannot say it.
        OverLimit: a number is past the limits.
    """
    text = as_json(value).text
    if isinstance(value, Fraction) and "/" in text:  # one third has no end as a decimal
        return "fraction", exact_text(value)
    try:
        json.loads(text)
    except ValueError:
        raise NotJson("holds a number that JSON cannot say") from None
    return "value", text


def read(kind: str, value: str | None, note: str) -> Answer | Undecided:
    """Return what was written. Numbers keep their digits: whole ones are `int`, others `Decimal` or `Fraction`.

    Raises:
        ValueError: it is damaged.
    """
    match kind:
        case "value" if value is not None:
            return Answer(json.loads(value, parse_float=Decimal), note)
        case "fraction" if value is not None:
            return Answer(Fraction(value), note)
        case "undecided":
            return Undecided(note)
        case _:
            raise ValueError(f"an answer of the kind `{kind}`")
