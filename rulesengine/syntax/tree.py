"""Tokens and trees: what the parser makes of a text."""

from __future__ import annotations

from rulesengine.struct import Struct


class Token(str):
    """A word or sign of a text, and where it stands there.

    Attributes:
        type: the name of its terminal.
        start_pos: offset of its first character.
        end_pos: offset of what follows it.
        line: the line of its first character, from 1.
        column: the column of that, from 1, in characters.
        end_line: the line of what follows it.
    """

    __slots__ = ("column", "end_line", "end_pos", "line", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int
    line: int
    column: int
    end_line: int

    def like(self, kind: str, text: str) -> Token:
        """Return a token of another kind and text at the same place."""
        token = Token(text)
        token.type = kind
        token.start_pos, token.end_pos = self.start_pos, self.end_pos
        token.line, token.column, token.end_line = self.line, self.column, self.end_line
        return token


class Tree(Struct, frozen=True, eq=False):
    """What a rule read: its name, or that of its alternative, and the tokens and trees in it."""

    data: str
    children: list[Tree | Token]
