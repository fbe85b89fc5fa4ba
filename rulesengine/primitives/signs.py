"""Signs: which ones make up words, and which two beside each other belong to one word.

A script that writes spaces between words shows where a word ends; Chinese, Japanese, Thai, Lao, Khmer and Burmese do
not, so among their signs no bound can be told without a dictionary, and none is asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Literal, TypeAlias
from unicodedata import category

Kind: TypeAlias = Literal["other", "letter", "digit", "unspaced", "mark", "unspaced mark", "hidden"]

# Signs without width that stand inside words: hyphens that show at the end of a line only, joiners, selectors.
HIDDEN = frozenset(map(chr, (0xAD, 0x34F, 0x180E, 0x200C, 0x200D, 0x2060, 0xFEFF)))
HIDDEN |= frozenset(map(chr, range(0xFE00, 0xFE10)))

# What `normal` takes out: these, the space without width, and the marks of direction.
ZERO_WIDTH = HIDDEN | frozenset(
    map(chr, (0x61C, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2061, 0x2070)))
)

# First and last sign of each block of a script that is written without spaces.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x19E0, 0x19FF),
    (0x2E80, 0x2FDF),  # radicals of Chinese
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x303C),
    (0x3040, 0x3098),  # kana; the two signs of voicing that follow them are marks of every script
    (0x309B, 0x312F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Chinese
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF),  # Burmese of other peoples
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9D),  # narrow kana
    (0x116D0, 0x116FF),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFF),
)
_FIRST = [first for first, _ in _UNSPACED]


@lru_cache(maxsize=4096)
def kind(sign: str) -> Kind:
    """Return what a sign is to a word."""
    if sign in HIDDEN:
        return "hidden"
    group = category(sign)
    if group == "Nd":
        return "digit"
    place = bisect_right(_FIRST, ord(sign)) - 1
    unspaced = place >= 0 and ord(sign) <= _UNSPACED[place][1]
    match group[0]:
        case "L" | "N":
            return "unspaced" if unspaced else "letter"
        case "M":
            return "unspaced mark" if unspaced else "mark"
        case _:
            return "other"


def joined(before: Kind, after: Kind) -> bool:
    """Whether two signs beside each other belong to one word, so that nothing may end between them."""
    if after == "mark":
        return before != "other"
    return before in ("letter", "digit", "mark") and after in ("letter", "digit")
