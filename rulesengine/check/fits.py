"""Fits: what can come out of a part is what the part is worth, neither more nor less.

The rows of a part are held to its worth one by one (scales.py). Its steps can go past it all the same: a sum over a
key, since there may be any number of records, or rounding to a step that does not divide it. And a field of a
smaller range never gets there.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.reach import (
    UNBOUNDED_HIGH,
    UNBOUNDED_LOW,
    Reach,
    reach_of_leaf,
    steps_of,
    steps_of_score,
)
from rulesengine.check.scales import limits, out_of, out_of_span, says, scale_of
from rulesengine.check.scope import Part, Scope
from rulesengine.check.weights import score_out_of
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.values import show_number

Stepwise = list[tuple[n.Step | None, Reach]]


def check_fits(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each step that can go past what a part is worth, and each part that never gets there.

    Relies on check_scales and check_weights having found no error.
    """
    if scope.score is None:
        return []
    found: list[Diagnostic] = []
    seen: set[int] = set()
    told: set[Span] = set()  # a step written for all items is told of once
    for part in scope.all_parts.values():
        if id(part.node) in seen:  # an item of several names is written once
            continue
        seen.add(id(part.node))
        low, high = limits(part.node)
        top = max(high, out_of(part.node))
        found.extend(_past(steps_of(part, scope), low, top, f"`{part.path}`", told, part.name.span))
        if part.is_leaf and not any(each.op.text == "sum" for each in part.combines):
            found.extend(_short(part, scope))
    stepwise = steps_of_score(scope)
    total = score_out_of(scope)
    found.extend(
        _past(
            stepwise,
            Fraction(0),
            total,
            "the score",
            told,
            None if found else scope.score.subject[0].span,
        )
    )
    return found


def _past(
    stepwise: Stepwise, low: Fraction, high: Fraction, what: str, told: set[Span], name: Span | None
) -> Iterator[Diagnostic]:
    """The step that takes a result past what it is worth, where no later one takes it back."""
    (_, before), *_ = stepwise
    low = min(low, before.low)  # penalties take a total below 0
    if before.high > high and name is None:
        high = before.high  # a part of it is told of already
    if before.high > high:
        assert name is not None
        if stepwise[-1][1].high > high:
            yield Diagnostic(
                codes.OUTSIDE_WORTH,
                f"its parts can give up to {show_number(before.high)}, and {what} goes up to {show_number(high)}",
                name,
                help=f"write in it: `clamp {show_number(low)} to {show_number(high)}`",
            )
        return

    def inside(reach: Reach) -> bool:
        return low <= reach.low and reach.high <= high

    if inside(stepwise[-1][1]):
        return
    last_inside = max(at for at, (_, reach) in enumerate(stepwise) if inside(reach))
    step, reach = stepwise[last_inside + 1]
    assert step is not None
    if step.span in told:
        return
    told.add(step.span)
    if reach.high > high:
        end = "any number" if reach.high == UNBOUNDED_HIGH else f"up to {show_number(reach.high)}"
    else:
        end = "any number" if reach.low == UNBOUNDED_LOW else f"down to {show_number(reach.low)}"
    bounds = f"{show_number(low)} to {show_number(high)}"
    yield Diagnostic(
        codes.OUTSIDE_WORTH,
        f"this can give {end}, and {what} goes from {bounds}",
        step.span,
        help=f"write behind it: `clamp {bounds}`",
    )


def _short(part: Part, scope: Scope) -> Iterator[Diagnostic]:
    """A part whose results, by the ranges of what they are made of, never come to what it is worth."""
    node = part.node
    if scale_of(part).values is not None or node.range is not None:
        return
    best = reach_of_leaf(part, scope).high
    if best < out_of(node):
        yield Diagnostic(
            codes.WORTH_NEVER_REACHED,
            f"`{part.name.text}` is {says(node)} {show_number(out_of(node))}, "
            f"and its rows give at most {show_number(best)}",
            out_of_span(node),
            help=f"change what it is {says(node)}, or multiply its results",
        )
