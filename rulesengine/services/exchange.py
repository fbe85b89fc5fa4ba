"""One request to a model: what is sent, what may come back, what may go wrong. Clients of servers are built on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias

import msgspec

from rulesengine.providers.prompt import Message
from rulesengine.struct import Struct

LONGEST_BODY = 10_000_000  # bytes
LONGEST_SAID = 300  # signs of what a server says of an error


class Received(Struct, frozen=True, kw_only=True):
    """A reply of a model.

    Attributes:
        text: what it said; None where it said nothing.
        model: what it calls itself.
        fault: why the text is no whole reply, going on from "the reply …"; empty where it is one.
        is_final: whether asking again is of no use: the model or its server refused.
        input_tokens: those of the prompt, as counted by the server; None where it does not say.
        output_tokens: those of the reply, likewise.
    """

    text: str | None
    model: str = ""
    fault: str = ""
    is_final: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None


class Lost(Exception):  # noqa: N818  # what became of a request, and caught where it is told
    """A request that got no reply of a model.

    Attributes:
        why: in words.
        kind: `passing` where another try may go through, `refused` where this message never will, `barred` where none
            will: the key, the model or the address is wrong.
        wait: seconds that the server asks for; None where it does not say.
        may_cost: whether the model may have worked on it.
    """

    def __init__(
        self,
        why: str,
        kind: Literal["passing", "refused", "barred"],
        wait: float | None = None,
        may_cost: bool = False,
    ) -> None:
        super().__init__(why)
        self.why = why
        self.kind = kind
        self.wait = wait
        self.may_cost = may_cost


Send: TypeAlias = Callable[[Message, bool], Received]
"""Sends a message, and tells the server its schema where the second argument is true. Raises `Lost`."""


def status_lost(status: int, said: object, headers: Any, now: float) -> Lost:
    """Return what an answer with an error status means.

    Args:
        status: of HTTP.
        said: the body of the answer, as JSON or text.
        headers: of the answer, by names in small letters.
        now: seconds since 1970.
    """
    why = f"the server said {status}"
    words = message_in(said)
    if words:
        why += f": {words}"
    if status in (408, 409, 425, 429) or status >= 500:
        return Lost(why, "passing", retry_after(headers, now))
    return Lost(why, "barred" if status in (401, 402, 403, 404, 405) else "refused")


def connection_lost(error: Exception, httpx: Any) -> Lost:
    """Return what an error on the way to a server means."""
    cause = error if isinstance(error, httpx.HTTPError) else error.__cause__
    if isinstance(cause, httpx.TimeoutException) and not isinstance(cause, httpx.ConnectTimeout):
        return Lost("no reply came in time", "passing", may_cost=True)
    is_before = isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
    what = "the server cannot be reached" if is_before else "the connection broke off"
    said = message_in(str(cause)) if cause is not None else ""
    return Lost(f"{what}{': ' if said else ''}{said}", "passing", may_cost=not is_before)


def message_in(said: object) -> str:
    """Return the words of an error, on one line."""
    while isinstance(said, dict):
        said = said.get("error") or said.get("message") or said.get("detail") or ""
    line = " ".join(str(said or "").split())
    return line if len(line) <= LONGEST_SAID else f"{line[:LONGEST_SAID]}…"


def retry_after(headers: Any, now: float) -> float | None:
    """Return the seconds that a server asks to wait, None where it does not say so in a way that can be read."""
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    given = headers.get("retry-after")
    seconds = _seconds(given)
    if seconds is not None or given is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _seconds(given: str | None) -> float | None:
    try:
        seconds = float(given or "")
    except ValueError:
        return None
    return max(0.0, seconds) if seconds < float("inf") else None


def read_body(chunks: Iterable[bytes], is_late: Callable[[], bool]) -> object:
    """Return a body of JSON, None where it is none.

    Raises:
        Lost: the body takes too long, or has no end.
    """
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if is_late():
            raise Lost("the reply took too long", "passing", may_cost=True)
        if len(body) > LONGEST_BODY:
            raise Lost(f"the reply has more than {LONGEST_BODY} bytes", "passing", may_cost=True)
    try:
        return msgspec.json.decode(bytes(body))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def at(value: object, *path: str | int) -> object:
    """Return what stands at a path within a value of JSON, None where nothing does."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def count_at(value: object, *path: str | int) -> int | None:
    """Return a number of tokens, None where there is none."""
    found = at(value, *path)
    return found if type(found) is int and found >= 0 else None


def without(secrets: Iterable[str], text: str) -> str:
    """Return a text without the secrets that a server may have said back."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "…")
    return text
