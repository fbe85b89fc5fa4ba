"""Which block and clause each token of a statement stands in, told without a parse.

Only recovery and messages use this. Lines count here and nowhere else: people write one clause a
line, so a name that begins a line most likely begins a clause, even where the grammar could read
on.
"""

from __future__ import annotations

from rulesengine.struct import Struct
from rulesengine.syntax.tree import Token
from rulesengine.syntax.words import BRACKETS, CLAUSE_WORDS, COMPARATORS, ENDS, ROW_WORDS

Tokens = list[Token]


class Place(Struct, frozen=True):
    """Where a token stands.

    Attributes:
        depth: how many braces are open around it; a closing brace still stands inside.
        opener: the index of the innermost of them, or -1.
        begins: whether it begins a clause of its block.
    """

    depth: int
    opener: int
    begins: bool


def places(piece: Tokens) -> list[Place]:
    """Return the place of every token of a statement, whose braces may be out of order."""
    found: list[Place] = []
    blocks: list[
        tuple[int, str]
    ] = []  # the index of each open brace, and the word that heads its block
    head = piece[0].type
    inside = 0
    for index, token in enumerate(piece):
        kind = blocks[-1][1] if blocks else ""
        begins = (
            bool(blocks)
            and (inside == 0 or (token.type in ROW_WORDS and first_in_line(piece, index)))
            and _begins(piece, index, kind)
        )
        if begins or token.type == "EXCLUDED":
            head = token.type
        found.append(Place(len(blocks), blocks[-1][0] if blocks else -1, begins))
        if begins or token.type == "ARROW":
            inside = 0  # a bracket left open in a clause ends with it
        if token.type == "LBRACE":
            blocks.append((index, head))
            inside = 0
        elif token.type == "RBRACE":
            inside = 0
            if blocks:
                blocks.pop()
        elif token.type in BRACKETS:
            inside += 1
        elif token.type in BRACKETS.values():
            inside = max(0, inside - 1)
    return found


def clause(piece: Tokens, where: list[Place], index: int) -> tuple[int, int]:
    """Return the stretch of the clause that holds a token.

    Of a token outside all blocks, the whole statement.
    """
    depth, opener = where[index].depth, where[index].opener
    if depth == 0:
        return 0, len(piece)
    begin = index
    while begin > opener + 1 and not (where[begin].begins and where[begin].depth == depth):
        begin -= 1
    end = max(index, begin + 1)
    while end < len(piece) and not (
        where[end].depth < depth
        or (where[end].depth == depth and (where[end].begins or piece[end].type == "RBRACE"))
    ):
        end += 1
    return begin, end


def first_in_line(piece: Tokens, index: int) -> bool:
    """Tell whether no token of the statement stands before this one in its line."""
    return index == 0 or piece[index - 1].end_line < piece[index].line


def _begins(piece: Tokens, index: int, kind: str) -> bool:
    token, before = piece[index], piece[index - 1].type
    names_value = index + 1 < len(piece) and piece[index + 1].type == "COLON"
    match kind:
        case "EVIDENCE":
            if token.type == "KEY":
                return before != "KEY"
            if names_value and _is_word(token):
                return before not in ("KEY", "DEFAULT", "COLON", "ONE_OF") or (
                    before != "KEY" and first_in_line(piece, index)
                )
        case "GIVEN" | "GIVEN_PARAMS" | "EXCLUDED":
            return names_value and _is_word(token)
        case "BANDS":
            return (
                token.type == "FROM"
                or (token.type == "BELOW" and before in ("STRING", "LBRACE"))
                or (first_in_line(piece, index) and token.type not in ("ARROW", "STRING", "RBRACE"))
                or (token.type in ("NUMBER", "PERCENT", "MINUS") and before in ("STRING", "LBRACE"))
            )
        case "DECIDE":
            # A row may go over several lines, and then the sign before a line's end says so.
            return (
                first_in_line(piece, index)
                and token.type not in ("ARROW", "COMMA", "OR", "RBRACE")
                and before not in ("ARROW", "COMMA", "OR", "MINUS", *COMPARATORS)
            )
        case "ASK":
            if token.type in CLAUSE_WORDS["ASK"]:
                return True
        case "CASE":
            if token.type in ("GIVEN", "GIVEN_PARAMS", "EXPECT"):
                return token.type != "GIVEN" or before != "IS"
        case _:
            if token.type in ROW_WORDS:
                return not (token.type == "WHEN" and before == "EXCLUDE")
    return token.type == "NAME" and before in ENDS and first_in_line(piece, index)


def _is_word(token: Token) -> bool:
    return token.isidentifier() or token.type == "QUOTED_NAME"
