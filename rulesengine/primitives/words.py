"""Words: the tokens of a text, and parts of a text that never split one.

"concatenate" does not contain "cat", and "incorrect" does not end with "correct": where the part begins with a letter
or digit, no sign of the same word stands before it, and so at its end. Signs are as they are written; case counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.primitives.primitive import NoValue
from rulesengine.primitives.signs import HIDDEN, Kind, joined, kind

MOST_TRIED = 100  # places of a part that each split a word; past it, they are found in one walk
MOST_HIDDEN = 64  # signs looked through for the next one that shows, or for the letter of an accent
_APOSTROPHES = "'’"
_POINTS = ".,"
_EMPTY = NoValue("every text holds the empty text, so this asks nothing")


def contains(text: str, part: str) -> bool | NoValue:
    """Whether a part stands somewhere in a text as whole words."""
    if not part:
        return _EMPTY
    start = text.find(part)
    for _ in range(MOST_TRIED):
        if start < 0:
            return False
        if _is_whole(text, start, part):
            return True
        start = text.find(part, start + 1)
    return any(_is_whole(text, place, part) for place in _places(text, part, start))


def starts_with(text: str, part: str) -> bool | NoValue:
    """Whether a text begins with a part as whole words."""
    if not part:
        return _EMPTY
    return text.startswith(part) and _is_whole(text, 0, part)


def ends_with(text: str, part: str) -> bool | NoValue:
    """Whether a text ends with a part as whole words."""
    if not part:
        return _EMPTY
    return text.endswith(part) and _is_whole(text, len(text) - len(part), part)


def words(text: str) -> int:
    """How many tokens a text has."""
    return sum(1 for _ in _tokens(text))


def in_common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many texts stand in both of two lists, each counted once."""
    return len(set(one) & set(other))


def tokens(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, without the signs between them.

    `don't`, `3.5` and `1,000` are one token each. In a script that is written without spaces each sign is one, with
    the marks that belong to it.
    """
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[str]:
    start = -1  # where the token at hand began, or -1
    before: Kind = "other"
    for place, sign in enumerate(text):
        this = kind(sign)
        if this == "hidden":
            continue
        if start >= 0 and this in ("mark", "unspaced mark"):
            continue  # an accent belongs to its letter, and is of that letter's script
        if start >= 0 and joined(before, this):
            before = this
        elif start >= 0 and _is_inner(text, place, before):
            continue
        else:
            if start >= 0:
                yield _without_tail(text[start:place])
            start = -1 if this == "other" else place
            before = this
    if start >= 0:
        yield _without_tail(text[start:])


def _is_inner(text: str, place: int, before: Kind) -> bool:
    """Whether a sign stands inside one token: the apostrophe of `don't`, the point of `3.5`."""
    after = kind(text[place + 1]) if place + 1 < len(text) else "other"
    if text[place] in _APOSTROPHES:
        return before == after == "letter"
    return text[place] in _POINTS and before == after == "digit"


def _without_tail(token: str) -> str:
    """A token without the hidden signs at its end."""
    return token.rstrip("".join(HIDDEN))


def _is_whole(text: str, start: int, part: str) -> bool:
    """Whether a part that stands in a text at a place splits no word there."""
    end = start + len(part)
    return _is_bound(text, start) and _is_bound(text, end)


def _is_bound(text: str, place: int) -> bool:
    """Whether no word goes on over a place between two signs."""
    after: Kind = next(_shown(text[place : place + MOST_HIDDEN]), "other")
    if after == "other":
        return True
    return not joined(_before(text[max(0, place - MOST_HIDDEN) : place]), after)


def _before(signs: str) -> Kind:
    """What the last letter of some signs is; an accent belongs to its letter, and is of that letter's script."""
    accent: Kind = "other"  # the first of those that no letter stands before
    for each in _shown(signs[::-1]):
        if each == "other":
            break
        if each not in ("mark", "unspaced mark"):
            return each
        accent = each
    return accent


def _shown(signs: str) -> Iterator[Kind]:
    return (each for each in map(kind, signs) if each != "hidden")


def _places(text: str, part: str, start: int) -> Iterator[int]:
    """Every place from `start` on where a part stands, in time linear in the text (Knuth, Morris, Pratt)."""
    if start < 0:
        return
    overlaps = [0] * (
        len(part) + 1
    )  # for each length, the longest end of that much that is a beginning too
    shared = 0
    for index in range(1, len(part)):
        while shared and part[index] != part[shared]:
            shared = overlaps[shared]
        shared += part[index] == part[shared]
        overlaps[index + 1] = shared
    matched = 0
    for index in range(start, len(text)):
        while matched == len(part) or (matched and text[index] != part[matched]):
            matched = overlaps[matched]
        matched += text[index] == part[matched]
        if matched == len(part):
            yield index + 1 - matched
