"""Traces: what a result was worked out from, down to the values read.

The reference evaluator works a result out by building its trace; everything that explains a score reads it.
`at` is the keys at hand with their values, the subject's included.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from attrs import frozen

from rulesengine.graph import nodes as g
from rulesengine.runtime.outcome import Because, Outcome
from rulesengine.values import Plain, Value

At: TypeAlias = tuple[tuple[str, Plain], ...]


@frozen(kw_only=True)
class Read:
    """One value that an expression read: a field or a definition, with what was seen and read inside.

    `is_default`: the record does not have the field, and the value is its default.
    """

    name: str
    value: Value
    what: str = ""
    inside: tuple[Read, ...] = ()
    is_default: bool = False


@frozen(kw_only=True)
class RowTried:
    """A row that was reached: whether its condition held (None: it has none), and what it read."""

    row: g.Row
    held: Value | None
    reads: tuple[Read, ...]


@frozen(kw_only=True)
class RowsTrace:
    """Rows judged for one record; `fired` is the one that gave the result, `reads` what that read."""

    node: g.Rows
    at: At
    outcome: Outcome
    tried: tuple[RowTried, ...]
    fired: g.Row | None
    reads: tuple[Read, ...]
    because: tuple[Because, ...]


@frozen(kw_only=True)
class ComputedTrace:
    """A computed criterion; `fired` is its row for a missing value, where that gave the result."""

    node: g.Computed
    at: At
    outcome: Outcome
    fired: g.Row | None
    reads: tuple[Read, ...]
    because: tuple[Because, ...]


@frozen(kw_only=True)
class Member:
    """One result that a combine looked at. `excluded` says why it was left out, with what that read."""

    trace: Trace
    excluded: g.Exclusion | None = None
    reads: tuple[Read, ...] = ()


@frozen(kw_only=True)
class CombineTrace:
    """A roll-up over one key, of all members that are scored and not excluded; `kept` is the statistics of these.

    A statistic is a number, or for `median_record` the value of the key; None where there are too few members.
    """

    node: g.Combine
    at: At
    outcome: Outcome
    members: tuple[Member, ...]
    because: tuple[Because, ...]
    kept: tuple[tuple[str, Plain | None], ...] = ()


@frozen(kw_only=True)
class StepTrace:
    """A result that was clamped or rounded."""

    node: g.Clamp | g.Round
    at: At
    outcome: Outcome
    inner: Trace
    because: tuple[Because, ...] = ()


@frozen(kw_only=True)
class FixTrace:
    """An item."""

    node: g.Fix
    at: At
    outcome: Outcome
    inner: Trace
    because: tuple[Because, ...] = ()


@frozen(kw_only=True)
class SumTrace:
    """A criterion with parts, or the total."""

    node: g.Sum
    at: At
    outcome: Outcome
    parts: tuple[Trace, ...]
    because: tuple[Because, ...] = ()


Trace: TypeAlias = RowsTrace | ComputedTrace | CombineTrace | StepTrace | FixTrace | SumTrace


def record_keys(at: At, subject: tuple[str, ...]) -> At:
    """Return the keys at hand without the subject's: which of its records, or parts, is meant."""
    return tuple((key, value) for key, value in at if key not in subject)


def below(trace: Trace) -> tuple[Trace, ...]:
    """Return the traces that one was worked out from, excluded ones too, in order."""
    match trace:
        case SumTrace(parts=parts):
            return parts
        case FixTrace(inner=inner) | StepTrace(inner=inner):
            return (inner,)
        case CombineTrace(members=members):
            return tuple(member.trace for member in members)
        case RowsTrace() | ComputedTrace():
            return ()


def counted(trace: Trace) -> Iterator[Trace]:
    """Yield a trace and all below it that count: what was excluded is left out."""
    yield trace
    match trace:
        case CombineTrace(members=members):
            for member in members:
                if member.excluded is None:
                    yield from counted(member.trace)
        case _:
            for inner in below(trace):
                yield from counted(inner)


def every(trace: Trace) -> Iterator[Trace]:
    """Yield a trace and all below it, excluded ones too."""
    yield trace
    for inner in below(trace):
        yield from every(inner)
