"""Answers and vectors that were recorded before the run: nothing is asked, and nothing is paid for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import TypeAlias

from rulesengine.providers.protocols import (
    Answer,
    Heard,
    NoAnswer,
    Question,
    Reply,
    Undecided,
    Vector,
)

_Inputs: TypeAlias = frozenset[tuple[str, str]]


class RecordedJudge:
    """Answers from rows such as `{"ask": "fit", "inputs": {"candidate": "a", "reference": "b"}, "answer": "better"}`.

    A row that names fields given along holds for these values only; one that does not, for all. Of several rows that
    hold, the one that names most is taken, wherever it stands. A row with `"undecided": "why"` in place of an answer
    says that judges did not agree.

    Raises:
        ValueError: a row is none, or two rows answer one question differently.
    """

    name = "recorded"

    def __init__(self, rows: Iterable[object]) -> None:
        # For each question and each set of names that its rows have: the answers by their values.
        self.rows: defaultdict[str, dict[frozenset[str], dict[_Inputs, object]]] = defaultdict(dict)
        for number, row in enumerate(rows, start=1):
            given = row if isinstance(row, Mapping) else {}
            ask, inputs = given.get("ask"), given.get("inputs")
            says = {"answer", "undecided"} & given.keys()
            if not isinstance(ask, str) or not isinstance(inputs, Mapping) or len(says) != 1:
                raise ValueError(f"row {number} has no `ask`, `inputs` and `answer`")
            known = frozenset((str(name), as_text(value)) for name, value in inputs.items())
            same = self.rows[ask].setdefault(frozenset(map(str, inputs)), {})
            answer = (
                Undecided(as_text(given["undecided"])) if "undecided" in given else given["answer"]
            )
            before = same.setdefault(known, answer)
            # True equals 1 in Python, and is another answer.
            if (type(before), before) != (type(answer), answer):
                raise ValueError(f"row {number} answers a question again, and differently")

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Hand on the answers on record."""
        for index, question in enumerate(questions):
            heard(index, self.on_record(question))

    def on_record(self, question: Question) -> Reply:
        """Return the answer on record."""
        inputs = dict(question.inputs)
        asked = inputs | dict(question.given)
        found: list[tuple[int, object]] = []
        for names, answers in self.rows.get(question.ask, {}).items():
            if inputs.keys() <= names <= asked.keys():
                key = frozenset((name, asked[name]) for name in names)
                if key in answers:
                    found.append((len(names), answers[key]))
        if not found:
            return NoAnswer("no answer is on record")
        most = max(count for count, _ in found)
        best = [answer for count, answer in found if count == most]
        if len({(type(answer), repr(answer)) for answer in best}) > 1:
            return NoAnswer("two rows on record answer it differently, and none says more")
        return best[0] if isinstance(best[0], Undecided) else Answer(best[0])


def as_text(value: object) -> str:
    """Return a value of JSON as questions hold it: a text bare, the rest as JSON but for yes, no and missing.

    Raises:
        ValueError: it is no value of JSON.
    """
    match value:
        case None:
            return "missing"
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case date():
            return value.isoformat()
        case _:
            from rulesengine.evidence.canonical import as_json

            return as_json(value).text


class PrecomputedVectors:
    """Vectors of texts, of any one length.

    Raises:
        ValueError: two vectors differ in length, or one is zero or holds what is no number.
    """

    name = "precomputed"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = vectors
        if len({len(vector) for vector in vectors.values()}) > 1:
            raise ValueError("the vectors differ in length")
        for text, vector in vectors.items():
            if not all(_is_number(each) for each in vector):
                raise ValueError(f"the vector of `{text}` holds what is no number")
            if not any(vector):
                raise ValueError(f"the vector of `{text}` has no direction")

    def embed(self, texts: Sequence[str]) -> Sequence[Vector | NoAnswer]:
        """Return the vectors on record."""
        return [
            self.vectors.get(text, NoAnswer(f"no vector is on record for `{text}`"))
            for text in texts
        ]


def _is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # an integer that no float can hold
        return False
