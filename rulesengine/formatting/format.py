"""A rubric file laid out anew, and the proof that it still says the same.

Layout is free in the language, so there is one that all files have: it is made from the tokens and their comments,
never from what they mean. Whether it kept everything is not taken on trust. A result that differs from the text is
read again and has to give the same syntax nodes, the same comments in the same order, and, laid out once more, the
same text.
"""

from __future__ import annotations

from rulesengine.diagnostics import Diagnostic
from rulesengine.errors import InternalError
from rulesengine.formatting.printer import printed
from rulesengine.formatting.roles import roles
from rulesengine.formatting.structure import statement
from rulesengine.source import Source
from rulesengine.struct import Struct
from rulesengine.syntax.feed import feed
from rulesengine.syntax.lossless import Words, lossless
from rulesengine.syntax.nodes import Module
from rulesengine.syntax.parser import parse, statement_pieces
from rulesengine.syntax.table import parser
from rulesengine.syntax.tree import Tree


class Formatted(Struct, frozen=True):
    """What formatting gives: the text, or None where the file cannot be read, and why."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()


def format_source(source: Source) -> Formatted:
    """Lay a file out: lines end with a line feed, and no byte order mark stands before it.

    Raises:
        InternalError: the result would not say the same, which is a bug of ours.
    """
    parsed = parse(source)
    if parsed.module is None:
        return Formatted(None, parsed.diagnostics)
    text = _plain(source.text)
    words = _words(text)
    result = _laid_out(words)
    if (
        result != text
    ):  # else there is nothing to prove: it is the text, and it is how that is laid out
        is_plain = text == source.text
        module = parsed.module if is_plain else parse(Source(source.name, text)).module
        _prove(source.name, module, words, result)
    return Formatted(result)


def prove(source: Source, result: str) -> None:
    """Hold a result to say what its source says, and to be laid out.

    Args:
        source: a file that can be read, its lines ending with a line feed.
        result: what is to take its place.

    Raises:
        InternalError: it says something else.
    """
    _prove(source.name, parse(source).module, _words(source.text), result)


def _prove(name: str, module: Module | None, words: Words, result: str) -> None:
    if parse(Source(name, result)).module != module:
        raise InternalError(f"formatting {name} would change what it says")
    again = _words(result)
    if again.comments != words.comments:
        raise InternalError(f"formatting {name} would change its comments")
    if _laid_out(again) != result:
        raise InternalError(f"formatting {name} twice would give something else")


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _words(text: str) -> Words:
    return lossless(text, parser().lex(text))


def _laid_out(words: Words) -> str:
    """Lay out the words of a text that can be read."""
    pieces = list(statement_pieces([word.token for word in words.words]))
    trees = []
    for piece in pieces:
        tree = feed(piece)
        assert isinstance(tree, Tree)
        trees.append(tree)
    found = roles(trees)
    rest = iter(words.words)
    items = [statement([next(rest) for _ in piece], found) for piece in pieces]
    return printed(items, words.tail, found)
