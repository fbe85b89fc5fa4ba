"""Tokens with what the parser passes over: comments, blank lines, and where lines were broken.

What stands between two tokens is white space and comments, so it is read again here, and the lexer need not keep it.
Of white space only that is kept which a reader may have meant: that a line ends, and that one is left blank.
"""

from __future__ import annotations

import re

from rulesengine.struct import Struct
from rulesengine.syntax.tree import Token

_COMMENT_OR_LINE_END = re.compile(r"#[^\r\n]*|\n")


class Comment(Struct, frozen=True):
    """A comment on a line of its own.

    Attributes:
        text: the comment from its `#` on, without white space at its end.
        after_blank: whether a blank line stands before it.
    """

    text: str
    after_blank: bool


class Word(Struct, frozen=True):
    """A token and the comments around it.

    Attributes:
        token: the token itself.
        before: the comments between it and the token before it, each on a line of its own.
        after: the comment that follows it in its line, or "".
        after_blank: whether a blank line stands between it and what comes before, its own comments included.
        is_first: whether it is the first token in its line.
    """

    token: Token
    before: tuple[Comment, ...]
    after: str
    after_blank: bool
    is_first: bool

    @property
    def type(self) -> str:
        """The name of the token's terminal."""
        return self.token.type

    @property
    def comments(self) -> list[str]:
        """Its comments, in order."""
        return [*(each.text for each in self.before), *([self.after] if self.after else [])]


class Words(Struct, frozen=True):
    """A whole file: its words, and the comments that follow the last one on lines of their own."""

    words: tuple[Word, ...]
    tail: tuple[Comment, ...]

    @property
    def comments(self) -> list[str]:
        """All comments, in order."""
        inner = [comment for word in self.words for comment in word.comments]
        return [*inner, *(each.text for each in self.tail)]


class _Gap(Struct, frozen=True):
    """What stands between two tokens: a comment in the line of the first, others, and how it ends."""

    beside: str
    own: tuple[Comment, ...]
    has_line_end: bool
    ends_blank: bool


def lossless(text: str, tokens: list[Token]) -> Words:
    """Return the words of a text.

    Args:
        text: a text whose lines end with a line feed alone.
        tokens: all its tokens.
    """
    ends = [0, *(token.end_pos for token in tokens)]
    starts = [*(token.start_pos for token in tokens), len(text)]
    gaps = [
        _gap(text[end:start], is_beginning=end == 0 and index == 0)
        for index, (end, start) in enumerate(zip(ends, starts, strict=True))
    ]
    words = tuple(
        Word(
            token=token,
            before=gap.own,
            after=following.beside,
            after_blank=gap.ends_blank,
            is_first=gap.has_line_end or gap is gaps[0],
        )
        for token, gap, following in zip(tokens, gaps, gaps[1:], strict=False)
    )
    return Words(words, gaps[-1].own)


def _gap(text: str, *, is_beginning: bool) -> _Gap:
    beside = ""
    own: list[Comment] = []
    line_ends = int(is_beginning)
    has_line_end = False
    for match in _COMMENT_OR_LINE_END.finditer(text):
        if match[0] == "\n":
            line_ends += 1
            has_line_end = True
        elif line_ends:
            own.append(Comment(match[0].rstrip(), line_ends > 1))
            line_ends = 0
        else:
            beside = match[0].rstrip()
    return _Gap(beside, tuple(own), has_line_end, line_ends > 1)
