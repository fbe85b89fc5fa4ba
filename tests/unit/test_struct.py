"""Nodes are equal when they say the same, wherever that is written."""

import pytest

from rulesengine.source import Source, Span
from rulesengine.syntax.nodes import Label, Text

_SOURCE = Source("a.rubric", '"a" "a" "b"')


def _label(start: int) -> Label:
    return Label(span=Span(_SOURCE, start, start + 3), text=_SOURCE.text[start + 1])


@pytest.mark.parametrize(
    ("other", "is_same"), [(_label(4), True), (_label(8), False), (_label(0), True)]
)
def test_a_node_is_equal_or_unequal_and_never_both(other: Label, is_same: bool) -> None:
    """`==` and `!=` ask the same, and the place is no part of it."""
    one = _label(0)

    assert (is_same, not is_same) == (one == other, one != other)


def test_nodes_of_two_kinds_are_unequal() -> None:
    """What they hold does not matter then."""
    text = Text(span=Span(_SOURCE, 0, 3), value="a")

    assert (_label(0) == text, _label(0) != text) == (False, True)  # type: ignore[comparison-overlap]
