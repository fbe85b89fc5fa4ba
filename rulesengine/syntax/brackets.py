"""Brackets: every one that opens is closed, and none closes what was never opened.

Round and square brackets stand within one clause, so one left open there spoils that clause alone.
Braces hold clauses; which one is at fault, the indentation of its line tells best.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.source import Source
from rulesengine.struct import Struct
from rulesengine.syntax.layout import Place, Tokens
from rulesengine.syntax.words import BRACKETS, token_span

_INNER = ("LPAR", "LSQB")
_INNER_ENDS = ("RPAR", "RSQB")


class Fault(Struct, frozen=True):
    """A bracket that has no partner."""

    index: int
    diagnostic: Diagnostic


def inner_faults(piece: Tokens, where: list[Place], source: Source) -> Iterator[Fault]:
    """Yield the first round or square bracket of each clause that has no partner there."""
    opened: list[int] = []
    faulty = False
    for index, token in enumerate(piece):
        ends = token.type in ("LBRACE", "RBRACE", "ARROW") or where[index].begins
        if ends:
            if opened and not faulty:
                yield _open(piece, opened[-1], source)
            opened = []
        if where[index].begins or token.type in ("LBRACE", "RBRACE"):
            faulty = False
        if token.type in _INNER:
            opened.append(index)
        elif token.type in _INNER_ENDS and not faulty:
            opener = opened.pop() if opened else None
            if opener is None:
                faulty = True
                yield _closes_nothing(piece, index, source)
            elif BRACKETS[piece[opener].type] != token.type:
                faulty = True
                yield Fault(
                    opener,
                    Diagnostic(
                        codes.NOT_CLOSED,
                        f"this `{piece[opener]}` is closed by `{token}`",
                        token_span(piece[opener], source),
                        help="`(` goes with `)`, and `[` with `]`",
                    ),
                )
                opened = []
    if opened and not faulty:
        yield _open(piece, opened[-1], source)


def brace_fault(piece: Tokens, source: Source) -> Fault | None:
    """Return the brace that has no partner, the likeliest one where it could be several."""
    indents: dict[int, int] = {}
    for token in piece:
        indents.setdefault(token.line, token.column)
    opened: list[int] = []
    suspects: list[int] = []
    extra: int | None = None
    for index, token in enumerate(piece):
        if token.type == "LBRACE":
            opened.append(index)
        elif token.type == "RBRACE":
            indent = indents[token.line]
            if not opened:
                return _closes_nothing(piece, extra if extra is not None else index, source)
            opener = opened.pop()
            first = indents[piece[opener].line]
            if piece[opener].line != token.line and first != indent:
                if first > indent:
                    suspects.append(opener)
                elif extra is None:
                    extra = index
    if opened:
        return _open(piece, suspects[0] if suspects else opened[-1], source)
    return None


def _open(piece: Tokens, index: int, source: Source) -> Fault:
    token = piece[index]
    return Fault(
        index,
        Diagnostic(codes.NOT_CLOSED, f"this `{token}` is never closed", token_span(token, source)),
    )


def _closes_nothing(piece: Tokens, index: int, source: Source) -> Fault:
    token = piece[index]
    return Fault(
        index,
        Diagnostic(codes.NOT_OPENED, f"this `{token}` closes nothing", token_span(token, source)),
    )
