"""Citations: how well a text links to a page.

The check is mechanical: is the page's URL in the text, literally, as a link of its own? Three
levels, the best direct link counts, and it does not matter why the link is given:

- "exact": the page itself.
- "domain": the page's host and no more, `https://example.com/` for any page of it.
- "none": no link; one to another page, even of that host; or the page only inside the address of
  another service (`https://r.example.net/?u=https://example.com/page/`), which is a link
  elsewhere.

Two URLs are one page when their parts are equal (`url.py`) after what `Options` passes over.
Never by text: `https://example.com.evil.example/` and `https://example.com@evil.example/` are
elsewhere.

Decided here, where protocols are silent:

- A link with user information (`https://name@example.com/page/`), even to the right host, is not
  the page's URL literally: what a reader sees and where it leads are easily two things.
- Another port is another site; so is another subdomain, save `www.`.
- `/index.html` is a page, not the homepage, and so is `/?page=2`.
- The order of parameters counts, as all of the query does; where it is passed over, repeated ones
  keep their order among themselves.
- Words written onto a link without a space (`https://example.com/page/をご覧ください`) are cut
  off if that gives the page, unless they make up a whole segment of the path, as names of pages
  do (particles apart), or the page's own path has letters beyond ASCII.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from attrs import frozen

from rulesengine.links.find import Link, find_links
from rulesengine.links.url import Url, parse_url

Level: TypeAlias = Literal["none", "domain", "exact"]

_DEFAULT_PORT = {"http": 80, "https": 443}
_AFTER_HOST = re.compile("[/?#]")
_SHOWN = 80  # characters of a URL in a reason


class BadUrl(ValueError):  # noqa: N818 - short, as it is imported and caught by name
    """The page that is looked for is not given as one literal http(s) URL."""


@frozen(kw_only=True)
class Options:
    """What is passed over when two URLs are compared; the defaults are BigAIArena's.

    Letter case and IDNA in the host, and letter case of escapes, are no options: those are two
    spellings of one URL (RFC 3986, 6.2.2) and `parse_url` has settled them.
    """

    ignore_scheme: bool = True  # http and https are the same
    ignore_default_port: bool = True  # `:443` after https, `:80` after http
    ignore_fragment: bool = True
    ignore_trailing_slash: bool = True  # one, at the end of the path
    ignore_www: bool = True  # one leading `www.`, when at least two labels follow
    ignore_parameter_order: bool = False
    ignore_parameters: tuple[str, ...] = ("utm_*", "gclid", "fbclid")  # any case; `*` ends a prefix


@frozen(kw_only=True)
class Citation:
    """The level of one text for one page, and why."""

    level: Level
    link: Link | None  # the first link of that level; None for "none"
    why: str  # one lower-case line for traces; programs look at `level`


@frozen(kw_only=True)
class _Page:
    """What is left of a URL to compare: equal pages are one page."""

    scheme: str
    site: tuple[str | None, tuple[str, ...], int | None]  # user information, host, port
    path: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    fragment: str | None

    @property
    def is_home(self) -> bool:
        return self.path == () and not self.query and self.fragment is None


DEFAULT_OPTIONS = Options()


def cited(text: str, target: str, *, options: Options = DEFAULT_OPTIONS) -> Citation:
    """Return how well `text` links to `target`.

    Args:
        text: any text, as a respondent wrote it.
        target: the URL of the page; when it is a homepage, a link to that is "exact".
        options: what is passed over in the comparison.

    Raises:
        BadUrl: `parse_url(target)` is None. No `text` raises.
    """
    wanted = parse_url(target)
    if wanted is None:
        raise BadUrl(f"not a literal http or https URL: `{_shown(target)}`")
    if "://" not in text:
        return Citation(level="none", link=None, why="no link")
    page = _page(wanted, options)
    # Letters beyond ASCII are names of pages on a site that uses them, and words elsewhere.
    words_end_links = not any("%" in segment for segment in wanted.path)
    links = find_links(text)
    domain: Citation | None = None
    for link in links:
        level, url = _level(link, page, options, words_end_links)
        if level == "exact":
            return Citation(level=level, link=link, why=f"`{_shown(url)}` is the page")
        if level == "domain" and domain is None:
            why = f"`{_shown(url)}` is the page's domain only"
            domain = Citation(level=level, link=link, why=why)
    if domain is not None:
        return domain
    return Citation(level="none", link=None, why=_why_none(links, wanted, options))


def same_page(a: str, b: str, *, options: Options = DEFAULT_OPTIONS) -> bool | None:
    """Tell whether two URLs are one page; None when either is no URL.

    An equivalence relation over all texts that `parse_url` accepts.
    """
    first, second = parse_url(a), parse_url(b)
    if first is None or second is None:
        return None
    return _page(first, options) == _page(second, options)


def _level(link: Link, page: _Page, options: Options, words_end_links: bool) -> tuple[Level, str]:
    """Return the level of one link, by the best of its readings, and that reading."""
    found = _page(link.parts, options)
    level, decisive = _compared(found, page), link.url
    if found.site[1] != page.site[1] and _AFTER_HOST.search(link.url, len("https://")):
        return level, decisive  # the other readings end after the host, and it is another one
    for url in link.longer + link.shorter if words_end_links else link.longer:
        if level == "exact":
            break
        parts = parse_url(url)
        other = "none" if parts is None else _compared(_page(parts, options), page)
        if other != "none":
            level, decisive = other, url
    return level, decisive


def _compared(found: _Page, page: _Page) -> Level:
    if found == page:
        return "exact"
    if found.is_home and (found.scheme, found.site) == (page.scheme, page.site):
        return "domain"
    return "none"


def _page(url: Url, options: Options) -> _Page:
    """Return what of `url` counts."""
    port, path, query = url.port, url.path, url.query
    if options.ignore_default_port and port == _DEFAULT_PORT[url.scheme]:
        port = None
    if path == ("",):
        path = ()
    elif options.ignore_trailing_slash and path[-1] == "":
        path = path[:-1]
    if query and options.ignore_parameters:
        query = tuple(pair for pair in query if not _is_ignored(pair[0], options.ignore_parameters))
    if options.ignore_parameter_order:
        query = tuple(sorted(query, key=lambda pair: pair[0]))
    return _Page(
        scheme="" if options.ignore_scheme else url.scheme,
        site=(url.userinfo, _host(url, options), port),
        path=path,
        query=query,
        fragment=None if options.ignore_fragment else url.fragment,
    )


def _host(url: Url, options: Options) -> tuple[str, ...]:
    if options.ignore_www and len(url.host) > 2 and url.host[0] == "www":
        return url.host[1:]
    return url.host


def _is_ignored(name: str, patterns: tuple[str, ...]) -> bool:
    name = name.lower()
    return any(
        name.startswith(pattern[:-1].lower()) if pattern.endswith("*") else name == pattern.lower()
        for pattern in patterns
    )


def _why_none(links: tuple[Link, ...], wanted: Url, options: Options) -> str:
    """Say what the links lack, by the one that comes nearest."""
    if not links:
        return "no literal link of its own"
    host = _host(wanted, options)
    for link in links:
        if _host(link.parts, options) == host:
            if link.parts.userinfo is not None and wanted.userinfo is None:
                return f"`{_shown(link.url)}` has user information before its host"
            if link.parts.port != wanted.port:
                return f"`{_shown(link.url)}` is that host with another port or page"
            return f"`{_shown(link.url)}` is another page of that domain"
    name = ".".join(host)
    for link in links:
        if name in link.url.lower():
            return f"`{_shown(link.url)}` leads to another host, whatever stands inside it"
    return f"{len(links)} link{'s' if len(links) > 1 else ''}, none to that domain"


def _shown(url: str) -> str:
    return url if len(url) <= _SHOWN else f"{url[: _SHOWN - 1]}…"
