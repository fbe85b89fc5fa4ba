"""The reference evaluator: what a rubric means.

It walks the graph for one subject with exact numbers and gives back the trace. It is plain on purpose and keeps
nothing but the value of each definition for the record at hand; the compiled evaluator is held to it by a law.

Logic is Kleene's, and the order of parts never matters: a false part settles an `and` and a true one an `or`; where
none does, an error is reached before a missing value is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from fractions import Fraction

from attrs import define, evolve, field

from rulesengine.compare.compare import compare as compare_values
from rulesengine.compare.normal import equal
from rulesengine.compare.outcome import (
    Comparison,
    Leaf,
    NeedsMore,
    Options,
    Reach,
    Settled,
    Unusable,
    Waiting,
)
from rulesengine.diagnostics import Code, Diagnostic, codes
from rulesengine.diagnostics.short import short
from rulesengine.errors import InternalError
from rulesengine.evidence.schema import Cell, Record
from rulesengine.graph import expressions as e
from rulesengine.graph import nodes as g
from rulesengine.graph.from_syntax import walk
from rulesengine.primitives import BUILT_INS, PRIMITIVES, NoValue
from rulesengine.primitives.dates import days_between, later
from rulesengine.primitives.numbers import rounded
from rulesengine.primitives.patterns import matches
from rulesengine.primitives.primitive import Primitive
from rulesengine.primitives.words import contains as contains_words
from rulesengine.primitives.words import ends_with, starts_with
from rulesengine.providers.protocols import NO_PROVIDERS, Answer, NoAnswer, Undecided
from rulesengine.runtime.asking import (
    KINDS,
    UNDECIDED,
    Given,
    credit_of,
    fits,
    folded,
    leaves_of,
    most,
    question,
    raw,
    read_answer,
    read_cosine,
    said,
    type_name,
    waiting,
)
from rulesengine.runtime.outcome import Because, Failed, Outcome, Scored, Unscored
from rulesengine.runtime.statistics import LEAST, STATISTICS
from rulesengine.runtime.trace import (
    At,
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
    record_keys,
)
from rulesengine.runtime.trace import counted as trace_counted
from rulesengine.runtime.waves import Asked, Wanted, asked_of
from rulesengine.types import (
    DateType,
    JsonType,
    ListType,
    NumberType,
    OneOfType,
    RecordsType,
    TextType,
    Type,
    UnknownType,
    UrlType,
    YesNoType,
)
from rulesengine.values import (
    LARGEST_NUMBER,
    Entries,
    Error,
    Missing,
    Plain,
    Value,
    Waits,
    show,
    show_number,
)

# Of items and leaves in one comparison: two lists of 700. A ladder takes its time for each, and no record is to take
# minutes; a comparison of more fails.
MOST_PAIRS = 500_000


class Misfit(InternalError):  # noqa: N818 # no fault of ours on a ladder, where it is caught
    """An operation on values of the wrong kind, which checks rule out but for the leaves that a ladder meets."""


@define
class Here:
    """Where an expression stands: what its names mean, and what it has read so far.

    `at` is the point at hand; `this` the one outside the `over other` that the expression stands in.
    """

    at: At = ()
    this: At = ()
    parameters: Mapping[str, Value] = field(factory=dict)
    awarded: Value = field(factory=lambda: Missing("unscored"))
    results: Mapping[str, Value] = field(factory=dict)
    reads: dict[str, Read] = field(factory=dict)
    on_ladder: str = ""  # the type of the leaf that a ladder settles, empty elsewhere
    cosines: list[Fraction] = field(factory=list)

    def taken(self) -> tuple[Read, ...]:
        """Return what was read, and forget it."""
        reads = tuple(self.reads.values())
        self.reads = {}
        return reads


class Run:
    """One graph over records: those of one subject, or of all where subjects are measured against each other.

    Args:
        graph: of a rubric in which the checks found no error.
        records: no two with the same keys; their order does not matter.
        asked: what is known from providers; what is wanted and not known waits.
    """

    def __init__(
        self,
        graph: g.Graph,
        records: tuple[Record, ...],
        asked: Asked | None = None,
    ) -> None:
        self.graph = graph
        self.asked = asked_of(NO_PROVIDERS) if asked is None else asked
        self.keys = (*graph.schema.keys, *graph.children)
        self.comparisons: dict[tuple[str, At], Comparison | Error] = {}
        self.costs: dict[int, int] = {}
        self.others: dict[tuple[str, str, At], dict[Plain, list[Given]]] = {}
        self.lacks: dict[str, None] = {}  # what weakens results: providers that were needed
        self.indexes: dict[tuple[str, ...], dict[tuple[Plain, ...], list[Record]]] = {
            (): {(): list(records)}
        }
        self.definitions: dict[tuple[str, At], Read] = {}
        self.traces: dict[tuple[str, At], Trace] = {}

    def total(self, subject: Mapping[str, Plain]) -> Trace:
        """Return the trace of the total for the subject with these keys."""
        return self.trace(self.graph.total, tuple(subject.items()))

    def trace(self, id_: str, at: At) -> Trace:
        """Return the trace of a named part or the total, worked out once for each point."""
        own = id_, self.point(at, self.graph.nodes[id_].grain)
        found = self.traces.get(own)
        if found is None:
            found = self.traces[own] = self.node(id_, at, id_)
        return found

    # ------------------------------------------------------------------------------------------------ nodes

    def node(self, id_: str, at: At, path: str, *, settled: bool = True) -> Trace:
        """Return the trace of a node. `settled` turns a result off its scale into a failure."""
        node = self.graph.nodes[id_]
        path = node.path or path
        # Keys that a node does not vary by are not its own: an item fixes one anew, a mean goes over all of another.
        at = self.point(at, node.grain)
        match node:
            case g.Rows():
                trace: Trace = self.rows(node, at, path)
            case g.Computed():
                trace = self.computed(node, at, path)
            case g.Combine():
                trace = self.combine(node, at, path)
            case g.Clamp(source=source) | g.Round(source=source):
                inner = self.node(source, at, path)
                outcome = stepped(inner.outcome, node)
                trace = StepTrace(node=node, at=at, outcome=outcome, inner=inner)
            case g.Fix(source=source, key=key, option=option):
                inner = self.node(source, (*at, (key, option)), path)
                trace = FixTrace(node=node, at=at, outcome=inner.outcome, inner=inner)
            case g.Sum(parts=parts):
                traces = tuple(self.node(part, at, path) for part in parts)
                outcome = total([trace.outcome for trace in traces], node)
                trace = SumTrace(node=node, at=at, outcome=outcome, parts=traces)
            case g.Definition():
                raise InternalError(f"{id_} has a value and no outcome")
        return self.on_scale(trace, path) if settled else trace

    def rows(self, node: g.Rows, at: At, path: str) -> RowsTrace:
        """Try the rows in order, at the one point that `at` names."""

        def trace(
            outcome: Outcome, fired: g.Row | None, reads: tuple[Read, ...], *because: Because
        ) -> RowsTrace:
            return RowsTrace(
                node=node,
                at=at,
                outcome=outcome,
                tried=tuple(tried),
                fired=fired,
                reads=reads,
                because=because,
            )

        tried: list[RowTried] = []
        if not self.select(at):
            lacking = self.because(path, at, codes.NO_RECORD, self.lacking(at))
            return trace(Unscored(*self.bounds(node)), None, (), lacking)
        here = Here(at=at)
        waits: Waits | None = None
        for row in node.rows:
            held = None if row.condition is None else self.value(row.condition, here)
            tried.append(RowTried(row=row, held=held, reads=here.taken()))
            if held is False:
                continue
            if isinstance(held, Waits) and self.asked.explores:
                self.result(row, node, here, path)
                waits = held
                continue
            if isinstance(held, Error):
                return trace(Failed(), row, (), self.error(path, at, held))
            if is_undecided(held):
                undecided = self.undecided(path, at, held)
                return trace(Unscored(*self.bounds(node)), row, (), undecided)
            if isinstance(held, Missing):
                row = self.if_missing(node, path)
            outcome, row, because = self.result(row, node, here, path)
            return trace(outcome, row, here.taken(), *because)
        if waits is not None:
            return trace(Failed(), None, (), self.error(path, at, waits))
        raise InternalError(f"an input falls through the rows of {path}, which checks ruled out")

    def result(
        self, row: g.Row, node: g.Rows | g.Computed, here: Here, path: str
    ) -> tuple[Outcome, g.Row, tuple[Because, ...]]:
        """Return what a row gives, with the row itself, or the one for a missing value."""
        if isinstance(row.result, g.NoScore):
            unscored = self.because(path, here.at, codes.UNSCORED_ROW, row.result.reason)
            return Unscored(*self.bounds(node)), row, (unscored,)
        value = self.value(row.result, here)
        if is_undecided(value):
            undecided = self.undecided(path, here.at, value)
            return Unscored(*self.bounds(node)), row, (undecided,)
        if isinstance(value, Missing) and row is not node.if_missing:
            return self.result(self.if_missing(node, path), node, here, path)
        outcome, because = self.outcome(value, here.at, path)
        return outcome, row, because

    def outcome(self, value: Value, at: At, path: str) -> tuple[Outcome, tuple[Because, ...]]:
        """Return a value as an outcome."""
        if isinstance(value, Error):
            return Failed(), (self.error(path, at, value),)
        points = self.number(value, path)
        return Scored(points, points, points), ()

    def if_missing(self, node: g.Rows | g.Computed, path: str) -> g.Row:
        """Return the row for a missing value."""
        if node.if_missing is None:
            raise InternalError(f"a value of {path} is missing, which checks ruled out")
        return node.if_missing

    def computed(self, node: g.Computed, at: At, path: str) -> ComputedTrace:
        """Work out a criterion's expression, at the one point that `at` names."""
        here = Here(at=at)
        fired: g.Row | None = None
        because: tuple[Because, ...]
        outcome: Outcome
        if not self.select(at):
            outcome = Unscored(*self.bounds(node))
            because = (self.because(path, at, codes.NO_RECORD, self.lacking(at)),)
        else:
            value = self.value(node.value, here)
            if is_undecided(value):
                outcome = Unscored(*self.bounds(node))
                because = (self.undecided(path, at, value),)
            elif isinstance(value, Missing):
                outcome, fired, because = self.result(self.if_missing(node, path), node, here, path)
            else:
                outcome, because = self.outcome(value, at, path)
        return ComputedTrace(
            node=node, at=at, outcome=outcome, fired=fired, reads=here.taken(), because=because
        )

    def combine(self, node: g.Combine, at: At, path: str) -> CombineTrace:
        """Roll up over every value of the key that the records have."""
        members = []
        domain = self.domain(node.key, at)
        if isinstance(domain, Error):
            failed = self.error(path, at, domain)
            return CombineTrace(node=node, at=at, outcome=Failed(), members=(), because=(failed,))
        for value in domain:
            trace = self.node(node.source, (*at, (node.key, value)), path, settled=False)
            members.append(self.member(node, trace, path))
        used = [member.trace for member in members if member.excluded is None]
        outcome, scored = combined([trace.outcome for trace in used], node, self.bounds(node))
        because: tuple[Because, ...] = ()
        if not members:
            because = (self.because(path, at, codes.NO_RECORD, self.lacking(at)),)
        elif not used:
            reason = f"every {node.key} was excluded"
            because = (self.because(path, at, codes.ALL_EXCLUDED, reason),)
        elif isinstance(outcome, Unscored) and not scored:
            reason = f"no {node.key} has a score"
            because = (self.because(path, at, codes.NOTHING_SCORED, reason),)
        elif isinstance(outcome, Unscored):
            reason = f"{scored} scored by {node.key}, and {node.quorum} are needed"
            because = (self.because(path, at, codes.NO_QUORUM, reason),)
        return CombineTrace(
            node=node,
            at=at,
            outcome=outcome,
            members=tuple(members),
            because=because,
            kept=tuple(kept(used, node, outcome)),
        )

    def member(self, node: g.Combine, trace: Trace, path: str) -> Member:
        """Exclude a result, or settle it."""
        outcome = trace.outcome
        if isinstance(outcome, Scored):
            awarded: Value = outcome.value
        elif isinstance(outcome, Unscored):
            awarded = Missing("unscored")
        else:
            awarded = Error(Diagnostic(codes.LOST_RECORD, "failed", node.span))
        here = Here(at=trace.at, awarded=awarded)
        for exclusion in node.exclusions:
            held = self.value(exclusion.condition, here)
            reads = here.taken()
            if isinstance(held, Error):
                if isinstance(outcome, Failed):
                    continue  # its own error stands
                error = self.error(path, trace.at, held)
                return Member(trace=evolve(trace, outcome=Failed(), because=(error,)), reads=reads)
            if is_undecided(held):
                undecided = self.undecided(path, trace.at, held)
                unscored = Unscored(*self.bounds(node))
                return Member(
                    trace=evolve(trace, outcome=unscored, because=(undecided,)), reads=reads
                )
            if isinstance(held, Missing):
                raise InternalError(f"an exclusion of {path} is missing, which checks ruled out")
            if held:
                return Member(trace=trace, excluded=exclusion, reads=reads)
        return Member(trace=self.on_scale(trace, path))

    def on_scale(self, trace: Trace, path: str) -> Trace:
        """Fail a result that its part cannot give."""
        if not isinstance(trace, RowsTrace | ComputedTrace) or not isinstance(
            trace.outcome, Scored
        ):
            return trace
        value, node = trace.outcome.value, trace.node
        if node.scale is not None:
            wanted = f"one of {', '.join(map(show_number, node.scale))}"
            fits = value in node.scale
        else:
            wanted = f"from {show_number(node.low)} to {show_number(node.high)}"
            fits = node.low <= value <= node.high
        if fits:
            return trace
        reason = f"{show_number(value)} is off the scale: it should be {wanted}"
        because = self.because(path, trace.at, codes.OFF_THE_SCALE, reason)
        return evolve(trace, outcome=Failed(), because=(because,))

    # ---------------------------------------------------------------------------------- records and ranges

    def point(self, at: At, grain: tuple[str, ...]) -> At:
        """Return the keys at hand that a grain has, in the order of the evidence."""
        known = dict(at)
        return tuple((key, known[key]) for key in self.keys if key in grain and key in known)

    def select(self, at: At) -> list[Record]:
        """Return the records that agree with `at`, in the order in which they came."""
        known = dict(at)
        names = tuple(key for key in self.graph.schema.keys if key in known)
        if names not in self.indexes:
            index: dict[tuple[Plain, ...], list[Record]] = {}
            for record in self.indexes[()][()]:
                index.setdefault(record.keys(names), []).append(record)
            self.indexes[names] = index
        return self.indexes[names].get(tuple(known[name] for name in names), [])

    def domain(self, key: str, at: At) -> list[Plain] | Error:
        """Return the values of a key among the records that agree with `at`, or the rows there, in a fixed order."""
        if key in self.graph.children:
            return self.rows_of(self.graph.children[key], at)
        found = {record.key(key) for record in self.select(at)}
        type_ = self.graph.schema.by_name[key].type
        if isinstance(type_, OneOfType):
            return [option for option in type_.options if option in found]
        return sorted(found)  # the values of one field are of one type

    def bounds(self, node: g.AnyNode) -> tuple[Fraction, Fraction]:
        """Return the least and greatest result that a node can have."""
        match node:
            case (
                g.Rows(scale=scale, low=low, high=high)
                | g.Computed(scale=scale, low=low, high=high)
            ):
                return (min(scale), max(scale)) if scale else (low, high)
            case g.Combine(source=source) | g.Fix(source=source):
                return self.bounds(self.graph.nodes[source])
            case g.Clamp(source=source) | g.Round(source=source):
                low, high = self.bounds(self.graph.nodes[source])
                return step(low, node), step(high, node)
            case g.Sum(parts=parts, factors=factors):
                bounds = [self.bounds(self.graph.nodes[part]) for part in parts]
                return weighted_bounds(bounds, factors)
            case g.Definition():
                raise InternalError("a definition has no range of points")

    # --------------------------------------------------------------------------------------------- reasons

    def because(self, path: str, at: At, code: Code, reason: str) -> Because:
        """Return a reason, with the keys that say which record it is about."""
        return Because(path, record_keys(at, self.graph.subject), code, reason)

    def error(self, path: str, at: At, error: Error) -> Because:
        """Return the reason that an error is."""
        return self.because(path, at, error.diagnostic.code, error.diagnostic.message)

    def undecided(self, path: str, at: At, value: Value | None) -> Because:
        """Return the reason that judges who do not agree are."""
        about = value.about if isinstance(value, Missing) else ""
        return self.because(path, at, codes.UNDECIDED, about)

    def lacking(self, at: At) -> str:
        """Say which record there is not."""
        keys = [f"{key} {show(value)}" for key, value in record_keys(at, self.graph.subject)]
        return f"no record for {', '.join(keys)}" if keys else "no record"

    def number(self, value: Value, path: str) -> Fraction:
        """Return a result as a number."""
        if not isinstance(value, Fraction):
            raise InternalError(f"a result of {path} is no number, which checks ruled out")
        return value

    # ----------------------------------------------------------------------------------------- expressions

    def value(self, expr: e.Expr, here: Here) -> Value:
        """Return the value of an expression, noting what it reads."""
        match expr:
            case e.Constant(value=constant):
                return constant
            case e.FieldValue(name=name):
                value = self.field(name, here)
                here.reads[name] = Read(
                    name=name, value=value, is_default=self.is_default(name, value, here)
                )
                return value
            case e.LetValue(name=name):
                return self.definition(name, here)
            case e.ParameterValue(name=name):
                return here.parameters[name]
            case e.PartValue(name=name):
                return self.part(name, here)
            case e.FigureValue(name=name):
                return here.results.get(name, Missing("unscored"))
            case e.AwardedValue():
                here.reads["awarded"] = Read(name="awarded", value=here.awarded)
                return here.awarded
            case e.Items(items=items):
                values = [self.value(item, here) for item in items]
                bad = first_bad(*values)
                return tuple(values) if bad is None else bad  # type: ignore[arg-type]
            case e.Apply(function=name, arguments=arguments):
                function = self.graph.functions[name]
                values = [self.value(argument, here) for argument in arguments]
                given = dict(zip(function.parameters, values, strict=True))
                # A function is pure; the point at hand is for what goes along with a question.
                inside = evolve(here, parameters=given)
                return self.value(function.body, inside)
            case e.CallPrimitive(primitive=name, arguments=arguments):
                values = [self.value(argument, here) for argument in arguments]
                bad = first_bad(*values)
                if bad is not None:
                    return bad
                primitive = PRIMITIVES[name]
                if here.on_ladder and not takes(primitive, values):
                    return Missing("absent")
                if primitive.repeats and len(values) == 1 and isinstance(values[0], tuple):
                    values = list(values[0])
                seen = primitive.function(*values)
                if isinstance(seen, NoValue):
                    message = f"`{expr.span.text}` has no value: {seen.why}"
                    return Error(Diagnostic(seen.code, message, expr.span))
                if seen.what:
                    key = f"{name} {expr.span.start}" if name in BUILT_INS else f"core.{name}"
                    here.reads[key] = Read(name=name, value=seen.value, what=seen.what)
                return in_limits(seen.value, expr)
            case e.Negation(operand=operand):
                value = self.value(operand, here)
                return not value if isinstance(value, bool) else value
            case e.All(parts=parts):
                return self.joined(parts, here, decisive=False)
            case e.Any(parts=parts):
                return self.joined(parts, here, decisive=True)
            case e.Comparison(op=op, left=left, right=right):
                sides = self.value(left, here), self.value(right, here)
                return self.fitting(lambda: compare(op, *sides), here)
            case e.Membership(item=item, container=container):
                both = self.value(container, here), self.value(item, here)
                return self.fitting(lambda: contains(*both), here)
            case e.TextTest():
                texts = self.value(expr.left, here), self.value(expr.right, here)
                return self.fitting(lambda: text_test(expr, *texts), here)
            case e.HasState(operand=operand, state=state):
                return self.has_state(operand, state, here)
            case e.Otherwise(operand=operand, fallback=fallback):
                value = self.value(operand, here)
                lacks = isinstance(value, Missing) and not is_unprovided(value)
                return self.value(fallback, here) if lacks else value
            case e.Calculation():
                terms = self.value(expr.left, here), self.value(expr.right, here)
                return self.fitting(lambda: calculate(expr, *terms), here)
            case e.Aggregate():
                return self.aggregate(expr, here)
            case e.AttributeValue(child=child, name=name):
                return self.attribute(self.graph.children[child], name, here)
            case e.Asked(operand=operand, fallback=fallback):
                value = self.value(operand, here)
                return self.value(fallback, here) if isinstance(value, Missing) else value
            case e.AskValue():
                return self.ask(expr, here)
            case e.Similarity(left=left, right=right):
                return self.similarity(self.value(left, here), self.value(right, here), expr, here)
            case e.Rungs():
                return self.ladder(expr, here)
            case e.Rung() | e.RungsOf():
                raise InternalError("a rung stands alone")
            case e.Nothing():
                return Missing("absent")
            case e.ThisValue(operand=operand):
                return self.value(operand, evolve(here, at=here.this))
            case e.Table(rows=rows, if_missing=if_missing):
                return self.table(rows, if_missing, here)
            case e.Case():
                raise InternalError("a row of a table stands alone")

    def condition(self, expr: e.Expr, here: Here) -> Value:
        """Return the value of a condition; on a ladder, missing where it is none."""
        value = self.value(expr, here)
        is_none = here.on_ladder and not isinstance(value, bool | Missing | Error)
        return Missing("absent") if is_none else value

    def fitting(self, operation: Callable[[], Value], here: Here) -> Value:
        """Carry out an operation. A ladder meets leaves of every kind, and what they do not fit is missing there."""
        try:
            return operation()
        except Misfit:
            if here.on_ladder:
                return Missing("absent")
            raise

    def joined(self, parts: tuple[e.Expr, ...], here: Here, *, decisive: bool) -> Value:
        """Join conditions, the cheapest first: where one settles it, nobody is asked about those that cost more."""
        values: list[Value] = []
        for part in sorted(parts, key=self.cost):
            waits = any(isinstance(value, Waits) for value in values)
            if (decisive in values or (waits and not self.asked.explores)) and self.cost(part):
                break
            values.append(self.condition(part, here))
        return settle(values, decisive=decisive)

    def cost(self, expr: e.Expr) -> int:
        """Return 0 for what is free, 1 for what may be measured by an embedding, 2 for what may be asked of a judge."""
        if id(expr) not in self.costs:
            self.costs[id(expr)] = max(self.own_cost(each) for each in walk(expr))
        return self.costs[id(expr)]

    def own_cost(self, expr: e.Expr) -> int:
        """Return the cost of an expression without what stands inside it."""
        match expr:
            case e.AskValue():
                return 2
            case e.Similarity():
                return 1
            case e.Apply(function=name):
                return self.cost(self.graph.functions[name].body)
            case e.LetValue(name=name):
                node = self.graph.nodes[name]
                return self.cost(node.value) if isinstance(node, g.Definition) else 0
            case _:
                return 0

    # ------------------------------------------------------------------------------ children, ladders, providers

    def rows_of(self, child: g.Child, at: At) -> list[Plain] | Error:
        """Return the names of the rows of a child grain at a point: numbers from 1, or those of a comparison."""
        at = self.point(at, child.grain)
        if child.comparison is None:
            entries = self.field(child.name, Here(at=at))
            if not isinstance(entries, Entries):
                return []
            return [Fraction(number) for number in range(1, len(entries.rows) + 1)]
        found = self.comparison(child, at)
        if isinstance(found, Error):
            return found
        return [row.row for row in (found.rows if child.of == "leaves" else found.lists)]

    def attribute(self, child: g.Child, name: str, here: Here) -> Value:
        """Return what the row at hand says."""
        known = dict(here.at)
        at = self.point(here.at, child.grain)
        value: Value = Missing("absent")
        if child.comparison is None:
            entries, number = self.field(child.name, Here(at=at)), known[child.name]
            if isinstance(entries, Entries) and isinstance(number, Fraction):
                value = dict(entries.rows[int(number) - 1])[name]
        else:
            found = self.comparison(child, at)
            if isinstance(found, Error):
                return found
            rows = found.rows if child.of == "leaves" else found.lists
            value = said(next(row for row in rows if row.row == known[child.name]), name)
        here.reads[f"{child.name}.{name}"] = Read(name=f"{child.name}.{name}", value=value)
        return value

    def comparison(self, child: g.Child, at: At) -> Comparison | Error:
        """Compare two values leaf by leaf, once for each point."""
        assert child.comparison is not None
        own = child.comparison.name, at
        if own not in self.comparisons:
            self.comparisons[own] = self.compared(child, at)
        return self.comparisons[own]

    def compared(self, child: g.Child, at: At) -> Comparison | Error:
        """Work a comparison out."""
        node = child.comparison
        assert node is not None
        here = Here(at=at)
        sides = [self.value(node.candidate, here), self.value(node.reference, here)]
        schema = self.field(node.schema, here) if node.schema is not None else None
        bad = first_bad(*sides)
        if isinstance(bad, Error):
            return bad
        failures: list[Error] = []

        def settle(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
            by = node.leaves if leaf.kind == "both" else node.extras
            if failures or by is None:
                return Settled(Fraction(0), leaf.kind)
            settled = self.climb_for(by, leaf, reach, at, child)
            if isinstance(settled, Waits):
                return NeedsMore(settled.diagnostic.message)
            if isinstance(settled, Error):
                failures.append(settled)
                return Settled(Fraction(0), "error")
            if leaf.kind == "extra" and settled.rung == "unsettled":
                return Settled(Fraction(0), "extra")  # nobody was asked about it
            return settled

        found = compare_values(
            raw(sides[0]),
            raw(sides[1]),
            None if schema is None else raw(schema),
            Options(
                lists=node.lists,
                pair_threshold=node.threshold,
                most_pairs=MOST_PAIRS,
                keyed=node.keyed,
                paired_by=node.paired_by,
            ),
            settle=settle,
        )
        if failures:
            return failures[0]
        if isinstance(found, Unusable):
            message = f"{found.side}{f' at {found.at}' if found.at else ''}: {found.message}"
            return Error(Diagnostic(codes.INCOMPARABLE, message, node.candidate.span))
        if isinstance(found, Waiting):
            if self.asked.explores:
                self.asked.unformed.update(self.may_ask(node, sides))
            return waiting(str(found.demands[0]), node.candidate.span)
        return found

    def may_ask(self, node: g.Comparison, sides: list[Value]) -> Counter[str]:
        """Return how many questions a comparison may ask that waits, at the most: by ladder and leaf, each of them."""
        leaves = len(leaves_of(raw(sides[0]), None)) + len(leaves_of(raw(sides[1]), None))
        asks: Counter[str] = Counter()
        for by in (node.leaves, node.extras):
            if by is not None:
                asks |= self.asks_in(self.graph.functions[by.ladder].body)
        return Counter({name: count * leaves for name, count in asks.items()})

    def asks_in(self, expr: e.Expr) -> Counter[str]:
        """Return how often each question stands in an expression, and in the functions that it calls."""
        found: Counter[str] = Counter()
        for each in walk(expr):
            if isinstance(each, e.AskValue):
                found[each.ask] += 1
            elif isinstance(each, e.Apply):
                found += self.asks_in(self.graph.functions[each.function].body)
        return found

    def climb_for(
        self, by: g.Settling, leaf: Leaf, reach: Reach, at: At, child: g.Child
    ) -> Settled | Error:
        """Settle one leaf of a comparison by a ladder of the rubric."""
        function = self.graph.functions[by.ladder]
        assert isinstance(function.body, e.Rungs)
        known: dict[str, Value] = {
            "candidate": leaf.candidate,
            "reference": Missing("absent") if leaf.reference is None else leaf.reference,
            "path": leaf.field.path,
            "type": leaf.type,
            "description": leaf.field.description or Missing("absent"),
            "parents": " > ".join(f"{name}: {said}" for name, said in leaf.field.parents)
            or Missing("absent"),
            "entry": leaf.item or Missing("absent"),
        }
        known |= {name: self.value(setting, Here(at=at)) for name, setting in by.settings}
        if "backed" in function.parameters and "backed" not in known:
            known["backed"] = self.backed(leaf, child, at)
        parameters = {name: known[name] for name in function.parameters}
        here = Here(at=at, parameters=parameters, on_ladder=leaf.type)
        return self.climb(function.body, here, reach)

    def backed(self, leaf: Leaf, child: g.Child, at: At) -> bool:
        """Tell whether texts hold a value as whole words, or most others give it at the same place.

        Others are those whose value is held against the same reference. One of them that has several, such as a model
        with several runs, gives what most of these give; those that have none do not count.
        """
        node = child.comparison
        assert node is not None
        value = folded(leaf.candidate)
        for name in node.texts:
            texts = self.field(name, Here(at=at))
            for text in (
                (texts,) if isinstance(texts, str) else texts if isinstance(texts, tuple) else ()
            ):
                if isinstance(text, str) and contains_words(str(folded(text)), show(value)) is True:
                    return True
        for key in node.others:
            giving = [
                most([(leaf.field.path, value) in given for given in theirs])
                for other, theirs in self.given_by(child, key, at).items()
                if other != dict(at)[key]
            ]
            if most(giving):
                return True
        return False

    def given_by(self, child: g.Child, key: str, at: At) -> dict[Plain, list[Given]]:
        """Return the leaves that each value of a key gives, a set for each candidate of the same reference."""
        node = child.comparison
        assert node is not None
        shared = tuple((name, value) for name, value in at if name in node.shared)
        if (child.name, key, shared) not in self.others:
            found: dict[Plain, list[Given]] = {}
            points = {
                self.point(
                    tuple((name, record.key(name)) for name in self.graph.schema.keys), child.grain
                ): None
                for record in self.select(shared)
            }
            for point in points:
                here = Here(at=point)
                value = self.value(node.candidate, here)
                schema = self.field(node.schema, here) if node.schema is not None else None
                given = leaves_of(raw(value), None if schema is None else raw(schema))
                if given:
                    found.setdefault(dict(point)[key], []).append(given)
            self.others[child.name, key, shared] = found
        return self.others[child.name, key, shared]

    def ladder(self, expr: e.Rungs, here: Here) -> Value:
        """Return the credit of a ladder that is called by name."""
        first = next((v for v in here.parameters.values() if not isinstance(v, Missing)), None)
        kind = here.parameters.get("type")
        told = kind if isinstance(kind, str) and kind in KINDS else type_name(first)
        inside = evolve(here, on_ladder=told, cosines=[])
        settled = self.climb(expr, inside, "all")
        if isinstance(settled, Error):
            return settled
        here.reads[f"rung {expr.span.start}"] = Read(
            name="rung",
            value=settled.rung,
            what="" if settled.cosine is None else str(settled.cosine),
        )
        return credit_of(settled)

    def climb(self, expr: e.Rungs, here: Here, reach: Reach) -> Settled | Error:
        """Try the rungs in order: an error stops the climb, what is missing settles nothing."""
        settled = self.climbed(expr, here, reach)
        return Settled(Fraction(0), "unsettled") if settled is None else settled

    def climbed(self, expr: e.Rungs, here: Here, reach: Reach) -> Settled | Error | None:
        """Return what the first rung settles; None where none does, and the rungs of another ladder may follow."""
        waits: Waits | None = None
        for rung in expr.rungs:
            if isinstance(rung, e.RungsOf):
                settled = self.lent(rung, here, reach)
                if isinstance(settled, Waits) and self.asked.explores:
                    waits = settled
                    continue
                if settled is not None:
                    return settled if waits is None else waits
                continue
            if rung.types is not None and not fits(here.on_ladder, rung.types):
                continue
            if reach == "pairing" and rung.cost == "judge":
                return Settled(Fraction(0), rung.name) if waits is None else waits
            here.cosines.clear()
            value = self.table(rung.rows, rung.if_missing, here)
            if is_unprovided(value):
                continue
            cosine = here.cosines[-1] if here.cosines else None
            if isinstance(value, Waits) and self.asked.explores:
                waits = value
                continue
            if isinstance(value, Error):
                return value
            if is_undecided(value):
                return Settled(Fraction(0), UNDECIDED, cosine)
            if isinstance(value, Fraction):
                if not 0 <= value <= 1:
                    reason = (
                        f"the rung `{rung.name}` gives {show_number(value)}: credit is from 0 to 1"
                    )
                    return Error(Diagnostic(codes.OFF_THE_SCALE, reason, rung.span))
                return Settled(value, rung.name, cosine) if waits is None else waits
        return waits

    def lent(self, rung: e.RungsOf, here: Here, reach: Reach) -> Settled | Error | None:
        """Try the rungs of another ladder, at the same value."""
        if reach == "pairing" and rung.cost == "judge":
            return Settled(Fraction(0), rung.ladder.function)
        function = self.graph.functions[rung.ladder.function]
        assert isinstance(function.body, e.Rungs)
        values = [self.value(argument, here) for argument in rung.ladder.arguments]
        given = dict(zip(function.parameters, values, strict=True))
        # The cosines go along, so that the result tells the one that was taken.
        inside = evolve(here, parameters=given)
        return self.climbed(function.body, inside, reach)

    def ask(self, expr: e.AskValue, here: Here) -> Value:
        """Return the judge's answer. Without a judge a rung settles nothing, and elsewhere the question fails."""
        ask = self.graph.asks[expr.ask]
        values = [self.value(argument, here) for argument in expr.arguments]
        bad = first_bad(*values)
        if isinstance(bad, Waits):
            self.asked.unformed[ask.name] += 1
        if bad is not None:
            return bad
        if not self.asked.has_judge and here.on_ladder:
            self.lacks["no judge: rungs that ask one settled nothing"] = None
            return Missing("unprovided")
        if not self.asked.has_judge:
            message = f"`{ask.name}` is a question to a judge, and there is none"
            return Error(Diagnostic(codes.NO_ANSWER, message, expr.span))
        asked = question(ask, values, [self.field(name, here) for name in ask.given])
        reply = self.asked.reply(asked)
        match reply:
            case Wanted():
                return waiting(asked.said, expr.span)
            case NoAnswer(why=why):
                return Error(Diagnostic(codes.NO_ANSWER, f"{asked.said}: {why}", expr.span))
            case Undecided(why=why):
                answer: Value = Missing("undecided", f"{asked.said}: {why}")
            case Answer(value=given, note=note):
                answer = read_answer(given, ask.type)
                if isinstance(answer, Error):
                    message = f"{asked.said}: {answer.diagnostic.message}"
                    return Error(Diagnostic(codes.BAD_ANSWER, message, expr.span))
                if note:
                    self.lacks[f"{asked.said}: {note}"] = None
        here.reads[f"{ask.name} {expr.span.start}"] = Read(
            name=ask.name, value=answer, what="judge"
        )
        return answer

    def similarity(self, left: Value, right: Value, expr: e.Similarity, here: Here) -> Value:
        """Return the cosine of two texts; missing where nothing measures it."""
        bad = first_bad(left, right)
        if bad is not None:
            return bad
        if not self.asked.has_measure:
            self.lacks["no embedding model: other wordings count as different"] = None
            return Missing("unprovided" if here.on_ladder else "absent")
        if not isinstance(left, str) or not isinstance(right, str):
            return Missing("absent")  # a rung for texts, met by what is none
        if not left.strip() or not right.strip():
            return Missing("unprovided" if here.on_ladder else "absent")  # it has no direction
        given = self.asked.cosine(left, right)
        asked = f"similarity of `{short(left)}` and `{short(right)}`"
        if isinstance(given, Wanted):
            return waiting(asked, expr.span)
        if isinstance(given, NoAnswer):
            return Error(Diagnostic(codes.NO_ANSWER, f"{asked}: {given.why}", expr.span))
        cosine = read_cosine(given)
        if isinstance(cosine, Error):
            message = f"{asked}: {cosine.diagnostic.message}"
            return Error(Diagnostic(codes.BAD_ANSWER, message, expr.span))
        if isinstance(cosine, Fraction):
            here.cosines.append(cosine)
        return cosine

    # ------------------------------------------------------------------------------------------- parts and rows

    def part(self, name: str, here: Here) -> Value:
        """Return the result of a part of the score: the one that a case asks about, or the one at hand."""
        if name in here.results:
            return here.results[name]
        trace = self.trace(name, here.at)
        value = value_of(trace)
        here.reads[name] = Read(name=name, value=value)
        return value

    def table(self, rows: tuple[e.Case, ...], if_missing: e.Expr | None, here: Here) -> Value:
        """Return the result of the first row whose condition holds.

        In a rung there may be none. Then nothing was missing either, so `when missing` is not for it.
        """
        waits: Waits | None = None
        for row in rows:
            held = True if row.condition is None else self.condition(row.condition, here)
            if held is False:
                continue
            value = self.value(row.result, here) if held is True else held
            if isinstance(held, Waits) and self.asked.explores:
                self.value(row.result, here)
                waits = held
                continue
            break
        else:
            return Missing("absent") if waits is None else waits
        if waits is not None:
            return waits
        if (
            isinstance(value, Missing)
            and if_missing is not None
            and not is_unprovided(value)
            and not is_undecided(value)
        ):
            return self.value(if_missing, here)
        return value

    def aggregate(self, expr: e.Aggregate, here: Here) -> Value:
        """Roll up a value over a key, wherever `where` holds."""
        at = self.point(here.at, expr.grain)
        own = dict(at).get(expr.key)
        rest = tuple((key, value) for key, value in at if key != expr.key)
        all_values = self.domain(expr.key, rest)
        if isinstance(all_values, Error):
            return all_values
        domain = [value for value in all_values if not (expr.other and value == own)]
        values: list[Value] = []
        for value in domain:
            inside = Here(at=(*rest, (expr.key, value)), this=at)
            held = True if expr.where is None else self.value(expr.where, inside)
            if held is True:
                values.append(self.value(expr.value, inside))
            elif held is not False:
                values.append(held)
        result = rolled_up(expr.op, values)
        name = " ".join(expr.span.text.split())
        here.reads[name] = Read(
            name=name, value=result, what=f"over {len(values)} of {len(domain)}"
        )
        return result

    def field(self, name: str, here: Here) -> Value:
        """Return a field of the record at hand, or a key that is at hand."""
        known = dict(here.at)
        if name in known:
            return known[name]
        cell = self.cell(name, here)
        return Missing("absent") if cell is None else cell.value

    def cell(self, name: str, here: Here) -> Cell | None:
        """Return the cell of a field at the point at hand: of one that varies by fewer keys, the one that is given."""
        per = self.graph.schema.by_name[name].per
        records = self.select(here.at if per is None else self.point(here.at, per))
        cells = [record.cells[name] for record in records]
        given = (cell for cell in cells if not isinstance(cell.value, Missing))
        return next(given, cells[0] if cells else None)

    def is_default(self, name: str, value: Value, here: Here) -> bool:
        """Tell whether a field's value was not in the record."""
        if isinstance(value, Missing) or name in dict(here.at):
            return False
        cell = self.cell(name, here)
        return cell is not None and cell.origin != "given"

    def definition(self, id_: str, here: Here) -> Value:
        """Return the value of a definition at the point at hand."""
        node = self.graph.nodes[id_]
        if not isinstance(node, g.Definition):
            raise InternalError(f"{id_} is no definition")
        own = id_, self.point(here.at, node.grain)
        read = self.definitions.get(own)
        if read is None:
            inside = Here(at=own[1])
            value = self.value(node.value, inside)
            read = Read(name=node.label or id_, value=value, inside=inside.taken())
            self.definitions[own] = read
        here.reads[id_] = read
        return read.value

    def has_state(self, operand: e.Expr, state: str, here: Here) -> Value:
        """Tell whether a value is missing, given, unscored or failed."""
        value = self.value(operand, here)
        if state == "failed" and not isinstance(value, Waits):
            return isinstance(value, Error)
        if isinstance(value, Error) or is_unprovided(value):
            return value
        if state == "given" and isinstance(operand, e.FieldValue):
            cell = self.cell(operand.name, here)
            return cell is not None and cell.origin == "given"
        if state == "given":
            return not isinstance(value, Missing)
        if state == "unscored":
            return isinstance(value, Missing) and value.why == "unscored"
        return isinstance(value, Missing)


# -------------------------------------------------------------------------------------------------- operations


def total(outcomes: list[Outcome], node: g.Sum) -> Outcome:
    """Add parts up: one that failed fails the whole, one that is unscored leaves it unscored or is left out."""
    if any(isinstance(outcome, Failed) for outcome in outcomes):
        return Failed()
    known = [outcome for outcome in outcomes if not isinstance(outcome, Failed)]
    low, high = weighted_bounds([(each.low, each.high) for each in known], node.factors)
    scored = [
        (outcome.value * factor, share)
        for outcome, factor, share in zip(known, node.factors, node.shares, strict=True)
        if isinstance(outcome, Scored)
    ]
    counted = sum((share for _, share in scored), Fraction(0))
    if len(scored) < len(known) and not (node.renormalise and counted):
        return Unscored(low, high)
    gained = sum((points for points, share in scored if share), Fraction(0))
    taken = sum((points for points, share in scored if not share), Fraction(0))
    if len(scored) < len(known):
        gained *= sum(node.shares, Fraction(0)) / counted
    return Scored(gained + taken, low, high)


def weighted_bounds(
    bounds: list[tuple[Fraction, Fraction]], factors: tuple[Fraction, ...]
) -> tuple[Fraction, Fraction]:
    """Return the least and greatest sum of parts that each lie between two bounds."""
    ends = [
        sorted((low * factor, high * factor))
        for (low, high), factor in zip(bounds, factors, strict=True)
    ]
    return sum((low for low, _ in ends), Fraction(0)), sum((high for _, high in ends), Fraction(0))


def combined(
    outcomes: list[Outcome], node: g.Combine, bounds: tuple[Fraction, Fraction]
) -> tuple[Outcome, int]:
    """Roll up what is scored; return the outcome, and how many were scored.

    Unscored results are left out and widen the interval; one that failed fails the whole.
    """
    if any(isinstance(outcome, Failed) for outcome in outcomes):
        return Failed(), 0
    known = [outcome for outcome in outcomes if not isinstance(outcome, Failed)]
    if not known:
        return Unscored(*bounds), 0
    rolled = STATISTICS[node.op]
    low, high = rolled([each.low for each in known]), rolled([each.high for each in known])
    scored = [outcome.value for outcome in known if isinstance(outcome, Scored)]
    if len(scored) < max(1, node.quorum):
        if scored:  # what a quorum turns away says nothing of what each of them would have been
            low, high = (rolled([end] * len(known)) for end in bounds)
        return Unscored(low, high), len(scored)
    return Scored(rolled(scored), low, high), len(scored)


def kept(
    traces: list[Trace], node: g.Combine, outcome: Outcome
) -> Iterator[tuple[str, Plain | None]]:
    """Yield the statistics of the results that were rolled up, by name, in the order in which they are asked for.

    There are none where nothing came out, but for `each` result, which has a value where it is scored.
    """
    scored = [
        (trace.outcome.value, dict(trace.at)[node.key])
        for trace in traces
        if isinstance(trace.outcome, Scored)
    ]
    for name in node.keep:
        match name:
            case "each":
                for trace in traces:
                    own = trace.outcome.value if isinstance(trace.outcome, Scored) else None
                    yield f"{node.key}.{show(dict(trace.at)[node.key])}", own
            case _ if not isinstance(outcome, Scored):
                yield name, None
            case "median_record":
                # Of an even number the lower middle, and of equal results the first in the order of the key.
                ordered = sorted(range(len(scored)), key=lambda index: scored[index][0])
                yield name, scored[ordered[(len(ordered) - 1) // 2]][1]
            case _:
                enough = len(scored) >= LEAST.get(name, 1)
                yield name, STATISTICS[name]([value for value, _ in scored]) if enough else None


def stepped(outcome: Outcome, node: g.Clamp | g.Round) -> Outcome:
    """Clamp or round a result, and its interval."""
    match outcome:
        case Scored(value=value, low=low, high=high):
            return Scored(step(value, node), step(low, node), step(high, node))
        case Unscored(low=low, high=high):
            return Unscored(step(low, node), step(high, node))
        case Failed():
            return outcome


def step(value: Fraction, node: g.Clamp | g.Round) -> Fraction:
    """Clamp or round a number."""
    match node:
        case g.Clamp(low=low, high=high):
            return min(max(value, low), high)
        case g.Round(mode=mode, step=width):
            return rounded(value, mode, width)


def value_of(trace: Trace) -> Value:
    """Return a result as a value: unscored is missing, failed is an error."""
    match trace.outcome:
        case Scored(value=value):
            return value
        case Unscored():
            return Missing("unscored")
        case Failed():
            reasons = [each for inner in trace_counted(trace) for each in inner.because]
            return Error(Diagnostic(reasons[-1].code, reasons[-1].reason, trace.node.span))


def rolled_up(op: str, values: list[Value]) -> Value:
    """Roll up values: like every operation, one over a missing value is missing, and an error survives."""
    match op:
        case "any":
            return settle(values, decisive=True)
        case "all":
            return settle(values, decisive=False)
        case "none":
            some = settle(values, decisive=True)
            return not some if isinstance(some, bool) else some
    bad = first_bad(*values)
    if bad is not None:
        return bad
    if op == "count":
        return Fraction(sum(value is True for value in values))
    if len(values) < LEAST.get(op, 1):
        return Missing("absent")
    if op == "share":
        return Fraction(sum(value is True for value in values), len(values))
    return STATISTICS[op]([value for value in values if isinstance(value, Fraction)])


def first_bad(*values: Value) -> Missing | Error | None:
    """Return the first error, or else the first missing value, or None.

    An error that is known goes before what waits, which cannot undo it; and what is undecided before what is missing
    otherwise, since a rubric may have thought of the latter alone.
    """
    errors = [value for value in values if isinstance(value, Error)]
    if errors:
        return min(errors, key=lambda error: isinstance(error, Waits))
    missing = [value for value in values if isinstance(value, Missing)]
    return min(missing, key=lambda value: not is_undecided(value)) if missing else None


def takes(primitive: Primitive, values: list[Value]) -> bool:
    """Tell whether a function takes values of these kinds."""
    wanted = [type_ for _, type_ in primitive.parameters]
    if primitive.repeats:
        wanted += wanted[-1:] * (len(values) - len(wanted))
    flat = list(values[0]) if primitive.repeats and isinstance(values[0], tuple) else values
    return all(_is_of(value, type_) for value, type_ in zip(flat, wanted, strict=False))


def _is_of(value: Value, type_: Type) -> bool:
    match type_:
        case TextType() | UrlType() | OneOfType():
            return isinstance(value, str)
        case NumberType():
            return isinstance(value, Fraction)
        case YesNoType():
            return isinstance(value, bool)
        case DateType():
            return isinstance(value, date)
        case ListType():
            return isinstance(value, tuple)
        case JsonType() | RecordsType() | UnknownType():
            return True


def is_unprovided(value: Value) -> bool:
    """Tell whether a value hangs on a provider that there is not."""
    return isinstance(value, Missing) and value.why == "unprovided"


def is_undecided(value: Value | None) -> bool:
    """Tell whether a value is what judges did not agree on."""
    return isinstance(value, Missing) and value.why == "undecided"


def settle(values: list[Value], *, decisive: bool) -> Value:
    """Join conditions: a decisive one settles it; else an error, else a missing one, else the opposite.

    What waits may still be decisive, so it goes before an error.
    """
    if any(value is decisive for value in values):
        return decisive
    for value in values:
        if isinstance(value, Waits):
            return value
    bad = first_bad(*values)
    return not decisive if bad is None else bad


def compare(op: str, left: Value, right: Value) -> Value:
    """Compare two values of one type exactly."""
    bad = first_bad(left, right)
    if bad is not None:
        return bad
    if op in ("=", "!="):
        return equal(left, right) is (op == "=")
    if not (
        (isinstance(left, Fraction) and isinstance(right, Fraction))
        or (isinstance(left, date) and isinstance(right, date))
    ):
        raise Misfit(f"{show(left)} {op} {show(right)}, which checks ruled out")
    return {
        "<": left < right,  # type: ignore[operator]  # both are of one of the two types
        "<=": left <= right,  # type: ignore[operator]
        ">": left > right,  # type: ignore[operator]
        ">=": left >= right,  # type: ignore[operator]
    }[op]


def contains(container: Value, item: Value) -> Value:
    """Tell whether a list holds a value."""
    bad = first_bad(container, item)
    if bad is not None:
        return bad
    if not isinstance(container, tuple):
        raise Misfit(f"{show(container)} is no list, which checks ruled out")
    return any(equal(item, each) for each in container)


def text_test(expr: e.TextTest, left: Value, right: Value) -> Value:
    """Tell whether a part stands in a text, or a value in a list."""
    bad = first_bad(left, right)
    if bad is not None:
        return bad
    if isinstance(left, tuple):
        return any(equal(right, each) for each in left)
    if not isinstance(left, str) or not isinstance(right, str):
        raise Misfit(f"{show(left)} {expr.op} {show(right)}, which checks ruled out")
    match expr.op:
        case "contains":
            held = contains_words(left, right)
        case "starts with":
            held = starts_with(left, right)
        case "ends with":
            held = ends_with(left, right)
        case "matches":
            held = matches(left, right)
    if isinstance(held, NoValue):
        message = f"`{expr.right.span.text}` is empty: {held.why}"
        return Error(Diagnostic(held.code, message, expr.span))
    return held


def calculate(expr: e.Calculation, left: Value, right: Value) -> Value:
    """Calculate exactly."""
    bad = first_bad(left, right)
    if bad is not None:
        return bad
    if isinstance(left, date):
        return calculate_date(expr, left, right)
    if not isinstance(left, Fraction) or not isinstance(right, Fraction):
        raise Misfit(f"{show(left)} {expr.op} {show(right)}, which checks ruled out")
    match expr.op:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/":
            if right == 0:
                message = f"`{expr.right.span.text}` is 0: nothing is divided by it"
                return Error(Diagnostic(codes.DIVISION_BY_ZERO, message, expr.span))
            result = left / right
    return in_limits(result, expr)


def calculate_date(expr: e.Calculation, left: date, right: Value) -> Value:
    """Count days, or go some days on or back."""
    if expr.op == "-" and isinstance(right, date):
        return days_between(right, left)
    if not isinstance(right, Fraction) or expr.op not in ("+", "-"):
        raise Misfit(f"{show(left)} {expr.op} {show(right)}, which checks ruled out")
    day = later(left, right if expr.op == "+" else -right)
    if isinstance(day, NoValue):
        message = f"`{expr.span.text}` has no value: {day.why}"
        return Error(Diagnostic(day.code, message, expr.span))
    return day


def in_limits(result: Value, expr: e.Expr) -> Value:
    """Return a result, or an error where it is a number too long to go on with."""
    if (
        isinstance(result, Fraction)
        and max(result.numerator.bit_length(), result.denominator.bit_length()) > LARGEST_NUMBER
    ):
        message = f"`{expr.span.text}` gives a number too long to go on with"
        return Error(Diagnostic(codes.OVER_A_LIMIT, message, expr.span))
    return result
