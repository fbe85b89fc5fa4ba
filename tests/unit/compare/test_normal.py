"""The equality of leaves, and what the normalised rung folds."""

from datetime import date
from fractions import Fraction

import pytest

from rulesengine.compare.normal import Normal, Scalar, equal, is_blank, same_normal


@pytest.mark.parametrize(
    ("one", "other", "folds"),
    [
        ("Paris", "Paris", ()),
        (" Paris\n", "Paris", ("white space",)),
        ("PARIS", "Paris", ("case",)),
        ("a  b", "a b", ("white space",)),
        ("caf\u00e9", "cafe\u0301", ("Unicode form",)),  # composed or not
        ("\ufb01n", "fin", ("Unicode form",)),  # a ligature
        ("１２", "12", ("Unicode form",)),  # full-width figures
        ("lifecycle:\u200blifecycle", "lifecycle:lifecycle", ("invisible signs",)),
        ("a\u00a0b", "a b", ("white space",)),  # a space that does not break
        ("soft\u00adly", "softly", ("invisible signs",)),
        ("\ufeffA ", "a", ("invisible signs", "case", "white space")),
        ("CO₂", "CO2", ("Unicode form",)),
        ("5 PM", "5 pm", ("case",)),
        ("5 Main Street", "5 main street", ("case",)),
        ("STRASSE", "straße", ("case",)),
        (Fraction(4), Fraction("4.0"), ()),
        (True, True, ()),
    ],
)
def test_what_only_looks_different_is_the_same(
    one: Scalar, other: Scalar, folds: tuple[str, ...]
) -> None:
    """The rung settles them, and says what it had to fold (C16)."""
    found = same_normal(one, other)

    assert found is not None
    assert folds == found.folds


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("v1.0", "v10"),
        ("4.0", "4"),
        ("10²", "102"),
        ("10⁻⁵", "10-5"),
        ("1½", "11⁄2"),
        ("①1", "11"),
        ("5 mW", "5 MW"),
        ("5mW", "5MW"),
        ("3 Mb", "3 MB"),
        ("https://a.example/X", "https://a.example/x"),
        ("https://a.example/x/", "https://a.example/x"),
        ("incorrect", "correct"),
        ("concatenate", "cat"),
        ("résumé", "resume"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
        ("4", Fraction(4)),
        (True, Fraction(1)),
        (True, "true"),
        (Fraction(150), Fraction(100)),
        (Fraction(9007199254740993), Fraction(9007199254740992)),
        (date(2024, 5, 6), date(2024, 6, 5)),
    ],
)
def test_what_means_something_else_stays_different(one: Scalar, other: Scalar) -> None:
    """No fold makes two meanings one (C3, C4, C7)."""
    assert same_normal(one, other) is None
    assert same_normal(other, one) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (True, 1, False),
        (True, Fraction(1), False),
        (False, Fraction(0), False),
        (Fraction("0.1"), Fraction(1, 10), True),
        (date(2024, 5, 6), date(2024, 5, 6), True),
        ("2024-05-06", date(2024, 5, 6), False),
        ("a", "A", False),
    ],
)
def test_exact_is_exact(one: object, other: object, same: bool) -> None:
    """Values are equal when they are of one sort and equal; True is not 1 (C7)."""
    assert same is equal(one, other)


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u00a0", "\u200b", "\ufeff \u2060"])
def test_a_text_without_a_visible_sign_is_blank(text: str) -> None:
    """A value that nobody can see is empty."""
    assert is_blank(text)


def test_no_fold_is_told_where_none_was_needed() -> None:
    """Texts that are the same as written need no folding, whatever folding would do to them."""
    found = same_normal(" A ", " A ")

    assert Normal("a") == found
