"""Text to a module, with as many errors as one run can honestly tell.

A file is lexed once; the grammar has a token for every sign, so lexing never fails. Its tokens are split at
statement words, which never stand inside a statement, and each piece is parsed with its own start symbol. Where a
piece has an error, the clause that holds it is left out and the rest is tried again, only to find further
errors: a module is returned for the checks to read when every piece parsed, and never otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token, Tree
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.diagnostic import has_errors, in_order
from rulesengine.diagnostics.suggest import nearest
from rulesengine.source import Source, Span
from rulesengine.struct import Struct
from rulesengine.syntax.from_lark import Builder
from rulesengine.syntax.nodes import Header, Module, Statement
from rulesengine.syntax.table import parser
from rulesengine.syntax.table import tokens as lex
from rulesengine.syntax.words import (
    BRACKETS,
    CLAUSES,
    ENGLISH,
    FOREIGN,
    GROUPS,
    STATEMENTS,
    STRAY,
)

LANGUAGE = 1
DEEPEST = 60  # brackets within brackets; the tools that walk a tree recurse some ten frames a level
MOST_ERRORS = 20  # in one statement

Tokens = list[Token]


class Parsed(Struct, frozen=True):
    """What parsing gives: the module, or None where there is any error, and every finding in order."""

    module: Module | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> Parsed:
    """Parse a whole file."""
    tokens = list(lex(source.text.removeprefix("\ufeff")))
    newer = _other_language(tokens, source)
    if newer is not None:
        return Parsed(None, (newer,))
    pieces = list(_pieces(tokens))
    if not pieces or pieces[0][0].type not in ("RUBRIC", "LIBRARY", "CASES_OF"):
        return Parsed(None, (_no_header(tokens, source),))
    builder = Builder(source)
    nodes = []
    for piece in pieces:
        tree = _parse_piece(piece, source, builder.diagnostics)
        if tree is not None:
            nodes.append(builder.statement(tree))
    diagnostics = tuple(in_order(builder.diagnostics))
    if has_errors(diagnostics):
        return Parsed(None, diagnostics)
    return _module(nodes, source, diagnostics)


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


# ---------------------------------------------------------------------------------------------------- pieces


def _pieces(tokens: Tokens) -> Iterator[Tokens]:
    """Split at every token that begins a statement; what stands before the first goes with it."""
    piece: Tokens = []
    for index, token in enumerate(tokens):
        if piece and _begins_statement(tokens, index):
            yield piece
            piece = []
        piece.append(token)
    if piece:
        yield piece


def _begins_statement(tokens: Tokens, index: int) -> bool:
    token = tokens[index]
    if token.type not in STATEMENTS:
        return False
    # `score` is also a value; `each` follows it only where it is a statement.
    following = tokens[index + 1].type if index + 1 < len(tokens) else ""
    return token.type != "SCORE" or following == "EACH" or (index > 0 and tokens[index - 1].type == "RBRACE")


def _parse_piece(piece: Tokens, source: Source, found: list[Diagnostic]) -> Tree[Token] | None:
    brackets = _brackets(piece, source)
    whole, rest = piece, _without_stray(piece, source, found)
    if brackets is not None:
        found.append(brackets)
        return None
    start = STATEMENTS[piece[0].type]
    furthest = -1
    for _ in range(MOST_ERRORS):
        if rest is None:
            return None
        outcome = _feed(rest, start)
        if not isinstance(outcome, int):
            return outcome if rest is whole else None
        if outcome < len(rest) and rest[outcome].start_pos <= furthest:
            return None
        found.append(_unexpected(rest, outcome, start, source))
        if outcome >= len(rest):
            return None
        furthest = rest[outcome].start_pos
        rest = _without_clause(rest, outcome)
    return None


def _without_stray(piece: Tokens, source: Source, found: list[Diagnostic]) -> Tokens | None:
    """Report every stray sign; return the piece without the clauses that hold them, or None."""
    found.extend(_stray(token, source) for token in piece if token.type in STRAY)
    rest: Tokens | None = piece
    while rest is not None:
        index = next((i for i, token in enumerate(rest) if token.type in STRAY), None)
        if index is None:
            return rest
        rest = _without_clause(rest, index)
    return None


def _feed(piece: Tokens, start: str) -> Tree[Token] | int:
    """Return the tree, or the index of the token that does not fit (the length: the end does not fit)."""
    interactive = parser().parse_interactive(start=start)
    for index, token in enumerate(piece):
        try:
            interactive.feed_token(token)
        except UnexpectedToken:
            return index
    try:
        tree: Tree[Token] = interactive.feed_eof(piece[-1])
    except UnexpectedToken:
        return len(piece)
    return tree


def _without_clause(piece: Tokens, index: int) -> Tokens | None:
    """Return the piece without the clause that holds the token at `index`, or None where there is none."""
    depths = _depths(piece)
    begin = index
    while begin > 0 and not (
        depths[begin] <= depths[index] and depths[begin] > 0 and _begins_clause(piece, begin)
    ):
        begin -= 1
    if begin == 0:
        return None
    end = max(begin + 1, index)
    while end < len(piece) and not (
        depths[end] < depths[begin]
        or (depths[end] == depths[begin] and _begins_clause(piece, end))
    ):
        end += 1
    return piece[:begin] + piece[end:]


def _depths(piece: Tokens) -> list[int]:
    depth, depths = 0, []
    for token in piece:
        if token.type in BRACKETS.values():
            depth -= 1
        depths.append(depth)
        if token.type in BRACKETS:
            depth += 1
    return depths


def _begins_clause(piece: Tokens, index: int) -> bool:
    kind, before = piece[index].type, piece[index - 1].type
    if kind in ("NAME", "QUOTED_NAME"):  # a field
        return before != "KEY" and index + 1 < len(piece) and piece[index + 1].type == "COLON"
    return kind in CLAUSES and before not in ("IS", "EXCLUDE") and not (
        kind == "BELOW" and before == "NUMBER"
    )


# -------------------------------------------------------------------------------------------------- messages


def _other_language(tokens: Tokens, source: Source) -> Diagnostic | None:
    """A file for a newer language says so before its new words are called errors."""
    for index, token in enumerate(tokens[:-1]):
        if index and token.type in STATEMENTS:
            return None
        number = tokens[index + 1]
        if token.type == "LANGUAGE" and number.type == "NUMBER" and number != str(LANGUAGE):
            return Diagnostic(
                codes.NEWER_LANGUAGE,
                f"this file is written in language {number}; this command knows language {LANGUAGE}",
                _span(number, source),
                help="a newer version of the command may read it",
            )
    return None


def _no_header(tokens: Tokens, source: Source) -> Diagnostic:
    end = _span(tokens[0], source) if tokens else Span(source, 0, 0)
    return Diagnostic(
        codes.BAD_HEADER,
        "a file begins by saying what it is" if tokens else "the file is empty",
        end,
        help='a rubric: `rubric name "Title" version "1" language 1`\n'
        'a library: `library name "Title" language 1`\n'
        "cases for another file: `cases of ./name language 1`",
    )


def _stray(token: Token, source: Source) -> Diagnostic:
    span = _span(token, source)
    if token.type == "OPEN_STRING":
        return Diagnostic(
            codes.TEXT_NOT_CLOSED,
            "this text is never closed",
            span,
            help='a text of one line ends with `"`; one of several lines stands between `"""` and `"""`',
        )
    if token.type == "OPEN_QUOTED_NAME":
        return Diagnostic(codes.TEXT_NOT_CLOSED, "this name in backquotes is never closed", span)
    if token.type == "BAD_NUMBER":
        return Diagnostic(
            codes.BAD_NUMBER,
            f"`{token}` is not a number",
            span,
            help="a number is written in digits, with a point before decimals and no zero in front: 1, 0.25, 1000",
        )
    shown = f"`{token}`" if token.isprintable() else f"the invisible sign U+{ord(token):04X}"
    return Diagnostic(
        codes.STRAY_SIGN, f"{shown} is not part of the language", span, help=FOREIGN.get(str(token))
    )


def _brackets(piece: Tokens, source: Source) -> Diagnostic | None:
    """The first bracket that does not match, or one level too many."""
    opened: Tokens = []
    prefixes = 0
    for token in piece:
        if token.type in BRACKETS:
            opened.append(token)
        elif token.type in BRACKETS.values():
            if not opened:
                return Diagnostic(
                    codes.NOT_OPENED, f"this `{token}` closes nothing", _span(token, source)
                )
            opener = opened.pop()
            if BRACKETS[opener.type] != token.type:
                return Diagnostic(
                    codes.NOT_CLOSED,
                    f"this `{opener}` is not closed before the `{token}` on line {token.line}",
                    _span(opener, source),
                )
        prefixes = prefixes + 1 if token.type in ("NOT", "MINUS") else 0
        if len(opened) > DEEPEST or prefixes > DEEPEST:
            return Diagnostic(
                codes.TOO_DEEP,
                f"this is nested more than {DEEPEST} levels deep",
                _span(token, source),
                help="give an inner part a name with `let`",
            )
    if opened:
        opener = _likeliest(opened, piece)
        return Diagnostic(codes.NOT_CLOSED, f"this `{opener}` is never closed", _span(opener, source))
    return None


def _likeliest(opened: Tokens, piece: Tokens) -> Token:
    """Of the brackets left open, the innermost whose block holds a line indented no deeper than its own.

    Layout means nothing to the language; here it only chooses which bracket a message points to.
    """
    first_in_line = {}
    for token in piece:
        first_in_line.setdefault(token.line, token)
    for opener in reversed(opened):
        indent = first_in_line[opener.line].column
        if any(
            token.line > opener.line and token.column <= indent for token in first_in_line.values()
        ):
            return opener
    return opened[-1]


def _unexpected(piece: Tokens, index: int, start: str, source: Source) -> Diagnostic:
    accepted = _accepted(piece, index, start)
    statement = ENGLISH.get(piece[0].type, f"`{piece[0]}`")
    if index >= len(piece):
        last = _span(piece[-1], source)
        return Diagnostic(
            codes.UNEXPECTED,
            f"the {statement} statement ends too early: expected {_expected(accepted)}",
            Span(source, last.end, last.end),
        )
    token = piece[index]
    span = _span(token, source)
    is_word = token.type not in ENGLISH and token.type.isupper()
    if is_word and "NAME" in accepted:
        return Diagnostic(
            codes.RESERVED_WORD,
            f"`{token}` is a word of the language and no name here",
            span,
            help=f"as a name it stands in backquotes: `` `{token}` ``\nexpected {_expected(accepted)}",
        )
    meant = _meant(piece, index, start, accepted)
    if meant is not None:
        wrong, word = meant
        return Diagnostic(
            codes.UNEXPECTED,
            f"`{wrong}` is no word of the language",
            _span(wrong, source),
            help=f"did you mean `{word}`?",
        )
    shown = "this text" if token.type == "STRING" else f"`{token}`"
    return Diagnostic(
        codes.UNEXPECTED, f"{shown} does not fit here: expected {_expected(accepted)}", span
    )


def _meant(
    piece: Tokens, index: int, start: str, accepted: set[str]
) -> tuple[Token, str] | None:
    """The word of the language that a name was meant to be: the name that does not fit, or the one before it."""
    for at, words in ((index, accepted), (index - 1, None)):
        if at > 0 and piece[at].type == "NAME":
            possible = words if words is not None else _accepted(piece, at, start)
            spelt = {kind.lower().replace("_", " "): kind for kind in possible if kind not in ENGLISH}
            word = nearest(piece[at], spelt)
            if word is not None:
                return piece[at], word
    return None


def _accepted(piece: Tokens, index: int, start: str) -> set[str]:
    """The kinds of token that could stand at `index`."""
    interactive: InteractiveParser = parser().parse_interactive(start=start)
    for token in piece[:index]:
        interactive.feed_token(token)
    return set(interactive.accepts())


def _expected(accepted: set[str]) -> str:
    """Say in English what could have stood here, closest and shortest first."""
    rest, said = set(accepted), []
    for sign, members, name in GROUPS:
        if sign <= rest:
            said.append(name)
            rest -= members
    names = {ENGLISH.get(kind, f"`{kind.lower().replace('_', ' ')}`") for kind in rest}
    said.extend(sorted(names - set(said)))
    if len(said) == 1:
        return said[0]
    return f"{', '.join(said[:-1])} or {said[-1]}"


def _span(token: Token, source: Source) -> Span:
    offset = 1 if source.text.startswith("\ufeff") else 0
    return Span(source, token.start_pos + offset, token.end_pos + offset)
