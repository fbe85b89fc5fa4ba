"""How rubrics are laid out: the cases of `conformance/format`, and the proof that nothing else changed.

A case is `x.rubric` and, as it is laid out, `x.formatted`.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from corpus import ROOT, cases
from engine import score

from rulesengine.errors import InternalError
from rulesengine.formatting.format import format_source, prove
from rulesengine.providers.protocols import Answer, Heard, Question
from rulesengine.resources import library_names, shipped_rubrics
from rulesengine.source import Source
from rulesengine.syntax.parser import parse

_TOP = Path(__file__).parents[1]
_SHIPPED = sorted(
    path
    for folder in ("rubrics", "stdlib", "cli/rulesengine_cli/starter")
    for path in (_TOP / folder).rglob("*.rubric")
)


def _formatted(path: Path) -> str:
    formatted = format_source(Source(path.name, path.read_bytes().decode("utf-8")))
    assert formatted.text is not None, formatted.diagnostics
    return formatted.text


@pytest.mark.parametrize("case", cases("format/good"), ids=lambda case: case.stem)
def test_a_case_is_laid_out_as_expected(case: Path, update_expected: bool) -> None:
    """What stands beside a case is how it is laid out."""
    actual = _formatted(case)

    expected = case.with_suffix(".formatted")
    if update_expected:
        expected.write_text(actual, "utf-8")
    assert actual == expected.read_bytes().decode("utf-8")


@pytest.mark.parametrize("path", _SHIPPED, ids=lambda path: path.name)
def test_what_ships_is_laid_out(path: Path) -> None:
    """Formatting changes nothing in a rubric, library or starter that ships."""
    assert _formatted(path) == path.read_bytes().decode("utf-8")


def test_what_ships_is_found() -> None:
    """The list above misses no library and no rubric."""
    names = {path.stem for path in _SHIPPED}

    assert {*shipped_rubrics(), *(name.removeprefix("std.") for name in library_names())} <= names


@pytest.mark.parametrize("case", cases("syntax/bad"), ids=lambda case: case.stem)
def test_what_cannot_be_read_is_told_and_not_laid_out(case: Path) -> None:
    """The errors are the parser's, and there is no text."""
    source = Source(case.name, case.read_text("utf-8"))
    formatted = format_source(source)

    assert formatted.text is None
    assert [each.code for each in formatted.diagnostics] == [
        each.code for each in parse(source).diagnostics
    ]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("let a = 1\n", "let a = 2\n", "what it says"),
        ("let a = 1\n", "", "what it says"),
        ("let a = 1\n", "let a = \n", "what it says"),
        ("let a = 1  # one\n", "let a = 1\n", "its comments"),
        ("let a = 1  # one\n", "let a = 1  # one\n# one\n", "its comments"),
        ("# one\n# two\nlet a = 1\n", "# two\n# one\nlet a = 1\n", "its comments"),
        ("let a = 1\n", "let a  =  1\n", "something else"),
    ],
)
def test_a_change_is_not_let_through(before: str, after: str, why: str) -> None:
    """A result that says something else, loses, doubles or moves a comment, or is not laid out, is a bug of ours."""
    header = 'rubric a version "1" language 1\n'

    with pytest.raises(InternalError, match=why):
        prove(Source("a.rubric", header + before), header + after)


@pytest.mark.parametrize("path", sorted(ROOT.glob("*/*/*.rubric")), ids=lambda path: path.stem)
def test_line_ends_and_byte_order_marks_make_no_difference(path: Path) -> None:
    """A file is laid out the same however its lines end, and with or without a byte order mark."""
    text = path.read_bytes().decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    texts = {
        format_source(Source("a.rubric", each)).text
        for each in (text, "\ufeff" + text, text.replace("\n", "\r\n"))
    }

    assert len(texts) == 1


class _Judge:
    """Says yes, and notes the templates of what it was asked."""

    name = "noting"

    def __init__(self) -> None:
        self.templates: list[str] = []

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Answer all of them."""
        for index, question in enumerate(questions):
            self.templates.append(question.template)
            heard(index, Answer(answer=True))


def test_a_judge_is_asked_what_is_written() -> None:
    """Fault L61: a prompt of several lines reaches the judge to the last sign, however its file is laid out."""
    prompt = '\n  Say   whether {x}\n\t# no comment\n"is" right.  \n   '
    text = f'''rubric sample version "1" language 1
evidence {{ key who : text }}
ask good(x) -> yes/no {{ prompt """{prompt}""" }}
score each who {{ criterion c worth 1 {{ when good(who) -> 1 otherwise -> 0 }} }}
'''
    formatted = format_source(Source("a.rubric", text)).text
    assert formatted not in (None, text)

    asked = []
    for each in (text, formatted):
        judge = _Judge()
        score(each, [{"who": "m"}], judge=judge)
        asked.append(judge.templates)

    assert [[prompt], [prompt]] == asked
