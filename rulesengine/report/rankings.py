"""Rankings: the subjects in an order, ties reported, the best kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction

from attrs import evolve

from rulesengine.graph import nodes as g
from rulesengine.report.result import Place, Result
from rulesengine.values import Plain, Value

# The value that a ranking goes by, for one result.
ValueOf = Callable[[g.Ranking, Result], Value]


def placed(graph: g.Graph, results: Sequence[Result], value_of: ValueOf) -> list[Result]:
    """Return the results, each with its place in every ranking of the rubric.

    Args:
        graph: of the rubric.
        results: of one run, sorted by subject; this order breaks ties.
        value_of: works out what a ranking goes by.
    """
    places: list[dict[str, Place]] = [{} for _ in results]
    for ranking in graph.rankings:
        groups: defaultdict[tuple[Plain, ...], list[int]] = defaultdict(list)
        for index, result in enumerate(results):
            groups[tuple(result.subject[key] for key in ranking.within)].append(index)
        values = [_value(ranking, result, value_of) for result in results]
        for members in groups.values():
            for index, place in _order(ranking, members, values, results):
                places[index][ranking.name] = place
    return [
        evolve(result, places=own) if own else result
        for result, own in zip(results, places, strict=True)
    ]


def _value(ranking: g.Ranking, result: Result, value_of: ValueOf) -> Fraction | None:
    if result.status == "failed":
        return None
    value = value_of(ranking, result)
    return value if isinstance(value, Fraction) else None


def _order(
    ranking: g.Ranking,
    members: list[int],
    values: list[Fraction | None],
    results: Sequence[Result],
) -> list[tuple[int, Place]]:
    """One group in its order; those without a value last, whichever way it goes."""
    known = [(value, index) for index in members if (value := values[index]) is not None]
    known.sort(key=lambda each: -each[0] if ranking.descending else each[0])
    ordered = [index for _, index in known]
    ordered += [index for index in members if values[index] is None]
    found = []
    for number, index in enumerate(ordered, start=1):
        value = values[index]
        same = [other for other in ordered if value is not None and values[other] == value]
        found.append(
            (
                index,
                Place(
                    value=value,
                    place=ordered.index(same[0]) + 1 if same else None,
                    position=number,
                    kept=value is not None and (ranking.keep is None or number <= ranking.keep),
                    tied_with=tuple(
                        tuple(results[other].subject.items()) for other in same if other != index
                    ),
                ),
            )
        )
    return found
