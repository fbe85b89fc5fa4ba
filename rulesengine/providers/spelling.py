"""What only looks different in a reply: signs that nobody sees, forms of one letter, case, white space."""

from __future__ import annotations

import unicodedata

# Seen by nobody, though Unicode counts them among letters and marks.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")


def visible(text: str) -> str:
    """Return `text` without the signs that nobody sees: format signs, fillers, choices between forms of a sign."""
    if text.isascii():
        return text
    return "".join(sign for sign in text if not _is_invisible(sign))


def spelt_alike(text: str) -> str:
    """Return what all spellings of one word have in common: two texts say the same where this is the same."""
    before = None
    while text != before:  # folding case can bring out what another form of a letter hid
        before = text
        text = unicodedata.normalize("NFKC", visible(text)).casefold()
    return " ".join(text.split())


def _is_invisible(sign: str) -> bool:
    return (
        unicodedata.category(sign) == "Cf"
        or sign in _FILLERS
        or "\ufe00" <= sign <= "\ufe0f"
        or "\U000e0100" <= sign <= "\U000e01ef"
    )
