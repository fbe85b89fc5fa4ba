"""A run: every subject's result, and an account of every record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from rulesengine.diagnostics import Diagnostic
from rulesengine.evidence.gather import Gathered, Subject, gather
from rulesengine.evidence.schema import Record, Rejected
from rulesengine.graph.nodes import Graph
from rulesengine.report.result import Result, from_trace, lost, ranked
from rulesengine.runtime.reference import evaluate


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
) -> Run:
    """Score all subjects of a checked rubric.

    Args:
        graph: the rubric's graph.
        records: what was read, good or rejected, in any order.
        allow_rejects: score a subject without the records that it lost.
    """
    gathered = gather(records, graph.schema, graph.subject, allow_rejects=allow_rejects)
    results = [
        evolve(_result(graph, subject), degraded=tuple(_degraded(subject, gathered)))
        for subject in gathered.subjects
    ]
    return _run(gathered, results)


def _result(graph: Graph, subject: Subject) -> Result:
    if subject.failed:
        return lost(graph, subject)
    return from_trace(graph, subject, evaluate(graph, subject.keys, subject.records))


def _degraded(subject: Subject, gathered: Gathered) -> Iterator[str]:
    """What weakens a result that was worked out all the same."""
    if subject.lost and not subject.failed:
        count = len(subject.lost)
        yield f"without {count} rejected record{'' if count == 1 else 's'}"
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
