"""Text to a module, with as many errors as one run can honestly tell.

A file is lexed once; the grammar has a token for every sign, so lexing never fails. Its tokens are
split at statement words, and each piece is parsed with its own start symbol, so that an error in
one hides none in another; see recovery.py for errors within one. A module is returned for the
checks to read when every piece parsed, and never otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.diagnostic import has_errors, in_order
from rulesengine.source import Source, Span
from rulesengine.struct import Struct
from rulesengine.syntax.feed import feed, too_deep
from rulesengine.syntax.from_tree import Builder
from rulesengine.syntax.layout import Tokens, first_in_line
from rulesengine.syntax.nodes import Header, Module, Statement
from rulesengine.syntax.table import parser
from rulesengine.syntax.tree import Tree
from rulesengine.syntax.words import (
    BRACKETS,
    ENDS,
    FIRST_TOKENS,
    STATEMENTS,
    STRAY,
    spelt,
    token_span,
)

# recovery.py is imported where there is something to recover from: a sound file does not pay for
# it.

LANGUAGE = 1
MOST_FINDINGS = 100  # of syntax, in one file
HEADERS = ("RUBRIC", "LIBRARY", "CASES_OF")
_NEVER_AFTER_NAME = {"NAME", "QUOTED_NAME", "EACH"}  # outside of braces


class Parsed(Struct, frozen=True):
    """What parsing gives.

    The module, or None where there is any error, and every finding in order.
    """

    module: Module | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> Parsed:
    """Parse a whole file."""
    tokens = parser().lex(source.text.removeprefix("\ufeff"))
    newer = _other_language(tokens, source)
    if newer is not None:
        return Parsed(None, (newer,))
    builder = Builder(source)
    found = builder.diagnostics
    pieces = list(statement_pieces(tokens))
    if not pieces or pieces[0][0].type not in HEADERS:
        found.append(_no_header(tokens, source))
    nodes: list[Header | Statement] = []
    for piece in pieces:
        tree = _tree(piece, piece is pieces[0], source, found)
        if tree is not None:
            nodes.append(builder.statement(tree))
        if any(token.type in STRAY and token.startswith('"""') for token in piece):
            break  # a text of several lines that never ends takes the rest of the file with it
        if len(found) >= MOST_FINDINGS:
            break  # more would be read by nobody, and finding them takes long
    diagnostics = tuple(in_order(builder.diagnostics))
    if has_errors(diagnostics):
        return Parsed(None, diagnostics)
    return _module(nodes, source, diagnostics)


def _tree(piece: Tokens, is_first: bool, source: Source, found: list[Diagnostic]) -> Tree | None:
    """Return the tree of a statement, or None and report what is wrong with it."""
    sound = piece[0].type in STATEMENTS and not any(token.type in STRAY for token in piece)
    if sound and too_deep(piece, source) is None:
        tree = feed(piece)
        if not isinstance(tree, int):
            return tree
    from rulesengine.syntax.recovery import find_errors, meant_statement, meant_word, stray_signs

    following = piece[1].type if len(piece) > 1 else ""
    meant = meant_statement(piece[0], following) if piece[0].type == "NAME" else None
    if meant is not None:
        if not is_first:  # the first one is told as the header
            found.append(meant_word(piece[0], meant, source))
        piece = [piece[0].like(meant, str(piece[0])), *piece[1:]]
    if piece[0].type in STATEMENTS:
        find_errors(piece, source, found)
    else:  # what stands before the first statement
        found.extend(islice(stray_signs(piece[1:], source), MOST_FINDINGS))
    return None


def _module(
    nodes: list[Header | Statement], source: Source, diagnostics: tuple[Diagnostic, ...]
) -> Parsed:
    header, *statements = nodes
    extra = [node for node in statements if isinstance(node, Header)]
    if extra or not isinstance(header, Header):
        again = (
            Diagnostic(codes.BAD_HEADER, "a file has one header, at its beginning", node.span)
            for node in extra
        )
        return Parsed(None, (*diagnostics, *again))
    body = tuple(node for node in statements if not isinstance(node, Header))
    span = Span(source, 0, len(source.text))
    return Parsed(Module(span=span, header=header, statements=body), diagnostics)


# ------------------------------------------------------------------------------------------- pieces


def statement_pieces(tokens: Tokens) -> Iterator[Tokens]:
    """Split at every token that begins a statement; what stands before the first goes with it."""
    piece: Tokens = []
    depth = 0
    for index, token in enumerate(tokens):
        if piece and _begins_statement(tokens, index, depth):
            yield piece
            piece, depth = [], 0
        depth += (token.type in BRACKETS) - (token.type in BRACKETS.values())
        piece.append(token)
    if piece:
        yield piece


def _begins_statement(tokens: Tokens, index: int, depth: int) -> bool:
    """Whether a statement word begins a statement, and is no name (or `score` no value).

    A word that is misspelt, or followed by what does not fit, may still be one, but only where a statement can end or
    no value can go on like that: how the lines of a sound file are broken never matters.
    """
    kind = tokens[index].type
    following = tokens[index + 1].type if index + 1 < len(tokens) else ""
    can_end = tokens[index - 1].type in ENDS
    begins_line = first_in_line(tokens, index)
    if (
        kind == "NAME"
        and depth == 0
        and begins_line
        and (can_end or following in _NEVER_AFTER_NAME)
    ):
        from rulesengine.syntax.recovery import meant_statement

        return meant_statement(tokens[index], following) is not None
    if kind not in STATEMENTS:
        return False
    if following in FIRST_TOKENS[kind]:
        return begins_line or can_end
    return begins_line and depth == 0 and can_end


# ----------------------------------------------------------------------------------------- messages


def _other_language(tokens: Tokens, source: Source) -> Diagnostic | None:
    """A file for a newer language says so before its new words are called errors."""
    for index, token in enumerate(tokens[:-1]):
        if index and token.type in STATEMENTS:
            return None
        number = tokens[index + 1]
        if token.type == "LANGUAGE" and number.type == "NUMBER" and number != str(LANGUAGE):
            return Diagnostic(
                codes.NEWER_LANGUAGE,
                f"this file is written in language {number}; "
                f"this command knows language {LANGUAGE}",
                token_span(number, source),
                help="a newer version of the command may read it",
            )
    return None


def _no_header(tokens: Tokens, source: Source) -> Diagnostic:
    from rulesengine.diagnostics.suggest import is_slip

    word = next(
        (spelt(kind) for kind in HEADERS if tokens and is_slip(tokens[0], str(spelt(kind)))), None
    )
    if word is not None:
        return Diagnostic(
            codes.BAD_HEADER,
            f"`{tokens[0]}` is no word of the language",
            token_span(tokens[0], source),
            help=f"did you mean `{word}`?",
        )
    return Diagnostic(
        codes.BAD_HEADER,
        "a file begins by saying what it is" if tokens else "the file is empty",
        token_span(tokens[0], source) if tokens else Span(source, 0, 0),
        help='a rubric: `rubric name "Title" version "1" language 1`\n'
        'a library: `library name "Title" language 1`\n'
        "cases for another file: `cases of ./name language 1`",
    )
