"""A record from Python as the line of JSON that would say the same."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction

from rulesengine.evidence.encoding import printable
from rulesengine.evidence.scan import MAX_DEPTH
from rulesengine.values import show_number

# Past every limit of `numbers`, and below what Python refuses to show.
_MOST_BITS = 2000


def written(value: object, *, depth: int = 0) -> str:
    """Return `value` as JSON, for people to read and correct. Never raises.

    Numbers keep every digit. A fraction that no decimal can say is written as a text, and so is
    whatever JSON has no word for.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(printable(value), ensure_ascii=False)
        case int() if value.bit_length() < _MOST_BITS:
            return str(value)
        case float():
            shown = float.__repr__(value)
            return shown if math.isfinite(value) else json.dumps(shown)
        case Decimal():
            return str(value) if value.is_finite() else json.dumps(str(value))
        case Fraction():
            return _fraction(value)
        case date():
            return json.dumps(value.isoformat())
        case Mapping() if depth < MAX_DEPTH:
            fields = (
                f"{written(str(name))}: {written(each, depth=depth + 1)}"
                for name, each in value.items()
            )
            return "{" + ", ".join(fields) + "}"
        case list() | tuple() if depth < MAX_DEPTH:
            return "[" + ", ".join(written(each, depth=depth + 1) for each in value) + "]"
        case _:
            return json.dumps("something that JSON cannot say")


def _fraction(value: Fraction) -> str:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        return json.dumps("a fraction too long to show")
    shown = show_number(value)
    return json.dumps(shown) if "/" in shown else shown
