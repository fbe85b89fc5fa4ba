"""Cases as JSON lines: evidence and what is to come of it, for cases that a program writes.

One case a line, in NAME.cases.jsonl beside the rubric:

    {"case": "two runs", "given": [{"who": "m", "run": 1, "right": true}, …], "expect": {"score": 50, "letter": "E"}}

`expect` names parts of the score, figures shown, bands, `score`, and `status`; null expects no score. Beside it may
stand `params`, `subject` (which of several is meant), `by` (the gate or the label of the row that each record fired),
`excluded` and `errors` (reasons), `rungs` (of a comparison: the rung of each row), and `answers` of a judge or model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from rulesengine.diagnostics import Code, Diagnostic, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.conform import conform
from rulesengine.evidence.decode import decode
from rulesengine.evidence.numbers import OverLimit, exact
from rulesengine.evidence.schema import Record, Rejected
from rulesengine.graph import nodes as g
from rulesengine.pipeline import Checked
from rulesengine.providers.callables import providers_of
from rulesengine.providers.protocols import NoAnswer, Question, Undecided
from rulesengine.providers.recorded import as_text
from rulesengine.report.cases import CaseRun
from rulesengine.report.result import Result
from rulesengine.report.run import run
from rulesengine.runtime.trace import RowsTrace, counted, every
from rulesengine.source import Place
from rulesengine.values import Plain, show

NAMES = (
    "case",
    "given",
    "expect",
    "params",
    "subject",
    "by",
    "excluded",
    "errors",
    "rungs",
    "answers",
)


def run_line(line: bytes | str, place: Place, checked: Checked) -> CaseRun:
    """Run the case that a line holds; what is wrong with the line itself is a failure of it."""
    decoded = decode(line, place)
    if isinstance(decoded, Rejected):
        return CaseRun(f"line {place.line}", decoded.diagnostics)
    title = decoded.get("case")
    name = title if isinstance(title, str) else f"line {place.line}"
    found = list(_misshapen(decoded))
    if not found:
        found = list(_failures(decoded, checked))
    return CaseRun(name, tuple(Diagnostic(c, message, place, help=h) for c, message, h in found))


_Finding: TypeAlias = tuple[Code, str, str | None]


def _bad(message: str, advice: str | None = None) -> _Finding:
    return codes.BAD_CASE, message, advice


def _misshapen(row: Mapping[str, object]) -> Iterator[_Finding]:
    for name in row:
        if name not in NAMES:
            hint = did_you_mean(name, NAMES) or f"a case has {', '.join(NAMES)}"
            yield _bad(f"a case has no `{name}`", hint)
    given = row.get("given")
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        yield _bad("a case gives records", 'write `"given": [{ … }]`')
    for name in ("expect", "params", "subject", "by", "rungs"):
        if not isinstance(row.get(name, {}), Mapping):
            yield _bad(f"`{name}` is an object", f'write `"{name}": {{ … }}`')
    for name in ("excluded", "errors", "answers"):
        if not isinstance(row.get(name, []), list):
            yield _bad(f"`{name}` is a list", f'write `"{name}": [ … ]`')
    if not any(row.get(name) for name in ("expect", "by", "excluded", "errors", "rungs")):
        yield _bad("this case expects nothing", 'add `"expect": {"score": …}`')


def _failures(row: Mapping[str, object], checked: Checked) -> Iterator[_Finding]:
    params = _mapping(row, "params")
    if params:
        checked = checked.with_params(params)
        if not checked.is_sound:
            yield from (_bad(each.message, each.help) for each in checked.diagnostics)
            return
    graph = checked.graph
    records: list[Record] = []
    given = row["given"]
    assert isinstance(given, list)
    for number, each in enumerate(given, start=1):
        record = conform(each, graph.schema, Place(f"record {number}", 0))
        if isinstance(record, Rejected):
            yield from (_bad(f"record {number}: {d.message}", d.help) for d in record.diagnostics)
        else:
            records.append(record)
    if len(records) < len(given):
        return
    answers = row.get("answers", [])
    assert isinstance(answers, list)
    judge = _Answers(answers)
    providers = providers_of(
        judge.answer if judge.answers else None, judge.cosine if judge.cosines else None
    )
    done = run(graph, records, providers=providers)
    wanted = {name: as_text(value) for name, value in _mapping(row, "subject").items()}
    meant = [
        result
        for result in done.results
        if all(show(result.subject.get(k, "")) == v for k, v in wanted.items())
    ]
    if len(meant) != 1:
        yield _bad(
            f"this case gives {len(done.results)} subjects, and {len(meant)} are meant",
            'say which: `"subject": { … }`',
        )
        return
    yield from _held(row, meant[0], graph)


def _mapping(row: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = row.get(name, {})
    assert isinstance(value, Mapping)
    return value


def _held(row: Mapping[str, object], result: Result, graph: g.Graph) -> Iterator[_Finding]:
    known = _known(result)
    for name, wanted in _mapping(row, "expect").items():
        if name not in known:
            yield _bad(f"nothing is called `{name}`", did_you_mean(name, known))
        elif not _same(known[name], wanted):
            why = "; ".join(each.reason for each in (*result.errors, *result.unscored))
            yield (
                codes.CASE_FAILED,
                f"expected `{name}` to be {as_text(wanted)}, and it is {_shown(known[name])}"
                f"{f': {why}' if why else ''}",
                None,
            )
    for path, wanted in _mapping(row, "by").items():
        yield from _by(path, as_text(wanted), result)
    for what, told in (
        ("excluded", [each.reason for each in result.excluded]),
        ("errors", [each.reason for each in result.errors]),
    ):
        reasons = row.get(what, [])
        assert isinstance(reasons, list)
        for reason in reasons:
            if as_text(reason) not in told:
                yield (
                    codes.CASE_FAILED,
                    f"expected {what} for `{as_text(reason)}`, and there is "
                    f"{'; '.join(told) or 'none'}",
                    None,
                )
    yield from _rungs(row, result)


def _known(result: Result) -> dict[str, Plain | None]:
    known: dict[str, Plain | None] = dict(result.values)
    known["score"] = result.score
    known["status"] = result.status
    known.update(result.bands)
    for name, place in result.places.items():
        known[f"{name}.place"], known[f"{name}.kept"] = Fraction(place.place), place.kept
    return known


def _same(actual: Plain | None, wanted: object) -> bool:
    if actual is None or wanted is None:
        return actual is None and wanted is None
    if isinstance(actual, bool) or isinstance(wanted, bool):
        return actual is wanted
    if isinstance(actual, Fraction):
        return _number(wanted) == actual
    return show(actual) == wanted


def _number(wanted: object) -> Fraction | None:
    """A number as JSON says it, or as a text that JSON has no number for: `"185/3"`."""
    if isinstance(wanted, str):
        try:
            return Fraction(wanted)
        except (ValueError, ZeroDivisionError):
            return None
    try:
        return exact(wanted)
    except OverLimit:
        return None


def _shown(value: Plain | None) -> str:
    return "without a score" if value is None else show(value)


def _by(path: str, wanted: str, result: Result) -> Iterator[_Finding]:
    traces = every(result.trace) if result.trace is not None else ()
    part = next((trace for trace in traces if trace.node.path == path), None)
    if part is None:
        yield _bad(f"no part is called `{path}`")
        return
    for trace in counted(part):
        if isinstance(trace, RowsTrace):
            fired = trace.fired
            if fired is None or wanted not in (fired.gate, fired.label):
                words = " ".join(fired.span.text.split()) if fired is not None else "no row"
                yield (
                    codes.CASE_FAILED,
                    f"expected `{path}` by `{wanted}`, and what fired is `{words}`",
                    None,
                )


def _rungs(row: Mapping[str, object], result: Result) -> Iterator[_Finding]:
    for child, rows in _mapping(row, "rungs").items():
        told = {
            each.row: each.rung
            for compared in result.comparisons
            if compared.name == child
            for each in compared.comparison.rows
        }
        for name, wanted in rows.items() if isinstance(rows, Mapping) else ():
            if told.get(str(name)) != wanted:
                actual = told.get(str(name), "no row")
                message = (
                    f"expected `{name}` of `{child}` by `{as_text(wanted)}`, and it is {actual}"
                )
                yield codes.CASE_FAILED, message, None


class _Answers:
    """What a line gives: `{"ask": "fit", "inputs": ["a", "b"], "answer": "better"}`; `similarity` is a cosine.

    `"undecided": "why"` in place of an answer says that judges did not agree.
    """

    def __init__(self, rows: list[object]) -> None:
        self.answers: dict[tuple[str, tuple[str, ...]], object] = {}
        self.cosines: dict[tuple[str, ...], Fraction] = {}
        for row in rows:
            if not isinstance(row, Mapping):
                continue
            inputs = row.get("inputs")
            texts = tuple(as_text(each) for each in inputs) if isinstance(inputs, list) else ()
            answer = (
                Undecided(as_text(row["undecided"])) if "undecided" in row else row.get("answer")
            )
            cosine = _number(answer)
            if row.get("ask") == "similarity" and cosine is not None:
                self.cosines[texts] = self.cosines[texts[::-1]] = cosine
            else:
                self.answers[str(row.get("ask")), texts] = answer

    def answer(self, question: Question) -> object:
        """Return the answer that the line gives."""
        key = question.ask, tuple(text for _, text in question.inputs)
        if key not in self.answers:
            return NoAnswer("the case gives no answer")
        return self.answers[key]

    def cosine(self, left: str, right: str) -> Fraction | NoAnswer:
        """Return the cosine that the line gives."""
        found = self.cosines.get((left, right))
        return NoAnswer("the case gives no cosine") if found is None else found
