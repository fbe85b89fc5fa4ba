"""A score explained: each part with its points, and under each what gave them.

One line a record: its points, the row or gate that fired in the author's words, what that read of
the evidence, and its line in the rubric. `tried` shows every row that was reached, in order,
instead of only the one that fired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import PurePath

from attrs import field, frozen

from rulesengine.diagnostics.render import Style, plain, visible
from rulesengine.graph import nodes as g
from rulesengine.report.result import Compared, Place, Result, count_of
from rulesengine.runtime.outcome import Because, Failed, Scored, Unscored
from rulesengine.runtime.trace import (
    CombineTrace,
    ComputedTrace,
    FixTrace,
    Member,
    Read,
    RowsTrace,
    RowTried,
    StepTrace,
    SumTrace,
    Trace,
    below,
    every,
)
from rulesengine.source import Span
from rulesengine.values import Error, Missing, Plain, Value, show, show_number

LONGEST_VALUE = 72
LONGEST_DECIMALS = 12
LONGEST_LINE = 110  # what was read goes on a line of its own where it would get longer
MOST_INSIDE = 3  # of an `otherwise`: longer lists of what a definition read are left to `tried`


def _placed(place: Place) -> str:
    return "no place" if place.place is None else f"place {place.place}"


def explain(
    result: Result,
    style: Style = plain,
    *,
    tried: bool = False,
    only: Mapping[str, str] | None = None,
) -> str:
    """Return the explanation of one subject's result, with a newline at the end.

    Args:
        result: the result, with its trace.
        style: what paints pieces of text.
        tried: show every row that was reached, not only the one that fired.
        only: keys with their values as text; parts and records that have others are left out.
    """
    return "\n".join(_Explainer(style, tried, only or {}).result(result)) + "\n"


def points(value: Fraction) -> str:
    """Return points as people read them, and as they are where that differs: `61.67 (185/3)`.

    Of a number that only has its first digits, the first of these: `≈ 17.1988`.
    """
    exact = show_number(value)
    if len(exact.partition(".")[2]) > LONGEST_DECIMALS:
        return f"≈ {float(value):.4f}"
    return exact if "/" not in exact else f"{float(value):.2f} ({exact})"


@frozen
class _Explainer:
    """Writes the lines, with what all of them need."""

    style: Style
    tried: bool
    only: Mapping[str, str] = field(factory=dict)

    def result(self, result: Result) -> Iterator[str]:
        """The lines of a result."""
        subject = ", ".join(f"{name} {show(value)}" for name, value in result.subject.items())
        yield self.style(visible(subject), "title")
        if result.score is not None:
            bands = "".join(
                f", {name}: {visible(str(band))}" for name, band in result.bands.items()
            )
            yield f"{points(result.score)} of {show_number(result.out_of)}{bands}"
        else:
            yield self.style(result.status, "error")
        if result.interval is not None and result.interval[0] != result.interval[1]:
            low, high = result.interval
            yield f"if all that is unscored went worst or best: {points(low)} to {points(high)}"
        for each in result.degraded:
            yield f"{self.style('beware', 'warning')}: {each}"
        for because in (*result.errors, *result.unscored):
            yield f"  {self.style('because', 'note')} {_reason(because)}"
        if result.trace is None:
            return
        yield ""
        file = PurePath(result.trace.node.span.name).name
        yield self.style(f"lines are those of {visible(file)}", "dim")
        yield from self.inside(result.trace, "")
        parts = {trace.node.path for trace in every(result.trace)}
        for path, value in result.values.items():
            if path not in parts:
                figure = points(value) if isinstance(value, Fraction) else visible(str(value))
                yield f"{self.style(visible(path), 'title')}: {'no value' if value is None else figure}"
        for name, place in result.places.items():
            ties = f", tied with {len(place.tied_with)}" if place.tied_with else ""
            yield (
                f"{self.style(f'ranking {visible(name)}', 'title')}: {_placed(place)}{ties}, "
                f"{'kept' if place.kept else 'not kept'}"
            )
        for compared in result.comparisons:
            keys = {name: show(value) for name, value in compared.keys}
            if all(keys.get(name, value) == value for name, value in self.only.items()):
                yield from self.compared(compared)

    def compared(self, compared: Compared) -> Iterator[str]:
        """The lines of a comparison: for each leaf its credit, the rung that gave it, and both values."""
        yield ""
        yield self.style(
            f"{visible(compared.name)}{_of(compared)}, leaf by leaf: credit, rung, candidate, reference",
            "dim",
        )
        for row in compared.comparison.rows:
            cosine = "" if row.cosine is None else f" at cosine {show_number(row.cosine)}"
            sides = " | ".join(
                "nothing" if side is None else _quoted(side)
                for side in (row.candidate, row.reference)
            )
            title = self.style(visible(row.row or "the whole"), "title")
            yield f"{title}: {points(row.credit)} by {visible(row.rung)}{cosine}  [{sides}]"

    def part(self, trace: Trace, indent: str, factor: Fraction = Fraction(1)) -> Iterator[str]:
        """The lines of a criterion or item, which counts times a factor, and of what is below it."""
        if not self.wanted(trace):
            return
        inner = trace
        while isinstance(inner, FixTrace | StepTrace):
            inner = inner.inner
        notes = [_counts(trace, factor), _mean(inner) if isinstance(inner, CombineTrace) else ""]
        note = ", ".join(each for each in notes if each)
        yield self.head(trace, indent, note)
        yield from self.inside(trace, f"{indent}  ")

    def inside(self, trace: Trace, indent: str) -> Iterator[str]:
        """The lines of what a trace was worked out from."""
        match trace:
            case SumTrace(parts=parts):
                for part, factor in zip(parts, trace.node.factors, strict=True):
                    yield from self.part(part, indent, factor)
            case FixTrace(inner=inner):
                yield from self.inside(inner, indent)
            case StepTrace(inner=inner):
                if not isinstance(inner.outcome, Failed):
                    yield f"{indent}{_step(trace.node)}: {_outcome(inner)} becomes {_outcome(trace)}"
                yield from self.inside(inner, indent)
            case CombineTrace(members=members):
                for member in members:
                    if self.wanted(member.trace):
                        key = trace.node.key
                        name = _named(key, dict(member.trace.at)[key])
                        yield from self.member(member, name, indent)
            case RowsTrace() | ComputedTrace():
                yield from self.leaf(trace, "", indent)

    def wanted(self, trace: Trace) -> bool:
        """Whether a trace is about what `only` asks for, or holds something that is."""
        known = dict(trace.at)
        if isinstance(trace, FixTrace):
            known[trace.node.key] = trace.node.option
        if any(name in known and show(known[name]) != value for name, value in self.only.items()):
            return False
        return not isinstance(trace, SumTrace) or any(map(self.wanted, below(trace)))

    def head(self, trace: Trace, indent: str, note: str) -> str:
        """The line of a criterion or item."""
        node = trace.node
        name = (node.path or "score").rpartition(".")[2]
        label = f' "{visible(node.label)}"' if node.label else ""
        worth = _worth(trace)
        return (
            f"{indent}{self.style(visible(name), 'title')}{label}: {_outcome(trace)}"
            f"{f' of {show_number(worth)}' if worth is not None else ''}"
            f"{f', {note}' if note else ''}{_because(trace)}  {self.place(node.span)}"
        )

    def member(self, member: Member, name: str, indent: str) -> Iterator[str]:
        """The lines of one result that was combined, or of why it was not."""
        title = f"{self.style(visible(name), 'title')}: "
        if member.excluded is not None:
            verdict = f"{self.style('excluded', 'warning')}, {visible(member.excluded.reason)}"
            reads = _reads(member.reads)
            yield from self.line(f"{title}{verdict}", reads, member.excluded.span, indent)
        elif isinstance(member.trace, RowsTrace | ComputedTrace):
            yield from self.leaf(member.trace, title, indent)
        else:
            yield f"{indent}{title}{_outcome(member.trace)}{_because(member.trace)}"
            yield from self.inside(member.trace, f"{indent}  ")

    def leaf(self, trace: RowsTrace | ComputedTrace, title: str, indent: str) -> Iterator[str]:
        """The lines of one record's result."""
        outcome = f"{title}{_outcome(trace)}"
        if isinstance(trace, ComputedTrace):
            text = f"{outcome}, worked out{_because(trace)}"
            yield from self.line(text, _reads(trace.reads), trace.node.span, indent)
        elif self.tried or trace.fired is None:
            yield f"{indent}{outcome}{_because(trace)}"
            yield from self.rows(trace, f"{indent}  ")
        else:
            text = f"{outcome} by {self.style(_name(trace.fired), 'note')}{_because(trace)}"
            yield from self.line(text, _evidence(trace), trace.fired.span, indent)

    def line(self, text: str, reads: str, span: Span, indent: str) -> Iterator[str]:
        """One line, or two where it would get too long."""
        if not reads:
            yield f"{indent}{text}  {self.place(span)}"
        elif len(indent) + len(text) + len(reads) <= LONGEST_LINE:
            yield f"{indent}{text}  [{reads}]  {self.place(span)}"
        else:
            yield f"{indent}{text}  {self.place(span)}"
            yield f"{indent}  [{reads}]"

    def rows(self, trace: RowsTrace, indent: str) -> Iterator[str]:
        """The rows tried, in order: what each asked, what it read, and what came of it."""
        for tried in trace.tried:
            yield self.row(tried, trace, indent)
        fired = trace.fired
        if fired is not None and all(tried.row is not fired for tried in trace.tried):
            yield f"{indent}{self.style('fired', 'note')} {_words(fired)}  {self.place(fired.span)}"

    def row(self, tried: RowTried, trace: RowsTrace, indent: str) -> str:
        """The line of one row that was tried."""
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
        is_fired = tried.row is trace.fired
        reads = _reads((*tried.reads, *trace.reads) if is_fired else tried.reads)
        return (
            f"{indent}{self.style(verdict, 'note' if is_fired else 'dim')} {_words(tried.row)}"
            f"{f'  [{reads}]' if reads else ''}  {self.place(tried.row.span)}"
        )

    def place(self, span: Span) -> str:
        """The line of the rubric that something stands on."""
        return self.style(f"line {span.line}", "dim")


def _reason(because: Because) -> str:
    values = [show(value) for _, value in because.keys]
    keys = " ".join(value for value in values if value not in because.path.split("."))
    where = " ".join(part for part in (because.path, keys) if part)
    return visible(f"{where}: {because.reason} ({because.code.id})" if where else because.reason)


def _named(key: str, value: Plain) -> str:
    """What a combined result is of; a bare number would not say what it counts."""
    return show(value) if isinstance(value, str) else f"{key} {show(value)}"


def _counts(trace: Trace, factor: Fraction) -> str:
    """What a part adds where that is not its own result."""
    if factor == 1 or not isinstance(trace.outcome, Scored):
        return ""
    counted = trace.outcome.value * factor
    return f"takes off {points(-counted)}" if factor < 0 else f"adds {points(counted)}"


def _worth(trace: Trace) -> Fraction | None:
    match trace:
        case FixTrace(inner=inner) | StepTrace(inner=inner):
            return _worth(inner)
        case CombineTrace(members=(first, *_)):
            return _worth(first.trace)
        case CombineTrace():
            return None
        case RowsTrace() | ComputedTrace() | SumTrace():
            return trace.node.out_of


def _step(node: g.Clamp | g.Round) -> str:
    match node:
        case g.Clamp(low=low, high=high):
            return f"clamp {show_number(low)} to {show_number(high)}"
        case g.Round(mode=mode, step=step):
            return f"round {mode} to {show_number(step)}"


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
    count = count_of(trace)
    if not count.used or isinstance(trace.outcome, Failed):
        return ""
    return f"{trace.node.op} of {count.used}" + (
        f", {count.left_out} left out" if count.left_out else ""
    )


def _name(row: g.Row) -> str:
    """What a row is called: its gate, its label, or else its condition."""
    label = f'"{row.label}"' if row.label else ""
    if row.gate is not None:
        return visible(f"gate {row.gate} {label}".rstrip())
    if label:
        return visible(label)
    if row.condition is None:
        return _words(row).partition(" ->")[0]
    return visible(f"when {' '.join(row.condition.span.text.split())}")


def _evidence(trace: RowsTrace) -> str:
    """What the row that fired rests on: the gates passed before it, and what it read.

    An `otherwise` reads nothing: it rests on all that the rows before it read.
    """
    fired = trace.fired
    before = [tried for tried in trace.tried if tried.row is not fired]
    own = [read for tried in trace.tried if tried.row is fired for read in tried.reads]
    passed = ", ".join(tried.row.gate for tried in before if tried.row.gate is not None)
    if own or trace.reads:
        reads = _reads((*own, *trace.reads))
    else:
        reads = _reads(tuple(read for tried in before for read in tried.reads), MOST_INSIDE)
    return "; ".join(part for part in (f"passed {passed}" if passed else "", reads) if part)


def _words(row: g.Row) -> str:
    """A row in the author's words, on one line."""
    return visible(" ".join(row.span.text.split()))


def _reads(reads: tuple[Read, ...], most_inside: int | None = None) -> str:
    """Values that were read, those that were the same in one: `bends, generic = no`."""
    groups: dict[str, list[str]] = {}
    for read in reads:
        names = groups.setdefault(f"{_value(read)}{_inside(read, most_inside)}", [])
        if read.name not in names:
            names.append(read.name)
    return "; ".join(f"{', '.join(names)} = {value}" for value, names in groups.items())


def _inside(read: Read, most_inside: int | None) -> str:
    """What was seen, or else read, to work a value out."""
    saw = "; ".join(inner.what for inner in (read, *read.inside) if inner.what)
    if saw:
        return f" ({visible(saw)})"
    if not read.inside or (most_inside is not None and len(read.inside) > most_inside):
        return ""
    return f" ({_reads(read.inside)})"


def _value(read: Read) -> str:
    quoted = _quoted(read.value)
    return f"{quoted} by default" if read.is_default else quoted


def _of(compared: Compared) -> str:
    """Which record was compared, where a subject has several."""
    keys = ", ".join(f"{name} {show(value)}" for name, value in compared.keys)
    return f" of {visible(keys)}" if keys else ""


def _quoted(value: Value) -> str:
    text = visible(show(value))
    shown = text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
    return f'"{shown}"' if isinstance(value, str) and not value.isidentifier() else shown
