"""Laws of texts: whatever is written, there is a module or a finding, and never an exception."""

import random as randomly
from pathlib import Path
from typing import Any

from engine import checked
from hypothesis import given
from hypothesis import strategies as st
from strategies import TOKENS, plans, token_soup

from rulesengine.diagnostics import Diagnostic
from rulesengine.diagnostics.diagnostic import has_errors
from rulesengine.diagnostics.render import render
from rulesengine.resources import library_path, shipped_rubric
from rulesengine.source import Source, Span
from rulesengine.syntax.parser import parse
from rulesengine.syntax.table import parser

_CORPUS = sorted((Path(__file__).parents[1] / "conformance").glob("*/*/*.rubric"))
_SHIPPED = [shipped_rubric("bigaiarena"), library_path("url")]
TEXTS = [path.read_text("utf-8") for path in (*_CORPUS, *_SHIPPED) if path is not None]


def _holds(text: str) -> None:
    """What every text owes its author."""
    parsed = parse(Source("any.rubric", text))
    result = checked(text)

    assert (parsed.module is None) is has_errors(parsed.diagnostics)
    if not result.is_sound:
        assert has_errors(result.diagnostics)
    for diagnostic in (*parsed.diagnostics, *result.diagnostics):
        _is_well_placed(diagnostic)
        assert render(diagnostic).startswith(diagnostic.span.name)
    if result.is_sound:
        assert result.graph.nodes is not None


def _is_well_placed(diagnostic: Diagnostic) -> None:
    for span in (diagnostic.span, *(label.span for label in diagnostic.labels)):
        if isinstance(span, Span):
            assert 0 <= span.start <= span.end <= len(span.source.text)


@given(token_soup())
def test_words_in_any_order_are_told_about(text: str) -> None:
    """Words and signs of the language in any order give a module or a finding."""
    _holds(text)


@given(st.text(max_size=80))
def test_any_text_is_told_about(text: str) -> None:
    """Any text at all gives a module or a finding."""
    _holds(text)


@given(st.sampled_from(["rubric a language 1\n", "library a language 1\n"]), st.text(max_size=60))
def test_any_text_after_a_header_is_told_about(header: str, text: str) -> None:
    """The same after a good beginning."""
    _holds(header + text)


def _mutated(text: str, random: randomly.Random, times: int) -> str:
    tokens = list(parser().lex(text.removeprefix("\ufeff")))
    pieces, end = [], 0
    for token in tokens:
        pieces.append(text[end : token.start_pos] + str(token))
        end = token.end_pos
    for _ in range(times):
        if not pieces:
            break
        at, other = random.randrange(len(pieces)), random.randrange(len(pieces))
        match random.choice(["delete", "twice", "swap", "other"]):
            case "delete":
                del pieces[at]
            case "twice":
                pieces.insert(at, pieces[at])
            case "swap":
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "other":
                pieces[at] = f" {random.choice(TOKENS)} "
    return " ".join(pieces)


@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False), st.integers(1, 4))
def test_a_real_rubric_with_slips_is_told_about(text: str, random: Any, times: int) -> None:
    """Tokens deleted, doubled, swapped or replaced in real files give a module or a finding."""
    _holds(_mutated(text, random, times))


@given(plans(), st.randoms(use_true_random=False), st.integers(1, 3))
def test_a_generated_rubric_with_slips_is_told_about(plan: Any, random: Any, times: int) -> None:
    """The same for generated rubrics, which use more of the language than any file does."""
    _holds(_mutated(plan.text(), random, times))


@given(st.sampled_from(TEXTS), st.data())
def test_a_real_rubric_cut_off_anywhere_is_told_about(text: str, data: Any) -> None:
    """A file that ends too early gives a module or a finding."""
    _holds(text[: data.draw(st.integers(0, len(text)))])


@given(st.sampled_from(TEXTS), st.sampled_from(["\ufeff", "\r", "\x0b", "\x85", "\u2028", "\t"]))
def test_odd_line_ends_keep_findings_in_place(text: str, odd: str) -> None:
    """A byte order mark and other spaces and line ends move no finding out of its text."""
    _holds(odd + text.replace("\n", odd, 7) + " )")
