"""Laws of layout: whatever white space and comments stand between tokens, nothing but layout changes.

The formatter proves much of this itself; here it is proved again without its help.
"""

import re
from functools import cache, lru_cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from schemes import Scheme, schemes
from strategies import Plan, plans

from rulesengine.diagnostics.render import cells
from rulesengine.formatting.format import format_source
from rulesengine.formatting.printer import WIDEST
from rulesengine.source import Source
from rulesengine.syntax.nodes import Module
from rulesengine.syntax.parser import parse
from rulesengine.syntax.table import parser
from rulesengine.syntax.tree import Token
from rulesengine.syntax.words import BRACKETS

_TOP = Path(__file__).parents[2]
_FILES = sorted(
    path
    for folder in ("tests/conformance", "rubrics", "stdlib", "cli/rulesengine_cli/starter")
    for path in (_TOP / folder).rglob("*.rubric")
)
TEXTS = {
    path.relative_to(_TOP).as_posix(): text
    for path in _FILES
    for text in [path.read_bytes().decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")]
    if parse(Source(path.name, text)).module is not None
}
_SPACES = ["", " ", "\t", "\n", "\n\n", " \n\n\n\t ", "\x0b", "\u2028"]
_COMMENTS = ["", "", "# a\n", "#b \n", "# c # d\n\n# e\n", "# 問題\n"]
_GENERATED = st.one_of(plans().map(Plan.text), schemes().map(Scheme.text))


def _module(text: str) -> Module:
    module = parse(Source("any.rubric", text)).module
    assert module is not None, text
    return module


@cache
def _said(name: str) -> Module:
    """What a file of the repository says."""
    return _module(TEXTS[name])


def _formatted(text: str) -> str:
    formatted = format_source(Source("any.rubric", text))
    assert formatted.text is not None, (text, formatted.diagnostics)
    return formatted.text


@lru_cache(4)
def _tokens(text: str) -> list[Token]:
    """The tokens of a text; the last few texts are kept, since a law asks for those of one several times."""
    return parser().lex(text)


def _gaps(text: str) -> list[str]:
    """What stands before, between and after the tokens of a text."""
    tokens = _tokens(text)
    ends = [0, *(token.end_pos for token in tokens)]
    starts = [*(token.start_pos for token in tokens), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _open_gaps(text: str) -> list[int]:
    """The gaps that anything may fill: all but those around the sign of a number that a word is told by.

    `range -1` limits a part, and `range - 1` is one less than what is called so.
    """
    kinds = ["", *(token.type for token in _tokens(text)), ""]
    told = {"CLAMP", "RANGE"}
    return [
        index
        for index, (before, after) in enumerate(pairwise(kinds))
        if not (before == "MINUS" and kinds[index - 1] in told)
        or (before in told and after == "MINUS")
    ]


def _comments(gaps: list[str]) -> list[str]:
    """All comments of the gaps of a text."""
    found = [comment for gap in gaps for comment in re.findall("#[^\r\n]*", gap)]
    return [comment.rstrip() for comment in found]


def _respaced(text: str, gaps: list[str]) -> str:
    """Return a text with other gaps between its tokens."""
    return "".join(f"{gap}{token}" for gap, token in zip(gaps, [*_tokens(text), ""], strict=True))


def _holds(text: str, comments: list[str], said: Module) -> None:
    """What layout owes a text with some comments that has to say what is given."""
    once = _formatted(text)
    gaps = _gaps(once)

    assert _module(once) == said
    assert _comments(gaps) == comments
    assert _formatted(once) == once
    assert not [gap for gap in gaps if re.search("[ \t]\n|\n\n\n|\r", gap)]
    assert (gaps[0].startswith("\n"), once[-1], once[-2:] == "\n\n") == (False, "\n", False)


@pytest.mark.parametrize("name", TEXTS)
def test_every_rubric_of_the_repository_keeps_what_it_says(name: str) -> None:
    """The law, for every file that can be read."""
    _holds(TEXTS[name], _comments(_gaps(TEXTS[name])), _said(name))


@pytest.mark.parametrize(("before", "after"), [(" ", "\n"), ("\n", "\n\n  \n")])
@pytest.mark.parametrize("name", TEXTS)
def test_a_comment_in_every_gap_survives(name: str, before: str, after: str) -> None:
    """A comment before, between and after all tokens at once, beside them or on lines of their own: all stay, in order.

    So a comment breaks no file, wherever it stands (faults L55, L67, L69, L71).
    """
    gaps = _gaps(TEXTS[name])
    for number in _open_gaps(TEXTS[name]):
        gaps[number] = f"{before}# {number}{after}"

    _holds(_respaced(TEXTS[name], gaps), _comments(gaps), _said(name))


def _mixed(text: str, data: Any) -> tuple[str, list[str]]:
    """A text with more white space and comments between some of its tokens, and all its comments."""
    gaps = _gaps(text)
    open_gaps = _open_gaps(text)
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.sampled_from(open_gaps))
        before, after = data.draw(st.sampled_from(_SPACES)), data.draw(st.sampled_from(_SPACES))
        gaps[at] = f"{gaps[at]}{before}{data.draw(st.sampled_from(_COMMENTS))}{after}"
    return _respaced(text, gaps), _comments(gaps)


@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_white_space_and_comments_never_matter_to_a_real_rubric(name: str, data: Any) -> None:
    """The law, for real files with other gaps."""
    _holds(*_mixed(TEXTS[name], data), _said(name))


@given(_GENERATED, st.data())
def test_white_space_and_comments_never_matter(text: str, data: Any) -> None:
    """The law, for generated rubrics, whose expressions are larger than those of any file."""
    _holds(*_mixed(text, data), _module(text))


@given(_GENERATED)
def test_layout_comes_from_the_words_alone(text: str) -> None:
    """Rubrics that differ in spaces within lines alone are laid out as one."""
    wide = _respaced(text, [gap.replace(" ", "   \t") for gap in _gaps(text)])

    assert _formatted(text) == _formatted(wide)


def _with_longer_names(text: str, more: int) -> str:
    """A text whose names are longer, so that more of its lines have to be broken."""
    tokens = _tokens(text)
    words = [f"{token}{'_and_more' * more if token.type == 'NAME' else ''}" for token in tokens]
    return "".join(f"{gap}{word}" for gap, word in zip(_gaps(text), [*words, ""], strict=True))


def _ends_of_ranges(tokens: list[Token]) -> set[int]:
    """Where each `and` starts that joins no conditions, but ends what a `between` begins."""
    found = set()
    begun = [0]  # the ranges that wait for their `and`, in each bracket that is open
    for token in tokens:
        if token.type in BRACKETS:
            begun.append(0)
        elif token.type in BRACKETS.values():
            begun.pop()
        elif token.type == "BETWEEN":
            begun[-1] += 1
        elif token.type == "AND" and begun[-1]:
            begun[-1] -= 1
            found.add(token.start_pos)
    return found


def _owes_width(text: str) -> None:
    """In a line that is too long, no row's arrow, no joined condition and no further value could have begun another.

    Of a line, its comment does not count, nor a text of several lines.
    """
    laid_out = _formatted(text)
    within = _ends_of_ranges(_tokens(laid_out))
    tokens = [token for token in _tokens(laid_out) if "\n" not in token]
    for _, line in groupby(tokens, key=lambda token: token.line):
        first, *others = line
        if not others:
            continue
        written = laid_out[first.start_pos : others[-1].end_pos]
        if first.column - 1 + cells(written) > WIDEST:
            event("a line is too long")
            kinds = {token.type for token in others[:-1] if token.start_pos not in within}
            assert not {"ARROW", "COMMA", "AND", "OR"} & kinds, written


@given(_GENERATED, st.sampled_from([" ", "\n"]))
def test_no_line_is_longer_than_it_has_to_be(text: str, gap: str) -> None:
    """The law, for generated rubrics, whatever lines they were written in."""
    gaps = _gaps(text)
    for number in _open_gaps(text):
        gaps[number] = gap
    _owes_width(_respaced(text, gaps))


@given(st.sampled_from(sorted(TEXTS)), st.integers(1, 6))
def test_no_line_of_a_real_rubric_is_longer_than_it_has_to_be(name: str, more: int) -> None:
    """The law, for real files with longer names."""
    _owes_width(_with_longer_names(TEXTS[name], more))


def _arrow(line: str) -> int | None:
    """The column of the arrow of a row that stands in one line, or None of any other line.

    A line that ends what an earlier one began, such as `) -> 0`, is none, nor is a row that goes on below.
    """
    tokens = parser().lex(line)
    kinds = [token.type for token in tokens]
    is_row = kinds[:1] and kinds[0] in {"WHEN", "OTHERWISE", "GATE", "FROM", "BELOW"}
    if not is_row or kinds.count("ARROW") != 1 or {"LBRACE", "RBRACE"} & set(kinds):
        return None
    if any(
        kinds.count(one) != kinds.count(other)
        for one, other in (("LPAR", "RPAR"), ("LSQB", "RSQB"))
    ):
        return None
    return cells(line[: tokens[kinds.index("ARROW")].start_pos])


@given(_GENERATED)
def test_consecutive_rows_are_lined_up(text: str) -> None:
    """The arrows of rows that stand one below the other share a column, unless a row would get too wide by that."""
    lines = _formatted(text).split("\n")
    for has_arrow, run in groupby(lines, key=lambda line: _arrow(line) is not None):
        rows = list(run)
        columns = [_arrow(row) or 0 for row in rows]
        behind = [cells(row) - column for row, column in zip(rows, columns, strict=True)]
        if not has_arrow or len(rows) == 1:
            continue
        if max(columns) + max(behind) > WIDEST:
            event("rows too wide to line up")
            continue
        event("rows lined up")
        assert {max(columns)} == set(columns), rows
