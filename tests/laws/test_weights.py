"""Laws of points: they add up, or the checks say so."""

from fractions import Fraction
from typing import Any

from engine import checked
from hypothesis import given
from hypothesis import strategies as st
from strategies import decimal

WORTHS = st.sampled_from([Fraction(n, 10) for n in (1, 2, 3, 5, 10, 15, 25)])


@st.composite
def trees(draw: Any, depth: int = 3) -> Any:
    """Criteria within criteria as (what it says it is worth, its parts)."""
    if depth == 0 or draw(st.booleans()):
        return (draw(WORTHS), [])
    parts = draw(st.lists(trees(depth - 1), min_size=1, max_size=3))
    right = sum((worth for worth, _ in parts), Fraction(0))
    return (draw(st.sampled_from([right, right, right, right + Fraction(1, 10)])), parts)


def agrees(tree: Any) -> bool:
    """Whether every sum below comes out."""
    worth, parts = tree
    return not parts or (sum(each[0] for each in parts) == worth and all(map(agrees, parts)))


def written(tree: Any, name: str) -> str:
    """A tree as a criterion."""
    worth, parts = tree
    inside = " ".join(written(each, f"{name}{n}") for n, each in enumerate(parts))
    return f"criterion {name} worth {decimal(worth)} {{ {inside or 'otherwise -> 0'} }}"


@given(st.lists(trees(), min_size=1, max_size=3), st.sampled_from([0, 0, 0, 1]))
def test_points_are_accepted_just_where_they_add_up(parts: Any, wrong: int) -> None:
    """The checks report R401 if and only if some sum differs from what it should be."""
    out_of = sum((worth for worth, _ in parts), Fraction(wrong, 10))
    inside = " ".join(written(each, f"c{n}") for n, each in enumerate(parts))
    text = (
        "rubric a language 1 evidence { key who : text } "
        f"score each who out of {decimal(out_of)} {{ {inside} }}"
    )

    codes = {d.code.id for d in checked(text).diagnostics if d.severity == "error"}

    assert (set() if agrees((out_of, parts)) else {"R401"}) == codes
