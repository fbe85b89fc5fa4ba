"""Did you mean: the known name that is nearest to the one written."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(written: str, known: Iterable[str]) -> str | None:
    """Return the name in `known` that `written` was most likely meant to be, or None.

    Case is ignored, and so is the difference between `-`, a space and `_`; ties go to the name that
    comes first in the alphabet.
    """
    from difflib import get_close_matches  # a file without errors does not pay for it

    by_folded: dict[str, str] = {}
    for name in sorted(known):
        by_folded.setdefault(_fold(name), name)
    close = get_close_matches(_fold(written), by_folded, n=1, cutoff=0.72)
    return by_folded[close[0]] if close else None


def did_you_mean(written: str, known: Iterable[str]) -> str | None:
    """Return the help line that names the nearest known name, or None."""
    name = nearest(written, known)
    return f"did you mean `{name}`?" if name is not None else None


def is_slip(written: str, word: str) -> bool:
    """Tell whether a word is one slip of the hand away: a letter too many, too few, wrong, or two swapped.

    Case is ignored. Of words of one letter nothing is a slip.
    """
    one, other = written.casefold(), word.casefold()
    if one == other:
        return written != word
    if len(one) > len(other):
        one, other = other, one
    if not one or len(other) - len(one) > 1 or len(word) < 2:
        return False
    start = next(
        (i for i, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one)
    )
    rest, more = one[start:], other[start:]
    if len(one) < len(other):
        return rest == more[1:]
    return rest[1:] == more[1:] or (rest[:2] == more[1::-1] and rest[2:] == more[2:])


def _fold(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
