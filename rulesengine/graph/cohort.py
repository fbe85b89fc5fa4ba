"""Cohort: whether a rubric measures subjects against each other."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.graph import expressions as e
from rulesengine.graph import nodes as g
from rulesengine.graph.from_syntax import walk
from rulesengine.graph.invariants import expressions


def reads_others(graph: g.Graph) -> bool:
    """Tell whether anything that a subject's result holds is worked out from the records of other subjects."""
    return any(
        not set(graph.subject) <= set(each.grain) - {each.key}
        for outermost in _all(graph)
        for each in walk(outermost)
        if isinstance(each, e.Aggregate)
    )


def _all(graph: g.Graph) -> Iterator[e.Expr]:
    for node in graph.nodes.values():
        yield from expressions(node)
    yield from (each.condition for each in graph.requirements)
    yield from (each.value for each in graph.shows)
    yield from (each.value for each in graph.rankings)
