"""One statement through the parser, and the limit that keeps its tree shallow."""

from __future__ import annotations

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.source import Source
from rulesengine.syntax.layout import Tokens
from rulesengine.syntax.table import parser
from rulesengine.syntax.tree import Tree
from rulesengine.syntax.words import BRACKETS, STATEMENTS, token_span

DEEPEST = 60  # brackets within brackets; the tools that walk a tree recurse some ten frames a level


def feed(piece: Tokens) -> Tree | int:
    """Return the tree, or the index of the token that does not fit (the length.

    The end does not fit).
    """
    parse = parser().begin(STATEMENTS[piece[0].type])
    count = parse.feed(piece)
    if count < len(piece):
        return count
    tree = parse.end()
    return tree if tree is not None else count


def too_deep(piece: Tokens, source: Source) -> Diagnostic | None:
    """Return a diagnostic for what is nested too deep to be read by people or tools."""
    depth = prefixes = 0
    for token in piece:
        if token.type in BRACKETS:
            depth += 1
        elif token.type in BRACKETS.values():
            depth -= 1
        prefixes = prefixes + 1 if token.type in ("NOT", "MINUS") else 0
        if depth > DEEPEST or prefixes > DEEPEST:
            return Diagnostic(
                codes.TOO_DEEP,
                f"this is nested more than {DEEPEST} levels deep",
                token_span(token, source),
                help="give an inner part a name with `let`",
            )
    return None
