"""Errors in one statement: each told once, and the rest read on as if it were not there.

Where a token does not fit, the likeliest slip is looked for: a word of the language as a name, a
misspelt word, a sign left out. If mending it lets the parser read on, the finding names it, and the
mended text is read on. Otherwise the clause that holds the token is left out, or, if the slip is in
the head of a block, the head is made good. What is mended or left out serves to find further errors
alone: no tree comes of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice, product

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.suggest import is_slip
from rulesengine.source import Source, Span
from rulesengine.struct import Struct
from rulesengine.syntax.brackets import brace_fault, inner_faults
from rulesengine.syntax.feed import feed, too_deep
from rulesengine.syntax.layout import Tokens, clause, first_in_line, places
from rulesengine.syntax.table import parser
from rulesengine.syntax.tree import Token
from rulesengine.syntax.words import (
    BRACKETS,
    CLAUSE_WORDS,
    COMPARATORS,
    ENGLISH,
    FIRST_TOKENS,
    FOREIGN,
    GROUPS,
    HEADS,
    QUOTES,
    SAID_FOR,
    STATEMENTS,
    STRAY,
    TESTING,
    spelt,
    token_span,
)

MOST_ERRORS = 20  # in one statement
MOST_STRAY = 50  # signs in one statement; past it, it is no rubric that is read
ADDED = (
    "COMMA",
    "COLON",
    "ARROW",
    "WORTH",
    "BY",
    "EACH",
)  # what people leave out, and nothing else fits there


class Mended(Struct, frozen=True):
    """A slip, and the tokens without it."""

    diagnostic: Diagnostic
    tokens: Tokens


def find_errors(piece: Tokens, source: Source, found: list[Diagnostic]) -> None:
    """Report every error of a statement, and of a misspelt one that stands behind it.

    Args:
        piece: the tokens of the statement, its first one in STATEMENTS.
        source: where they stand.
        found: takes the findings.
    """
    rest = _readable(piece, source, found)
    if rest is None:
        return
    for _ in range(MOST_ERRORS):
        outcome = feed(rest)
        if not isinstance(outcome, int):
            return
        mended = _mend(rest, outcome, source)
        found.append(mended.diagnostic)
        if not mended.tokens:
            return
        if _begins_another(mended, rest, outcome):
            find_errors(mended.tokens, source, found)
            return
        rest = mended.tokens


def _begins_another(mended: Mended, rest: Tokens, index: int) -> bool:
    return index < len(rest) and len(mended.tokens) == len(rest) - index


# ----------------------------------------------------------------- what can be told without a parse


def _readable(piece: Tokens, source: Source, found: list[Diagnostic]) -> Tokens | None:
    """Report stray signs and brackets without a partner; return what is left to parse, or None."""
    stray = list(islice(stray_signs(piece, source), MOST_STRAY))
    found.extend(stray)
    if len(stray) == MOST_STRAY:
        return None
    cut = next(
        (i for i, token in enumerate(piece) if token.startswith('"""') and token.type in STRAY),
        None,
    )
    if cut is not None:
        return None  # a text of several lines that never ends takes the rest of the file with it
    rest = _with_braces(piece)
    while (index := _first_stray(rest)) is not None:
        shorter = _without(rest, index)
        if shorter is None:
            return None
        rest = shorter
    deep = too_deep(rest, source)
    if deep is not None:
        found.append(deep)
        return None
    while (fault := next(inner_faults(rest, places(rest), source), None)) is not None:
        found.append(fault.diagnostic)
        shorter = _without(rest, fault.index)
        if shorter is None:
            return None
        rest = shorter
    brace = brace_fault(rest, source)
    if brace is None:
        return rest
    found.append(_head_without_brace(rest, brace.diagnostic, source))
    return None


def stray_signs(piece: Tokens, source: Source) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each sign that the language does not have.

    A pair of quotes counts as one.
    """
    quoted: Token | None = None
    for token in piece:
        if token.type not in STRAY:
            continue
        if token in QUOTES and quoted is not None and quoted.line == token.line:
            quoted = None
            continue
        if token in QUOTES:
            quoted = token
        yield _stray(token, source)


def _first_stray(piece: Tokens) -> int | None:
    return next((i for i, token in enumerate(piece) if token.type in STRAY), None)


def _with_braces(piece: Tokens) -> Tokens:
    """A text or name that is never closed takes the rest of its line.

    Give back the brace that ends the line.
    """
    given: Tokens = []
    for token in piece:
        given.append(token)
        if token.type in ("OPEN_STRING", "OPEN_QUOTED_NAME"):
            last = token.partition(" #")[0].rstrip()[-1:]  # a comment after it
            if last in ("{", "}"):
                given.append(_like(token, "LBRACE" if last == "{" else "RBRACE", last))
    return given


def _head_without_brace(piece: Tokens, otherwise: Diagnostic, source: Source) -> Diagnostic:
    """Where a head lacks its `{`, the `}` that is then too much is not to blame."""
    outcome = feed(piece)
    if otherwise.code is codes.NOT_OPENED and isinstance(outcome, int):
        accepted = _accepted(piece, outcome)
        if "LBRACE" in accepted and outcome < len(piece):
            return _too_early(piece, outcome, source)
    return otherwise


# ------------------------------------------------------------------------------------------ mending


def _mend(piece: Tokens, index: int, source: Source) -> Mended:
    """Say what is wrong at the token that does not fit, and return the tokens without it (none.

    Give up).
    """
    accepted = _accepted(piece, index)
    for slip in (_superfluous, _reserved, _misspelt, _left_out):
        mended = slip(piece, index, source)
        if mended is not None:
            return mended
    ended = _ended_early(piece, index)
    if ended is not None and _accepted(piece, ended) == {"COLON"}:
        stray = ended - 1  # what looks like the name of one more field
        if piece[stray - 1].type != "KEY" and not first_in_line(piece, stray):
            told = _does_not_fit(piece, stray, _accepted(piece, stray), source)
            return Mended(told, _without(piece, stray) or [])
    if ended is not None:
        return Mended(_too_early(piece, ended, source), _without(piece, ended - 1) or [])
    another = _statement_word(piece, index, accepted)
    if another is not None:
        told = meant_word(piece[index], another, source)
        return Mended(told, [_like(piece[index], another), *piece[index + 1 :]])
    return Mended(_does_not_fit(piece, index, accepted, source), _without(piece, index) or [])


def _superfluous(piece: Tokens, index: int, source: Source) -> Mended | None:
    """A comma between clauses, which need none."""
    if index >= len(piece) or piece[index].type != "COMMA":
        return None
    mended = [*piece[:index], *piece[index + 1 :]]
    if not _ends_clause(mended, index) or not _reads_on(mended, index):
        return None
    told = Diagnostic(
        codes.UNEXPECTED,
        "`,` does not fit here",
        token_span(piece[index], source),
        help="delete it: what begins with a word of its own needs no sign before it",
    )
    return Mended(told, mended)


def _reserved(piece: Tokens, index: int, source: Source) -> Mended | None:
    """A word of the language where a name should stand: at the token, or at the one before it."""
    where = places(piece)
    for at in (index, index - 1):
        if not 0 < at < len(piece):
            continue
        token = piece[at]
        if spelt(token.type) is None or not token.isidentifier():
            continue
        own = CLAUSE_WORDS.get(_block(piece, where[at].opener), ())
        if at == index and token.type in own and first_in_line(piece, at):
            continue
        if at < index and _ends_clause(piece, index):
            continue
        if token.type == "MISSING" and piece[at - 1].type in ("EQUALS", "NOT_EQUALS"):
            continue  # the question is asked in other words; see _hint
        following = piece[at + 1].type if at + 1 < len(piece) else ""
        if token.type in TESTING and following == "LPAR":
            continue  # an operator, called as if it were a function; see _hint
        accepted = _accepted(piece, at)
        mended = [*piece[:at], _like(token, "NAME", str(token)), *piece[at + 1 :]]
        if "RBRACE" in accepted and at == index and following != "COLON":
            continue  # a name here would begin a clause of its own
        if "NAME" in accepted and _reads_on(mended, index):
            return Mended(
                Diagnostic(
                    codes.RESERVED_WORD,
                    f"`{token}` is a word of the language and no name here",
                    token_span(token, source),
                    help=f"as a name it stands in backquotes: `` `{token}` ``",
                ),
                mended,
            )
    return None


def _misspelt(piece: Tokens, index: int, source: Source) -> Mended | None:
    """A misspelt word, or words that go together with a slip in one: the longest that can be meant.

    It begins at the token or up to two before it, and reaches to it.
    """
    longest: tuple[int, Mended] | None = None
    for at, length in product((index, index - 1, index - 2), (1, 2, 3)):
        words = piece[at : at + length] if at > 0 else []
        if at + length < index or len(words) < length or words[-1].line != words[0].line:
            continue
        if length == 1 and at < index and spelt(words[0].type) is not None:
            continue  # a word that fitted
        if not all(word.isidentifier() or word.type == "DIVIDED_BY" for word in words):
            continue
        span = token_span(words[0], source).to(token_span(words[-1], source))
        written = " ".join(span.text.split())
        for kind in sorted(_accepted(piece, at)):
            word = spelt(kind)
            if word is None or not _is_meant(written, word):
                continue
            mended = [*piece[:at], _like(words[0], kind), *piece[at + length :]]
            if (longest is None or len(word) > longest[0]) and _reads_on(
                mended, max(at, index - length + 1)
            ):
                longest = len(word), Mended(_meant(written, word, span), mended)
    return longest[1] if longest is not None else None


def _is_meant(written: str, word: str) -> bool:
    if written.casefold() in SAID_FOR.get(word, ()):
        return True
    return is_slip(written, word) or written.replace(" / ", "/") == "yes/no" == word


def _left_out(piece: Tokens, index: int, source: Source) -> Mended | None:
    """A sign or small word that was left out before the token, or before the one before it."""
    for at in (index, index - 1):
        if not 0 < at < len(piece) or first_in_line(piece, at):
            continue
        if piece[at].type in BRACKETS.values():
            continue
        accepted = _accepted(piece, at)
        for kind in ADDED:
            if kind not in accepted:
                continue
            mended = [*piece[:at], _like(piece[at], kind), *piece[at:]]
            if _reads_on(mended, index + 1):
                end = token_span(piece[at - 1], source).end
                return Mended(
                    Diagnostic(
                        codes.UNEXPECTED,
                        f"{_named(kind)} is missing before {_shown(piece[at])}",
                        Span(source, end, end),
                    ),
                    mended,
                )
    return None


def _statement_word(piece: Tokens, index: int, accepted: set[str]) -> str | None:
    """The statement that a name at the beginning of a line was meant to begin."""
    if index >= len(piece) or piece[index].type != "NAME" or "$END" not in accepted:
        return None
    following = piece[index + 1].type if index + 1 < len(piece) else ""
    kinds = (kind for kind in STATEMENTS if is_slip(piece[index], spelt(kind) or ""))
    return meant_statement(piece[index], following) or next(kinds, None)


def meant_statement(name: Token, following: str) -> str | None:
    """Return the statement word that a name was meant to be, if what follows fits it."""
    for kind, first in FIRST_TOKENS.items():
        if following in first and is_slip(name, spelt(kind) or ""):
            return kind
    return None


def meant_word(token: Token, kind: str, source: Source) -> Diagnostic:
    """Return what to say of a name that was meant to be a word of the language."""
    return _meant(str(token), spelt(kind) or "", token_span(token, source))


def _reads_on(piece: Tokens, through: int) -> bool:
    """Whether the parser reads the token at `through` and one more, or the clause ends there."""
    outcome = feed(piece)
    if not isinstance(outcome, int) or outcome > through + 1:
        return True
    return outcome == through + 1 and _ends_clause(piece, outcome)


def _ended_early(piece: Tokens, index: int) -> int | None:
    """The index where a clause ended before it was complete.

    At the token that does not fit or the one before it.
    """
    for at in (index, index - 1):
        if at <= 0:
            continue
        brace = at < len(piece) and piece[at].type == "LBRACE" and first_in_line(piece, at)
        if (brace or _ends_clause(piece, at)) and not _accepted(piece, at) & {"RBRACE", "$END"}:
            return at
    return None


def _ends_clause(piece: Tokens, index: int) -> bool:
    """Whether the clause before a token has ended with it.

    A new one begins, the block closes, or nothing is left.
    """
    return index >= len(piece) or piece[index].type == "RBRACE" or places(piece)[index].begins


def _without(piece: Tokens, index: int) -> Tokens | None:
    """Return the tokens without the clause of one, or with the head of its block made good; None.

    Nothing is left.
    """
    where = places(piece)
    begin, end = clause(piece, where, index)
    head = piece[begin].type
    depth = where[begin].depth
    brace = next(
        (i for i in range(begin, end) if piece[i].type == "LBRACE" and where[i].depth == depth),
        -1,
    )
    if head in HEADS and brace >= index:
        good = [_like(piece[begin], kind) for kind in HEADS[head]]
        return [*piece[: begin + 1], *good, *piece[brace:]]
    if depth == 0:
        return None
    return piece[:begin] + piece[end:]


def _block(piece: Tokens, opener: int) -> str:
    """The word that heads the block which a brace opens."""
    if opener < 0:
        return ""
    where = places(piece)
    begin, _ = clause(piece, where, opener)
    return piece[begin].type


def _like(token: Token, kind: str, text: str | None = None) -> Token:
    """A token of another kind at the same place."""
    return token.like(kind, text if text is not None else spelt(kind) or "")


# --------------------------------------------------------------------------------------- the parser


def _accepted(piece: Tokens, index: int) -> set[str]:
    """The kinds of token that could stand at `index`."""
    parse = parser().begin(STATEMENTS[piece[0].type])
    count = parse.feed(piece[:index])
    assert count == len(piece[:index])
    return parse.accepts()


# ----------------------------------------------------------------------------------------- messages


def _too_early(piece: Tokens, index: int, source: Source) -> Diagnostic:
    """What ends before it is complete; told where it ends."""
    where = places(piece)
    begin, _ = clause(piece, where, index - 1)
    last = token_span(piece[index - 1], source)
    return Diagnostic(
        codes.UNEXPECTED,
        f"{_called(piece, begin, where[begin].opener)} ends too early: "
        f"expected {expected(_accepted(piece, index))}",
        Span(source, last.end, last.end),
    )


def _called(piece: Tokens, begin: int, opener: int) -> str:
    """What a message calls the clause or statement that begins at a token."""
    word = spelt(piece[begin].type)
    if opener < 0:
        return f"the `{word}` statement"
    match _block(piece, opener):
        case "EVIDENCE":
            name = piece[min(begin + (piece[begin].type == "KEY"), len(piece) - 1)]
            return f"the field `{name}`"
        case "BANDS":
            return "this band"
        case _:
            return (
                f"this `{word}`" if word is not None else f"what begins with {_shown(piece[begin])}"
            )


def _does_not_fit(piece: Tokens, index: int, accepted: set[str], source: Source) -> Diagnostic:
    if index >= len(piece):
        return _too_early(piece, index, source)
    token = piece[index]
    return Diagnostic(
        codes.UNEXPECTED,
        f"{_shown(token)} does not fit here: expected {expected(accepted)}",
        token_span(token, source),
        help=_hint(piece, index),
    )


def _hint(piece: Tokens, index: int) -> str | None:
    """What to do instead, for slips that other languages lead to."""
    kind, before = piece[index].type, piece[index - 1].type
    if kind == "NOT" and before == "IS":
        return "write `not x is missing`, or `x is given`"
    if before == "IS":
        return "values are compared with `=` and `!=`"
    in_table = piece[0].type == "DECIDE" and places(piece)[index].depth > 0
    if in_table and (kind in ("TO", "FROM", "BELOW", "AND") or kind in TESTING):
        return "a cell names values, `high or medium`, or numbers: `5`, `>= 5`, `12 to 20`"
    if kind in TESTING:
        word = spelt(kind)
        values = "1 and 5" if kind == "BETWEEN" else '"…"'
        return f"it stands behind what it asks about: `a {word} {values}`, `a not {word} {values}`"
    touches = piece[index - 1].end_pos == piece[index].start_pos
    if kind == "MISSING" and before in ("EQUALS", "NOT_EQUALS"):
        return "write `… is missing`, or `… is given`"
    if in_table and (kind in ("WHEN", "OTHERWISE") or piece[index] == "*"):
        return "a row has a cell for each input: `yes, any -> 1`; `any` takes all"
    if piece[index - 1] == "list" and before == "NAME":
        return "write `list of text`, `list of record { … }`"
    if piece[index - 1] == "records" and kind == "LBRACE":
        return "write `list of record { … }`"
    if kind == "ELSE" and "ELSE_ASK" in _accepted(piece, index):
        return "a judge stands in for what is missing: `else ask polite(answer)`"
    if "WITH" in _accepted(piece, index) and kind in ("TO", "AND", "COMMA"):
        return "write `compare a with b as leaf { leaves by same }`"
    if kind == "COMMA" and before == "NUMBER" and touches:
        return "decimals stand behind a point: 3.5"
    if kind == "TO" and piece[index - 2].type == "FROM":
        return "write `40 to 69` for both ends, or `from 40 below 70`"
    if kind in COMPARATORS and before in ("AND", "OR"):
        return "write both comparisons out: `a >= 3 and a <= 5`"
    if kind == "STRING" and before == "GATE":
        return 'a gate has a name before its label: `gate off_topic "Off topic" fails when …`'
    if kind == "GATE" and "CRITERION" in _accepted(piece, index):
        return "a gate stands among the rows of a criterion or item, and ends those rows only"
    if (
        kind == "NAME"
        and before == "NAME"
        and piece[index - 2].type in ("CRITERION", "GATE", "LET")
    ):
        return "a name of several words is joined by `_`, or stands in backquotes"
    if kind == "MINUS" and before == "NAME" and touches and "COLON" in _accepted(piece, index):
        return "a name with a hyphen in it stands in backquotes: `` `first-name` ``"
    if kind == "DOT":
        return "a number has digits on both sides of its point: 0.5, 1.0"
    if kind == "EQUALS" and "COLON" in _accepted(piece, index):
        return "write `:` between a name and its value"
    return None


def _meant(written: str, word: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.UNEXPECTED,
        f"`{written}` is no word of the language",
        span,
        help=f"did you mean `{word}`?",
    )


def _shown(token: Token) -> str:
    return "this text" if token.type == "STRING" else f"`{token}`"


def _named(kind: str) -> str:
    return ENGLISH.get(kind) or f"`{spelt(kind)}`"


def expected(accepted: set[str]) -> str:
    """Say in English what could have stood here, closest and shortest first."""
    rest, said = set(accepted), []
    for sign, members, name in GROUPS:
        if sign <= rest:
            said.append(name)
            rest -= members
    names = {_named(kind) for kind in rest}
    said.extend(sorted(names - set(said)))
    if len(said) == 1:
        return said[0]
    return f"{', '.join(said[:-1])} or {said[-1]}"


def _stray(token: Token, source: Source) -> Diagnostic:
    span = token_span(token, source)
    if token.type == "OPEN_STRING":
        return Diagnostic(
            codes.TEXT_NOT_CLOSED,
            "this text is never closed",
            span,
            help='a text of one line ends with `"`, '
            'one of several lines stands between `"""` and `"""`',
        )
    if token.type == "OPEN_QUOTED_NAME":
        return Diagnostic(codes.TEXT_NOT_CLOSED, "this name in backquotes is never closed", span)
    if token.type == "BAD_NUMBER":
        return Diagnostic(
            codes.BAD_NUMBER,
            f"`{token}` is not a number",
            span,
            help="a number is written in digits, with a point before decimals "
            "and no zero in front: 1, 0.25, 1000",
        )
    if unicodedata.category(token[0]).startswith("M"):
        return Diagnostic(
            codes.STRAY_SIGN,
            f"the sign U+{ord(token):04X}, which joins the letter before it, "
            "is no part of a bare name",
            span,
            help="a name that holds it stands in backquotes",
        )
    shown = f"`{token}`" if token.isprintable() else f"the invisible sign U+{ord(token):04X}"
    return Diagnostic(
        codes.STRAY_SIGN, f"{shown} is not part of the language", span, help=FOREIGN.get(str(token))
    )
