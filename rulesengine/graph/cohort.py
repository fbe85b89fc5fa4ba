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
        each.comparison is not None and each.comparison.others for each in graph.children.values()
    ) or any(
        not set(graph.subject) <= grain
        for outermost in _all(graph)
        for each in walk(outermost)
        if (grain := _read_over(each, graph)) is not None
    )


def _read_over(expr: e.Expr, graph: g.Graph) -> set[str] | None:
    """The keys by which an expression tells apart what it reads of several records; None: it reads one record."""
    match expr:
        case e.Aggregate(grain=grain, key=key):
            return set(grain) - {key}
        case e.FieldValue(name=name):
            # A field that several records share is given where any of them gives it, another subject's too.
            per = graph.schema.by_name[name].per
            return None if per is None else set(per)
        case _:
            return None


def _all(graph: g.Graph) -> Iterator[e.Expr]:
    for node in graph.nodes.values():
        yield from expressions(node)
    yield from (each.condition for each in graph.requirements)
    yield from (each.value for each in graph.shows)
    yield from (each.value for each in graph.rankings)
    for bands in graph.bands:
        yield from (each.condition for each in bands.bands if each.condition is not None)
