"""URLs: parts, normal form, and what is refused."""

import pytest

from rulesengine.links import Url, parse_url


def test_takes_a_url_apart() -> None:
    """Each part is in its normal form."""
    expected = Url(
        scheme="https",
        userinfo="me",
        host=("xn--r8jz45g", "jp"),
        port=8443,
        path=("a%2Fb", "%E3%83%91", ""),
        query=(("q", "%28x%29"), ("e", "")),
        fragment="top",
    )

    actual = parse_url("HTTPS://me@例え.JP.:8443/./a%2fb/x/../パ/?q=(x)&&e#top")

    assert expected == actual


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://e.example", "https://e.example/"),
        ("https://e.example/%7ea", "https://e.example/~a"),
        ("https://e.example/100%", "https://e.example/100%25"),
        ("https://e.example/../../a", "https://e.example/a"),
        ("https://e.example/a/b/..", "https://e.example/a/"),
        ("https://e.example/%2E%2e/a", "https://e.example/a"),
        ("https://e%78ample.com/", "https://example.com/"),
        ("https://[2001:DB8:0::1]/", "https://[2001:db8::1]/"),
        ("https://e.example:/", "https://e.example/"),
    ],
)
def test_gives_one_url_one_form(one: str, other: str) -> None:
    """Spellings that RFC 3986 calls equivalent have equal parts."""
    first, second = parse_url(one), parse_url(other)

    assert first is not None
    assert first == second


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://e.example/a%2Fb", "https://e.example/a/b"),
        ("https://e.example/a", "https://e.example/A"),
        ("https://e.example/a//b", "https://e.example/a/b"),
        ("https://e.example/%2525", "https://e.example/%25"),
        ("https://e.example/%FF", "https://e.example/%FE"),
        ("https://e.example/?a=%26b", "https://e.example/?a=&b"),
    ],
)
def test_keeps_two_urls_apart(one: str, other: str) -> None:
    """What servers may answer differently stays different."""
    first, second = parse_url(one), parse_url(other)

    assert first != second


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e.example",
        "//e.example/",
        "ftp://e.example/",
        "https:/e.example/",
        "https:e.example",
        "https:\\\\e.example\\",
        "https://",
        "https:///a",
        "https://?a",
        "https://:80/",
        "https://me@/",
        "https://.e.example/",
        "https://e..example/",
        "https://-e.example/",
        "https://e example/",
        " https://e.example/",
        "https://e.example/\n",
        "https://e.example/a b",
        "https://e.example\\a",
        "https://e.example/\u200b",
        "https://e.example/\ud800",
        "https://e.example:x/",
        "https://e.example:65536/",
        "https://e.example:８０/",
        "https://e.example%2f.evil.example/",
        "https://e.example%00/",
        "https://1.2.3/",
        "https://0x7f.1/",
        "https://010.0.0.1/",
        "https://256.0.0.1/",
        "https://2130706433/",
        "https://[::1/",
        "https://[::1]a/",
        "https://[fe80::1%25eth0]/",
        "https://[v1.a]/",
        "https://" + "a" * 64 + ".example/",
        "https://" + "a." * 130 + "example/",
        "https://" + "あ" * 3000 + "/",
    ],
)
def test_refuses_what_is_no_literal_url(text: str) -> None:
    """Nothing is mended."""
    actual = parse_url(text)

    assert actual is None
