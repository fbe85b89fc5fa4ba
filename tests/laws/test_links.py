"""Laws of links: what never changes the level of a text."""

import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from rulesengine.links import Level, cited, find_links, parse_url, same_page

PAGE = "https://example.com/data/page/"
HOME = "https://example.com/"
ORDER: tuple[Level, ...] = ("none", "domain", "exact")

urls = st.sampled_from(
    [
        PAGE,
        HOME,
        "https://example.com",
        "https://example.com/data/other",
        "http://www.example.com/data/page?utm_source=x",
        "https://EXAMPLE.com:443/data/%70age/#top",
        "https://example.com@evil.example/data/page/",
        "https://example.com.evil.example/",
        "https://user@example.com/",
        "https://例え.jp/データ?b=2&a=1",
        "https://[::1]:8080/a/./b",
        "https://example.com/data/page/をご覧",
        "https://en.example.org/wiki/A_(b)",
    ]
)
wrappers = st.sampled_from(
    [
        "https://www.google.com/search?q=",
        "https://r.example.net/?u=",
        "https://r.example.net/a;b?x=1&u=",
        "https://web.archive.org/web/2024/",
        "https://r.example.net/#",
        "http://proxy.example/",
        "https://r.example.net/go:",
        "https://r.example.net/@",
        'https://www.google.com/search?q="',
        "google.com/url?q=",
        "/redirect?to=",
        "app://open/",
    ]
)
SYNTAX = r""" https:// http :// ]( [ ( ) < > " ' \ * _ href= = ? & # % @ : / . , 。 を 見 é
&amp; a 1 | ` ~~ [1] ]: ， https://example.com/ https://example.com/data/page/"""
pieces = st.sampled_from([*SYNTAX.split(), " ", "\t", "\u200b", "\u200d", "\ud800", "\x00"])
texts = st.lists(pieces | st.characters(), max_size=16).map("".join) | st.text()

# What is punctuation or space to Unicode and is neither part of a URL's own syntax (`/`) nor marks
# the two ends of a link in a form of its own.
marks = st.characters(categories=["P", "Zs"], exclude_characters="/\\")
closing = st.text(st.characters(categories=["P", "Z"], exclude_characters="/\\"), max_size=5)


def level(text: str, target: str = PAGE) -> int:
    """Return the level as a number, so that levels compare."""
    return ORDER.index(cited(text, target).level)


@given(texts)
def test_any_text_has_a_level(text: str) -> None:
    """`cited` never raises; links are in order, do not overlap, and lie inside the text."""
    assert level(text) in (0, 1, 2)
    ends = [0]
    for link in find_links(text):
        ends += [link.start, link.end]
        assert parse_url(link.url) == link.parts
    assert [*ends, len(text)] == sorted([*ends, len(text)])


@given(st.text() | texts.map("https://".__add__))
def test_any_text_is_a_url_or_not(text: str) -> None:
    """`parse_url` never raises, and its answer is the page itself."""
    assert same_page(text, text) is (None if parse_url(text) is None else True)


@given(wrappers, urls, texts)
def test_wrapping_never_raises_the_level(wrapper: str, url: str, before: str) -> None:
    """A URL inside another service's address is worth nothing."""
    before += "\n"

    assert level(before + wrapper + url) == level(before)


@given(urls, wrappers, urls)
def test_a_wrapped_link_beside_a_direct_one_changes_nothing(a: str, wrapper: str, b: str) -> None:
    """It neither helps nor hurts, before or after."""
    alone = level(a)

    assert alone == level(f"{a} {wrapper}{b}") == level(f"{wrapper}{b} {a}")


@given(urls, marks | st.just(""), closing)
def test_marks_around_a_link_change_nothing(url: str, before: str, after: str) -> None:
    """Punctuation and spaces of any script are no part of a bare link."""
    assume("を" not in url)

    assert level(url) == level(before + url + after)


@given(urls, st.data())
def test_letter_case_of_scheme_host_and_escapes_changes_nothing(
    url: str, data: st.DataObject
) -> None:
    """`HTTPS://EXAMPLE.com/%2F` is `https://example.com/%2f`."""
    head, slashes, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    flip = data.draw(st.sampled_from([str.upper, str.lower, str.title]))
    if "user@" in place:
        place = "user@" + flip(place.removeprefix("user@"))
    else:
        place = flip(place)

    assert level(url) == level(flip(head) + slashes + place + slash + path)
    assert same_page("https://a.example/%2f%e3", f"{flip('https')}://{flip('a.example')}/%2F%E3")


@given(texts, texts)
def test_lines_are_read_alone(a: str, b: str) -> None:
    """The level of two texts, one under the other, is the better of the two."""
    assert level(f"{a}\n{b}") == max(level(a), level(b))


@given(urls, urls, urls)
def test_same_page_is_an_equivalence(a: str, b: str, c: str) -> None:
    """Every URL is itself; order does not matter; two that are one with a third are one."""
    assert same_page(a, a) is True
    assert same_page(a, b) is same_page(b, a)
    if same_page(a, b) and same_page(b, c):
        assert same_page(a, c)


@given(urls)
def test_a_page_cites_itself(url: str) -> None:
    """A text that is the URL of a page and no more links to it exactly."""
    assert level(url, url) == 2


@given(st.characters(categories=["L", "N"], min_codepoint=128))
def test_a_letter_before_a_scheme_changes_nothing(letter: str) -> None:
    """Prose of any script may stand right before a link."""
    assert unicodedata.category(letter)[0] in "LN"
    assert level(letter + PAGE) == 2
