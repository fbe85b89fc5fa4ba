"""Answers and vectors on record: what is found, whatever the order, and what is no row."""

from datetime import date
from fractions import Fraction
from itertools import permutations

import pytest

from rulesengine.providers.likeness import Likeness
from rulesengine.providers.protocols import Answer, NoAnswer, Question, Undecided
from rulesengine.providers.recorded import PrecomputedVectors, RecordedJudge, as_text
from rulesengine.runtime.asking import told
from rulesengine.types import YES_NO
from rulesengine.values import Entries, Json, Missing


def asked(x: str, **given: str) -> Question:
    """Return the question `q` about `x`."""
    return Question(
        ask="q",
        inputs=(("x", x),),
        given=tuple(given.items()),
        template="",
        type=YES_NO,
    )


def row(answer: object, **inputs: object) -> dict[str, object]:
    """Return a row on record for the question `q`."""
    return {"ask": "q", "inputs": inputs, "answer": answer}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a text", "a text"),
        (Fraction(1, 2), 0.5),
        (Fraction(3), 3),
        (True, True),
        (date(2024, 3, 14), "2024-03-14"),
        (("a, b", "c"), ["a, b", "c"]),
        (Json({"b": [0.5, None], "a": "é"}, ""), {"a": "é", "b": [0.5, None]}),
        (Entries(((("n", "k"), ("m", Missing())),)), [{"m": None, "n": "k"}]),
        (Missing(), None),
    ],
)
def test_a_question_and_a_row_write_a_value_alike(value: object, written: object) -> None:
    """What a record holds finds the row that holds the same in JSON."""
    assert as_text(written) == told(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row(True, x="a"), row(False, x="a", ctx="k")], Answer(False)),
        ([row(True, x="a"), row(False, x="a", ctx="other")], Answer(True)),
        (
            [row(True, x="b"), row(False, x="a", y="no parameter")],
            NoAnswer("no answer is on record"),
        ),
        (
            [row(True, x="a", ctx="k"), row(False, x="a", more="m")],
            NoAnswer("two rows on record answer it differently, and none says more"),
        ),
        ([row(True, x="a", ctx="k"), row(True, x="a", more="m")], Answer(True)),
        ([{"ask": "q", "inputs": {"x": "a"}, "undecided": "a tie"}], Undecided("a tie")),
        ([row(None, x="a")], Answer(None)),
    ],
)
def test_the_row_that_says_most_is_taken(rows: list[dict[str, object]], expected: object) -> None:
    """Of rows that hold, the one that names most fields answers, in whichever order they stand."""
    question = asked("a", ctx="k", more="m")

    for order in permutations(rows):
        assert RecordedJudge(order).on_record(question) == expected


@pytest.mark.parametrize(
    "rows",
    [
        ["x"],
        [{"ask": "q", "inputs": {"x": "a"}}],
        [{"ask": "q", "inputs": ["a"], "answer": True}],
        [{"ask": 1, "inputs": {}, "answer": True}],
        [row(True, x=float("nan"))],
        [row(True, x=object())],
        [row(True, x="a"), row(False, x="a")],
        [row(True, x="a"), row(1, x="a")],
        [row(1, x="a"), row(True, x="a")],
    ],
)
def test_what_is_no_row_is_refused(rows: list[object]) -> None:
    """A row that is none, and two that answer alike asked questions differently, raise ValueError."""
    with pytest.raises(ValueError, match=r"row|JSON"):
        RecordedJudge(rows)


@pytest.mark.parametrize(
    "vector", [[], [0, 0], [float("nan"), 1], [float("inf"), 1], ["a", 1], [True, 1], [10**400, 1]]
)
def test_what_is_no_vector_is_refused(vector: list[float]) -> None:
    """A vector without a direction, and one that holds what is no number, raise ValueError."""
    with pytest.raises(ValueError, match="the vector of `x`"):
        PrecomputedVectors({"x": vector})


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e307])
def test_the_length_of_a_vector_never_matters(scale: float) -> None:
    """Large and small vectors of one direction are alike."""
    vectors = PrecomputedVectors({"x": [3 * scale, 4 * scale], "y": [3, 4], "z": [4, -3]})

    assert Likeness(vectors).cosines([("x", "y"), ("x", "z")]) == [1, 0]
