"""Words to what is laid out: items, and brackets that hold items.

An item is a statement, a clause of a block, or a value of a list. A word stands in the innermost bracket around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rulesengine.formatting.roles import Roles
from rulesengine.struct import Struct
from rulesengine.syntax.lossless import Comment, Word
from rulesengine.syntax.words import BRACKETS


class Item(Struct, frozen=True):
    """A statement, clause or value: what it is made of; of a value, with the comma that follows."""

    elements: tuple[Element, ...]

    @property
    def first(self) -> Word:
        """Its first word."""
        return first_word(self.elements[0])


class Bracket(Struct, frozen=True):
    """A bracket and what it holds.

    Attributes:
        opener: the opening sign.
        items: clauses or values.
        closer: the closing sign.
        is_block: whether it holds clauses.
        is_open: whether it takes several lines, whatever fits: a block that was written so, a list of several values
            that was opened at the end of a line, and what holds comments.
    """

    opener: Word
    items: tuple[Item, ...]
    closer: Word
    is_block: bool
    is_open: bool


Element: TypeAlias = Word | Bracket


def first_word(element: Element) -> Word:
    """Return the first word of an element."""
    return element.opener if isinstance(element, Bracket) else element


def without_lead(element: Element) -> Element:
    """Return an element without the comments before it."""
    if isinstance(element, Bracket):
        return Bracket(
            opener=_changed(element.opener, before=()),
            items=element.items,
            closer=element.closer,
            is_block=element.is_block,
            is_open=element.is_open,
        )
    return _changed(element, before=())


def last_word(element: Element) -> Word:
    """Return the last word of an element."""
    return element.closer if isinstance(element, Bracket) else element


def statement(words: list[Word], roles: Roles) -> Item:
    """Return the structure of a statement, whose brackets are in order."""
    open_: list[_Open] = [_Open(None, is_block=False)]
    for word in _tidy(words, roles):
        innermost = open_[-1]
        if word.type in BRACKETS:
            if word.token.start_pos in roles.clauses:
                innermost.end_item()
            open_.append(_Open(word, is_block=word.token.start_pos in roles.blocks))
        elif word.type in BRACKETS.values():
            done = open_.pop().closed(word)
            open_[-1].elements.append(done)
        else:
            if innermost.is_block and word.token.start_pos in roles.clauses:
                innermost.end_item()
            innermost.elements.append(word)
            if word.token.start_pos in roles.separators:
                innermost.end_item()
    (outermost,) = open_
    return Item(tuple(outermost.elements))


class _Open:
    """A bracket that is still read; without an opener, the statement."""

    def __init__(self, opener: Word | None, *, is_block: bool) -> None:
        self.opener = opener
        self.is_block = is_block
        self.elements: list[Element] = []
        self.items: list[Item] = []

    def end_item(self) -> None:
        """What comes next is another item."""
        if self.elements:
            self.items.append(Item(tuple(self.elements)))
            self.elements = []

    def closed(self, closer: Word) -> Bracket:
        """Return the bracket."""
        assert self.opener is not None
        self.end_item()
        items = tuple(self.items)
        inner = [word for item in items for word in _words(item)]
        has_comments = bool(self.opener.after or closer.before) or any(
            _has_comments(element) for item in items for element in item.elements
        )
        if self.is_block:
            was_open = bool(items) and any(word.is_first for word in (*inner, closer))
        else:
            was_open = len(items) > 1 and inner[0].is_first
        holds_open = len(items) > 1 and any(
            isinstance(each, Bracket) and each.is_open for item in items for each in item.elements
        )
        return Bracket(
            opener=self.opener,
            items=items,
            closer=closer,
            is_block=self.is_block,
            is_open=has_comments or was_open or holds_open,
        )


def _has_comments(element: Element) -> bool:
    """Whether comments stand around an element; those within a bracket open that alone."""
    if isinstance(element, Bracket):
        return bool(element.opener.before or element.closer.after)
    return bool(element.comments)


def _words(item: Item) -> Iterator[Word]:
    for element in item.elements:
        if isinstance(element, Bracket):
            yield element.opener
            for inner in element.items:
                yield from _words(inner)
            yield element.closer
        else:
            yield element


# ------------------------------------------------------------------------------- commas and braces


def _tidy(words: list[Word], roles: Roles) -> list[Word]:
    """Put a comma or a block's brace before the comments that part it from its line; leave out a last comma."""
    found: list[Word] = []
    moved: tuple[Comment, ...] = ()  # comments that the next word takes over
    broke = False  # whether the next word begins a line, since what was moved up did
    for index, word in enumerate(words):
        start = word.token.start_pos
        if moved or broke:
            before = (*moved, *word.before)
            word = _changed(word, before=before, is_first=word.is_first or broke)
            moved, broke = (), False
        if start not in roles.separators and start not in roles.blocks:
            found.append(word)
            continue
        last = found.pop()
        broke = word.is_first
        own = [each.text for each in word.before]
        beside = last.after
        if word.after and (own or beside):
            own.append(word.after)
        elif word.after:
            beside = word.after
        moved = tuple(Comment(text, after_blank=False) for text in own)
        if start in roles.separators and words[index + 1].type in BRACKETS.values():
            found.append(_changed(last, after=beside))
        else:
            found.append(_changed(last, after=""))
            found.append(_changed(word, before=(), after=beside, is_first=False))
    return found


def _changed(
    word: Word,
    *,
    before: tuple[Comment, ...] | None = None,
    after: str | None = None,
    is_first: bool | None = None,
) -> Word:
    return Word(
        token=word.token,
        before=word.before if before is None else before,
        after=word.after if after is None else after,
        after_blank=word.after_blank,
        is_first=word.is_first if is_first is None else is_first,
    )
