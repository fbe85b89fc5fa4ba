"""Ladders for tests, as a rubric would have them: without providers, and with known similarities."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from rulesengine.compare.compare import compare
from rulesengine.compare.normal import equal, normal
from rulesengine.compare.outcome import (
    Comparison,
    Leaf,
    NeedsMore,
    Options,
    Reach,
    Row,
    Settle,
    Settled,
)

NOTHING, FULL = Fraction(0), Fraction(1)
STRICTNESS = Fraction(86, 100)


def free(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
    """The rungs that cost nothing: exact, normalised, date, yes/no."""
    if leaf.kind == "extra" or leaf.reference is None:
        return Settled(NOTHING, "extra")
    if equal(leaf.candidate, leaf.reference):
        return Settled(FULL, "exact")
    if equal(normal(leaf.candidate).value, normal(leaf.reference).value):
        return Settled(FULL, "normalised")
    if leaf.type == "date":
        return Settled(NOTHING, "date")
    if leaf.type == "yes/no":
        return Settled(NOTHING, "boolean")
    return Settled(NOTHING, "unsettled")


def with_similarities(cosines: Mapping[frozenset[str], Fraction]) -> Settle:
    """The free rungs, and embeddings whose cosines are known; what is not known is 0."""

    def settle(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
        settled = free(leaf, reach)
        if leaf.type != "text" or not isinstance(settled, Settled) or settled.credit:
            return settled
        cosine = cosines.get(frozenset([str(leaf.candidate), str(leaf.reference)]), NOTHING)
        if cosine >= STRICTNESS:
            return Settled(FULL, "embedding", cosine)
        return Settled(NOTHING, settled.rung, cosine)

    return settle


def judged(settle: Settle, verdict: Callable[[Leaf], Fraction]) -> Settle:
    """A ladder with a judge at its end, who is asked about what is left open and about extras."""

    def climb(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
        settled = settle(leaf, reach)
        if reach == "pairing" or not isinstance(settled, Settled):
            return settled
        if settled.rung in ("unsettled", "extra"):
            return Settled(verdict(leaf), "judge", settled.cosine)
        return settled

    return climb


def compared(
    candidate: object,
    reference: object,
    schema: object = None,
    options: Options | None = None,
    settle: Settle = free,
) -> Comparison:
    """Compare two values that can be compared, by the free rungs if nothing else is said."""
    found = compare(candidate, reference, schema, options or Options(), settle=settle)
    assert isinstance(found, Comparison), found
    return found


def outcomes(comparison: Comparison) -> list[tuple[object, ...]]:
    """What the rows say apart from positions, sorted."""
    return sorted((outcome(row) for row in comparison.rows), key=repr)


def outcome(row: Row) -> tuple[object, ...]:
    """What one row says apart from positions."""
    return (
        *(row.path, row.kind, row.type, row.candidate, row.reference),
        *(row.rung, row.credit, row.cosine),
    )


def completeness(comparison: Comparison) -> Fraction:
    """The share of what the reference fills, and of confirmed extras, that the candidate filled."""
    due = [row for row in comparison.rows if row.expected or row.confirmed]
    return mean([Fraction(row.filled) for row in due], FULL)


def correctness(comparison: Comparison) -> Fraction:
    """The mean credit of what the candidate filled and has a basis."""
    based = [row for row in comparison.rows if row.filled and (row.expected or row.confirmed)]
    return mean([row.credit for row in based], FULL)


def hallucination(comparison: Comparison) -> Fraction:
    """The share of what the candidate filled that nothing confirms."""
    filled = [row for row in comparison.rows if row.filled]
    return mean([Fraction(row.extra and not row.confirmed) for row in filled], NOTHING)


def overall(comparison: Comparison) -> Fraction:
    """The mean of completeness, correctness and what is not hallucinated."""
    parts = [completeness(comparison), correctness(comparison), 1 - hallucination(comparison)]
    return mean(parts, NOTHING)


def mean(numbers: list[Fraction], of_none: Fraction) -> Fraction:
    """The mean of numbers, or what stands for it where there are none."""
    return sum(numbers, NOTHING) / len(numbers) if numbers else of_none
