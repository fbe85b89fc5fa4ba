"""Laws of layout: whatever white space and comments stand between tokens, nothing but layout changes.

The formatter proves much of this itself; here it is proved again without its help.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Plan, plans

from rulesengine.diagnostics.render import cells
from rulesengine.formatting.format import format_source
from rulesengine.formatting.printer import WIDEST
from rulesengine.source import Source
from rulesengine.syntax.parser import parse
from rulesengine.syntax.table import parser

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


def _can_be_read(text: str) -> bool:
    return parse(Source("any.rubric", text)).module is not None


def _formatted(text: str) -> str:
    formatted = format_source(Source("any.rubric", text))
    assert formatted.text is not None, text
    return formatted.text


def _gaps(text: str) -> list[str]:
    """What stands before, between and after the tokens of a text."""
    tokens = parser().lex(text)
    ends = [0, *(token.end_pos for token in tokens)]
    starts = [*(token.start_pos for token in tokens), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _comments(text: str) -> list[str]:
    """All comments of a text, read from its gaps."""
    found = [comment for gap in _gaps(text) for comment in re.findall("#[^\r\n]*", gap)]
    return [comment.rstrip() for comment in found]


def _respaced(text: str, gaps: list[str]) -> str:
    """Return a text with other gaps between its tokens."""
    tokens = parser().lex(text)
    return "".join(f"{gap}{token}" for gap, token in zip(gaps, [*tokens, ""], strict=True))


def _holds(text: str) -> None:
    """What layout owes a text that can be read."""
    once = _formatted(text)
    gaps = _gaps(once)

    assert parse(Source("a", once)).module == parse(Source("b", text)).module
    assert _comments(once) == _comments(text)
    assert _formatted(once) == once
    assert not [gap for gap in gaps if re.search("[ \t]\n|\n\n\n|\r", gap)]
    assert (gaps[0].startswith("\n"), once[-1], once[-2:] == "\n\n") == (False, "\n", False)


@pytest.mark.parametrize("name", TEXTS)
def test_every_rubric_of_the_repository_keeps_what_it_says(name: str) -> None:
    """The law, for every file that can be read."""
    _holds(TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
def test_a_comment_in_every_gap_survives(name: str) -> None:
    """A comment before, between and after all tokens at once stays, in order; a file that they spoil is told."""
    tokens = parser().lex(TEXTS[name])
    for before, end in ((" ", "\n"), ("\n", "\n\n  \n")):
        gaps = [f"{before}# {number}{end}" for number in range(len(tokens) + 1)]
        text = _respaced(TEXTS[name], gaps)
        if _can_be_read(text):
            _holds(text)
        else:
            assert format_source(Source("any.rubric", text)).text is None


def _mixed(text: str, data: Any) -> str:
    """A text with more white space and comments between some of its tokens."""
    gaps = _gaps(text)
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(gaps) - 1))
        before, after = data.draw(st.sampled_from(_SPACES)), data.draw(st.sampled_from(_SPACES))
        gaps[at] = f"{gaps[at]}{before}{data.draw(st.sampled_from(_COMMENTS))}{after}"
    return _respaced(text, gaps)


@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_white_space_and_comments_never_matter_to_a_real_rubric(name: str, data: Any) -> None:
    """The law, for real files with other gaps."""
    text = _mixed(TEXTS[name], data)
    assume(_can_be_read(text))

    _holds(text)


@given(plans(), st.data())
def test_white_space_and_comments_never_matter(plan: Plan, data: Any) -> None:
    """The law, for generated rubrics, whose expressions are larger than those of any file."""
    text = _mixed(plan.text(), data)
    assume(_can_be_read(text))

    _holds(text)


@given(plans())
def test_layout_comes_from_the_words_alone(plan: Plan) -> None:
    """Rubrics that differ in spaces within lines alone are laid out as one."""
    text = plan.text()
    wide = _respaced(text, [gap.replace(" ", "   \t") for gap in _gaps(text)])

    assert _formatted(text) == _formatted(wide)


@given(plans(), st.sampled_from([" ", "\n"]))
def test_no_line_is_longer_than_it_has_to_be(plan: Plan, gap: str) -> None:
    """In a line that is too long, no row's arrow, no joined condition and no further value could have begun another."""
    text = plan.text()
    laid_out = _formatted(_respaced(text, [gap for _ in _gaps(text)]))

    for line in laid_out.split("\n"):
        if cells(line) > WIDEST:
            kinds = {token.type for token in parser().lex(line)[1:-1]}
            assert not {"ARROW", "COMMA", "AND", "OR"} & kinds, line


@given(plans())
def test_consecutive_rows_are_lined_up(plan: Plan) -> None:
    """The arrows of rows that stand one below the other share a column, unless a row would get too wide by that."""
    blocks: list[list[str]] = [[]]
    for line in _formatted(plan.text()).split("\n"):
        begins_row = line.lstrip().startswith(("when ", "otherwise ", "gate ", "from ", "below "))
        if begins_row and " -> " in line and not set("{}") & set(line):
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    # Where all could be put behind the widest one, all are.
    fitting = [
        each
        for each in blocks
        if each
        and max(line.rindex(" -> ") for line in each)
        + max(len(line) - line.rindex(" -> ") for line in each)
        <= WIDEST
    ]

    assert [len({line.rindex(" -> ") for line in each}) for each in fitting] == [1] * len(fitting)
