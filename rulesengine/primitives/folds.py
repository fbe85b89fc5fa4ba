"""Folds: a text made like others that mean the same. Each fold changes nothing that it has folded already."""

from __future__ import annotations

from unicodedata import normalize

from rulesengine.primitives.primitive import Seen
from rulesengine.primitives.signs import ZERO_WIDTH

_WITHOUT_WIDTH = dict.fromkeys(map(ord, ZERO_WIDTH))


def trim(text: str) -> str:
    """The text without white space at its ends."""
    return text.strip()


def fold(text: str) -> str:
    """The text without differences of case: `Straße` and `STRASSE` fold to the same."""
    return text.casefold()


def nfkc(text: str) -> str:
    """The text in Unicode's compatibility form: accents joined, ligatures, wide and raised signs made plain."""
    return normalize("NFKC", text)


def normal(text: str) -> Seen:
    """The text without signs of no width, in compatibility form, case folded, with single spaces and none at its ends.

    It tells which of these folds changed something.
    """
    used: dict[str, None] = {}
    folded = _once(text, used)
    # Folding case may open up what the compatibility form would join, and the other way round.
    while (again := _once(folded, used)) != folded:
        folded = again
    return Seen(folded, f"folded: {', '.join(used)}" if used else "")


def _once(text: str, used: dict[str, None]) -> str:
    for name, function in _FOLDS:
        folded = function(text)
        if folded != text:
            used[name] = None
        text = folded
    return text


_FOLDS = (
    ("signs without width", lambda text: text.translate(_WITHOUT_WIDTH)),
    ("compatible signs", nfkc),
    ("case", fold),
    ("spaces", lambda text: " ".join(text.split())),
)


def length(text: str) -> int:
    """How many signs a text has: code points, a letter and its accent being one where Unicode has a sign for both."""
    return len(normalize("NFC", text))
