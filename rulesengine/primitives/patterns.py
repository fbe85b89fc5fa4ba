"""Patterns: regular expressions in time linear in the text, by RE2.

A pattern describes the whole text, as `=` does: one that finds what it wants somewhere would pass all that stands
around it unseen. `.*` at both ends searches, and `.` stands for a new line too. `(?i)` leaves case aside.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

MOST_MEMORY = 8 << 20  # bytes of one compiled pattern


class BadPattern(Exception):  # noqa: N818 # a fault of the author's, raised to be caught
    """A pattern that cannot be read; its words say why."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    """Return a pattern ready for use.

    Raises:
        BadPattern: it breaks RE2's rules, or takes too much memory.
    """
    import re2  # type: ignore[import-untyped] # for rubrics that have a pattern: no other pays for it

    options = re2.Options()
    options.dot_nl = True
    options.log_errors = False
    options.max_mem = MOST_MEMORY
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        why = error.args[0] if error.args else "it cannot be read"
        raise BadPattern(
            why.decode("utf-8", "replace") if isinstance(why, bytes) else why
        ) from None


def matches(text: str, pattern: str) -> bool:
    """Whether the whole of a text is what a pattern describes."""
    return compiled(pattern).fullmatch(text) is not None
