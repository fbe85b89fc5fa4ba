"""Fits: what can come out of a part is what the part is worth, neither more nor less.

The rows of a part are held to its worth one by one (scales.py). A sum over a key can go past it all the same, since
there may be any number of records; and a field of a smaller range never gets there.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.reach import (
    UNBOUNDED_HIGH,
    UNBOUNDED_LOW,
    Reach,
    reach_of,
    reach_of_leaf,
    reach_of_score,
)
from rulesengine.check.scales import limits, out_of, out_of_span, says, scale_of
from rulesengine.check.scope import Part, Scope
from rulesengine.check.weights import score_out_of
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.syntax import nodes as n
from rulesengine.values import show_number


def check_fits(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each sum that can go past what its part is worth, and each part that never gets there.

    Relies on check_scales and check_weights having found no error.
    """
    score = scope.score
    if score is None:
        return []
    found: list[Diagnostic] = []
    seen: set[int] = set()
    for part in scope.all_parts.values():
        if id(part.node) in seen:  # an item of several names is written once
            continue
        seen.add(id(part.node))
        whole = limits(part.node)[0], max(limits(part.node)[1], out_of(part.node))
        sums = _sums(part.steps)
        if sums:
            found.extend(_past(sums[0], reach_of(part, scope), whole, f"`{part.path}`", scope))
        elif part.is_leaf:
            found.extend(_short(part, scope))
    sums = _sums(scope.own_steps)
    if sums:
        whole = Fraction(0), score_out_of(scope)
        found.extend(_past(sums[0], reach_of_score(scope), whole, "the score", scope))
    return found


def _sums(steps: tuple[n.Step, ...]) -> list[n.Combine]:
    return [each for each in n.combines_of(steps) if each.op.text == "sum"]


def _past(
    combine: n.Combine,
    reach: Reach,
    whole: tuple[Fraction, Fraction],
    what: str,
    scope: Scope,
) -> Iterator[Diagnostic]:
    """A sum that can be less, or more, than what it is worth."""
    low, high = whole
    if low <= reach.low and reach.high <= high:
        return
    is_low = reach.low < low
    end = reach.low if is_low else reach.high
    known = "any number" if end in (UNBOUNDED_LOW, UNBOUNDED_HIGH) else f"up to {show_number(end)}"
    if is_low and end != UNBOUNDED_LOW:
        known = f"down to {show_number(end)}"
    yield Diagnostic(
        codes.OUTSIDE_WORTH,
        f"the sum over `{combine.key.text}` can be {known}, and {what} is from {show_number(low)} "
        f"to {show_number(high)}",
        combine.span,
        help=f"write behind it: `clamp {show_number(low)} to {show_number(high)}`",
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
