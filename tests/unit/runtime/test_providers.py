"""Providers of a caller's own: whatever they do, a subject has a score that is right or none."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from engine import score

HEADER = 'rubric sample version "1" language 1\nevidence { key who : text  a : text  b : text }\n'
JUDGED = (
    HEADER
    + """
ask same(x, y) -> yes/no { prompt "Do {x} and {y} say the same?" }
ladder alike(candidate, reference) {
  rung judge { when same(candidate, reference) -> 1 }
  rung last  { otherwise -> 1 }
}
score each who { criterion c worth 1 = alike(a, b) }
"""
)
MEASURED = (
    HEADER
    + """
ladder alike(candidate, reference) {
  rung embedding { when similarity(candidate, reference) >= 0.9 -> 1 }
  rung last      { otherwise -> 1 }
}
score each who { criterion c worth 1 = alike(a, b) }
"""
)
RECORDS = [{"who": "m", "a": "x", "b": "y"}]


def raises() -> object:
    """Fail as a line that is down does."""
    raise OSError("line down")


def ended(text: str, give: Callable[[], object]) -> tuple[str, list[str]]:
    """Return how the subject ends, and the codes of its errors, where providers give what they are told to."""
    (result,) = score(text, RECORDS, judge=lambda _: give(), measure=lambda _, __: give()).results
    return result.status, [each.code.id for each in result.errors]


@pytest.mark.parametrize("text", [JUDGED, MEASURED])
def test_a_provider_that_raises_fails_the_subject(text: str) -> None:
    """An outage is no verdict, and never falls through to a rung that passes."""
    assert ended(text, raises) == ("failed", ["R540"])


@pytest.mark.parametrize("answer", [None, "yes", 1, {}, {"score": 0}, [], object(), float("nan")])
def test_an_answer_of_another_kind_fails_the_subject(answer: object) -> None:
    """What is neither yes nor no is no answer, least of all a reply without a verdict."""
    assert ended(JUDGED, lambda: answer) == ("failed", ["R541"])


@pytest.mark.parametrize("cosine", [None, "0.95", True, 2, -1.1, float("nan"), float("inf")])
def test_a_cosine_of_another_kind_fails_the_subject(cosine: object) -> None:
    """A cosine is a number from -1 to 1."""
    assert ended(MEASURED, lambda: cosine) == ("failed", ["R541"])


@pytest.mark.parametrize("cosine", [0.95, Fraction(19, 20), 1, 1.0000000002])
def test_a_cosine_may_be_a_float(cosine: object) -> None:
    """A float is taken as the decimal that it shows, and what rounding adds to 1 is 1."""
    assert ended(MEASURED, lambda: cosine) == ("scored", [])


def test_a_rung_without_a_row_that_holds_climbs_past_its_row_for_missing() -> None:
    """`when missing` is for what is missing: where all is there and no row holds, the next rung is tried."""
    text = MEASURED.replace(">= 0.9 -> 1 }", ">= 0.9 -> 0  when missing -> 0 }")

    (result,) = score(text, RECORDS, measure=lambda _, __: Fraction(1, 2)).results

    assert result.score == 1
