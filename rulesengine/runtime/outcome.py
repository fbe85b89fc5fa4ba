"""Outcomes: scored, unscored or failed. There is no number that stands for the other two."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from attrs import frozen

from rulesengine.diagnostics import Code
from rulesengine.values import Plain


@frozen
class Scored:
    """A result in points, and the interval it would lie in if all that is unscored went worst or best."""

    value: Fraction
    low: Fraction
    high: Fraction


@frozen
class Unscored:
    """No result: it does not apply, is missing, or is undecided. The interval is as for Scored."""

    low: Fraction
    high: Fraction


@frozen
class Failed:
    """No result: a record or the rubric is at fault."""


Outcome: TypeAlias = Scored | Unscored | Failed


@frozen
class Because:
    """Why a result is not scored, or a record not used.

    `path` is the part it speaks of; `keys` are those of the record, without the subject's.
    """

    path: str
    keys: tuple[tuple[str, Plain], ...]
    code: Code
    reason: str
