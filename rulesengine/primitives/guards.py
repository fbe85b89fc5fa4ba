"""Guards: what the library `std.text` asks before two wordings are taken for one."""

from __future__ import annotations

from rulesengine.primitives.primitive import Primitive, Seen
from rulesengine.types import TEXT, YES_NO, Type

_TWO: tuple[tuple[str, Type], ...] = (("one", TEXT), ("other", TEXT))

# Imported where they are asked, so that a rubric that asks nothing of the kind does not pay for their patterns.


def _numbers_differ(one: str, other: str) -> Seen:
    import rulesengine.primitives.facts as facts

    return facts.numbers_differ(one, other)


def _dates_differ(one: str, other: str) -> Seen:
    import rulesengine.primitives.facts as facts

    return facts.dates_differ(one, other)


def _units_differ(one: str, other: str) -> Seen:
    import rulesengine.primitives.facts as facts

    return facts.units_differ(one, other)


def _negations_differ(one: str, other: str) -> Seen:
    import rulesengine.primitives.facts as facts

    return facts.negations_differ(one, other)


GUARD_PRIMITIVES: dict[str, Primitive] = {
    "numbers_differ": Primitive(_TWO, YES_NO, _numbers_differ),
    "dates_differ": Primitive(_TWO, YES_NO, _dates_differ),
    "units_differ": Primitive(_TWO, YES_NO, _units_differ),
    "negations_differ": Primitive(_TWO, YES_NO, _negations_differ),
}
