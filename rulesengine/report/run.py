"""A run: every subject's result, and an account of every record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from attrs import evolve, frozen

from rulesengine.diagnostics import Diagnostic, Label
from rulesengine.diagnostics.codes import REQUIRED
from rulesengine.evidence.gather import Gathered, Subject, gather
from rulesengine.evidence.schema import Record, Rejected
from rulesengine.graph.cohort import reads_others
from rulesengine.graph.nodes import Graph, Ranking
from rulesengine.providers.protocols import NO_PROVIDERS, Providers
from rulesengine.report.rankings import ValueOf, placed
from rulesengine.report.result import Result, from_trace, is_lost, lost, ranked, without_waiting
from rulesengine.runtime import reference
from rulesengine.runtime.waves import Asked, in_waves
from rulesengine.values import Value, show


@frozen(kw_only=True)
class Run:
    """The results of all subjects, sorted by subject, and what became of the records.

    Attributes:
        results: one a subject.
        rejected: the records that could not be used, whole, each with why.
        warnings: what is worth knowing of the evidence, such as fields that no rubric declares.
        by_default: the fields that no record has, so that their default holds throughout.
        read: how many records there were; `read` = `scored` + `rejected` + `ignored`.
        scored: how many of them belong to subjects that were worked out.
        ignored: how many good ones belong to subjects that failed, because they lost another.
        incomplete: whether a rejected record does not even say whose it is, so that any subject may lack it.
    """

    results: tuple[Result, ...]
    rejected: tuple[Rejected, ...]
    warnings: tuple[Diagnostic, ...]
    by_default: tuple[str, ...]
    read: int
    scored: int
    ignored: int
    incomplete: bool

    @property
    def statuses(self) -> dict[str, int]:
        """How many subjects are scored, unscored and failed."""
        counts = {"scored": 0, "unscored": 0, "failed": 0}
        for result in self.results:
            counts[result.status] += 1
        return counts


def run(
    graph: Graph,
    records: Iterable[Record | Rejected],
    *,
    allow_rejects: bool = False,
    providers: Providers = NO_PROVIDERS,
) -> Run:
    """Score all subjects of a checked rubric.

    Args:
        graph: the rubric's graph.
        records: what was read, good or rejected, in any order.
        allow_rejects: score a subject without the records that it lost.
        providers: who answers questions and measures likeness.
    """
    checked = (
        (_required(record, graph) for record in records) if graph.record_requirements else records
    )
    gathered = gather(checked, graph.schema, graph.subject, allow_rejects=allow_rejects)
    results, place_by = _results(graph, gathered, providers)
    results = [
        evolve(result, degraded=(*result.degraded, *_degraded(subject, gathered, graph)))
        for result, subject in zip(results, gathered.subjects, strict=True)
    ]
    return _run(gathered, placed(graph, results, place_by))


def _results(
    graph: Graph, gathered: Gathered, providers: Providers
) -> tuple[list[Result], ValueOf]:
    """The result of each subject, and the value that a ranking goes by."""
    usable = [subject for subject in gathered.subjects if not subject.failed]
    # Where subjects are measured against each other, all are worked out over the same records; else each over its own.
    groups = [usable] if reads_others(graph) else [[subject] for subject in usable]
    worked = in_waves(
        [partial(_worked_out, graph, group) for group in groups],
        providers,
        lambda found: all(is_lost(each.result) for each in found),
    )
    found = {tuple(each.result.subject.values()): each for each in chain(*worked)}
    results = [
        lost(graph, subject)
        if subject.failed
        else without_waiting(found[tuple(subject.keys.values())].result)
        for subject in gathered.subjects
    ]

    def place_by(ranking: Ranking, result: Result) -> Value:
        return found[tuple(result.subject.values())].places[ranking.name]

    return results, place_by


@frozen
class _WorkedOut:
    """A subject's result, and what rankings go by."""

    result: Result
    places: dict[str, Value]


def _worked_out(graph: Graph, subjects: list[Subject], asked: Asked) -> list[_WorkedOut]:
    """Work subjects out over the same records, with what is known from providers."""
    records = tuple(record for subject in subjects for record in subject.records)
    run = reference.Run(graph, records, asked)
    found = []
    for subject in subjects:
        result = from_trace(graph, subject, run.total(subject.keys), run)
        here = reference.Here(at=tuple(subject.keys.items()))
        places = {each.name: run.value(each.value, here) for each in graph.rankings}
        found.append(_WorkedOut(result, places))
    lacks = tuple(run.lacks)
    return [
        evolve(each, result=evolve(each.result, degraded=(*each.result.degraded, *lacks)))
        for each in found
    ]


def _required(record: Record | Rejected, graph: Graph) -> Record | Rejected:
    """Reject a record that breaks what the rubric requires of each."""
    if isinstance(record, Rejected):
        return record
    run = reference.Run(graph, (record,))
    at = tuple((key, record.key(key)) for key in graph.schema.keys)
    broken = [
        Diagnostic(
            REQUIRED,
            each.message,
            record.place,
            (Label(each.span, "required here"),),
        )
        for each in graph.record_requirements
        if not each.excused and run.value(each.condition, reference.Here(at=at)) is not True
    ]
    if not broken:
        return record
    return Rejected(record.raw, record.place, tuple(broken), dict(at))


def _degraded(subject: Subject, gathered: Gathered, graph: Graph) -> Iterator[str]:
    """What weakens a result that was worked out all the same."""
    if subject.lost and not subject.failed:
        count = len(subject.lost)
        yield f"without {count} rejected record{'' if count == 1 else 's'}"
    others = [each for each in gathered.subjects if each.failed]
    if others and not subject.failed and reads_others(graph):
        names = ", ".join(" ".join(map(show, each.keys.values())) for each in others[:3])
        more = ", …" if len(others) > 3 else ""
        yield f"measured without those that lost a record: {names}{more}"
    if gathered.incomplete:
        yield "a rejected record of this run does not say whose it is"


def _run(gathered: Gathered, results: list[Result]) -> Run:
    return Run(
        results=tuple(ranked(results)),
        rejected=gathered.rejected,
        warnings=gathered.warnings,
        by_default=gathered.by_default,
        read=gathered.read,
        scored=gathered.scored,
        ignored=gathered.ignored,
        incomplete=gathered.incomplete,
    )
