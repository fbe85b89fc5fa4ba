"""The equality of leaves: exactly, and after folding what only looks different.

Folded are, in this order: signs that nobody sees (zero-width spaces, soft hyphens), Unicode forms
that show one text (NFKC: a composed é and e with an accent, ligatures, full-width letters), case,
and white space. Folding must not make two meanings one, so three things stay as they are:

- a small or circled figure, or a fraction, that stands at a digit: 10² is not 102, 1½ not 11/2;
- the case of a unit behind a number: 5 mW is not 5 MW;
- the case within a URL: /A and /a are two pages.

Nothing is ever read into a text: `v1.0` is not `v10`, and the text `4` is not the number 4. Numbers
are equal by value, days as days, and yes is not 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from rulesengine.struct import Struct

Scalar: TypeAlias = str | Fraction | bool | date
Fold: TypeAlias = Literal["invisible signs", "Unicode form", "case", "white space"]
FOLDS: tuple[Fold, ...] = ("invisible signs", "Unicode form", "case", "white space")

# Not all of Unicode's format signs: the tags that make the flags of England and Scotland differ,
# and the Arabic signs that stand round a number, are to be seen.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_SPACES = re.compile(r"\s+")
_MOST_ROUNDS = 8
_URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)

# Case tells these apart when they follow a number. `am` and `pm` are hours far more often than
# metres.
_UNITS = (
    *("m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "Ω", "S"),
    *("Wb", "T", "H", "lm", "lx", "Bq", "Gy", "Sv", "L", "l", "b", "B", "bit", "bps", "eV", "cal"),
    *("Da", "M", "U", "IU", "h", "d", "t"),
)
_PREFIXES = "QRYZEPTGMkKhdcmµμunpfazy"
_FACTORS = "kKMGBT"
_CASED = (
    {prefix + unit for prefix in ("", "da", *_PREFIXES) for unit in _UNITS} | set(_FACTORS)
) - {"am", "pm", "AM", "PM", "Am", "Pm"}
_BEHIND_NUMBER = re.compile(r"(?<=\d)(\s*)([^\W\d_]+)")


class Normal(Struct, frozen=True):
    """A leaf after folding, and which folds changed it, in the order of `FOLDS`."""

    value: Scalar
    folds: tuple[Fold, ...] = ()


def equal(one: object, other: object) -> bool:
    """Tell whether two leaves are the same: of one sort, and equal by value, not by writing."""
    return _sort(one) == _sort(other) and one == other


def normal(value: Scalar) -> Normal:
    """Return a leaf after folding; what is no text stays as it is."""
    return _folded(value, FOLDS) if isinstance(value, str) else Normal(value)


def same_normal(one: Scalar, other: Scalar) -> Normal | None:
    """Return what two leaves are after folding, or None if they differ.

    `folds` are those that it takes: without any one of them the two would still differ.
    """
    left, right = normal(one), normal(other)
    if not equal(left.value, right.value):
        return None
    needed = list(FOLDS)
    if isinstance(one, str) and isinstance(other, str):
        # A ligature is a matter of form, though folding case would do for it too.
        for fold in ("invisible signs", "case", "Unicode form", "white space"):
            rest = tuple(each for each in needed if each != fold)
            if _folded(one, rest).value == _folded(other, rest).value:
                needed.remove(fold)
        return Normal(left.value, tuple(needed))
    return Normal(left.value)


def is_blank(text: str) -> bool:
    """Tell whether nothing of `text` can be seen."""
    return not text or text.isspace() or not _INVISIBLE.sub("", text).strip()


# Pairing a list asks for the same texts over and over.
@lru_cache(maxsize=8192)
def _folded(text: str, allowed: tuple[Fold, ...]) -> Normal:
    folds = set[Fold]()
    # A fold can bring out what an earlier one looks for; the second or third round changes nothing.
    for _ in range(_MOST_ROUNDS):
        before = text
        for fold, function in _FOLDING:
            folded = function(text) if fold in allowed else text
            if folded != text:
                folds.add(fold)
                text = folded
        if text == before:
            break
    return Normal(text, tuple(fold for fold in FOLDS if fold in folds))


def _sort(value: object) -> str:
    match value:
        case bool():
            return "yes/no"
        case str():
            return "text"
        case Fraction() | int():
            return "number"
        case date():
            return "date"
        case _:
            return "other"


def _without_invisible(text: str) -> str:
    return text if text.isascii() else _INVISIBLE.sub("", text)


def _unicode_form(text: str) -> str:
    if text.isascii():
        return text
    pieces, start = [], 0
    for at, sign in enumerate(text):
        if sign > "\x7f" and _joins_digits(text, at):
            pieces += [unicodedata.normalize("NFKC", text[start:at]), sign]
            start = at + 1
    return "".join([*pieces, unicodedata.normalize("NFKC", text[start:])])


def _joins_digits(text: str, at: int) -> bool:
    """Tell whether the sign at `at` would become part of a number beside it, which it is not."""
    around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    if not any(sign.isnumeric() for sign in around):
        return False
    how = unicodedata.decomposition(text[at]).partition(" ")[0]
    if how not in ("<super>", "<sub>", "<fraction>", "<circle>", "<compat>", "<square>"):
        return False
    plain = unicodedata.normalize("NFKC", text[at])
    return plain != text[at] and any(sign.isnumeric() or sign in "+-−.," for sign in plain)


def _without_case(text: str) -> str:
    if _URL.fullmatch(text.strip()):
        return text
    pieces, start = [], 0
    for found in _BEHIND_NUMBER.finditer(text):
        if found[2] in _CASED:
            pieces += [text[start : found.start(2)].casefold(), found[2]]
            start = found.end(2)
    return "".join([*pieces, text[start:].casefold()])


def _spaces(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


_FOLDING: tuple[tuple[Fold, Callable[[str], str]], ...] = (
    ("invisible signs", _without_invisible),
    ("Unicode form", _unicode_form),
    ("case", _without_case),
    ("white space", _spaces),
)
