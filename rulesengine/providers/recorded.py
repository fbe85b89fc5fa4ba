"""Answers and vectors that were recorded before the run: nothing is asked, and nothing is paid for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt

from rulesengine.providers.protocols import NoAnswer, Question

DIGITS = 6  # of a cosine: what lies behind depends on the machine that made the vectors


class RecordedJudge:
    """Answers from rows such as `{"ask": "fit", "inputs": {"candidate": "a", "reference": "b"}, "answer": "better"}`.

    A row that names fields given along holds for these values only; one that does not, for all.

    Raises:
        ValueError: a row is none, or two rows answer one question differently.
    """

    def __init__(self, rows: Iterable[Mapping[str, object]]) -> None:
        self.rows: defaultdict[str, list[tuple[dict[str, str], object]]] = defaultdict(list)
        for number, row in enumerate(rows, start=1):
            ask, inputs = row.get("ask"), row.get("inputs")
            if not isinstance(ask, str) or not isinstance(inputs, Mapping) or "answer" not in row:
                raise ValueError(f"row {number} has no `ask`, `inputs` and `answer`")
            known = {str(name): as_text(value) for name, value in inputs.items()}
            if any(same == known and a != row["answer"] for same, a in self.rows[ask]):
                raise ValueError(f"row {number} answers a question again, and differently")
            self.rows[ask].append((known, row["answer"]))

    def answer(self, question: Question) -> object | NoAnswer:
        """Return the answer on record."""
        inputs = dict(question.inputs)
        asked = inputs | dict(question.given)
        for known, answer in self.rows.get(question.ask, []):
            if inputs.keys() <= known.keys() and known.items() <= asked.items():
                return answer
        return NoAnswer("no answer is on record")


def as_text(value: object) -> str:
    """Return a value of JSON as questions hold it."""
    match value:
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case _:
            from rulesengine.evidence.canonical import as_json

            return as_json(value).text


class PrecomputedVectors:
    """Cosines from vectors of texts, of any one length.

    Raises:
        ValueError: two vectors differ in length, or one is zero or holds what is no number.
    """

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors: dict[str, tuple[float, ...]] = {}
        sizes = {len(vector) for vector in vectors.values()}
        if len(sizes) > 1:
            raise ValueError("the vectors differ in length")
        for text, vector in vectors.items():
            length = sqrt(sum(each * each for each in vector))
            if not 0 < length < float("inf"):
                raise ValueError(f"the vector of `{text}` has no direction")
            self.vectors[text] = tuple(each / length for each in vector)

    def cosine(self, left: str, right: str) -> Fraction | NoAnswer:
        """Return the cosine of two texts, to DIGITS digits."""
        for text in (left, right):
            if text not in self.vectors:
                return NoAnswer(f"no vector is on record for `{text}`")
        pairs = zip(self.vectors[left], self.vectors[right], strict=True)
        cosine = sum(one * other for one, other in pairs)
        return Fraction(f"{min(1.0, max(-1.0, cosine)):.{DIGITS}f}")
