"""The verdict in a model's reply: one, in its slot, of the declared type; or why there is none.

Nothing is guessed. A reply that can be read in two ways is not read, and all spellings that only look different are
read alike: white space, signs that nobody sees, case, a fence of code round the object, thoughts in front of it.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from typing import NoReturn, TypeAlias

from rulesengine.diagnostics.short import short
from rulesengine.evidence.encoding import printable
from rulesengine.evidence.numbers import OverLimit, decimal, integer
from rulesengine.providers.prompt import REASON, SLOT
from rulesengine.providers.spelling import spelt_alike, visible
from rulesengine.struct import Struct
from rulesengine.types import NumberType, OneOfType, Type, YesNoType, describe
from rulesengine.values import show_number

LONGEST = 200_000  # signs of a reply

Verdict: TypeAlias = bool | str | int | float


class NoVerdict(Struct, frozen=True):
    """Why a reply holds no verdict; the words go on from "the reply …"."""

    why: str


class _RefusedError(ValueError):
    """Why a reply cannot be read, on its way out of the reader of JSON."""


_THOUGHTS_END = "</think>"
_CODE = re.compile(r"(`{3,}|~{3,})[ \t]*\w*[ \t]*\n(.*?)\n?[ \t]*\1", re.DOTALL)
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def read_verdict(reply: str, type_: Type) -> Verdict | NoVerdict:
    """Return the verdict of a reply.

    Args:
        reply: all that a model said.
        type_: of the answer: yes or no, one of several options, or a number.

    Returns:
        Yes or no as a boolean, an option as the rubric spells it, a number as JSON would say it.
    """
    if len(reply) > LONGEST:
        return NoVerdict(f"is longer than {LONGEST} signs")
    try:
        return _of_type(_slot(_alone(reply)), type_)
    except _RefusedError as refused:
        return NoVerdict(str(refused))


def _alone(reply: str) -> str:
    """Return the object of a reply, without what may stand round it."""
    text = "".join(
        " " if sign.isspace() and sign not in "\n\r\t" else sign for sign in visible(reply)
    ).strip()
    if not text:
        raise _RefusedError("is empty")
    parts = text.split(_THOUGHTS_END)
    if len(parts) > 2:
        raise _RefusedError("ends its thoughts more than once")
    text = parts[-1].strip()
    code = _CODE.fullmatch(text.replace("\r\n", "\n"))
    return code[2].strip() if code else text


def _slot(text: str) -> object:
    """Return what stands in the slot of an object."""
    try:
        reply = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise _RefusedError("holds more than one object") from None
        raise _RefusedError("is no object of JSON") from None
    except RecursionError:
        raise _RefusedError("is nested too deeply") from None
    if not isinstance(reply, dict):
        raise _RefusedError("is no object of JSON")
    others = [name for name in reply if name not in (SLOT, REASON)]
    if SLOT not in reply:
        raise _RefusedError(f"has no `{SLOT}`")
    if others:
        raise _RefusedError(f"has `{short(printable(others[0]))}` beside its `{SLOT}`")
    if not isinstance(reply.get(REASON, ""), str | None):
        raise _RefusedError(f"has a `{REASON}` that is no text")
    return reply[SLOT]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON, its names as they are spelt alike; a name that stands twice is refused."""
    found: dict[str, object] = {}
    for name, value in pairs:
        name = spelt_alike(name)
        if name in found:
            raise _RefusedError(f"says `{short(printable(name))}` twice")
        found[name] = value
    return found


def _integer(digits: str) -> Fraction:
    try:
        return Fraction(integer(digits))
    except OverLimit as error:
        raise _RefusedError(f"holds a number {error}") from None


def _number(text: str) -> Fraction:
    try:
        return Fraction(decimal(text))
    except OverLimit as error:
        raise _RefusedError(f"holds a number {error}") from None


def _constant(name: str) -> NoReturn:
    raise _RefusedError(f"holds `{name}`, which is no number")


def _of_type(said: object, type_: Type) -> Verdict:
    match type_, said:
        case _, None:
            raise _RefusedError(f"has null for its `{SLOT}`")
        case YesNoType(), bool():
            return said
        case YesNoType(), str() if spelt_alike(said) in _WORDS:
            return _WORDS[spelt_alike(said)]
        case OneOfType(options=options), str():
            return _option(said, options)
        case NumberType(), Fraction():
            if not type_.holds(said):
                raise _RefusedError(f"says {_shown(said)}, which is not {describe(type_)}")
            return _as_json(said)
        case _:
            raise _RefusedError(f"says {_shown(said)}, which is not {describe(type_)}")


def _option(said: str, options: tuple[str, ...]) -> str:
    if said in options:
        return said
    alike = [option for option in options if spelt_alike(option) == spelt_alike(said)]
    if len(alike) > 1:
        raise _RefusedError(f"says {_shown(said)}, which may be {' or '.join(alike)}")
    if not alike:
        raise _RefusedError(f"says {_shown(said)}, which is not {describe(OneOfType(options))}")
    return alike[0]


def _as_json(number: Fraction) -> int | float:
    """A number as any program reads it back from JSON."""
    if number.denominator == 1:
        return int(number)
    try:
        machine = float(number)
    except OverflowError:
        machine = 0.0
    if Fraction(Decimal(repr(machine))) != number:
        raise _RefusedError(
            f"says {_shown(number)}, which has more digits than a number of JSON keeps"
        )
    return machine


def _shown(said: object) -> str:
    match said:
        case bool():
            return "`true`" if said else "`false`"
        case str():
            return f"`{short(printable(said))}`"
        case Fraction():
            return f"`{short(show_number(said))}`"
        case dict():
            return "an object"
        case _:
            return "a list"
