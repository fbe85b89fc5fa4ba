"""Weights that params set (faults B5, B12): they make 100 % again, or no record is scored."""

from fractions import Fraction

import pytest
from engine import checked, sound

from rulesengine.errors import UnsoundRubricError

TEXT = """rubric sample version "1" language 1
param first : number default 0.5
param other : number default 0.5
evidence { key who : text  a : number 0 to 1  b : number 0 to 1 }
score each who out of 10 {
  criterion a weight first = a
  criterion b weight other = b
}
"""


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (0, 0),
        (0, 0.5),
        (-1, 2),
        (2, -1),
        (float("nan"), 0.5),
        (float("inf"), 0.5),
        (0.1, 0.9000000000000001),
        (1e300, 1),
        ("0.5", 0.5),
        (True, 0),
        (None, 1),
    ],
)
def test_what_makes_no_whole_is_refused(first: object, other: object) -> None:
    """Neither zeros, nor a negative one, nor NaN, nor what nearly makes 100 % gives a score."""
    with pytest.raises(UnsoundRubricError):
        sound(TEXT).with_params(first=first, other=other)


def test_a_part_may_count_nothing_where_the_others_make_the_whole() -> None:
    """Of weights 0 and 1 the one alone counts, exactly."""
    rubric = sound(TEXT).with_params(first=0, other=1)

    (result,) = rubric.score([{"who": "m", "a": 1, "b": 0.25}]).results

    assert result.score == Fraction(5, 2)


@pytest.mark.parametrize("weight", ["nan", "NaN", ".nan", "inf", "-inf", '"0.5"', "1e-1", "yes"])
def test_a_weight_is_written_as_a_number(weight: str) -> None:
    """No spelling of what is no number passes as a weight."""
    diagnostics = checked(TEXT.replace("weight first", f"weight {weight}")).diagnostics
    codes = {each.code.id for each in diagnostics if each.severity == "error"}

    assert codes
    assert "R401" not in codes  # it is no number, and not merely another one
