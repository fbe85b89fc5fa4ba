"""A score explained: the tree of rules that gave it, as text.

Each line gives points, what they are out of, the author's label and the place in the rubric; under it stands what
it was worked out from, down to the values read.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.diagnostics.render import Style, plain, visible
from rulesengine.graph import nodes as g
from rulesengine.report.result import Result
from rulesengine.runtime.outcome import Because, Failed, Scored, Unscored
from rulesengine.runtime.trace import (
    CombineTrace,
    ComputedTrace,
    FixTrace,
    Member,
    Read,
    RowsTrace,
    RowTried,
    SumTrace,
    Trace,
)
from rulesengine.source import Span
from rulesengine.values import Error, Missing, Value, show, show_number

LONGEST_VALUE = 72


def explain(result: Result, style: Style = plain) -> str:
    """Return the explanation of one subject's result, with a newline at the end."""
    return "\n".join(_explain(result, style)) + "\n"


def points(value: Fraction) -> str:
    """Return points as people read them, and as they are where that differs: `61.67 (185/3)`."""
    exact = show_number(value)
    return exact if "/" not in exact else f"{float(value):.2f} ({exact})"


def _explain(result: Result, style: Style) -> Iterator[str]:
    subject = ", ".join(f"{name} {show(value)}" for name, value in result.subject.items())
    yield style(visible(subject), "title")
    if result.score is not None:
        bands = "".join(f", {name}: {band}" for name, band in result.bands.items())
        yield f"{points(result.score)} of {show_number(result.out_of)}{bands}"
    else:
        yield style(result.status, "error")
    if result.interval is not None and result.interval[0] != result.interval[1]:
        low, high = result.interval
        yield f"if all that is unscored went worst or best: {points(low)} to {points(high)}"
    for because in (*result.errors, *result.unscored):
        yield f"  {style('because', 'note')} {_reason(because)}"
    if result.trace is not None:
        yield ""
        yield from _trace(result.trace, result.subject.keys(), "", style)


def _reason(because: Because) -> str:
    keys = " ".join(show(value) for _, value in because.keys)
    where = " ".join(part for part in (because.path, keys) if part)
    return visible(f"{where}: {because.reason} ({because.code.id})" if where else because.reason)


def _trace(trace: Trace, known: object, indent: str, style: Style) -> Iterator[str]:
    """The lines of a trace; `known` are keys that need not be said again."""
    match trace:
        case SumTrace(parts=parts):
            yield _head(trace, indent, style)
            for part in parts:
                yield from _trace(part, known, f"{indent}  ", style)
        case FixTrace(inner=CombineTrace() as inner):
            yield _head(trace, indent, style, _mean(inner))
            yield from _members(inner, f"{indent}  ", style)
        case FixTrace(inner=inner):
            yield _head(trace, indent, style)
            yield from _detail(inner, f"{indent}  ", style)
        case CombineTrace():
            yield _head(trace, indent, style, _mean(trace))
            yield from _members(trace, f"{indent}  ", style)
        case RowsTrace() | ComputedTrace():
            yield _head(trace, indent, style)
            yield from _detail(trace, f"{indent}  ", style)


def _head(trace: Trace, indent: str, style: Style, note: str = "") -> str:
    node = trace.node
    name = node.path or ""
    label = f" {node.label}" if node.label else ""
    worth = _worth(trace)
    return (
        f"{indent}{style(name.rpartition('.')[2] if name != 'score' else 'score', 'title')}{label}: "
        f"{_outcome(trace)}{f' of {show_number(worth)}' if worth is not None else ''}"
        f"{f', {note}' if note else ''}{_because(trace)}  {style(_place(node.span), 'dim')}"
    )


def _worth(trace: Trace) -> Fraction | None:
    match trace:
        case FixTrace(inner=inner):
            return _worth(inner)
        case CombineTrace(members=(first, *_)):
            return _worth(first.trace)
        case CombineTrace():
            return None
        case _:
            return trace.node.worth


def _outcome(trace: Trace) -> str:
    match trace.outcome:
        case Scored(value=value):
            return points(value)
        case Unscored():
            return "unscored"
        case Failed():
            return "failed"


def _because(trace: Trace) -> str:
    return "".join(f" ({visible(each.reason)})" for each in trace.because)


def _mean(trace: CombineTrace) -> str:
    used = [
        member.trace.outcome.value
        for member in trace.members
        if member.excluded is None and isinstance(member.trace.outcome, Scored)
    ]
    left_out = len(trace.members) - len(used)
    return f"mean of {len(used)}" + (f", {left_out} left out" if left_out else "")


def _members(trace: CombineTrace, indent: str, style: Style) -> Iterator[str]:
    for member in trace.members:
        name = show(dict(member.trace.at)[trace.node.key])
        if member.excluded is not None:
            yield (
                f"{indent}{style(visible(name), 'title')}: {style('excluded', 'warning')}, "
                f"{member.excluded.reason}{_reads(member.reads)}"
                f"  {style(_place(member.excluded.span), 'dim')}"
            )
        else:
            yield from _named(member, visible(name), indent, style)


def _named(member: Member, name: str, indent: str, style: Style) -> Iterator[str]:
    trace = member.trace
    yield f"{indent}{style(name, 'title')}: {_outcome(trace)}{_because(trace)}"
    match trace:
        case CombineTrace():
            yield from _members(trace, f"{indent}  ", style)
        case SumTrace(parts=parts):
            for part in parts:
                yield from _trace(part, (), f"{indent}  ", style)
        case _:
            yield from _detail(trace, f"{indent}  ", style)


def _detail(trace: Trace, indent: str, style: Style) -> Iterator[str]:
    """The rows tried, in order: what each asked, what it read, and what came of it."""
    match trace:
        case RowsTrace():
            for tried in trace.tried:
                yield _tried(tried, trace, indent, style)
            fired = trace.fired
            if fired is not None and all(tried.row is not fired for tried in trace.tried):
                yield f"{indent}{style('fired', 'note')} {_words(fired)}  {style(_place(fired.span), 'dim')}"
        case ComputedTrace():
            yield f"{indent}worked out{_reads(trace.reads)}"
        case _:
            pass


def _tried(tried: RowTried, trace: RowsTrace, indent: str, style: Style) -> str:
    is_gate = tried.row.gate is not None
    match tried.held:
        case Missing():
            verdict = "missing"
        case Error():
            verdict = "error"
        case False:
            verdict = "passed" if is_gate else "no"
        case _:
            verdict = "failed" if is_gate else "fired"
    reads = tried.reads if tried.row is not trace.fired else (*tried.reads, *trace.reads)
    mark = "note" if tried.row is trace.fired else "dim"
    return (
        f"{indent}{style(verdict, mark)} {_words(tried.row)}{_reads(reads)}"
        f"  {style(_place(tried.row.span), 'dim')}"
    )


def _words(row: g.Row) -> str:
    """A row in the author's words, on one line."""
    return visible(" ".join(row.span.text.split()))


def _reads(reads: tuple[Read, ...]) -> str:
    if not reads:
        return ""
    unique = dict.fromkeys(_read(read) for read in reads)
    return f"  [{'; '.join(unique)}]"


def _read(read: Read) -> str:
    saw = "; ".join(inner.what for inner in (read, *read.inside) if inner.what)
    return f"{read.name} = {_value(read.value)}{f' ({visible(saw)})' if saw else ''}"


def _value(value: Value) -> str:
    text = visible(show(value))
    shown = text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
    return f'"{shown}"' if isinstance(value, str) and not value.isidentifier() else shown


def _place(span: Span) -> str:
    return f"line {span.line}"
