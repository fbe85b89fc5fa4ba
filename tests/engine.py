"""Shortcuts through the engine for tests that hold texts and plain records."""

from collections.abc import Iterator
from typing import Any

from strategies import Plan

from rulesengine.pipeline import Checked, check
from rulesengine.report.result import Result
from rulesengine.report.run import Run
from rulesengine.resources import library_path
from rulesengine.rubric import Rubric
from rulesengine.runtime.trace import Trace, every
from rulesengine.source import Source


def checked(text: str) -> Checked:
    """Check a text as a file that can use the standard library and no other."""

    def load(target: str, user: Source) -> Source | None:
        library, _, name = target.partition(".")
        path = library_path(name) if library == "std" else None
        return Source(target, path.read_text("utf-8")) if path is not None else None

    return check(Source("generated.rubric", text), load)


def sound(text: str) -> Rubric:
    """Return the rubric of a text that the checks accept."""
    result = checked(text)
    errors = [f"{d.code.id} {d.message}" for d in result.diagnostics if d.severity == "error"]
    assert errors == [], text
    return Rubric(result)


def score(text: str, records: list[dict[str, Any]], **providers: Any) -> Run:
    """Score records by a sound text, none of them rejected, with the providers of `Rubric.score`."""
    run = sound(text).score(records, **providers)
    assert run.rejected == (), text
    return run


def by_subject(run: Run) -> dict[tuple[Any, ...], Result]:
    """Return the results of a run by the values of their keys."""
    return {tuple(result.subject.values()): result for result in run.results}


def essence(result: Result) -> dict[str, Any]:
    """Return all of a result that is its own: neither its rank nor its trace."""
    return {
        "subject": dict(result.subject),
        "status": result.status,
        "score": result.score,
        "bands": dict(result.bands),
        "values": dict(result.values),
        "counts": dict(result.counts),
        "excluded": result.excluded,
        "unscored": result.unscored,
        "errors": result.errors,
        "interval": result.interval,
        "records": result.records,
    }


def essences(run: Run) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return `essence` of all results of a run."""
    return {subject: essence(result) for subject, result in by_subject(run).items()}


def traces(run: Run) -> Iterator[Trace]:
    """Yield every trace of a run, what was excluded too."""
    for result in run.results:
        assert result.trace is not None
        yield from every(result.trace)


def averages_sums(plan: Plan) -> bool:
    """Whether a plan combines a sum of parts, not only single results."""
    return any(each.place == "total" for each in plan.combines) or any(
        part.parts and part.combines for part in plan.parts
    )
