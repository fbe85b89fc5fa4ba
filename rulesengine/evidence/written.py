"""A record from Python as the line of JSON that would say the same."""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction

from rulesengine.evidence.encoding import printable
from rulesengine.values import show_number


def written(value: object) -> str:
    """Return `value` as JSON, for people to read and correct. Never raises.

    Numbers keep every digit; a fraction that no decimal can say is written as a text, and so is
    whatever JSON has no word for.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(printable(value), ensure_ascii=False)
        case int() if value.bit_length() < 2000:
            return str(value)
        case float() | Decimal():
            return str(value)
        case Fraction():
            shown = _fraction(value)
            return json.dumps(shown) if "/" in shown else shown
        case date():
            return json.dumps(value.isoformat())
        case Mapping():
            fields = (f"{written(str(name))}: {written(each)}" for name, each in value.items())
            return "{" + ", ".join(fields) + "}"
        case list() | tuple():
            return "[" + ", ".join(written(each) for each in value) + "]"
        case _:
            return json.dumps("something that JSON cannot say")


def _fraction(value: Fraction) -> str:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 2000:
        return "a fraction/too long to show"
    return show_number(value)
