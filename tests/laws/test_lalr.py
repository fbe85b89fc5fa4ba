"""Laws of the parser that runs the saved table: it reads what Lark reads, and refuses what Lark refuses."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import lark
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TOKENS, plans, token_soup

from rulesengine import resources
from rulesengine.syntax.lalr import Parser
from rulesengine.syntax.table import build, lark_parser, parser
from rulesengine.syntax.tree import Token
from rulesengine.syntax.words import FIRST_TOKENS, STATEMENTS

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("rubrics", "stdlib", "tests/conformance")
    for path in (ROOT / folder).rglob("*.rubric")
)
WHERE = ("type", "start_pos", "end_pos", "line", "column", "end_line")

Read = tuple[Any, frozenset[str]]


@cache
def _lark() -> lark.Lark:
    return lark_parser(resources.grammar_text())


def _lexed_by_lark(text: str) -> list[lark.Token]:
    begun = _lark().parse_interactive(text, start="header")
    return list(begun.lexer_thread.lex(begun.parser_state))


def _placed(token: Any) -> tuple[Any, ...]:
    return (str(token), *(getattr(token, name) for name in WHERE))


def _flat(tree: Any) -> list[Any]:
    """A tree of either kind from the outside in, however deep."""
    said, waiting = [], [tree]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            said.append(_placed(each))
        else:
            said.append((str(each.data), len(each.children)))
            waiting.extend(reversed(each.children))
    return said


def _read_by_lark(piece: list[lark.Token], start: str) -> Read:
    """The tree, or the index of the token that does not fit; and what could have stood there."""
    begun = _lark().parse_interactive(start=start)
    for index, token in enumerate(piece):
        accepted = frozenset(begun.accepts())
        try:
            begun.feed_token(token)
        except lark.UnexpectedToken:
            return index, accepted
    accepted = frozenset(begun.accepts())
    try:
        return _flat(begun.feed_eof(piece[-1])), accepted
    except lark.UnexpectedToken:
        return len(piece), accepted


def _read(piece: list[Token], start: str) -> Read:
    """The same by the saved table."""
    count = parser().begin(start).feed(piece)
    before = parser().begin(start)
    assert before.feed(piece[:count]) == count
    accepted = frozenset(before.accepts())
    if count < len(piece):
        return count, accepted
    tree = before.end()
    return (_flat(tree) if tree is not None else count), accepted


def _pieces(tokens: list[Any]) -> list[list[Any]]:
    """Split where a word that begins a statement stands before what can follow it there."""
    begins = [
        index
        for index, (token, following) in enumerate(pairwise(tokens))
        if following.type in FIRST_TOKENS.get(token.type, ())
    ]
    return [tokens[begin:end] for begin, end in pairwise([*begins, len(tokens)])]


def _agree(text: str) -> list[Read]:
    """Hold both to the same tokens and statements; return the statements."""
    ours, theirs = parser().lex(text), _lexed_by_lark(text)

    assert [_placed(each) for each in theirs] == [_placed(each) for each in ours]

    expected = [_read_by_lark(each, STATEMENTS[each[0].type]) for each in _pieces(theirs)]
    actual = [_read(each, STATEMENTS[each[0].type]) for each in _pieces(ours)]

    assert expected == actual
    return actual


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_reads_as_lark_reads_it(path: Path) -> None:
    """Tokens, trees and places are Lark's; every statement of a sound file has a tree."""
    read = _agree(path.read_text("utf-8"))

    assert read or "bad" in path.parts
    assert "bad" in path.parts or not any(isinstance(tree, int) for tree, _ in read)


@given(plans())
def test_a_generated_rubric_reads_as_lark_reads_it(plan: Any) -> None:
    """The same of generated rubrics, all of whose statements have trees."""
    read = _agree(plan.text())

    assert not any(isinstance(tree, int) for tree, _ in read)


@given(token_soup(), st.sampled_from(sorted(STATEMENTS)))
def test_words_in_any_order_fail_where_lark_fails(text: str, word: str) -> None:
    """The first token that does not fit is the same, and so is what could have stood there."""
    begin = word.lower().replace("_", " ")
    _agree(f"{begin} {text}\n{text}")


@given(st.sampled_from([path.read_text("utf-8") for path in FILES]), st.data())
def test_a_file_with_a_slip_fails_where_lark_fails(text: str, data: Any) -> None:
    """The same of a real file in which one stretch was replaced by a word or sign."""
    begin, width = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 20))
    _agree(f"{text[:begin]} {data.draw(st.sampled_from(TOKENS))} {text[begin + width :]}")


@given(st.text(max_size=60))
def test_any_text_has_the_tokens_that_lark_finds(text: str) -> None:
    """No text fails to lex, and places are Lark's."""
    _agree(text)


def test_the_saved_table_is_current() -> None:
    """What ships is what the grammar gives, to the byte, by the Lark that is installed."""
    assert msgspec.msgpack.encode(build(resources.grammar_text())) == resources.parser_table()


SMALL = """
list: "[" _items? "]"
_items: value ("," value)*
?value: WORD -> word
      | "(" value ")"
      | list
      | pair
!pair: WORD ":" WORD
?alone: "the" value "end"
WORD: /[a-z]+/
SPACE: /\\s/
%ignore SPACE
"""


@pytest.mark.parametrize(
    ("start", "text"),
    [
        ("list", "[]"),
        ("list", "[a, (b), ((c)), [], [d, e: f]]"),
        ("alone", "the [x] end"),
        ("list", "[a, ]"),
        ("list", "[a"),
        ("list", "[a] b"),
    ],
)
def test_trees_are_larks_for_any_grammar(start: str, text: str) -> None:
    """Signs left out, rules that give way to their child or its children: all as Lark has it."""
    starts = ("list", "alone")
    made = lark_parser(SMALL, starts)
    ours = Parser(build(SMALL, starts))
    begun = made.parse_interactive(text, start=start)
    theirs = list(begun.lexer_thread.lex(begun.parser_state))

    try:
        expected: Any = _flat(made.parse(text, start=start))
    except lark.UnexpectedToken as error:
        expected = error.token.start_pos if error.token.type != "$END" else len(text)
    tokens = ours.lex(text)
    parse = ours.begin(start)
    count = parse.feed(tokens)
    tree = parse.end() if count == len(tokens) else None

    assert [_placed(each) for each in theirs] == [_placed(each) for each in tokens]
    if tree is not None:
        assert expected == _flat(tree)
    else:
        assert expected == (tokens[count].start_pos if count < len(tokens) else len(text))


def test_a_text_with_no_token_is_refused() -> None:
    """A grammar that has no terminal for a sign says so; nothing is passed over."""
    ours = Parser(build(SMALL, ("list",)))

    with pytest.raises(ValueError, match="no token begins at 2"):
        ours.lex("[a%b]")


def test_what_a_table_cannot_say_is_refused() -> None:
    """A word whose case does not matter has no place in a table, so none is made."""
    with pytest.raises(ValueError, match="WORD has flags"):
        build('start: WORD\nWORD: "word"i', ("start",))
