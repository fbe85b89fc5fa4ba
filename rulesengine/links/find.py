"""Links: every literal http(s) URL that stands in a text by itself.

A text is searched for `://` and looked at closely only there, so text without links costs one
search. From each `http://` or `https://` the words before it tell three things:

- whether it *is* a scheme: `hxxps://`, `git+https://` and `seehttps://` are others. Any mark and
  any letter beyond ASCII may stand before it: `見てhttps://…`, `(https://…`, `url=https://…`.
- whether it stands *inside another address*, and so is no link of its own. An earlier link of
  this text has taken it in already; left are addresses that are no links themselves: of another
  scheme (`app://open?u=https://…`), without one (`google.com/url?q=https://…`), or relative
  (`/go?u=https://…`).
- the form it was written in. What marks both ends (Markdown `[…](…)`, `<…>`, `href="…"`) is taken
  at its word; for all else `ends.py` finds the end.

Where a link is written does not matter: code, quotations, comments, labels, titles count alike.
An image's address counts too. Each text is read once from left to right, hence in linear time:
whatever has been read for a link is not read again for the next (save the few characters before
it).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, TypeAlias

from attrs import frozen

from rulesengine.links.ends import Extent, bare_extent, run_end
from rulesengine.links.url import Url, parse_url

Form: TypeAlias = Literal["markdown", "angle", "html", "bare"]

_BEFORE_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+")
_WORD_CHARACTERS = _BEFORE_SCHEME | frozenset("-._~:/?#@!$&*,;=%^")

_ATTRIBUTE = re.compile(r"\bhref[ \t]*=[ \t]*([\"']?)[ \t]*\Z", re.IGNORECASE)
_ATTRIBUTE_WINDOW = 32  # characters; `href`, `=`, a quote, and some room for spaces
_SPACES = 8  # the most that are skipped between `](` or `]:` and a URL

# In a word that ends where a scheme begins: what makes the word an address around that scheme.
_ADDRESS = re.compile(
    r"://"
    r"|\?\w[^=?]*="  # search?q=
    r"|(?:^|=)\.{0,2}/+\w"  # /go?, ../go/
    r"|\w\.[A-Za-z][A-Za-z0-9-]+\.?(?::[0-9]+)?/"  # example.net/
    r"|\b(?:blob|filesystem|jar|view-source):"
)
_VALUES = {'"': re.compile(r'[^"<>\r\n]*'), "'": re.compile(r"[^'<>\r\n]*")}
_PARENTHESIS = re.compile(r"\\.|\]\(|[()]", re.DOTALL)
_TITLE = re.compile(r"[ \t]+[\"'(]")
_MARKDOWN_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


@frozen(kw_only=True)
class Link:
    """`https://example.com/` in `see (https://example.com/).`, from 5 to 25."""

    start: int  # offsets of the URL in the text, in code points; no bracket or quote is in them
    end: int
    url: str  # text[start:end] with escapes of the form undone: `\\_` in Markdown, `&amp;` in HTML
    parts: Url
    form: Form
    longer: tuple[str, ...] = ()  # other readings of a bare link, see `ends.py`
    shorter: tuple[str, ...] = ()


def find_links(text: str) -> tuple[Link, ...]:
    """Return every literal link of `text`, in reading order; they do not overlap.

    Each has a URL that `parse_url` accepts. Reference definitions (`[x]: url`) have the form
    "markdown". Never raises, whatever the text.
    """
    links: list[Link] = []
    read = 0  # offset up to which characters belong to links, or to addresses around links
    last_start = 0  # where the address that ends at `read` starts
    limit = -1  # the last hard end looked up; it holds for every start before it
    at = text.find("://")
    while at >= 0:
        start = _scheme_start(text, at, read)
        host = at + 3
        if start >= 0:
            if host > limit:
                limit = run_end(text, host)
            inside = _is_continued(text, last_start, read, start) or _is_wrapped(text, read, start)
            explicit = None if inside else _delimited(text, start, host, limit)
            if explicit is not None:
                form, end = explicit
                link = _link(text, start, Extent(end=end, longer=(), shorter=(), read=end), form)
                read = max(end, host)
            else:
                extent = bare_extent(text, start, host, limit)
                link = None if inside or extent is None else _link(text, start, extent, None)
                read = max(limit if extent is None else extent.read, host)
            last_start = start
            if link is not None:
                links.append(link)
            host = read
        at = text.find("://", host)
    return tuple(links)


def _scheme_start(text: str, at: int, read: int) -> int:
    """Return where the `http` or `https` before `://` starts, or -1 when it is not the scheme."""
    if text[max(at - 5, 0) : at].lower() == "https":
        start = at - 5
    elif text[max(at - 4, 0) : at].lower() == "http":
        start = at - 4
    else:
        return -1
    if start < read:
        return -1
    before = start
    while before > read and text[before - 1] in _BEFORE_SCHEME:
        before -= 1
        if text[before].isalpha():
            return -1
    return start


def _is_continued(text: str, last_start: int, read: int, start: int) -> bool:
    """Tell whether `start` goes on with the address before it, cut at a mark inside its query.

    `https://r.example/?q="https://…"`, `?q=「https://…`, `?q=見てhttps://…`: a value that opens
    with the mark or with the letters is still part of that address.
    """
    between = text[read:start]
    if not read or len(between) > 2 or not all(_opens(mark) for mark in between):
        return False
    if between:
        return text[read - 1] == "="
    value = text.rfind("=", last_start, read) + 1
    return 0 < value < read and not text[value].isascii()


def _opens(mark: str) -> bool:
    return mark in "'\"" or unicodedata.category(mark) in ("Ps", "Pi")


def _is_wrapped(text: str, read: int, start: int) -> bool:
    """Tell whether the word that ends at `start` is an address with the link inside it."""
    end = start
    if text[start - 1 : start] in ("'", '"') and text[max(start - 2, 0) : start - 1] == "=":
        end -= 1
    begin = end
    while begin > read and text[begin - 1] in _WORD_CHARACTERS:
        begin -= 1
    word = text[begin:end]
    if not word:
        return False
    if word[-1] in ",;" and "?" not in word:
        return False  # one item of a list after another
    if _ADDRESS.search(word):
        return True
    # Not the first thing in a destination: `[x](go:https://…)`.
    return end == start and (
        text[max(begin - 2, 0) : begin] == "]("
        or _ATTRIBUTE.search(text, max(begin - _ATTRIBUTE_WINDOW, 0), begin) is not None
    )


def _delimited(text: str, start: int, host: int, limit: int) -> tuple[Form, int] | None:
    """Return the form and the end of a link whose both ends are marked, else None."""
    if text[start - 1 : start] == "<":
        if text[limit : limit + 1] != ">":
            return None
        before = _before_spaces(text, start - 1)
        return ("markdown" if before in ("](", "]:") else "angle"), limit
    if _before_spaces(text, start) == "](":
        close = _closing_parenthesis(text, host, limit)
        if close < 0 and _TITLE.match(text, limit):
            close = limit
        return None if close < 0 else ("markdown", close)
    attribute = _ATTRIBUTE.search(text, max(start - _ATTRIBUTE_WINDOW, 0), start)
    if attribute is None:
        return None
    quote = attribute[1]
    if quote:
        # All between the quotes is one address, spaces too: what stands behind one is no link of its own.
        value = _VALUES[quote].match(text, host)
        assert value is not None  # it matches the empty text
        return ("html", value.end()) if text[value.end() : value.end() + 1] == quote else None
    return ("html", limit) if text[limit : limit + 1] == ">" else None


def _before_spaces(text: str, at: int) -> str:
    """Return the two characters before `at`, blanks of that line skipped."""
    least = max(at - _SPACES, 0)
    while at > least and text[at - 1] in " \t":
        at -= 1
    return text[max(at - 2, 0) : at]


def _closing_parenthesis(text: str, host: int, limit: int) -> int:
    """Return where the destination that is read from `host` is closed, or -1.

    Another destination's `](` ends the search, so that no text is searched twice.
    """
    depth = 0
    for found in _PARENTHESIS.finditer(text, host, limit):
        if found[0] == "](":
            return -1
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth -= 1
            if depth < 0:
                return found.start()
    return -1


def _link(text: str, start: int, extent: Extent, form: Form | None) -> Link | None:
    """Return the link of the first reading that is a URL, or None when none is."""
    if form is None:
        form = "markdown" if _before_spaces(text, start) == "]:" else "bare"
        escapes: Form = "bare"
    else:
        escapes = form
    for end in (extent.end, *extent.shorter):
        url = _unescaped(text[start:end], escapes)
        parts = parse_url(url)
        if parts is not None:
            others = [at for at in extent.shorter if at < end]
            return Link(
                start=start,
                end=end,
                url=url,
                parts=parts,
                form=form,
                longer=tuple(_unescaped(text[start:at], escapes) for at in extent.longer),
                shorter=tuple(_unescaped(text[start:at], escapes) for at in others),
            )
    return None


def _unescaped(written: str, form: Form) -> str:
    r"""Return a URL as its form means it.

    Bare links are shown as they stand, but people escape `_` and `&` in them from habit, and no
    URL holds `\_`, and none is known to mean `&amp;`.
    """
    url = written.strip() if form == "html" else written
    if "\\" in url and form in ("markdown", "bare"):
        url = _MARKDOWN_ESCAPE.sub(r"\1", url)
    if "&" in url:
        if form in ("markdown", "html"):
            url = _ENTITY.sub(_entity, url)
        elif form == "bare":
            url = url.replace("&amp;", "&")
    return url


def _entity(found: re.Match[str]) -> str:
    from html import unescape

    return unescape(found[0])
