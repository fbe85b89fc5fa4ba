"""The conformance corpus, stage by stage."""

import json
from pathlib import Path
from typing import Any

import pytest
from corpus import cases, marks, reported

from rulesengine.evidence.conform import conform
from rulesengine.evidence.read import read_jsonl
from rulesengine.evidence.schema import Record, Rejected
from rulesengine.files import check_file
from rulesengine.providers.likeness import Likeness
from rulesengine.providers.protocols import Providers
from rulesengine.providers.recorded import PrecomputedVectors, RecordedJudge
from rulesengine.report.run import run
from rulesengine.report.to_json import dumps, result_json
from rulesengine.rubric import load
from rulesengine.source import Source
from rulesengine.syntax.parser import parse


@pytest.mark.parametrize("case", cases("syntax/good"), ids=lambda case: case.stem)
def test_parses_without_a_finding(case: Path) -> None:
    """A good text gives a module and nothing else."""
    parsed = parse(Source(case.name, case.read_text("utf-8")))

    assert (parsed.diagnostics, parsed.module is None) == ((), False)


@pytest.mark.parametrize("case", cases("syntax/bad"), ids=lambda case: case.stem)
def test_syntax_errors_are_those_marked(case: Path) -> None:
    """Each marked line reports its codes, no other anything, and there is no module."""
    text = case.read_text("utf-8")

    parsed = parse(Source(case.name, text))

    assert (reported(parsed.diagnostics), parsed.module) == (marks(text), None)


@pytest.mark.parametrize("case", cases("check/good"), ids=lambda case: case.stem)
def test_checks_without_a_finding(case: Path) -> None:
    """A good file is sound, without warnings and notes."""
    checked = check_file(case)

    assert (reported(checked.diagnostics), checked.is_sound) == (set(), True)


@pytest.mark.parametrize("case", cases("check/bad"), ids=lambda case: case.stem)
def test_findings_are_those_marked(case: Path) -> None:
    """Each marked line reports its codes, and no other line reports anything."""
    checked = check_file(case)

    assert reported(checked.diagnostics) == marks(case.read_text("utf-8"))


def _rows(case: Path, what: str) -> list[dict[str, Any]] | None:
    """Return the rows that stand beside a case in FILE.WHAT.jsonl, None where there is no such file."""
    path = case.with_suffix(f".{what}.jsonl")
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        if path.exists()
        else None
    )


def _providers(case: Path) -> Providers:
    """Return the judge of FILE.answers.jsonl and the vectors of FILE.vectors.jsonl, as far as there are any."""
    answers, vectors = _rows(case, "answers"), _rows(case, "vectors")
    return Providers(
        judge=None if answers is None else RecordedJudge(answers),
        measure=None
        if vectors is None
        else Likeness(PrecomputedVectors({row["text"]: row["vector"] for row in vectors})),
    )


def _records(case: Path, schema: object) -> list[Record | Rejected]:
    lines = case.with_suffix(".records.jsonl").read_bytes().splitlines(keepends=True)
    name = case.with_suffix(".records.jsonl").name
    return [
        raw
        if isinstance(raw, Rejected)
        else conform(raw.fields, schema, raw.place, raw_text=raw.text)  # type: ignore[arg-type]
        for raw in read_jsonl(lines, name)
    ]


@pytest.mark.parametrize("case", cases("run/good"), ids=lambda case: case.stem)
def test_runs_to_what_is_expected(case: Path, update_expected: bool) -> None:
    """Records give the results that stand beside them, trace included."""
    rubric = load(case)
    identity = {"name": rubric.name, "version": rubric.version}

    records = _records(case, rubric.graph.schema)
    results = run(rubric.graph, records, providers=_providers(case)).results
    rows = [json.loads(dumps(result_json(each, identity, trace=True))) for each in results]
    text = json.dumps(rows, indent=1, ensure_ascii=False).replace(str(case), case.name) + "\n"

    expected = case.with_suffix(".expected.json")
    if update_expected:
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


@pytest.mark.parametrize("case", cases("run/bad"), ids=lambda case: case.stem)
def test_rejects_what_is_expected(case: Path, update_expected: bool) -> None:
    """Faulty records are rejected with the codes that stand beside them; subjects end as stands there."""
    rubric = load(case)

    done = run(rubric.graph, _records(case, rubric.graph.schema), providers=_providers(case))
    actual = {
        "rejected": [
            [each.place.line, *sorted({finding.code.id for finding in each.diagnostics})]
            for each in done.rejected
        ],
        "subjects": {" ".join(map(str, r.subject.values())): r.status for r in done.results},
        "account": [done.read, done.scored, len(done.rejected), done.ignored],
        "incomplete": done.incomplete,
    }
    text = json.dumps(actual, indent=1) + "\n"

    expected = case.with_suffix(".expected.json")
    if update_expected:
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")
