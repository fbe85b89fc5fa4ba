"""The reference evaluator: what a rubric means.

It walks the graph for one subject with exact numbers and gives back the trace. It is plain on purpose and keeps
nothing but the value of each definition for the record at hand; the compiled evaluator is held to it by a law.

Logic is Kleene's, and the order of parts never matters: a false part settles an `and` and a true one an `or`; where
none does, an error is reached before a missing value is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from attrs import define, evolve, field

from rulesengine.diagnostics import Code, Diagnostic, codes
from rulesengine.errors import InternalError
from rulesengine.evidence.schema import Record
from rulesengine.graph import expressions as e
from rulesengine.graph import nodes as g
from rulesengine.primitives import BUILT_INS, PRIMITIVES, NoValue
from rulesengine.primitives.dates import days_between, later
from rulesengine.primitives.patterns import matches
from rulesengine.primitives.words import contains as contains_words
from rulesengine.primitives.words import ends_with, starts_with
from rulesengine.runtime.outcome import Because, Failed, Outcome, Scored, Unscored
from rulesengine.runtime.trace import (
    At,
    CombineTrace,
    ComputedTrace,
    FixTrace,
    Member,
    Read,
    RowsTrace,
    RowTried,
    SumTrace,
    Trace,
    record_keys,
)
from rulesengine.types import OneOfType
from rulesengine.values import LARGEST_NUMBER, Error, Missing, Plain, Value, show, show_number


def evaluate(graph: g.Graph, subject: Mapping[str, Plain], records: tuple[Record, ...]) -> Trace:
    """Return the trace of the total for one subject.

    Args:
        graph: of a rubric in which the checks found no error.
        subject: the subject's keys with their values.
        records: the subject's records, no two with the same keys; their order does not matter.
    """
    return Run(graph, records).node(graph.total, tuple(subject.items()), graph.total)


@define
class Here:
    """Where an expression stands: what its names mean, and what it has read so far."""

    record: Record | None = None
    at: At = ()
    parameters: Mapping[str, Value] = field(factory=dict)
    awarded: Value = field(factory=lambda: Missing("unscored"))
    results: Mapping[str, Value] = field(factory=dict)
    definitions: dict[str, Read] = field(factory=dict)
    reads: dict[str, Read] = field(factory=dict)

    def taken(self) -> tuple[Read, ...]:
        """Return what was read, and forget it."""
        reads = tuple(self.reads.values())
        self.reads = {}
        return reads


class Run:
    """One graph over the records of one subject."""

    def __init__(self, graph: g.Graph, records: tuple[Record, ...]) -> None:
        self.graph = graph
        self.records = records
        self.by_keys = {record.keys(graph.schema.keys): record for record in records}

    # ------------------------------------------------------------------------------------------------ nodes

    def node(self, id_: str, at: At, path: str, *, settled: bool = True) -> Trace:
        """Return the trace of a node. `settled` turns a result off its scale into a failure."""
        node = self.graph.nodes[id_]
        path = node.path or path
        # Keys that a node does not vary by are not its own: an item fixes one anew, a mean goes over all of another.
        at = tuple((key, value) for key, value in at if key in node.grain)
        match node:
            case g.Rows():
                trace: Trace = self.rows(node, at, path)
            case g.Computed():
                trace = self.computed(node, at, path)
            case g.Combine():
                trace = self.combine(node, at, path)
            case g.Fix(source=source, key=key, option=option):
                inner = self.node(source, (*at, (key, option)), path)
                trace = FixTrace(node=node, at=at, outcome=inner.outcome, inner=inner)
            case g.Sum(parts=parts):
                traces = tuple(self.node(part, at, path) for part in parts)
                outcome = total([trace.outcome for trace in traces])
                trace = SumTrace(node=node, at=at, outcome=outcome, parts=traces)
            case g.Definition():
                raise InternalError(f"{id_} has a value and no outcome")
        return self.on_scale(trace, path) if settled else trace

    def rows(self, node: g.Rows, at: At, path: str) -> RowsTrace:
        """Try the rows in order for the one record that `at` names."""
        record = self.record(at)
        low, high = self.bounds(node)

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
        if record is None:
            lacking = self.because(path, at, codes.NO_RECORD, self.lacking(at))
            return trace(Unscored(low, high), None, (), lacking)
        here = Here(record=record, at=at)
        for row in node.rows:
            held = None if row.condition is None else self.value(row.condition, here)
            tried.append(RowTried(row=row, held=held, reads=here.taken()))
            if held is False:
                continue
            if isinstance(held, Error):
                return trace(Failed(), row, (), self.error(path, at, held))
            if isinstance(held, Missing):
                if node.if_missing is None:
                    raise InternalError(f"a condition of {path} is missing, which checks ruled out")
                row = node.if_missing
            if isinstance(row.result, g.NoScore):
                unscored = self.because(path, at, codes.UNSCORED_ROW, row.result.reason)
                return trace(Unscored(low, high), row, (), unscored)
            value = self.value(row.result, here)
            if isinstance(value, Error):
                return trace(Failed(), row, here.taken(), self.error(path, at, value))
            points = self.number(value, path)
            return trace(Scored(points, points, points), row, here.taken())
        raise InternalError(f"an input falls through the rows of {path}, which checks ruled out")

    def computed(self, node: g.Computed, at: At, path: str) -> ComputedTrace:
        """Work out a criterion's expression for the one record that `at` names."""
        record = self.record(at)
        here = Here(record=record, at=at)
        because: tuple[Because, ...] = ()
        outcome: Outcome
        if record is None:
            outcome = Unscored(*self.bounds(node))
            because = (self.because(path, at, codes.NO_RECORD, self.lacking(at)),)
        else:
            value = self.value(node.value, here)
            if isinstance(value, Error):
                outcome, because = Failed(), (self.error(path, at, value),)
            else:
                points = self.number(value, path)
                outcome = Scored(points, points, points)
        return ComputedTrace(node=node, at=at, outcome=outcome, reads=here.taken(), because=because)

    def combine(self, node: g.Combine, at: At, path: str) -> CombineTrace:
        """Average over every value of the key that the records have."""
        members = []
        for value in self.domain(node.key, at):
            trace = self.node(node.source, (*at, (node.key, value)), path, settled=False)
            members.append(self.member(node, trace, path))
        used = [member.trace.outcome for member in members if member.excluded is None]
        outcome, code = mean(used, self.bounds(node))
        because: tuple[Because, ...] = ()
        if not members:
            because = (self.because(path, at, codes.NO_RECORD, self.lacking(at)),)
        elif not used:
            reason = f"every {node.key} was excluded"
            because = (self.because(path, at, codes.ALL_EXCLUDED, reason),)
        elif code:
            reason = f"no {node.key} has a score"
            because = (self.because(path, at, codes.NOTHING_SCORED, reason),)
        return CombineTrace(
            node=node, at=at, outcome=outcome, members=tuple(members), because=because
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
        here = Here(record=self.record(trace.at), at=trace.at, awarded=awarded)
        for exclusion in node.exclusions:
            held = self.value(exclusion.condition, here)
            reads = here.taken()
            if isinstance(held, Error):
                if isinstance(outcome, Failed):
                    continue  # its own error stands
                error = self.error(path, trace.at, held)
                return Member(trace=evolve(trace, outcome=Failed(), because=(error,)), reads=reads)
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
            wanted = f"from 0 to {show_number(node.worth)}"
            fits = 0 <= value <= node.worth
        if fits:
            return trace
        reason = f"{show_number(value)} is off the scale: it should be {wanted}"
        because = self.because(path, trace.at, codes.OFF_THE_SCALE, reason)
        return evolve(trace, outcome=Failed(), because=(because,))

    # ---------------------------------------------------------------------------------- records and ranges

    def record(self, at: At) -> Record | None:
        """Return the record that has just these keys, or None."""
        known = dict(at)
        keys = tuple(known.get(key) for key in self.graph.schema.keys)
        return self.by_keys.get(keys)  # type: ignore[arg-type]  # a key that is not there finds nothing

    def domain(self, key: str, at: At) -> list[Plain]:
        """Return the values of a key among the records that agree with `at`, in a fixed order."""
        found = {
            record.key(key)
            for record in self.records
            if all(record.key(name) == value for name, value in at)
        }
        type_ = self.graph.schema.by_name[key].type
        if isinstance(type_, OneOfType):
            return [option for option in type_.options if option in found]
        return sorted(found)  # the values of one field are of one type

    def bounds(self, node: g.AnyNode) -> tuple[Fraction, Fraction]:
        """Return the least and greatest result that a node can have."""
        match node:
            case g.Rows(scale=scale, worth=worth) | g.Computed(scale=scale, worth=worth):
                return (min(scale), max(scale)) if scale else (Fraction(0), worth)
            case g.Combine(source=source) | g.Fix(source=source):
                return self.bounds(self.graph.nodes[source])
            case g.Sum(parts=parts):
                bounds = [self.bounds(self.graph.nodes[part]) for part in parts]
                zero = Fraction(0)
                return sum((low for low, _ in bounds), zero), sum(
                    (high for _, high in bounds), zero
                )
            case g.Definition():
                raise InternalError("a definition has no range of points")

    # --------------------------------------------------------------------------------------------- reasons

    def because(self, path: str, at: At, code: Code, reason: str) -> Because:
        """Return a reason, with the keys that say which record it is about."""
        return Because(path, record_keys(at, self.graph.subject), code, reason)

    def error(self, path: str, at: At, error: Error) -> Because:
        """Return the reason that an error is."""
        return self.because(path, at, error.diagnostic.code, error.diagnostic.message)

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
            case e.PartValue(name=name) | e.BandValue(name=name):
                return here.results[name]
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
                inside = Here(parameters=given, reads=here.reads)
                return self.value(function.body, inside)
            case e.CallPrimitive(primitive=name, arguments=arguments):
                values = [self.value(argument, here) for argument in arguments]
                bad = first_bad(*values)
                if bad is not None:
                    return bad
                primitive = PRIMITIVES[name]
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
                return settle([self.value(part, here) for part in parts], decisive=False)
            case e.Any(parts=parts):
                return settle([self.value(part, here) for part in parts], decisive=True)
            case e.Comparison(op=op, left=left, right=right):
                return compare(op, self.value(left, here), self.value(right, here))
            case e.Membership(item=item, container=container):
                return contains(self.value(container, here), self.value(item, here))
            case e.TextTest():
                return text_test(expr, self.value(expr.left, here), self.value(expr.right, here))
            case e.HasState(operand=operand, state=state):
                return self.has_state(operand, state, here)
            case e.Otherwise(operand=operand, fallback=fallback):
                value = self.value(operand, here)
                return self.value(fallback, here) if isinstance(value, Missing) else value
            case e.Calculation():
                return calculate(expr, self.value(expr.left, here), self.value(expr.right, here))

    def field(self, name: str, here: Here) -> Value:
        """Return a field of the record at hand, or a key that is at hand."""
        if here.record is not None:
            return here.record.cells[name].value
        return dict(here.at)[name]

    def is_default(self, name: str, value: Value, here: Here) -> bool:
        """Tell whether a field's value was not in the record."""
        if here.record is None or isinstance(value, Missing):
            return False
        return here.record.cells[name].origin != "given"

    def definition(self, id_: str, here: Here) -> Value:
        """Return the value of a definition for the record at hand."""
        read = here.definitions.get(id_)
        if read is None:
            node = self.graph.nodes[id_]
            if not isinstance(node, g.Definition):
                raise InternalError(f"{id_} is no definition")
            inside = evolve(here, reads={})
            value = self.value(node.value, inside)
            read = Read(name=node.label or id_, value=value, inside=inside.taken())
            here.definitions[id_] = read
        here.reads[id_] = read
        return read.value

    def has_state(self, operand: e.Expr, state: str, here: Here) -> Value:
        """Tell whether a value is missing, given, unscored or failed."""
        value = self.value(operand, here)
        if state == "failed":
            return isinstance(value, Error)
        if isinstance(value, Error):
            return value
        if state == "given" and isinstance(operand, e.FieldValue) and here.record is not None:
            return here.record.cells[operand.name].origin == "given"
        if state == "given":
            return not isinstance(value, Missing)
        if state == "unscored":
            return isinstance(value, Missing) and value.why == "unscored"
        return isinstance(value, Missing)


# -------------------------------------------------------------------------------------------------- operations


def total(outcomes: list[Outcome]) -> Outcome:
    """Add parts up: one that failed fails the whole, one that is unscored leaves it unscored."""
    if any(isinstance(outcome, Failed) for outcome in outcomes):
        return Failed()
    known = [outcome for outcome in outcomes if not isinstance(outcome, Failed)]
    low = sum((outcome.low for outcome in known), Fraction(0))
    high = sum((outcome.high for outcome in known), Fraction(0))
    scored = [outcome.value for outcome in known if isinstance(outcome, Scored)]
    if len(scored) < len(known):
        return Unscored(low, high)
    return Scored(sum(scored, Fraction(0)), low, high)


def mean(outcomes: list[Outcome], bounds: tuple[Fraction, Fraction]) -> tuple[Outcome, bool]:
    """Average what is scored; return the outcome, and whether nothing was scored.

    Unscored results are left out of the mean and widen its interval; one that failed fails it.
    """
    if any(isinstance(outcome, Failed) for outcome in outcomes):
        return Failed(), False
    known = [outcome for outcome in outcomes if not isinstance(outcome, Failed)]
    if not known:
        return Unscored(*bounds), True
    low = sum((outcome.low for outcome in known), Fraction(0)) / len(known)
    high = sum((outcome.high for outcome in known), Fraction(0)) / len(known)
    scored = [outcome.value for outcome in known if isinstance(outcome, Scored)]
    if not scored:
        return Unscored(low, high), True
    return Scored(sum(scored, Fraction(0)) / len(scored), low, high), False


def first_bad(*values: Value) -> Missing | Error | None:
    """Return the first error, or else the first missing value, or None."""
    for value in values:
        if isinstance(value, Error):
            return value
    return next((value for value in values if isinstance(value, Missing)), None)


def settle(values: list[Value], *, decisive: bool) -> Value:
    """Join conditions: a decisive one settles it; else an error, else a missing one, else the opposite."""
    if any(value is decisive for value in values):
        return decisive
    bad = first_bad(*values)
    return not decisive if bad is None else bad


def compare(op: str, left: Value, right: Value) -> Value:
    """Compare two values of one type exactly."""
    bad = first_bad(left, right)
    if bad is not None:
        return bad
    if op == "=":
        return left == right
    if op == "!=":
        return left != right
    if not (
        (isinstance(left, Fraction) and isinstance(right, Fraction))
        or (isinstance(left, date) and isinstance(right, date))
    ):
        raise InternalError(f"{show(left)} {op} {show(right)}, which checks ruled out")
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
        raise InternalError(f"{show(container)} is no list, which checks ruled out")
    return item in container


def text_test(expr: e.TextTest, left: Value, right: Value) -> Value:
    """Tell whether a part stands in a text, or a value in a list."""
    bad = first_bad(left, right)
    if bad is not None:
        return bad
    if isinstance(left, tuple):
        return right in left
    if not isinstance(left, str) or not isinstance(right, str):
        raise InternalError(f"{show(left)} {expr.op} {show(right)}, which checks ruled out")
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
        raise InternalError(f"{show(left)} {expr.op} {show(right)}, which checks ruled out")
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
        raise InternalError(f"{show(left)} {expr.op} {show(right)}, which checks ruled out")
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
