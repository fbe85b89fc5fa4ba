"""What may stand between two words: nothing, a space, or the end of a line."""

from __future__ import annotations

from enum import Enum

from rulesengine.formatting.roles import Roles
from rulesengine.formatting.structure import Item, first_word, last_word
from rulesengine.syntax.lossless import Word
from rulesengine.syntax.words import COMPARATORS, ENDS, STATEMENTS, TESTING, spelt

_NOTHING_BEFORE = {"COMMA", "RPAR", "RSQB", "DOT", "QUESTION_MARK"}
_NOTHING_AFTER = {"LPAR", "LSQB", "DOT"}
_NAMES = {"NAME", "QUOTED_NAME"}
# A line may begin with one of these wherever it stands. The `or` is that of a cell: one that joins conditions is a
# joint. Any other word stands with the one before it if that is the first of its item.
_ANYWHERE = {"ARROW", "OR"}

# A line may be broken before a sign or word that joins what stands on both sides of it, and before a label.
_OPERATORS = (
    COMPARATORS | TESTING | {"ARROW", "PLUS", "MINUS", "TIMES", "DIVIDED_BY", "ELSE", "STRING"}
)
# These belong to what stands before them.
_CLINGING = set(STATEMENTS) | {"AND", "OR", "TO", "IS", "IN", "EACH", "MISSING", "GIVEN"}
_ENDS = (ENDS - {"LBRACE"}) | {"SCORE", "EACH"}


class Gap(Enum):
    """What stands between two elements of an item."""

    NOTHING = ""
    SPACE = " "
    MAY_BREAK = "soft"  # a space, or the end of a line where what follows would not fit
    JOINT = "joint"  # the same, but all joints of an item break together


def is_tight(before: Word, after: Word, roles: Roles) -> bool:
    """Whether two words stand together without a space."""
    if after.type == "COLON":
        return after.token.start_pos not in roles.types
    return (
        after.type in _NOTHING_BEFORE
        or before.type in _NOTHING_AFTER
        or (after.type == "LPAR" and before.type in _NAMES)
        or before.token.start_pos in roles.signs
    )


def gaps(item: Item, roles: Roles) -> list[Gap]:
    """Return what stands before each element of an item; before the first, nothing."""
    found = [Gap.NOTHING]
    pairs = zip(item.elements, item.elements[1:], strict=False)
    for index, (left, right) in enumerate(pairs, start=1):
        before, after = last_word(left), first_word(right)
        if is_tight(before, after, roles):
            found.append(Gap.NOTHING)
        elif after.token.start_pos in roles.chains:
            found.append(Gap.JOINT)
        elif (index > 1 or after.type in _ANYWHERE) and _may_break(before, after, roles):
            found.append(Gap.MAY_BREAK)
        else:
            found.append(Gap.SPACE)
    return found


def _may_break(before: Word, after: Word, roles: Roles) -> bool:
    if before.type == "COMMA" or after.type in _ANYWHERE:
        return True
    if before.type not in _ENDS or after.type in _CLINGING:
        return False
    if after.type == "EQUALS" and after.token.start_pos in roles.marks:
        return False
    return after.type in _OPERATORS or spelt(after.type) is not None


def spelling(word: Word) -> str:
    """Return a word as it is written: words that go together with one space between."""
    text = str(word.token)
    return " ".join(text.split()) if text[0].isalpha() else text
