"""Values of JSON made ready: exact numbers, empty values, limits."""

from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction

import pytest

from rulesengine.compare.tree import Fields, Items, Single, Unreadable, is_filled, tree
from rulesengine.evidence.scan import MAX_DEPTH


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", Single("a", "text")),
        ("2024-05-31", Single("2024-05-31", "date")),
        ("2024-02-31", Single("2024-02-31", "text")),
        (4, Single(Fraction(4), "integer")),
        (Decimal("4.0"), Single(Fraction(4), "integer")),
        (Decimal("0.1"), Single(Fraction(1, 10), "number")),
        (Fraction(1, 3), Single(Fraction(1, 3), "number")),
        (True, Single(True, "yes/no")),
        (None, None),
        ("", None),
        ("\u200b ", None),
    ],
)
def test_a_leaf_is_typed_by_its_value(value: object, expected: object) -> None:
    """Numbers are exact, whole ones integers, days as year-month-day dates."""
    assert expected == tree(value)


@pytest.mark.parametrize("value", [None, "", [], {}, [None], {"a": None}, [{"a": ["", {}]}]])
def test_what_holds_nothing_is_empty(value: object) -> None:
    """null, "", [] and {} are empty, and so is what holds only such."""
    found = tree(value)

    assert not isinstance(found, Unreadable)
    assert not is_filled(found)


def test_positions_outlast_empty_items() -> None:
    """An empty item keeps the others where they are."""
    assert Items((None, Single("a", "text")), filled=True) == tree([None, "a"])


def test_any_mapping_is_an_object() -> None:
    """Empty fields are left out."""
    expected = Fields({"a": Single("b", "text")}, filled=True)

    assert expected == tree(OrderedDict(a="b", c=None))


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (float("nan"), "$"),
        ({"a": [1, float("inf")]}, "a[1]"),
        ({"a": object()}, "a"),
        ({"first name": {"b": b"x"}}, '["first name"].b'),
        ({1: "a"}, "$"),
        ({"a": "\ud800"}, "a"),
        ({"a": 10**700}, "a"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(value: object, path: str) -> None:
    """Nothing unreadable gets in, and nothing raises."""
    found = tree(value)

    assert isinstance(found, Unreadable)
    assert path == found.path


def test_depth_is_bounded() -> None:
    """What is nested more deeply than evidence may be is refused, also where it holds itself."""
    endless: list[object] = []
    endless.append(endless)
    deep: object = "a"
    for _ in range(MAX_DEPTH):
        deep = [deep]

    assert isinstance(tree(deep), Items)
    assert isinstance(tree([deep]), Unreadable)
    assert isinstance(tree(endless), Unreadable)
