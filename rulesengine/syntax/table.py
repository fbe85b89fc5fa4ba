"""The parser and its saved table.

Building a parser from the grammar takes some 300 ms, loading a saved one some 20 ms, so the table ships beside
this module. It is a pickle, and none is ever read from anywhere else. It begins with the hash of the grammar
and the version of Lark that it was made with; where either differs, the parser is built from the grammar.

`python -c 'from rulesengine.syntax import table; table.write()'` writes it anew; a test holds it to be current.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from io import BytesIO

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.utils import SerializeMemoizer

from rulesengine import resources
from rulesengine.syntax.words import STARTS


@cache
def parser() -> lark.Lark:
    """Return the parser: LALR(1), basic lexer, one start symbol a statement."""
    grammar = resources.grammar_text()
    try:
        head, _, table = resources.parser_table().read_bytes().partition(b"\n")
    except OSError:
        return build(grammar)
    if head != stamp(grammar):
        return build(grammar)
    return lark.Lark.load(BytesIO(table))


def build(grammar: str) -> lark.Lark:
    """Return a parser built from the text of the grammar."""
    return lark.Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=list(STARTS),
        maybe_placeholders=False,
    )


def stamp(grammar: str) -> bytes:
    """Return what a table made from this grammar by this Lark begins with."""
    return f"{sha256(grammar.encode()).hexdigest()} lark {lark.__version__}".encode()


def write() -> None:
    """Write the table anew."""
    grammar = resources.grammar_text()
    resources.parser_table().write_bytes(stamp(grammar) + b"\n" + saved(build(grammar)))


def saved(built: lark.Lark) -> bytes:
    """Return a parser as `Lark.load` reads it.

    `Lark.save` writes rules and terminals as dictionaries, which take most of the time of loading to turn back.
    `Lark.load` lets objects pass as they are, and pickle reads those in C.
    """
    plain = BytesIO()
    built.save(plain)
    table = pickle.loads(plain.getvalue())  # written by the line above
    kinds = {"Rule": Rule, "TerminalDef": TerminalDef}
    table["memo"] = SerializeMemoizer.deserialize(table["memo"], kinds, {})
    return pickle.dumps(table, protocol=5)


def tokens(text: str) -> Iterator[lark.Token]:
    """Yield the tokens of a text. `Lark.lex` would build its lexer anew for each text."""
    interactive = parser().parse_interactive(text, start=STARTS[0])
    yield from interactive.lexer_thread.lex(interactive.parser_state)  # type: ignore[no-untyped-call]
