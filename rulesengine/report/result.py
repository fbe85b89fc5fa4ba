"""The result of one subject: what its trace comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from attrs import evolve, field, frozen

from rulesengine.compare.outcome import Comparison
from rulesengine.diagnostics.codes import REQUIRED
from rulesengine.diagnostics.render import place
from rulesengine.evidence.gather import Subject
from rulesengine.evidence.schema import Record
from rulesengine.graph import nodes as g
from rulesengine.runtime.asking import WAITS
from rulesengine.runtime.outcome import Because, Failed, Scored, Unscored
from rulesengine.runtime.reference import Here, Run
from rulesengine.runtime.statistics import mean
from rulesengine.runtime.trace import (
    At,
    CombineTrace,
    FixTrace,
    StepTrace,
    Trace,
    below,
    counted,
    every,
    record_keys,
)
from rulesengine.values import Error, Plain, Value, Waits, show

Status: TypeAlias = Literal["scored", "unscored", "failed"]


@frozen
class Excluded:
    """A record left out of one part, and why; `keys` are those of the record, without the subject's."""

    path: str
    keys: tuple[tuple[str, Plain], ...]
    reason: str


@frozen
class Compared:
    """What was compared leaf by leaf; `keys` are those of the record, without the subject's."""

    name: str
    keys: tuple[tuple[str, Plain], ...]
    comparison: Comparison


@frozen
class Count:
    """How many results a mean used, and how many it left out: excluded or unscored."""

    used: int
    left_out: int


@frozen(kw_only=True)
class Place:
    """Where a subject stands in a ranking.

    Attributes:
        value: what it is ranked by, exact; None puts it last.
        rank: one more than the number of those before it that are not equal; None without a value.
        place: its number in the order; of equal ones, the order of their keys decides.
        kept: whether it is among those that the ranking keeps.
        tied_with: the keys of the others with the same value.
    """

    value: Fraction | None
    rank: int | None
    place: int
    kept: bool
    tied_with: tuple[tuple[tuple[str, Plain], ...], ...]


@frozen(kw_only=True)
class Result:
    """The result of one subject.

    Attributes:
        subject: its keys, by name.
        status: `scored`, `unscored` (something needed has no result: see `unscored`) or `failed` (see `errors`).
        score: the total in points, exact, from 0 to `out_of`; None unless scored.
        out_of: the points that can be had.
        bands: by the name of each bands block, the band; None unless scored.
        values: by path, the points of every criterion and item, exact; what `combine … keep` keeps, as `path.min`;
            and every figure shown. A part of which only what holds it is combined by mean has the mean of its own
            results. None where it is not scored. Of `median_record`, the value of the key.
        counts: by path, for what is a mean.
        excluded: every record left out, in reading order.
        unscored: why something has no result; may be there though the total has one.
        errors: why it failed.
        records: how many records the subject has.
        degraded: what weakens it though it is there: records that it was worked out without, what is required and
            excused, figures that could not be worked out.
        interval: the least and greatest total if all that is unscored went worst or best; None if failed.
        rank: 1 for the highest score of the run, the same for equal scores; None unless scored.
        places: by the name of each ranking, the subject's place in it.
        trace: what it was worked out from; None where a lost record kept it from being worked out.
        inexact: the paths whose value may be the first 50 digits of a number that has no end.
        comparisons: what was compared leaf by leaf, by the name of the child grain, then by keys.
    """

    subject: Mapping[str, Plain]
    status: Status
    score: Fraction | None
    out_of: Fraction
    bands: Mapping[str, str | None]
    values: Mapping[str, Plain | None]
    counts: Mapping[str, Count]
    excluded: tuple[Excluded, ...]
    unscored: tuple[Because, ...]
    errors: tuple[Because, ...]
    records: int
    degraded: tuple[str, ...]
    interval: tuple[Fraction, Fraction] | None
    rank: int | None = None
    places: Mapping[str, Place] = field(factory=dict)
    trace: Trace | None = None
    comparisons: tuple[Compared, ...] = ()
    inexact: tuple[str, ...] = ()


def from_trace(graph: g.Graph, subject: Subject, trace: Trace, run: Run) -> Result:
    """Return the result that a trace of the total comes to; `run` works out what the score shows and requires."""
    outcome = trace.outcome
    score = outcome.value if isinstance(outcome, Scored) else None
    because = [each for inner in counted(trace) for each in inner.because]
    failed = [inner for inner in counted(trace) if isinstance(inner.outcome, Failed)]
    errors = tuple(dict.fromkeys(each for inner in failed for each in inner.because))
    figures = _figures(trace) | {path: _points(inner) for path, inner in _named(trace, graph)}
    at = tuple(subject.keys.items())
    figures_shown = {each.name: run.value(each.value, Here(at=at)) for each in graph.shows}
    bands = _bands(graph, score, at, run)
    breaches = list(_breaches(graph, at, run))
    broken = (
        *(why for why, excused in breaches if not excused),
        *(
            Because("", (), band.diagnostic.code, f"`{name}`: {band.diagnostic.message}")
            for name, band in bands.items()
            if isinstance(band, Error)
        ),
    )
    result = Result(
        subject=subject.keys,
        status=_status(trace),
        score=score,
        out_of=graph.out_of,
        bands={name: None if isinstance(band, Error) else band for name, band in bands.items()},
        values={
            **{path: figures.get(path) for path in _part_paths(graph)},
            **dict(_kept(trace, graph)),
            **{name: _number(value) for name, value in figures_shown.items()},
        },
        counts={
            path: count
            for path, inner in _named(trace, graph)
            if (count := _count(inner)) is not None
        },
        excluded=tuple(dict.fromkeys(_excluded(trace, graph))),
        unscored=tuple(each for each in dict.fromkeys(because) if each not in errors),
        errors=errors,
        records=len(subject.records),
        degraded=(
            *dict.fromkeys(_said(why) for why, excused in breaches if excused),
            *(
                f"`{name}` is not shown: {value.diagnostic.message}"
                for name, value in figures_shown.items()
                if isinstance(value, Error)
                and not isinstance(value, Waits)
                and not isinstance(outcome, Failed)
            ),
        ),
        interval=None if isinstance(outcome, Failed) else (outcome.low, outcome.high),
        trace=trace,
        comparisons=tuple(_comparisons(run, at)),
        inexact=graph.inexact,
    )
    return _failed(result, broken) if broken else result


def is_lost(result: Result) -> bool:
    """Tell whether a subject fails whatever a provider would still say: then nobody is asked about it."""
    return result.status == "failed" and any(each.code is not WAITS for each in result.errors)


def without_waiting(result: Result) -> Result:
    """Return a result that stands without what it still waited for."""
    return evolve(result, errors=tuple(each for each in result.errors if each.code is not WAITS))


def _comparisons(run: Run, subject: At) -> Iterator[Compared]:
    own = [
        (name, at, found)
        for (name, at), found in run.comparisons.items()
        if set(at) >= {pair for pair in subject if pair[0] in dict(at)}
    ]
    # Where subjects are measured against each other, one may have been compared for another's sake before.
    for name, at, found in sorted(own, key=lambda each: (each[0], [value for _, value in each[1]])):
        if not isinstance(found, Error):
            yield Compared(name, record_keys(at, tuple(dict(subject))), found)


def _failed(result: Result, broken: tuple[Because, ...]) -> Result:
    """A result that breaks what the rubric requires; its trace stays, to see why."""
    return evolve(
        result,
        status="failed",
        score=None,
        bands=dict.fromkeys(result.bands),
        values=dict.fromkeys(result.values),
        errors=(*broken, *result.errors),
        interval=None,
    )


def _breaches(graph: g.Graph, at: At, run: Run) -> Iterator[tuple[Because, bool]]:
    """What the rubric requires of a subject and does not hold, and whether that is excused."""
    for requirement in graph.requirements:
        points = {
            run.point(_at(record, graph), requirement.grain): None for record in run.select(at)
        }
        for point in points:  # in the order of the subject's records, which is that of their keys
            held = run.value(requirement.condition, Here(at=point))
            if held is True:
                continue
            reason = requirement.message
            if isinstance(held, Error):
                reason = f"{reason} ({held.diagnostic.message})"
            code = WAITS if isinstance(held, Waits) else REQUIRED
            keys = record_keys(point, graph.subject)
            yield Because("", keys, code, reason), requirement.excused


def _at(record: Record, graph: g.Graph) -> At:
    return tuple((key, record.key(key)) for key in graph.schema.keys)


def _said(why: Because) -> str:
    keys = ", ".join(f"{name} {show(value)}" for name, value in why.keys)
    return f"{why.reason} ({keys})" if keys else why.reason


def _number(value: Value) -> Fraction | None:
    return value if isinstance(value, Fraction) else None


def _points(trace: Trace) -> Fraction | None:
    return trace.outcome.value if isinstance(trace.outcome, Scored) else None


def _figures(trace: Trace) -> dict[str, Fraction | None]:
    """The points of a part and of all parts below it, those that a mean goes over as means of their own results."""
    own = {}
    if trace.node.path:
        own[trace.node.path] = _points(trace)
    figures: dict[str, Fraction | None] = {}
    match trace:
        case CombineTrace(members=members, node=node):
            parts = [_figures(m.trace) for m in members if m.excluded is None]
            for path in dict.fromkeys(path for part in parts for path in part):
                values = [v for part in parts if (v := part.get(path)) is not None]
                figures[path] = mean(values) if values and node.op == "mean" else None
        case _:
            for inner in below(trace):
                figures |= _figures(inner)
    return figures | own


def _named(trace: Trace, graph: g.Graph) -> Iterator[tuple[str, Trace]]:
    """Each part that has one result for the subject, with its trace."""
    for inner in every(trace):
        if inner.node.path and _is_one(inner, graph):
            yield inner.node.path, inner


def _kept(trace: Trace, graph: g.Graph, above: str = "") -> Iterator[tuple[str, Plain | None]]:
    """What `combine … keep` keeps, of parts that have one result for the subject."""
    path = trace.node.path or above
    if isinstance(trace, CombineTrace) and _is_one(trace, graph):
        names = [name for name in trace.node.keep if name != "each"]
        yield from ((f"{path}.{name}", None) for name in names)
        yield from ((f"{path}.{name}", value) for name, value in trace.kept)
    for inner in below(trace):
        yield from _kept(inner, graph, path)


def lost(graph: g.Graph, subject: Subject) -> Result:
    """Return the result of a subject that lost a record: it failed, and nothing is worked out."""
    return Result(
        subject=subject.keys,
        status="failed",
        score=None,
        out_of=graph.out_of,
        bands={bands.name: None for bands in graph.bands},
        values=dict.fromkeys([*_part_paths(graph), *(each.name for each in graph.shows)]),
        counts={},
        excluded=(),
        unscored=(),
        errors=tuple(
            Because("", (), each.code, f"{place(each.span)}: {each.message}")
            for each in subject.lost
        ),
        records=len(subject.records),
        degraded=(),
        interval=None,
    )


def _part_paths(graph: g.Graph) -> list[str]:
    """The paths of all parts, the total apart, in reading order."""
    return [path for path in _paths(graph, graph.total) if path != graph.total]


def _paths(graph: g.Graph, id_: str) -> Iterator[str]:
    """The paths of a node and all below it, in reading order."""
    node = graph.nodes[id_]
    if node.path:
        yield node.path
    match node:
        case g.Sum(parts=parts):
            for part in parts:
                yield from _paths(graph, part)
        case g.Combine(source=source) | g.Fix(source=source):
            yield from _paths(graph, source)
        case g.Clamp(source=source) | g.Round(source=source):
            yield from _paths(graph, source)
        case _:
            pass


def ranked(results: Iterable[Result]) -> list[Result]:
    """Return the results with their ranks: one more than the number of higher scores."""
    results = list(results)
    scores = sorted((r.score for r in results if r.score is not None), reverse=True)
    first = {score: place for place, score in reversed(list(enumerate(scores, start=1)))}
    return [
        evolve(result, rank=first[result.score]) if result.score is not None else result
        for result in results
    ]


def _bands(
    graph: g.Graph, score: Fraction | None, at: At, run: Run
) -> dict[str, str | Error | None]:
    """By the name of each bands block, the first band that takes a score and whose condition holds."""
    return {
        bands.name: None if score is None else _band(bands, score, at, run) for bands in graph.bands
    }


def _band(bands: g.Bands, score: Fraction, at: At, run: Run) -> str | Error | None:
    for band in bands.bands:
        if not band.reaches(score):
            continue
        held = True if band.condition is None else run.value(band.condition, Here(at=at))
        if isinstance(held, Error):
            return held
        if held is True:
            return band.name
        if held is not False:
            return None  # judges are undecided about it, so the bands below are not meant either
    return None


def _status(trace: Trace) -> Status:
    match trace.outcome:
        case Scored():
            return "scored"
        case Unscored():
            return "unscored"
        case Failed():
            return "failed"


def _is_one(trace: Trace, graph: g.Graph) -> bool:
    """Whether a part has one result for each subject."""
    return set(trace.node.grain) <= set(graph.subject)


def _count(trace: Trace) -> Count | None:
    """The count of the mean that a named part is."""
    match trace:
        case FixTrace(inner=inner) | StepTrace(inner=inner):
            return _count(inner)
        case CombineTrace():
            return count_of(trace)
        case _:
            return None


def count_of(trace: CombineTrace) -> Count:
    """Return how many results a mean used and left out."""
    used = sum(
        member.excluded is None and isinstance(member.trace.outcome, Scored)
        for member in trace.members
    )
    return Count(used=used, left_out=len(trace.members) - used)


def _excluded(trace: Trace, graph: g.Graph, above: str = "") -> Iterator[Excluded]:
    """What was left out of a trace and all below it; `above` is the path of what stands around it."""
    path = trace.node.path or above
    if isinstance(trace, CombineTrace):
        for member in trace.members:
            if member.excluded is not None:
                keys = record_keys(member.trace.at, graph.subject)
                yield Excluded(path, keys, member.excluded.reason)
    for inner in below(trace):
        yield from _excluded(inner, graph, path)
