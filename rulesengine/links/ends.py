"""Ends: how far a bare link reaches, which nothing in the text marks.

Three kinds of end, each stronger than the next:

- *hard*: white space, a control character, and `<`, `>`, `"`, a backtick, `|`, `^`. No URL holds
  them.
- *strong*: what a URL could hold but a person would not read as part of it: punctuation and
  symbols beyond ASCII (`。`, `»`, `—`, emoji) and invisible characters; a closing bracket that
  was not opened inside the link, so that `(see https://example.com/a_(b))` keeps one of its two;
  an opening one that is never closed; `**` and `~~`, or the `*`, `'`, `==` that stand right
  before the link; a footnote mark `[1]`, `[/url]`, `&quot;`; and the scheme of the next link
  after a letter or mark beyond ASCII, or, as long as there is no query, after one of `,;([{'`.
- *trailing*: punctuation of any kind at the end, save `/` and brackets that are in balance.

That gives the likely reading. A text can be read otherwise, so the others are kept for whoever
knows the page that is looked for:

- *longer* ones take trailing marks back in: `https://example.com/wiki/Yahoo!` may be meant.
- *shorter* ones stop before words that follow without a space, as they do in Chinese, Japanese,
  Korean or Thai: `https://example.com/page/をご覧ください`. Only before the first such letter,
  and only when no more of a URL (`/ ? # & = % @ .`) comes after it. Where they make up a whole
  segment or value they name a page (`/wiki/日本`), unless they begin as a particle does. So too
  before endings such as `'s` and `'da`.
"""

from __future__ import annotations

import re
import unicodedata

from attrs import frozen

_HARD = re.compile(r'[\s<>"`|^\x00-\x1f\x7f-\x9f]')

_SPECIAL = re.compile(
    r"[?#()\[\]{}\\]|\*\*|~~|[,;'](?=https?://)"
    r"|&(?:quot|apos|lt|gt|nbsp|#0*(?:34|39|60|62|160)|#x0*(?:22|27|3c|3e|a0));|[^\x00-\x7f]+",
    re.IGNORECASE | re.ASCII,
)
_SCHEME = re.compile(r"https?://", re.IGNORECASE | re.ASCII)
_FOOTNOTE = re.compile(r"\[(?:/|\^|[0-9]{1,3}\])")
_CLOSER = {"(": ")", "[": "]", "{": "}"}

# Markdown's escapes that people also write in bare links: `my\_page`.
_ESCAPABLE = frozenset("_*~()[]{}!.-+#&=")

_TRAILING_SYMBOLS = "~"  # of ASCII, no sign of a URL but of Markdown; `c++` is a page of its own
_JOINERS = "\u200c\u200d"  # spelling, not formatting, in Persian and several Indic scripts
_INNER_MARKS = "\u2010\u2011\u2012\u2013\u00b7\u30fb"  # hyphens, en dash, middle dots: in titles

# Letters of scripts that put no space around a foreign word.
_UNSPACED = re.compile(
    "[\u0e01-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007"
    "\u3021-\u3029\u3031-\u3035\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff]"
)
_AFTER_HOST = re.compile("[/?#]")
_NOT_HOST = re.compile("[/?#@]")
# Endings that English and Turkish write onto a name; `O'Brien` and `L'Argent` are names.
_SUFFIX = re.compile(r"'(?:s|de|da|den|dan|te|ta|ten|tan|nde|nda|nin|in|ye|ya)\Z", re.IGNORECASE)
# Particles that Japanese and Korean write onto a word. A whole segment of other letters names a page.
_PARTICLE = re.compile(
    "[をにでがはのとへもや]|(?:에서|에|을|를|은|는|이|가|의|와|과|도|로|으로)\\Z"
)
_NO_HOST_CHARACTER = re.compile(r"[^\w.:%\[\]-]")

_LONGEST_DOUBT = 4096  # characters of a link beyond which there is one reading only
_MARKS_TAKEN_BACK = 8
_TAIL_TAKEN_BACK = 64


@frozen(kw_only=True)
class Extent:
    """Where a bare link ends, as offsets into the text that was read."""

    end: int
    longer: tuple[int, ...]
    shorter: tuple[int, ...]
    read: int  # the next link starts here or later; between `end` and this is none


def run_end(text: str, at: int) -> int:
    """Return the offset of the first hard end at or after `at`."""
    found = _HARD.search(text, at)
    return len(text) if found is None else found.start()


def bare_extent(text: str, start: int, host: int, limit: int) -> Extent | None:
    """Return how far the link reaches whose scheme starts at `start` and whose host at `host`.

    Args:
        text: the whole text.
        start: offset of the scheme.
        host: offset after `://`.
        limit: offset of the hard end.

    Returns:
        None when a backslash stands in the place of the host: programs disagree where that leads.
        Looks at no character before `host` but the two before `start`, and reads from there to
        `Extent.read` only: whoever goes on from there reads a text once.
    """
    opener = text[start - 1 : start]
    for mark in (opener, text[max(start - 2, 0) : start]):
        if mark in ("'", "*", "~~", "=="):
            found = text.find(mark, host, limit)
            limit = found if found >= 0 else limit
    cut = _strong_end(text, host, limit)
    if cut is None:
        return None
    stop, read = cut
    end = _trimmed(text, host, stop)
    if end - start > _LONGEST_DOUBT:
        return Extent(end=end, longer=(), shorter=(), read=read)
    return Extent(
        end=end,
        longer=_longer(text, end, limit),
        shorter=_shorter(text, host, end),
        read=read,
    )


def _strong_end(text: str, host: int, limit: int) -> tuple[int, int] | None:
    """Return the strong end between `host` and `limit`, and how far it took to see it."""
    opened: list[tuple[str, int]] = []  # the closer awaited, and where its opener stands
    in_query = False
    skip = host  # an escaped character before this offset is no mark
    stop = limit
    for found in _SPECIAL.finditer(text, host, limit):
        at, mark = found.start(), found[0]
        if at < skip:
            continue
        if mark in "?#":
            in_query = True
        elif mark in _CLOSER:
            if not in_query and (_SCHEME.match(text, at + 1) or _FOOTNOTE.match(text, at)):
                stop = at
                break
            opened.append((_CLOSER[mark], at))
        elif mark in ")]}":
            if not opened or opened[-1][0] != mark:
                stop = at
                break
            opened.pop()
        elif mark == "\\":
            following = text[at + 1 : min(at + 2, limit)]
            if not _AFTER_HOST.search(text, host, at):
                if following not in ("", "'"):
                    return None
            elif following and following in _ESCAPABLE:
                skip = at + 2
                continue
            stop = at
            break
        elif not mark.isascii():
            end = _foreign_end(text, at, found.end())
            if end < limit and _goes_on_unseen(text, end, limit):
                return None
            if end < found.end() or _SCHEME.match(text, end):
                stop = end
                break
        elif not in_query or mark not in ",;'":
            stop = at
            break
    return (opened[0][1], stop) if opened else (stop, stop)


def _foreign_end(text: str, at: int, end: int) -> int:
    """Return the first offset in a run beyond ASCII that no link goes past, else `end`."""
    for offset in range(at, end):
        character = text[offset]
        if unicodedata.category(character)[0] not in "LMN" and (
            character not in _JOINERS and character not in _INNER_MARKS
        ):
            return offset
    return end


def _goes_on_unseen(text: str, at: int, limit: int) -> bool:
    """Whether an invisible character hides that the link goes on behind it."""
    seen = at
    while seen < limit and unicodedata.category(text[seen]) == "Cf":
        seen += 1
    following = text[seen : seen + 1] if seen < limit else ""
    return seen > at and following.isascii() and (following.isalnum() or following == "/")


def _trimmed(text: str, host: int, end: int) -> int:
    """Return `end` without trailing marks; a bracket stays if it closes one with words inside."""
    core = end
    while core > host and _is_trailing(text[core - 1]):
        core -= 1
    unclosed = sum(
        text.count(opener, host, core) - text.count(closer, host, core)
        for opener, closer in _CLOSER.items()
    )
    kept, inner = core, 0
    for at in range(core, end if unclosed > 0 else core):
        if text[at] in _CLOSER:
            inner += 1
        elif text[at] in ")]}":
            if inner:
                inner -= 1
            elif unclosed:
                unclosed -= 1
                kept = at + 1
    return kept


def _is_trailing(character: str) -> bool:
    return character != "/" and (
        unicodedata.category(character)[0] == "P"
        or character in _TRAILING_SYMBOLS
        or character in _JOINERS
    )


def _longer(text: str, end: int, limit: int) -> tuple[int, ...]:
    """Return the ends after marks that follow `end`, and the hard end if it is near."""
    at = end
    most = min(end + _MARKS_TAKEN_BACK, limit)
    while at < most and not text[at].isalnum():
        at += 1
    ends = tuple(range(end + 1, at + 1))
    if at < limit <= end + _TAIL_TAKEN_BACK and "://" not in text[end:limit]:
        return (*ends, limit)
    return ends


def _shorter(text: str, host: int, end: int) -> tuple[int, ...]:
    """Return the ends before words or endings that may have been written onto the link."""
    in_host = _NOT_HOST.search(text, host, end) is None
    link = text[host:end]
    if not in_host and link.isascii() and "'" not in link:
        return ()
    piece = host + max(link.rfind(mark) for mark in "/?#&=%@.") + 1
    ends = []
    word = _UNSPACED.search(text, piece, end)
    if (
        word is not None
        and not in_host
        and word.start() == piece
        and not _PARTICLE.match(text, piece, end)
    ):
        word = None
    # After a dot in the host the letters are a label of it: `https://example.com.中国`.
    if word is not None and not (in_host and word.start() == piece):
        ends.append(word.start())
    suffix = _SUFFIX.search(text, piece, end)
    if suffix is not None:
        ends.append(suffix.start())
    if in_host:
        stray = _NO_HOST_CHARACTER.search(text, piece, end)
        if stray is not None:
            ends.append(stray.start())
    return tuple(_trimmed(text, host, at) for at in ends)
