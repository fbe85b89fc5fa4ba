"""Secrets are blotted out of all that is kept: a provider's error may well repeat the key that it was sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import overload
from urllib.parse import quote

BLOT = "[secret]"
SHORTEST = 8  # characters; what local servers take for a key (`none`, `EMPTY`) keeps nothing, and is a word of texts

# What keys and headers begin with, and what they look like, for those that nobody told us of.
_SHAPES = {
    start: re.compile(rf"(?<![A-Za-z0-9]){re.escape(start)}[A-Za-z0-9._~+/=-]{{{least},}}")
    for start, least in {
        **dict.fromkeys(("sk-", "pk-", "rk-", "hf_", "ghp_", "gho_", "glpat-", "xoxb-"), 16),
        "AIza": 30,
        "Bearer ": 8,
    }.items()
}


class Blotter:
    """Blots secrets out.

    Args:
        secrets: the keys in use, which go wherever they stand; those of fewer than SHORTEST characters stay.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for each in secrets for form in (each, quote(each, safe=""))}
        known = sorted((each for each in forms if len(each) >= SHORTEST), key=len, reverse=True)
        self.known = re.compile("|".join(map(re.escape, known))) if known else None

    @overload
    def text(self, text: str) -> str: ...
    @overload
    def text(self, text: None) -> None: ...
    def text(self, text: str | None) -> str | None:
        """Return a text without secrets, and without half characters, which no file can hold."""
        if text is None:
            return None
        if self.known is not None:
            text = self.known.sub(BLOT, text)
        for start, shape in _SHAPES.items():
            if start in text:  # which is a hundred times as fast as to look for the shape
                text = shape.sub(BLOT, text)
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def value(self, value: object) -> object:
        """Return a value of JSON without secrets."""
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {self.text(str(name)): self.value(each) for name, each in value.items()}
            case list() | tuple():
                return [self.value(each) for each in value]
            case _:
                return value
