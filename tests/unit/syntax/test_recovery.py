"""Errors of syntax: each told once, where it is, in words of the language."""

import re
from pathlib import Path

import pytest
from corpus import cases

from rulesengine.diagnostics import Diagnostic
from rulesengine.source import Source
from rulesengine.syntax.parser import Parsed, parse
from rulesengine.syntax.table import parser
from rulesengine.syntax.tree import Token

EVERYTHING = """\
rubric sample "Sample" version "1" language 1
about "what it is for"
use std.url
evidence {
  key who      : text "the respondent"
  key question : one of Q1, Q2, Q3
  key source   : one of a, b, c
  answer : text
  target : url?
  right  : yes/no default no
  level  : one of low, high? "a level"
  count  : integer?
}
let double(x : number, y : number default 2) = x * y
let link = url.cited(answer, target)
let many = count is given and (count >= 3 or right)
score each who out of 30 {
  combine source by mean in each item {
    exclude when right and count not in scale "wrong scale"
    exclude when awarded is missing "no result"
  }
  criterion trust "Trust" worth 20 {
    item Q1, Q2 "Two" worth 10 each scale 0, 5, 10 {
      gate liar "Liar" fails when any of [right, many] -> 0 "lied"
      when double(2, y: 3) > 4 -> 5 stop "five"
      when target is missing -> unscored "no target"
      when missing -> 0
      otherwise -> 10
    }
  }
  criterion sum worth 5 = (count else 0) + 1 / 2
  item Q3 worth 5 {
    when not right -> 5
    otherwise -> 0
  }
}
bands status "Status" {
  from 20 -> "High"
  from 10 below 20 -> "Middle"
  5 to 9 -> "Low"
  below 5 -> "None"
}
case "one" {
  given each { who: "m", source: a }
  given { question: Q1, answer: "x", target: missing, count: -3 }
  expect trust.Q1 = 5 by liar
  expect Q3 is unscored "no record"
  expect excluded { question: Q1 } "wrong scale"
}
"""
TOKENS = parser().lex(EVERYTHING)
LINES = EVERYTHING.split("\n")
# Without its last word these say something else that is just as well.
WHOLE_WITHOUT = ("STRING", "QUESTION_MARK")
# A word of the language in these places is a value there, and the checks find it wrong.
VALUES = ("scale", "awarded", "missing", "unscored", "no", "yes", "not")


def _parse(text: str) -> Parsed:
    return parse(Source("a.rubric", text))


def _instead(start: int, end: int, text: str) -> str:
    return EVERYTHING[:start] + text + EVERYTHING[end:]


def _places(text: str) -> list[tuple[int, str]]:
    return [(each.span.line, each.code.id) for each in _parse(text).diagnostics]


def test_the_sample_is_sound() -> None:
    """What the laws below break is sound before they do."""
    assert _places(EVERYTHING) == []


_LAST = [[token for token in TOKENS if token.line == number][-1] for number in range(1, len(LINES))]


@pytest.mark.parametrize(
    "token",
    [token for token in _LAST if token.type not in WHOLE_WITHOUT and token not in ("{", "}", ")")],
    ids=lambda token: f"line {token.line}",
)
def test_a_clause_cut_short_is_told_once_on_its_line(token: Token) -> None:
    """Without its last word a line reports one error, on that line; the lines below report none."""
    cut = _instead(token.start_pos, token.end_pos, "")

    assert _places(cut) == [(token.line, "R102")]


@pytest.mark.parametrize(
    "token",
    [token for token in TOKENS if token in ("{", "}", "(", ")", "[", "]")],
    ids=lambda token: f"{token.line} {token}",
)
@pytest.mark.parametrize("times", [0, 2])
def test_a_bracket_too_few_or_too_many_is_told_once(token: Token, times: int) -> None:
    """A bracket left out or doubled gives one error, in its line or where its partner is."""
    partners = _partners()

    found = _places(_instead(token.start_pos, token.end_pos, str(token) * times))

    assert [line in (token.line, partners[token.start_pos]) for line, _ in found] == [True]


def _partners() -> dict[int, int]:
    opened, lines = [], {}
    for token in TOKENS:
        if token in ("{", "(", "["):
            opened.append(token)
        elif token in ("}", ")", "]"):
            opener = opened.pop()
            lines[token.start_pos], lines[opener.start_pos] = opener.line, token.line
    return lines


_WORDS = [
    token
    for token in TOKENS
    if token.type not in ("NAME", "STRING", "NUMBER")
    and re.match(r"[a-z]{3}", token)
    and token not in VALUES
]


@pytest.mark.parametrize("token", _WORDS, ids=lambda token: f"{token.line} {token}")
@pytest.mark.parametrize("slip", ["last letter lost", "second doubled", "first two swapped"])
def test_a_misspelt_word_is_told_by_the_one_meant(token: Token, slip: str) -> None:
    """A slip in a word of the language gives one error, on its line, that names the word."""
    word = str(token)
    wrong = {
        "last letter lost": word[:-1],
        "second doubled": word[:2] + word[1:],
        "first two swapped": word[1] + word[0] + word[2:],
    }[slip]

    found = _parse(_instead(token.start_pos, token.end_pos, wrong)).diagnostics

    assert [(each.span.line, each.help) for each in found] == [
        (token.line, f"did you mean `{word}`?")
    ]


@pytest.mark.parametrize(
    "token",
    [token for token in TOKENS if token.type == "NAME"],
    ids=lambda token: f"{token.line}:{token.column} {token}",
)
@pytest.mark.parametrize("word", ["item", "let", "case", "default", "key"])
def test_a_reserved_word_as_a_name_is_told_how_to_write_it(token: Token, word: str) -> None:
    """In every place of a name such a word gives one error, which shows the backquotes."""
    found = _parse(_instead(token.start_pos, token.end_pos, word)).diagnostics

    assert [(each.code.id, each.help) for each in found] == [
        ("R112", f"as a name it stands in backquotes: `` `{word}` ``")
    ]


_TERMINALS = {kind for state in parser().table.actions for kind in state}


@pytest.mark.parametrize("case", cases("syntax/bad"), ids=lambda case: case.stem)
def test_no_message_shows_the_name_of_a_terminal(case: Path) -> None:
    """Fault L41: a message speaks of signs and words, never of what the grammar calls them."""
    found = _parse(case.read_text("utf-8")).diagnostics

    words = {
        word
        for each in found
        for word in re.findall(
            r"[A-Z_$]{2,}\w*", re.sub(r"R[0-9]{3}|UTF-8|U\+\w+", "", str(_said(each)))
        )
    }

    assert words & _TERMINALS == set()
    assert not any(word.startswith("__") for word in words)


def _said(diagnostic: Diagnostic) -> tuple[str, str | None]:
    # What stands in backquotes is the author's own.
    return re.sub(r"`[^`]*`", "", diagnostic.message), diagnostic.help


def test_the_parser_works_after_a_failed_parse() -> None:
    """Fault L57: what failed leaves nothing behind; the same parser reads a sound file after it."""
    before = _parse(EVERYTHING).module
    for case in cases("syntax/bad"):
        _parse(case.read_text("utf-8"))

    after = _parse(EVERYTHING)

    assert (after.diagnostics, after.module) == ((), before)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_change_nothing(ending: str) -> None:
    """A file of another system means the same."""
    plain = _parse(EVERYTHING).module

    other = _parse(EVERYTHING.replace("\n", ending)).module

    assert plain == other


def test_a_comment_may_end_the_file() -> None:
    """Fault L49: a comment on the last line needs no line end."""
    assert _places(EVERYTHING + "# the end") == []


@pytest.mark.parametrize("text", ["", "\n", "  \t", "# a comment", "\ufeff"])
def test_an_empty_file_says_so(text: str) -> None:
    """A file without a word is told what it could begin with."""
    found = _parse(text).diagnostics

    assert [(each.code.id, each.message) for each in found] == [("R110", "the file is empty")]
