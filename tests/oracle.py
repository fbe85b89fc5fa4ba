"""A second opinion on scores: plain rows, means and sums over a `Plan`, without the engine.

It shares no code with rulesengine. A value is a text, a Fraction, a bool, a date, MISSING or ERROR;
an outcome is a Fraction, UNSCORED or FAILED.
"""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from strategies import Plan, PlanCombine, PlanPart, constant

MISSING, ERROR, UNSCORED, FAILED = "<missing>", "<error>", "<unscored>", "<failed>"


class NotCoveredError(Exception):
    """A condition or result is missing, and nothing says what holds then."""


def plain(value: Any) -> Any:
    """Return a raw value as the language has it."""
    if isinstance(value, bool | str | date):
        return value
    if isinstance(value, float):
        return Fraction(repr(value))
    if isinstance(value, int | Decimal | Fraction):
        return Fraction(value)
    raise AssertionError(value)


class Oracle:
    """One plan over one set of records."""

    def __init__(self, plan: Plan, records: list[dict[str, Any]]) -> None:
        self.plan = plan
        self.lets = dict(plan.lets)
        self.functions = {name: (parameters, body) for name, parameters, body in plan.functions}
        self.keys = [each.name for each in plan.keys]
        self.values: dict[tuple[Any, ...], dict[str, Any]] = {}  # by subject and path
        self.records = []
        self.written = []
        for raw in records:
            cells = {}
            for each in plan.fields:
                value = raw.get(each.name)
                if each.name not in raw and each.default is not None:
                    value = each.default
                if value is not None:
                    value = plain(value)
                    if each.kind == "date" and isinstance(value, str):
                        value = date.fromisoformat(value)
                cells[each.name] = MISSING if value is None else value
            self.records.append(cells)
            self.written.append({name for name, value in raw.items() if value is not None})

    def results(self) -> dict[tuple[Any, ...], Any]:
        """Return the outcome of every subject, by the values of its keys."""
        subjects = {tuple(r[key] for key in self.plan.subject): None for r in self.records}
        return {s: self.total(dict(zip(self.plan.subject, s, strict=True))) for s in subjects}

    def total(self, at: dict[str, Any]) -> Any:
        """The total: the sum of all parts, combined over what is combined there."""
        combines = [each for each in self.plan.combines if each.place == "total"]
        return self.combined(combines, at, lambda inner: self.sum(self.plan.parts, inner, ""))

    def sum(self, parts: tuple[PlanPart, ...], at: dict[str, Any], above: str) -> Any:
        """A sum needs all its parts."""
        outcomes = [each for part in parts for each in self.part(part, at, above)]
        if FAILED in outcomes:
            return FAILED
        return UNSCORED if UNSCORED in outcomes else sum(outcomes, Fraction(0))

    def part(self, part: PlanPart, at: dict[str, Any], above: str) -> list[Any]:
        """The outcome of each name of a part, noted by its path."""
        subject = tuple(at[key] for key in self.plan.subject)
        noted = self.values.setdefault(subject, {})
        if part.parts:
            path = above + part.names[0]
            noted[path] = self.combined(
                list(part.combines), at, lambda inner: self.sum(part.parts, inner, f"{path}.")
            )
            return [noted[path]]
        inherited = [each for each in self.plan.combines if each.place == "items"]
        outcomes = []
        for name in part.names:
            combines = [*part.combines, *inherited]
            inside = at
            if part.is_item:
                combines = [each for each in combines if each.key != "question"]
                inside = {**at, "question": name}
            outcomes.append(
                self.combined(combines, inside, lambda inner: self.leaf(part, inner), part)
            )
            noted[above + name] = outcomes[-1]
        return outcomes

    def combined(
        self,
        combines: list[PlanCombine],
        at: dict[str, Any],
        inner: Any,
        leaf: PlanPart | None = None,
    ) -> Any:
        """The mean over each key in turn, the first combine innermost."""
        if not combines:
            return self.settled(inner(at), leaf)
        *before, last = combines
        known = {
            record[last.key]
            for record in self.records
            if all(record[key] == value for key, value in at.items())
        }
        used = []
        for value in known:
            here = {**at, last.key: value}
            outcome = self.combined(before, here, inner, leaf) if before else inner(here)
            excluded = self.excluded(last, outcome, here, leaf)
            if excluded is None:
                used.append(FAILED)
            elif not excluded:
                used.append(outcome if before else self.settled(outcome, leaf))
        if FAILED in used:
            return FAILED
        scored = [each for each in used if each != UNSCORED]
        return sum(scored, Fraction(0)) / len(scored) if scored else UNSCORED

    def excluded(
        self, combine: PlanCombine, outcome: Any, at: dict[str, Any], leaf: Any
    ) -> bool | None:
        """Whether a result is left out; None where that cannot be told."""
        awarded = (
            {UNSCORED: MISSING, FAILED: ERROR}.get(outcome, outcome)
            if isinstance(outcome, str)
            else outcome
        )
        for condition, _ in combine.excludes:
            held = self.value(condition, at, {"awarded": awarded, "scale": leaf})
            if held == ERROR:
                if outcome == FAILED:
                    continue
                return None
            if held == MISSING:
                raise NotCoveredError
            if held is True:
                return True
        return False

    def settled(self, outcome: Any, leaf: PlanPart | None) -> Any:
        """A result off its scale fails."""
        if leaf is None or isinstance(outcome, str):
            return outcome
        scale = scale_of(leaf)
        fits = outcome in scale if scale is not None else 0 <= outcome <= leaf.worth
        return outcome if fits else FAILED

    def leaf(self, part: PlanPart, at: dict[str, Any]) -> Any:
        """The first row that holds, for the one record at hand."""
        if self.record(at) is None:
            return UNSCORED
        if part.value is not None:
            return self.points(part.value, at)
        if_missing = [row for row in part.rows if row.kind == "missing"]
        for row in part.rows:
            if row.kind == "missing":
                continue
            held = True if row.condition is None else self.value(row.condition, at, {})
            if held == ERROR:
                return FAILED
            if held == MISSING:
                if not if_missing:
                    raise NotCoveredError
                row = if_missing[0]
            if held is not False:
                return UNSCORED if row.result is None else self.points(row.result, at)
        raise AssertionError("no row held")

    def points(self, expr: Any, at: dict[str, Any]) -> Any:
        """A result in points."""
        value = self.value(expr, at, {})
        if value == MISSING:
            raise NotCoveredError
        return FAILED if value == ERROR else value

    def record(self, at: dict[str, Any]) -> int | None:
        """The number of the record with just these keys, or None."""
        if not set(self.keys) <= set(at):
            return None
        found = [
            n for n, r in enumerate(self.records) if all(r[key] == at[key] for key in self.keys)
        ]
        return found[0] if found else None

    def value(self, expr: Any, at: dict[str, Any], names: dict[str, Any]) -> Any:
        """The value of an expression."""
        number = self.record(at)

        def inner(child: Any) -> Any:
            return self.value(child, at, names)

        match expr:
            case ("number", text):
                return Fraction(text)
            case ("points", value) | ("text", value) | ("truth", value) | ("option", value):
                return value
            case ("field", name):
                return at[name] if number is None else self.records[number][name]
            case ("let", name):
                return self.value(self.lets[name], at, {})
            case ("parameter", name):
                return names[name]
            case ("awarded",):
                return names["awarded"]
            case ("call", name, arguments):
                parameters, body = self.functions[name]
                values = dict(zip((n for n, _ in parameters), map(inner, arguments), strict=True))
                return self.value(body, at, values)
            case ("not", operand):
                value = inner(operand)
                return not value if isinstance(value, bool) else value
            case ("and" | "all", parts):
                return kleene([inner(part) for part in parts], False)
            case ("or" | "any", parts):
                return kleene([inner(part) for part in parts], True)
            case ("none", parts):
                value = kleene([inner(part) for part in parts], True)
                return not value if isinstance(value, bool) else value
            case ("compare", op, left, right):
                return self.compare(op, inner(left), inner(right))
            case ("in" | "not in" as word, item, items):
                if items == ("scale",):
                    listed = list(scale_of(names["scale"]) or ())
                else:
                    listed = [inner(each) for each in items]
                value = inner(item)
                for bad in (ERROR, MISSING):
                    if any(is_same(each, bad) for each in (value, *listed)):
                        return bad
                return (value in listed) is (word == "in")
            case ("between" | "not between" as word, item, low, high):
                value = inner(item)
                ends = [
                    self.compare("<=", inner(low), value),
                    self.compare("<=", value, inner(high)),
                ]
                held = kleene(ends, False)
                return held is (word == "between") if isinstance(held, bool) else held
            case ("date", day):
                return day
            case ("built in", name, arguments):
                return built_in(name, [inner(each) for each in arguments])
            case ("given", ("field", name)) if number is not None:
                return name in self.written[number]
            case ("given" | "missing" as word, operand):
                value = inner(operand)
                return (
                    value
                    if is_same(value, ERROR)
                    else is_same(value, MISSING) is (word == "missing")
                )
            case ("else", operand, fallback):
                value = inner(operand)
                return inner(fallback) if is_same(value, MISSING) else value
            case ("minus", operand):
                value = inner(operand)
                return value if isinstance(value, str) else -value
            case ("arithmetic", op, left, right):
                return arithmetic(op, inner(left), inner(right))
        raise AssertionError(expr)

    def compare(self, op: str, left: Any, right: Any) -> Any:
        """Compare; an error counts before a missing value."""
        for bad in (ERROR, MISSING):
            if is_same(left, bad) or is_same(right, bad):
                return bad
        return {
            "=": lambda: left == right,
            "!=": lambda: left != right,
            "<": lambda: left < right,
            "<=": lambda: left <= right,
            ">": lambda: left > right,
            ">=": lambda: left >= right,
        }[op]()


def is_same(value: Any, sentinel: str) -> bool:
    """Whether a value is MISSING or ERROR itself; no evidence holds a text like them."""
    return isinstance(value, str) and value == sentinel


def kleene(values: list[Any], decisive: bool) -> Any:
    """A decisive part settles; else an error, else a missing part, else the opposite."""
    if any(value is decisive for value in values):
        return decisive
    for bad in (ERROR, MISSING):
        if any(is_same(value, bad) for value in values):
            return bad
    return not decisive


def built_in(name: str, values: list[Any]) -> Any:
    """A function of the language."""
    for bad in (ERROR, MISSING):
        if any(is_same(value, bad) for value in values):
            return bad
    match name, values:
        case "abs", [number]:
            return number if number > 0 else -number
        case "min_of", _:
            return sorted(values)[0]
        case "max_of", _:
            return sorted(values)[-1]
        case "floor", [number]:
            return Fraction(number.numerator // number.denominator)
        case "clamp", [number, low, high]:
            return ERROR if low > high else sorted([low, number, high])[1]
    raise AssertionError(name)


def arithmetic(op: str, left: Any, right: Any) -> Any:
    """Calculate exactly."""
    for bad in (ERROR, MISSING):
        if is_same(left, bad) or is_same(right, bad):
            return bad
    if isinstance(left, date):
        if isinstance(right, date):
            return Fraction(left.toordinal() - right.toordinal())
        return date.fromordinal(left.toordinal() + int(right))
    if op == "/":
        return ERROR if right == 0 else left / right
    return left + right if op == "+" else left - right if op == "-" else left * right


def scale_of(part: PlanPart) -> tuple[Fraction, ...] | None:
    """The results that a leaf can give, where they are a list."""
    if part.scale is not None:
        return part.scale
    if part.value is not None:
        return None
    results = [row.result for row in part.rows if row.result is not None]
    constants = [constant(result) for result in results]
    if not results or None in constants:
        return None
    return tuple(value for value in constants if value is not None)
