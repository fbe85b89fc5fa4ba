"""What a primitive is, and what it gives."""

from __future__ import annotations

from collections.abc import Callable

from rulesengine.diagnostics import Code, codes
from rulesengine.struct import Struct
from rulesengine.types import NumberType, Type
from rulesengine.values import Plain


class Seen(Struct, frozen=True):
    """The result of a primitive, and what it saw in the evidence (empty where there is nothing to say)."""

    value: Plain | tuple[Plain, ...]
    what: str = ""


class NoValue(Struct, frozen=True):
    """Why a function has no value for what it is given: the result that needs it fails."""

    why: str
    code: Code = codes.NO_VALUE


class Primitive(Struct, frozen=True):
    """A function with the types of its parameters and of its result.

    Attributes:
        parameters: name and type of each.
        result: the type of what it gives.
        function: takes a value for each parameter, in order.
        repeats: the last parameter takes two or more values, or one list of them.
        narrowed: a closer type of the result, told from the types of arguments that are numbers.
    """

    parameters: tuple[tuple[str, Type], ...]
    result: Type
    function: Callable[..., Seen | NoValue]
    repeats: bool = False
    narrowed: Callable[..., NumberType] | None = None
