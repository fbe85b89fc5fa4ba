"""Diagnostics as text, to the letter."""

import pytest

from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.render import render
from rulesengine.source import Place, Source, Span


def _at(text: str, word: str, *more: Label, **rest: str) -> str:
    source = Source("a.rubric", text)
    start = text.index(word)
    span = Span(source, start, start + len(word))
    return render(Diagnostic(codes.UNKNOWN_NAME, f"nothing is called `{word}`", span, more, **rest))


def test_a_finding_shows_its_line_and_what_to_do() -> None:
    """Place, severity, code and message; the line with a caret under the words.

    Each line of help.
    """
    text = "let a = brevty\n"

    rendered = _at(text, "brevty", help="did you mean `brevity`?\nor something else")

    assert rendered == (
        "a.rubric:1:9: error R201: nothing is called `brevty`\n"
        "    1 | let a = brevty\n"
        "      |         ^^^^^^\n"
        "  help: did you mean `brevity`?\n"
        "  help: or something else"
    )


def test_another_place_is_shown_below() -> None:
    """A label stands under the finding with its own place and line."""
    text = "let a = 1\nlet a = b\n"
    first = Label(Span(Source("a.rubric", text), 4, 5), "first here")

    rendered = _at(text, "b", first)

    assert rendered == (
        "a.rubric:2:9: error R201: nothing is called `b`\n"
        "    2 | let a = b\n"
        "      |         ^\n"
        "  a.rubric:1:5: first here\n"
        "    1 | let a = 1\n"
        "      |     ^"
    )


@pytest.mark.parametrize(
    ("line", "word", "shown", "caret"),
    [
        ("\tlet x = y", "y", "    let x = y", "            ^"),
        ('when "問題" = y', "y", 'when "問題" = y', "              ^"),
        ("when 問題 = 1", "問題", "when 問題 = 1", "     ^^^^"),
        ("when cafe\u0301 = y", "y", "when cafe\u0301 = y", "            ^"),
        ("when caf\u00e9 = y", "y", "when caf\u00e9 = y", "            ^"),
        ("when \u200b = y", "y", "when \\u{200b} = y", "                ^"),
        ("when \x1b[2J = y", "y", "when \\u{1b}[2J = y", "                 ^"),
    ],
    ids=["tab", "wide before", "wide under", "combining", "composed", "invisible", "control"],
)
def test_the_caret_stands_under_its_word(line: str, word: str, shown: str, caret: str) -> None:
    """Tabs, wide letters and joined accents take as many columns as a terminal gives them."""
    rendered = _at(line, word)

    assert rendered.split("\n")[1:] == [f"    1 | {shown}", f"      | {caret}"]


def test_a_long_line_is_cut_around_the_words() -> None:
    """Of a line of a thousand signs, what is near the words is shown, and they are in it."""
    rendered = _at("x" * 1000 + " y " + "x" * 1000, "y").split("\n")

    assert (len(rendered[1]), rendered[1][rendered[2].index("^")]) == (168, "y")


def test_a_whole_file_has_no_line() -> None:
    """A finding about a file shows the file alone."""
    finding = Diagnostic(codes.NOT_UTF8, "this file is not UTF-8 text", Place("a.rubric"))

    rendered = render(finding)

    assert rendered == "a.rubric: error R115: this file is not UTF-8 text"
