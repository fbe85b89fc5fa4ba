"""One text for each value of JSON: two values that say the same have the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date

from rulesengine.evidence.encoding import lone_surrogate
from rulesengine.evidence.numbers import exact
from rulesengine.values import Json, plain_text

MAX_DEPTH = 100  # as in JSON that is read from a file


class NotJson(ValueError):  # noqa: N818 # says what a value is, and is caught where it is told
    """A value that JSON cannot say; the text says what of it."""


class TooDeep(NotJson):
    """A value nested deeper than MAX_DEPTH levels."""


def as_json(value: object) -> Json:
    """Return a value of JSON with its canonical text: names sorted, numbers by value.

    Args:
        value: text, yes or no, None, number, list, or mapping from texts; a date stands for its text.

    Raises:
        NotJson: it holds something else, or is nested deeper than MAX_DEPTH levels.
        OverLimit: a number is past the limits.
    """
    return Json(value, _text(value, 0))


def _text(value: object, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise TooDeep(f"is nested deeper than {MAX_DEPTH} levels")
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            if lone_surrogate(value) is not None:
                raise NotJson("holds half a character (a lone surrogate)")
            return json.dumps(value, ensure_ascii=False)
        case date():
            return json.dumps(value.isoformat())
        case Mapping():
            if not all(isinstance(name, str) for name in value):
                raise NotJson("holds a name that is no text")
            pairs = (
                f"{_text(name, depth + 1)}:{_text(value[name], depth + 1)}"
                for name in sorted(value)
            )
            return "{" + ",".join(pairs) + "}"
        case list() | tuple():
            return "[" + ",".join(_text(item, depth + 1) for item in value) + "]"
        case _:
            number = exact(value)
            if number is None:
                raise NotJson("holds what JSON cannot say")
            return plain_text(number)
