"""Finding: offsets, forms, order, and the work it takes."""

import subprocess
import sys
from types import FrameType
from typing import Any

import pytest

from rulesengine.links import cited, find_links

A = "https://a.example/"
B = "https://b.example/x_(y)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"see {A}, {B}.", [(A, "bare"), (B, "bare")]),
        (f"[{A}]({B})", [(A, "bare"), (B, "markdown")]),
        (f"[x][1]\n\n[1]: {A}", [(A, "markdown")]),
        (f"<{A}><a href='{B}'>", [(A, "angle"), (B, "html")]),
        (r"[x](https://a.example/\(b\)&amp;c)", [("https://a.example/(b)&c", "markdown")]),
        (f"{A}?u={B} {A}", [(f"{A}?u={B}", "bare"), (A, "bare")]),
        ("https:// https://, https:///x https://… https://-", []),
        ("", []),
    ],
)
def test_finds_links_in_reading_order(text: str, expected: list[tuple[str, str]]) -> None:
    """Each link is found once, with its form."""
    actual = [(link.url, link.form) for link in find_links(text)]

    assert expected == actual


@pytest.mark.parametrize("text", [f"見て{A}を。({B})", f"**{A}** '{B}'", f"[x]({A}){B}"])
def test_offsets_are_of_the_url_alone(text: str) -> None:
    """Between `start` and `end` stands the URL, without marks of the form."""
    for link in find_links(text):
        assert text[link.start : link.end] == link.url


HOSTILE = [
    "(", "[", "<", "!", "見", "\u200b", "?a", "=/-", "://", "x://", "1+", "https://", "http://[",
    "](https://a", "](https://(-", "<https://a", "href='https://a ", "https://a((-", "https://a,",
    "https://a/?,", "*https://a", "'https://a", "~~https://a", "https://a。", "https://aあ",
    "https://a/?q=「", "https://a\\", "https://a/\\_", "https://a[1]", "https://a/{", "https://a/-'",
]  # fmt: skip


def _work(text: str) -> int:
    """Return how many lines of Python `cited` runs for `text`."""
    lines = 0

    def count(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        cited(text, A)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_grows_with_the_text_and_no_faster(piece: str) -> None:
    """Four times the text takes about four times the steps, whatever it repeats."""
    short = "https://x.example/" + piece * 60
    long = "https://x.example/" + piece * 240
    _work(short)  # imports and caches

    ratio = _work(long) / max(_work(short), 1)

    assert ratio < 6


@pytest.mark.parametrize("piece", HOSTILE)
def test_searches_in_c_are_linear_too(piece: str) -> None:
    """Half a megabyte of one piece is done well within a minute; a quadratic search is not."""
    text = piece * (250_000 // len(piece))

    assert find_links(text) is not None


def test_imports_tables_only_for_hosts_that_need_them() -> None:
    """A host in ASCII and a URL without entities need no tables."""
    program = (
        "import sys; from rulesengine.links import cited;"
        "cited('see https://a.example/ and [x](https://b.example/)', 'https://a.example/b');"
        "print([m for m in ('idna', 'html.entities') if m in sys.modules])"
    )

    shown = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip

    assert shown.strip() == "[]"
