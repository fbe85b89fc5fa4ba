"""All primitives by name.

BUILT_INS are the functions of the language: any file calls them by their name alone. CORE is what only the standard
library calls, as `core.NAME(…)`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rulesengine.primitives.folds import fold, length, nfkc, normal, trim
from rulesengine.primitives.guards import GUARD_PRIMITIVES
from rulesengine.primitives.links import LINK_PRIMITIVES
from rulesengine.primitives.number_types import (
    clamped,
    greatest,
    inexact,
    least,
    magnitude,
    not_below_zero,
    rounded,
    rounded_down,
    rounded_up,
    whole_power,
)
from rulesengine.primitives.numbers import MODES, ceiling, clamp, floor, max_of, min_of, round_to
from rulesengine.primitives.powers import exp, ln, log, log10, power, sqrt
from rulesengine.primitives.primitive import NoValue, Primitive, Seen
from rulesengine.primitives.words import in_common, tokens, words
from rulesengine.types import DATE, INTEGER, NUMBER, TEXT, ListType, NumberType, OneOfType, Type

_COUNT = NumberType(integer=True, low=Fraction(0))
_MONTH = NumberType(integer=True, low=Fraction(1), high=Fraction(12))
_DAY = NumberType(integer=True, low=Fraction(1), high=Fraction(31))
_NUMBER: tuple[tuple[str, Type], ...] = (("number", NUMBER),)
_TEXT: tuple[tuple[str, Type], ...] = (("text", TEXT),)


def _plain(function: Callable[..., Any]) -> Callable[..., Seen | NoValue]:
    """A function that says nothing of what it saw."""

    def called(*values: Any) -> Seen | NoValue:
        result = function(*values)
        return result if isinstance(result, NoValue) else Seen(result)

    return called


def _counted(function: Callable[..., int]) -> Callable[..., Seen | NoValue]:
    """A function that counts: numbers of the language are rationals."""
    return _plain(lambda *values: Fraction(function(*values)))


def _rounded(number: NumberType, _mode: Type, step: NumberType) -> NumberType:
    return rounded(number, step)


def _measured(*_: Any) -> Seen | NoValue:
    raise AssertionError("the evaluator measures likeness itself")


BUILT_INS: MappingProxyType[str, Primitive] = MappingProxyType(
    {
        # How alike two texts are, as the embedding model of the run measures it. The graph has its own node for it.
        "similarity": Primitive(
            (("left", TEXT), ("right", TEXT)),
            NumberType(low=Fraction(-1), high=Fraction(1), exact=False),
            _measured,
        ),
        # texts
        "trim": Primitive(_TEXT, TEXT, _plain(trim)),
        "fold": Primitive(_TEXT, TEXT, _plain(fold)),
        "nfkc": Primitive(_TEXT, TEXT, _plain(nfkc)),
        "normal": Primitive(_TEXT, TEXT, normal),
        "length": Primitive(_TEXT, _COUNT, _counted(length)),
        "tokens": Primitive(_TEXT, ListType(TEXT), _plain(tokens)),
        "words": Primitive(_TEXT, _COUNT, _counted(words)),
        # lists
        "size": Primitive((("list", ListType(TEXT)),), _COUNT, _counted(len)),
        "in_common": Primitive(
            (("one", ListType(TEXT)), ("other", ListType(TEXT))), _COUNT, _counted(in_common)
        ),
        # numbers
        "abs": Primitive(_NUMBER, NUMBER, _plain(abs), narrowed=magnitude),
        "min_of": Primitive(
            (("numbers", NUMBER),),
            NUMBER,
            _plain(min_of),
            repeats=True,
            narrowed=least,
        ),
        "max_of": Primitive(
            (("numbers", NUMBER),),
            NUMBER,
            _plain(max_of),
            repeats=True,
            narrowed=greatest,
        ),
        "floor": Primitive(_NUMBER, INTEGER, _plain(floor), narrowed=rounded_down),
        "ceiling": Primitive(_NUMBER, INTEGER, _plain(ceiling), narrowed=rounded_up),
        "round": Primitive(
            (("number", NUMBER), ("mode", OneOfType(MODES)), ("step", NUMBER)),
            NUMBER,
            _plain(round_to),
            narrowed=_rounded,
        ),
        "clamp": Primitive(
            (("number", NUMBER), ("low", NUMBER), ("high", NUMBER)),
            NUMBER,
            _plain(clamp),
            narrowed=clamped,
        ),
        "sqrt": Primitive(_NUMBER, NUMBER, _plain(sqrt), narrowed=not_below_zero),
        "pow": Primitive(
            (("base", NUMBER), ("exponent", NUMBER)),
            NUMBER,
            _plain(power),
            narrowed=whole_power,
        ),
        "exp": Primitive(_NUMBER, NUMBER, _plain(exp), narrowed=not_below_zero),
        "ln": Primitive(_NUMBER, NUMBER, _plain(ln), narrowed=inexact),
        "log10": Primitive(_NUMBER, NUMBER, _plain(log10), narrowed=inexact),
        "log": Primitive(
            (("number", NUMBER), ("base", NUMBER)),
            NUMBER,
            _plain(log),
            narrowed=inexact,
        ),
        # dates
        "year": Primitive((("date", DATE),), INTEGER, _counted(lambda day: day.year)),
        "month": Primitive((("date", DATE),), _MONTH, _counted(lambda day: day.month)),
        "day": Primitive((("date", DATE),), _DAY, _counted(lambda day: day.day)),
    }
)


def _signature(name: str, primitive: Primitive) -> str:
    names = [each for each, _ in primitive.parameters]
    return f"{name}({', '.join(names)})" if not primitive.repeats else f"{name}(a, b, …)"


SIGNATURES: MappingProxyType[str, str] = MappingProxyType(
    {name: _signature(name, primitive) for name, primitive in BUILT_INS.items()}
)
CORE: MappingProxyType[str, Primitive] = MappingProxyType(LINK_PRIMITIVES | GUARD_PRIMITIVES)
PRIMITIVES: MappingProxyType[str, Primitive] = MappingProxyType({**BUILT_INS, **CORE})
