r"""URLs: one literal http(s) URL as parts that can be compared.

Two texts that RFC 3986 (6.2.2) calls one URL get equal parts: host in lower case and in A-labels,
escapes in one form, dot segments gone. What a scoring protocol may *also* wish to pass over (the
scheme, `www.`, tracking parameters) is not decided here but in `cite.py`.

Written by hand, and strict, on purpose. The parsers tried (ada-url, can-ada, yarl, rfc3986,
urllib.parse; figures in the commit) either mend what is not a literal URL, as browsers do
(`https:\\example.com`, `https:/example.com`, a tab inside, `https://0x7f.1`), or check no host at
all, and none folds escapes as below. Only `idna` earns its place: its tables cannot be written by
hand. It costs some 25 ms to import, hence only when a host needs it.

Beyond RFC 3986, and because no two pages differ in it: an escaped `(` or `,` is the plain one (an
escaped `/` is not), text is composed (Unicode NFC), and in a query `+` is a space.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache

from attrs import frozen

_PARTS = re.compile(
    r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.IGNORECASE | re.DOTALL | re.ASCII
)

# Not even in a URL that is clearly delimited. The two joiners, U+200C and U+200D, are spelling in
# several scripts; other invisible characters make a URL that is not what one sees.
_FORBIDDEN = re.compile(
    r"[\s\\\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)

_PLAIN = re.compile(r"[A-Za-z0-9._~-]*")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_NOT_UNRESERVED = re.compile(rb"[^A-Za-z0-9._~-]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_OCTET = re.compile(r"0|[1-9][0-9]{0,2}")
_PORT = re.compile(r"[0-9]{0,5}")

_LONGEST_HOST = 253  # characters, RFC 1035 2.3.4 without the length octets
_LONGEST_HOST_AS_WRITTEN = 2048  # the same with each character as three escaped octets, and spare


@frozen(kw_only=True)
class Url:
    """`https://user@example.com:8443/data/a%2Fb/?page=2#top`, in its normal form.

    Every text but the host is percent-encoded: unreserved characters stand for themselves, all
    others are `%` and two upper-case hex digits for each octet of UTF-8.
    """

    scheme: str  # "http" or "https"
    userinfo: str | None  # "" when only the `@` is there
    host: tuple[str, ...]  # A-labels in lower case, root dot dropped; an IPv6 address is one label
    port: int | None  # as written, 0 to 65535, even when it is the scheme's own
    path: tuple[str, ...]  # segments after the first slash, at least one; ("",) is the homepage
    query: tuple[tuple[str, str], ...]  # (name, value) as they stand; `a` is read as `a=`
    fragment: str | None


def parse_url(text: str) -> Url | None:
    """Return the parts of `text`, or None when it is not one literal http(s) URL and no more.

    None for: no scheme or another one, no `//`, no host, a host that is neither a DNS name nor an
    IP address in its usual spelling, a port that is not a number up to 65535, and white space, a
    backslash, a control or an invisible character anywhere. Never raises.
    """
    if _FORBIDDEN.search(text):
        return None
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    scheme, authority, path, query, fragment = found.groups()
    userinfo, at, place = authority.rpartition("@")
    name, port = _split_port(place)
    host = _host(name)
    if host is None or _PORT.fullmatch(port) is None or int(port or "0") > 65535:
        return None
    return Url(
        scheme=scheme.lower(),
        userinfo=_encoded(userinfo) if at else None,
        host=host,
        port=int(port) if port else None,
        path=_without_dots([_encoded(segment) for segment in path[1:].split("/")]),
        query=_parameters(query) if query else (),
        fragment=_encoded(fragment) if fragment else None,
    )


def _split_port(place: str) -> tuple[str, str]:
    """Split `host:port`; an IPv6 host keeps its brackets and its colons."""
    if place.startswith("["):
        address, bracket, rest = place.partition("]")
        # Whatever follows the bracket without a colon becomes a port that is no number.
        return address + bracket, rest.removeprefix(":") if rest[:1] in ("", ":") else "?"
    name, _, port = place.partition(":")
    return name, port


def _host(name: str) -> tuple[str, ...] | None:
    """Return the labels of a host as written, or None when it is none."""
    if len(name) > _LONGEST_HOST_AS_WRITTEN:
        return None
    if name.startswith("["):
        return _ipv6(name[1:-1]) if name.endswith("]") else None
    if "%" in name:
        try:
            name = _decoded(name).decode("utf-8")
        except UnicodeDecodeError:
            return None
    if not name.isascii():
        international = _a_labels(name)
        if international is None:
            return None
        name = international
    name = name.lower()
    name = name.removesuffix(".")
    labels = tuple(name.split("."))
    if len(name) > _LONGEST_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    # `0x7f.1`, `127.1` and `010.0.0.1` are addresses to some programs and names to none.
    if _NUMBER.fullmatch(labels[-1]) and not _is_ipv4(labels):
        return None
    return labels


def _is_ipv4(labels: tuple[str, ...]) -> bool:
    return len(labels) == 4 and all(
        _OCTET.fullmatch(label) is not None and int(label) < 256 for label in labels
    )


def _ipv6(address: str) -> tuple[str, ...] | None:
    from ipaddress import IPv6Address

    try:
        # A zone (`fe80::1%eth0`) names an interface of one machine, not a page.
        return None if "%" in address else (f"[{IPv6Address(address).compressed}]",)
    except ValueError:
        return None


@lru_cache(maxsize=256)  # some 100 µs a host, and texts repeat theirs
def _a_labels(name: str) -> str | None:
    """Return `name` mapped by UTS 46 (not transitional) and encoded by IDNA 2008.

    Labels in ASCII stay as they are, so a host that is written in A-labels needs no table.
    """
    import idna

    try:
        mapped = idna.uts46_remap(name, std3_rules=False, transitional=False)
        return ".".join(
            label if label.isascii() else idna.encode(label).decode("ascii")
            for label in mapped.split(".")
        )
    except UnicodeError:  # the base of all of idna's errors
        return None


def _encoded(text: str) -> str:
    """Return `text` with its escapes in the one form that `Url` describes."""
    if _PLAIN.fullmatch(text):
        return text
    octets = _decoded(text)
    if not octets.isascii():
        # Escapes of another encoding stay as they are.
        with suppress(UnicodeDecodeError):
            octets = unicodedata.normalize("NFC", octets.decode("utf-8")).encode("utf-8")
    return _NOT_UNRESERVED.sub(lambda found: b"%%%02X" % ord(found[0]), octets).decode("ascii")


def _decoded(text: str) -> bytes:
    """Return the octets that `text` stands for; a `%` without two hex digits is a plain `%`."""
    return _ESCAPE.sub(lambda found: bytes((int(found[1], 16),)), text.encode("utf-8"))


def _without_dots(segments: list[str]) -> tuple[str, ...]:
    """Resolve `.` and `..` (RFC 3986, 5.2.4); above the root is the root."""
    if "." not in segments and ".." not in segments:
        return tuple(segments)
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return tuple(kept)


def _parameters(query: str) -> tuple[tuple[str, str], ...]:
    """Split a query at `&`; empty pieces say nothing and are dropped."""
    pairs = (piece.partition("=") for piece in query.replace("+", "%20").split("&") if piece)
    return tuple((_encoded(name), _encoded(value)) for name, _, value in pairs)
