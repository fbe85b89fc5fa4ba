"""Running cases: what is expected against what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec
from attrs import frozen

from rulesengine.check.cases import place_of, raw_params, raw_records, raw_value
from rulesengine.check.params import with_params
from rulesengine.check.scope import EXPECT, Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.errors import InternalError
from rulesengine.evidence.canonical import as_json
from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Record
from rulesengine.graph import expressions as e
from rulesengine.graph import nodes as g
from rulesengine.graph.from_syntax import SIMILARITY, GraphBuilder, build_graph, walk
from rulesengine.providers.callables import providers_of
from rulesengine.providers.protocols import NoAnswer, Providers, Question, Undecided
from rulesengine.providers.recorded import as_text
from rulesengine.report.result import Result
from rulesengine.report.run import Run, run
from rulesengine.runtime import reference
from rulesengine.runtime.outcome import Scored
from rulesengine.runtime.reference import value_of
from rulesengine.runtime.trace import At, RowsTrace, Trace, counted, every
from rulesengine.runtime.waves import Asked, in_waves
from rulesengine.syntax import nodes as n
from rulesengine.values import Error, Missing, Value, show

MOST_REASONS = 3  # in one message


@frozen
class CaseRun:
    """A case that was run, and what did not hold."""

    title: str
    failures: tuple[Diagnostic, ...]


def run_case(case: n.Case, scope: Scope, graph: g.Graph) -> CaseRun:
    """Run one case of a checked rubric or library.

    Args:
        case: to run.
        scope: of the file that it stands in.
        graph: of the rubric or library that it is about; a case that sets params is run with a graph of its own.
    """
    if case.params:
        scope, errors = with_params(scope, raw_params(case))
        if errors:
            raise InternalError("a case sets params that checks had refused")
        graph = build_graph(scope)
    records = []
    for raw, span in raw_records(case):
        record = conform(raw, scope.schema, place_of(span))
        if not isinstance(record, Record):
            raise InternalError("a case gives a record that checks had refused")
        records.append(record)
    providers = _providers(case, graph)
    done = run(graph, records, providers=providers) if records else None

    def evaluate(asked: Asked) -> tuple[Diagnostic, ...]:
        evaluator = reference.Run(graph, tuple(records), asked)
        failures = [
            failure
            for expect in case.expects
            for failure in _failures(expect, scope, evaluator, tuple(records), _asked(expect, done))
        ]
        for claim in graph.claims if records else ():
            failures.extend(_broken(claim, case, evaluator, tuple(records)))
        return tuple(failures)

    (failures,) = in_waves([evaluate], providers)
    return CaseRun(case.title, failures)


class _Given:
    """The answers and cosines that a case gives."""

    def __init__(self, case: n.Case, graph: g.Graph) -> None:
        self.answers: dict[tuple[str, tuple[str, ...]], n.Literal_] = {}
        for given in case.answers:
            name = given.ask.text
            asked = next((ask for ask in graph.asks if ask.endswith(f".{name}")), name)
            known = name if name in graph.asks else asked
            texts = tuple(as_text(raw_value(each)) for each in given.arguments)
            self.answers[known, texts] = given.answer

    def answer(self, question: Question) -> object:
        """Return what the case says that a judge answers; missing is what judges did not agree on."""
        texts = tuple(text for _, text in question.inputs)
        literal = self.answers.get((question.ask, texts))
        if literal is None:
            return NoAnswer("the case gives no answer")
        value = raw_value(literal)
        return Undecided("the case says so") if value is None else value

    def cosine(self, left: str, right: str) -> Fraction | NoAnswer:
        """Return the cosine that the case gives, in whichever order."""
        for pair in ((left, right), (right, left)):
            literal = self.answers.get((SIMILARITY, pair))
            if isinstance(literal, n.Number):
                return literal.value
        return NoAnswer("the case gives no cosine")


def _providers(case: n.Case, graph: g.Graph) -> Providers:
    """A judge and a measure where the case gives answers of theirs; else there is none."""
    given = _Given(case, graph)
    kinds = {ask == SIMILARITY for ask, _ in given.answers}
    return providers_of(
        given.answer if False in kinds else None, given.cosine if True in kinds else None
    )


def _broken(
    claim: g.Claim, case: n.Case, evaluator: reference.Run, records: tuple[Record, ...]
) -> Iterator[Diagnostic]:
    """Points of a case's evidence at which a claim does not hold."""
    points: dict[At, None] = {}
    for record in records:
        at = tuple((key, record.key(key)) for key in evaluator.graph.schema.keys)
        points[evaluator.point(at, claim.keys)] = None
    for point in points:
        held = evaluator.value(claim.condition, reference.Here(at=point))
        if held is False:
            shown = ", ".join(f"{key} {show(value)}" for key, value in point)
            yield Diagnostic(
                codes.CLAIM_BROKEN,
                f'the claim "{claim.title}" does not hold for {shown}',
                case.span,
                labels=(Label(claim.span, "the claim"),),
            )


def _asked(expect: n.Expect | n.ExpectExcluded, done: Run | None) -> Result | None:
    """The result of the subject that is asked about."""
    results = done.results if done is not None else ()
    about = expect.about if isinstance(expect, n.Expect) else expect.pairs
    wanted = {pair.name.text: show_literal(pair.value) for pair in about}
    for result in results:
        if all(
            wanted.get(key, show(value)) == show(value) for key, value in result.subject.items()
        ):
            return result
    return results[0] if results else None


def _failures(
    expect: n.Expect | n.ExpectExcluded,
    scope: Scope,
    evaluator: reference.Run,
    records: tuple[Record, ...],
    result: Result | None,
) -> Iterator[Diagnostic]:
    graph = evaluator.graph
    if isinstance(expect, n.ExpectExcluded):
        yield from _excluded(expect, result)
        return
    builder = GraphBuilder(scope, functions=dict(graph.functions), asks=dict(graph.asks))
    expr = builder.expression(expect.condition, EXPECT)
    evaluator = reference.Run(
        msgspec.structs.replace(graph, functions=builder.functions, asks=builder.asks),
        records,
        evaluator.asked,
    )
    at = _at(graph, records, result)
    here = reference.Here(at=at, results=_results(graph, result))
    value = evaluator.value(expr, here)
    trace = _trace_of(expr, result)
    if value is not True:
        actual = f"{_actual(expr, here, value)}{_why(trace, result)}"
        yield Diagnostic(
            codes.CASE_FAILED,
            f"expected `{expect.condition.span.text}`, and {actual}",
            expect.span,
        )
        return
    if expect.by is not None and trace is not None:
        yield from _by(expect, expect.by.text, trace)
    if expect.reason is not None and result is not None:
        reasons = [each.reason for inner in _counted(trace) for each in inner.because]
        reasons += [each.reason for each in result.errors if each.reason not in reasons]
        if expect.reason.text not in reasons:
            yield Diagnostic(
                codes.CASE_FAILED,
                f"it has another reason: {'; '.join(reasons)}",
                expect.reason.span,
            )


def _counted(trace: Trace | None) -> Iterator[Trace]:
    return counted(trace) if trace is not None else iter(())


def _at(graph: g.Graph, records: tuple[Record, ...], result: Result | None) -> At:
    """The keys that all records asked about have in common: of one record, all."""
    own = [
        record
        for record in records
        if result is None or all(record.key(k) == v for k, v in result.subject.items())
    ]
    return tuple(
        (key, own[0].key(key))
        for key in graph.schema.keys
        if own and len({record.key(key) for record in own}) == 1
    )


def _results(graph: g.Graph, result: Result | None) -> Mapping[str, Value]:
    if result is None:
        return {}
    values: dict[str, Value] = {
        path: Missing("unscored") if value is None else value
        for path, value in result.values.items()
    }
    for inner in every(result.trace) if result.trace is not None else ():
        if inner.node.path and not isinstance(values.get(inner.node.path), Fraction):
            values[inner.node.path] = value_of(inner)
    if result.status == "failed" and result.errors:
        first = result.errors[0]
        span = graph.nodes[graph.total].span
        values[graph.total] = Error(Diagnostic(first.code, first.reason, span))
    total = values[graph.total]
    for bands in graph.bands:
        name = result.bands[bands.name]
        values[bands.name] = total if name is None else name
    for name, place in result.places.items():
        values[f"{name}.place"] = Fraction(place.place)
        values[f"{name}.kept"] = place.kept
    return values


def _actual(expr: e.Expr, here: reference.Here, value: Value) -> str:
    """What the names in a condition were, in reading order."""
    said: dict[str, str] = {}
    for each in walk(expr):
        match each:
            case e.PartValue(name=name) | e.FigureValue(name=name):
                actual = here.results[name]
                said[name] = "unscored" if isinstance(actual, Missing) else show(actual)
            case _:
                pass
    said |= {read.name: show(read.value) for read in here.reads.values()}
    if not said:
        return f"it is {show(value)}"
    return ", ".join(f"`{name}` is {shown}" for name, shown in said.items())


def _why(trace: Trace | None, result: Result | None) -> str:
    """What gave a part its result: the row that fired, if it is one; or why it has no score."""
    if result is not None and result.status == "failed" and result.errors:
        return f": {'; '.join(each.reason for each in result.errors[:MOST_REASONS])}"
    if trace is None:
        return ""
    if not isinstance(trace.outcome, Scored):
        reasons = list(dict.fromkeys(each.reason for t in counted(trace) for each in t.because))
        more = "; …" if len(reasons) > MOST_REASONS else ""
        return f": {'; '.join(reasons[:MOST_REASONS])}{more}" if reasons else ""
    fired = {t.fired for t in counted(trace) if isinstance(t, RowsTrace) and t.fired is not None}
    if len(fired) != 1:
        return ""
    (row,) = fired
    return f", by `{' '.join(row.span.text.split())}`"


def _trace_of(expr: e.Expr, result: Result | None) -> Trace | None:
    """The trace of the first part that a condition names."""
    if result is None or result.trace is None:
        return None
    for each in walk(expr):
        if isinstance(each, e.PartValue):
            return next((t for t in every(result.trace) if t.node.path == each.name), None)
    return None


def _by(expect: n.Expect, wanted: str, trace: Trace) -> Iterator[Diagnostic]:
    for inner in counted(trace):
        if not isinstance(inner, RowsTrace):
            continue
        fired = inner.fired
        names = (fired.gate, fired.label) if fired is not None else ()
        if wanted not in names:
            shown = " ".join(fired.span.text.split()) if fired is not None else "no row"
            yield Diagnostic(
                codes.CASE_FAILED,
                f"expected it by `{wanted}`, and what fired is `{shown}`",
                expect.span,
            )


def _excluded(expect: n.ExpectExcluded, result: Result | None) -> Iterator[Diagnostic]:
    wanted = {pair.name.text: show_literal(pair.value) for pair in expect.pairs}
    found = result.excluded if result is not None else ()
    same = [
        each
        for each in found
        if wanted.items() <= {name: show(value) for name, value in each.keys}.items()
    ]
    reason = expect.reason.text if expect.reason is not None else None
    if not any(reason in (None, each.reason) for each in same):
        others = "; ".join(each.reason for each in same)
        yield Diagnostic(
            codes.CASE_FAILED,
            f"it was excluded for another reason: {others}" if same else "it was not excluded",
            expect.span,
        )


def show_literal(literal: n.Literal_) -> str:
    """Return a literal as `show` gives its value."""
    match literal:
        case n.Number(value=value) | n.Text(value=value) | n.Truth(value=value):
            return show(value)
        case n.Date(value=day):
            return show(day)
        case n.Reference(path=path):
            return path.text
        case n.Missing():
            return "missing"
        case n.ListLiteral() | n.ObjectLiteral():
            return as_json(raw_value(literal)).text
