"""Citations: the protocol's vectors, and what was decided where it is silent."""

import pytest

from rulesengine.links import BadUrl, Options, cited, same_page

PAGE = "https://example.com/data/page/"
WIKI = "https://en.example.org/wiki/A_(b)"

VECTORS = [
    (PAGE, "exact"),
    ("https://example.com/", "domain"),
    ("https://example.com", "domain"),
    ("", "none"),
    ("example.com/data/page/", "none"),
    ("/data/page/", "none"),
    (f"https://www.google.com/search?q={PAGE}", "none"),
    ("https://www.google.com/search?q=https%3A%2F%2Fexample.com%2Fdata%2Fpage%2F", "none"),
    (f"https://r.example.net/?u={PAGE}", "none"),
    (f"https://web.archive.org/web/2024/{PAGE}", "none"),
    (f"{PAGE} and https://r.example.net/?u={PAGE}", "exact"),
    (f"https://r.example.net/?u={PAGE} and {PAGE}", "exact"),
    (f"https://example.com/ and https://r.example.net/?u={PAGE}", "domain"),
    (f"({PAGE}).", "exact"),
    (f'"{PAGE}",', "exact"),
    (f"{PAGE}。", "exact"),
    ("https://example.com@evil.example/data/page/", "none"),
    ("https://example.com.evil.example/data/page/", "none"),
]

FORMS = [
    (f"[the page]({PAGE})", "exact"),
    (f'[the page]({PAGE} "title")', "exact"),
    (f"[the page](<{PAGE}>)", "exact"),
    (f"[1]: {PAGE}", "exact"),
    (f"[{PAGE}](https://other.example/)", "exact"),
    (f"[example.com/data/page/](https://other.example/?u={PAGE})", "none"),
    (f"<{PAGE}>", "exact"),
    (f"<{PAGE}|the page>", "exact"),
    (f'<a href="{PAGE}">page</a>', "exact"),
    (f"<a href='{PAGE}'>page</a>", "exact"),
    (f"<a HREF = {PAGE}>page</a>", "exact"),
    (f'<a href="https://other.example/">{PAGE}</a>', "exact"),
    (f'<a href="https://other.example/?u={PAGE}">page</a>', "none"),
    (f"`{PAGE}`", "exact"),
    (f"**{PAGE}**を", "exact"),
    (f"_{PAGE}_", "exact"),
    (f"~~{PAGE}~~", "exact"),
    (f"[url]{PAGE}[/url]", "exact"),
    (f"&lt;{PAGE}&gt;", "exact"),
    (f"['{PAGE}','https://other.example/']", "exact"),
    (f"\\url{{{PAGE}}}", "exact"),
    (f"|{PAGE}|", "exact"),
    (f"{PAGE}[1]", "exact"),
    (f"{PAGE}(PDF, 3 MB)", "exact"),
    (f"{PAGE}'s data", "exact"),
    (f"{PAGE}’s data", "exact"),
    (f"{PAGE}—the page", "exact"),
    (f"https://other.example/a,{PAGE}", "exact"),
    ("https://example.com/data/pa\u200bge/", "none"),
    (f"\u200b{PAGE}\u200b", "exact"),
]

NOT_LINKS = [
    "hxxps://example.com/data/page/",
    "https:/example.com/data/page/",
    "https:\\\\example.com\\data\\page\\",
    "https://example.com\\@evil.example/data/page/",
    "//example.com/data/page/",
    f"see{PAGE}",
    f"git+{PAGE}",
    f"google.com/url?q={PAGE}",
    f"web.archive.org/web/{PAGE}",
    f"[x](/go?u={PAGE})",
    f"[x](go:{PAGE})",
    f"app://open?u={PAGE}",
    f"mailto:?body={PAGE}",
    f"https://{PAGE}",
    f'https://www.google.com/search?q="{PAGE}"',
    f"https://www.google.com/search?q=「{PAGE}」",
    f"https://www.google.com/search?q=見て{PAGE}",
]

DIRECT = [
    f"url={PAGE}",
    f"見て{PAGE}",
    f"1.{PAGE}",
    f"-{PAGE}",
    f"Source/URL:{PAGE}",
    f'"url":"{PAGE}"',
]

UNSPACED = [
    (f"{PAGE}をご覧ください", "exact"),
    (f"{PAGE}查看详情。", "none"),  # a whole segment of letters names a page, as in /wiki/日本
    (f"{PAGE}에서", "exact"),
    (f"https://other.example/と{PAGE}を", "exact"),
    ("https://example.com/をご覧ください", "domain"),
    ("https://example.comをご覧ください", "domain"),
    ("https://example.com.中国/data/page/", "none"),
    (f"{PAGE}資料/2024", "none"),
    (f"{PAGE}資料.pdf", "none"),
]

SPELLINGS = [
    ("HTTP://EXAMPLE.COM:80/data/page", "exact"),
    ("https://www.example.com:443/data/%70age/#top", "exact"),
    ("https://ｅxample.com/x/../data/./page/", "exact"),
    (f"{PAGE}?utm_source=a&GCLID=b", "exact"),
    ("https://example.com?utm_source=a", "domain"),
    (f"{PAGE}?id=1", "none"),
    (f"{PAGE}/", "none"),
    ("https://example.com/Data/page/", "none"),
    ("https://example.com/data/", "none"),
    ("https://example.com/?id=1", "none"),
    ("https://example.com/index.html", "none"),
    ("https://example.com:8443/data/page/", "none"),
    ("https://data.example.com/", "none"),
    ("https://evilexample.com/", "none"),
    ("https://user@example.com/data/page/", "none"),
]


@pytest.mark.parametrize(("text", "level"), VECTORS)
def test_gives_the_protocols_points(text: str, level: str) -> None:
    """Every vector of the protocol has its level."""
    actual = cited(text, PAGE).level

    assert level == actual


@pytest.mark.parametrize(("text", "level"), FORMS + UNSPACED + SPELLINGS)
def test_reads_links_as_people_write_them(text: str, level: str) -> None:
    """What stands around a link, and how its URL is spelled, is told from the URL."""
    actual = cited(text, PAGE).level

    assert level == actual


@pytest.mark.parametrize("text", NOT_LINKS)
def test_takes_nothing_else_for_a_link(text: str) -> None:
    """Another scheme, none, or a place inside another address is no link to the page."""
    actual = cited(text, PAGE).level

    assert actual == "none"


@pytest.mark.parametrize("text", DIRECT)
def test_takes_a_link_after_any_word_that_is_no_address(text: str) -> None:
    """A word right before a scheme does not wrap the link."""
    actual = cited(text, PAGE).level

    assert actual == "exact"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (f"({WIKI}).", WIKI),
        (f"[x]({WIKI})", WIKI),
        ("https://en.example.org/wiki/A_%28b%29", WIKI),
        (r"https://en.example.org/wiki/A\_(b)", WIKI),
        ("https://en.example.org/wiki/Yahoo!", "https://en.example.org/wiki/Yahoo!"),
        ("https://ja.example.org/wiki/日本。", "https://ja.example.org/wiki/%e6%97%a5%e6%9c%ac"),
        ("https://ja.example.org/X（Y）", "https://ja.example.org/X（Y）"),
        ("https://例え.jp", "https://xn--r8jz45g.jp/"),
        ("https://example.com", "https://www.example.com/"),
        ('<a href="https://e.example/?a=1&amp;b=2">', "https://e.example/?a=1&b=2"),
        ("https://e.example/?q=a+b", "https://e.example/?q=a%20b"),
        ("https://e.example/caf\u0065\u0301", "https://e.example/caf%C3%A9"),
    ],
)
def test_finds_the_page_itself(text: str, target: str) -> None:
    """Brackets, marks, escapes and letters beyond ASCII of the page's own URL are kept."""
    actual = cited(text, target).level

    assert actual == "exact"


def test_leaves_letters_to_a_site_that_names_pages_with_them() -> None:
    """Where the page's own path is beyond ASCII, letters after it are another page."""
    actual = cited(
        "https://ja.example.org/wiki/日本のGDP", "https://ja.example.org/wiki/日本"
    ).level

    assert actual == "none"


@pytest.mark.parametrize(
    ("a", "b", "option"),
    [
        ("http://e.example/", "https://e.example/", "ignore_scheme"),
        ("https://e.example:443/", "https://e.example/", "ignore_default_port"),
        ("https://e.example/#a", "https://e.example/", "ignore_fragment"),
        ("https://e.example/a/", "https://e.example/a", "ignore_trailing_slash"),
        ("https://www.e.example/", "https://e.example/", "ignore_www"),
        ("https://e.example/?a=1&b=2", "https://e.example/?b=2&a=1", "ignore_parameter_order"),
        ("https://e.example/?utm_id=1", "https://e.example/", "ignore_parameters"),
    ],
)
def test_each_option_decides_its_own_difference(a: str, b: str, option: str) -> None:
    """With that option the two are one page; without it they are two."""
    value: object = ("utm_*",) if option == "ignore_parameters" else True
    on = Options(**{option: value})  # type: ignore[arg-type]
    off = Options(**{option: () if option == "ignore_parameters" else False})  # type: ignore[arg-type]

    actual = (same_page(a, b, options=on), same_page(a, b, options=off))

    assert actual == (True, False)


def test_tells_the_link_that_decided() -> None:
    """A citation names the first link of its level, with the offsets of its URL."""
    text = f"see https://example.com, or ({PAGE})."

    citation = cited(text, PAGE)

    assert citation.link is not None
    assert text[citation.link.start : citation.link.end] == PAGE
    assert citation.why == f"`{PAGE}` is the page"


@pytest.mark.parametrize(
    "target", ["", "example.com", "/a", "ftp://e.example/", "https://", "https://a b/"]
)
def test_refuses_a_target_that_is_no_url(target: str) -> None:
    """A target that cannot be looked for is an error, never "none"."""
    with pytest.raises(BadUrl):
        cited(PAGE, target)
    assert same_page(target, PAGE) is None


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("https://fr.example/wiki/L'Argent", "https://fr.example/wiki/L"),
        ("https://e.example/O'Brien", "https://e.example/O"),
        ("https://e.example/a?b=c'd", "https://e.example/a?b=c"),
        ("https://ja.example/wiki/日本", "https://ja.example/wiki/"),
        ("https://e.example/日本", "https://e.example/"),
        ("https://e.example/?q=日本", "https://e.example/?q="),
        ("https://e.example/tag/–x", "https://e.example/tag/"),
        ("https://e.example/c++", "https://e.example/c"),
        ("https://e.example/\u202eegap", "https://e.example/"),
    ],
)
def test_another_page_is_no_reading_of_a_link(text: str, target: str) -> None:
    """No reading stops inside the name of another page."""
    assert cited(text, target).level == "none"
