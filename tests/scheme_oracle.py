"""A second opinion on schemes: grains, aggregates, weights, steps, requirements and rankings, without the engine.

It shares no code with rulesengine. A value is a Fraction, a bool, a text, MISSING or ERROR; a result is a value (or
UNSCORED, FAILED) with the least and greatest it could be.
"""

from fractions import Fraction
from math import ceil, floor
from typing import Any

from attrs import frozen
from oracle import ERROR, FAILED, MISSING, UNSCORED, arithmetic, is_same, kleene
from schemes import Scheme, SchemePart, Step, grain, leaf_grain, part_grain


@frozen
class Result:
    """A result and its interval."""

    value: Any
    low: Fraction
    high: Fraction


@frozen
class Standing:
    """What a subject comes to."""

    status: str
    score: Fraction | None
    interval: tuple[Fraction, Fraction] | None
    shown: dict[str, Fraction | None]
    parts: dict[str, Fraction | None]
    kept: dict[str, Any]
    excused: int


class SchemeOracle:
    """One scheme over one set of records."""

    def __init__(self, scheme: Scheme, records: list[dict[str, Any]]) -> None:
        self.scheme = scheme
        self.lets = dict(scheme.lets)
        self.names = ("who", *scheme.keys)
        self.records = [
            {
                name: Fraction(str(value))
                if isinstance(value, int | float) and not isinstance(value, bool)
                else value
                for name, value in record.items()
            }
            for record in records
        ]
        self.kept: dict[str, Any] = {}

    # ------------------------------------------------------------------------------------------ values

    def among(self, at: dict[str, Any]) -> list[dict[str, Any]]:
        """The records that agree with a point."""
        return [r for r in self.records if all(r[key] == value for key, value in at.items())]

    def value(self, expr: Any, at: dict[str, Any], this: dict[str, Any] | None = None) -> Any:
        """The value of an expression at a point."""
        match expr:
            case ("number", text):
                return Fraction(text)
            case ("key", name):
                return at[name]
            case ("field", name):
                return self.field(name, at)
            case ("this", name):
                assert this is not None
                return self.field(name, this)
            case ("let", name):
                return self.value(self.lets[name], at)
            case ("part", name):
                result = self.total(at) if name == "score" else self.part_at(name, at)
                return {UNSCORED: MISSING, FAILED: ERROR}.get(result.value, result.value)
            case ("arithmetic", op, left, right):
                return arithmetic(op, self.value(left, at, this), self.value(right, at, this))
            case ("compare", op, left, right):
                return compare(op, self.value(left, at, this), self.value(right, at, this))
            case ("given", operand):
                value = self.value(operand, at, this)
                return value if is_same(value, ERROR) else not is_same(value, MISSING)
            case ("not", operand):
                value = self.value(operand, at, this)
                return not value if isinstance(value, bool) else value
            case ("and" | "or" as word, left, right):
                values = [self.value(left, at, this), self.value(right, at, this)]
                return kleene(values, word == "or")
            case ("else", operand, fallback):
                value = self.value(operand, at, this)
                return self.value(fallback, at, this) if is_same(value, MISSING) else value
            case ("clamp", operand, low, high):
                value = self.value(operand, at, this)
                return value if isinstance(value, str) else sorted([Fraction(low), value, high])[1]
            case ("aggregate", op, *_):
                return rolled_up(op, self.gone_over(expr, at))
        raise AssertionError(expr)

    def field(self, name: str, at: dict[str, Any]) -> Any:
        """A field: of a shared one, what any of the records that share it gives."""
        keys = self.scheme.shared.get(name, self.names)
        there = [r[name] for r in self.among({key: at[key] for key in keys}) if name in r]
        return there[0] if there else MISSING

    def gone_over(self, expr: Any, at: dict[str, Any]) -> list[Any]:
        """The values that an aggregate goes over; where `where` has none, that stands in."""
        _, op, value, key, other, per, where = expr
        varies = grain(value, self.scheme) | set(per)
        varies |= grain(where, self.scheme) if where is not None else set()
        rest = {name: at[name] for name in varies if name != key}
        found = []
        for own in {r[key] for r in self.among(rest)}:
            if other and own == at[key]:
                continue
            here = {**rest, key: own}
            held = True if where is None else self.value(where, here, at)
            if held is False:
                continue
            inner = held if held is not True else self.value(value, here, at)
            if op == "count" and held is True and not is_condition(value):
                inner = inner if is_same(inner, ERROR) else not is_same(inner, MISSING)
            found.append(inner)
        return found

    # ----------------------------------------------------------------------------------------- results

    def standing(self, who: str) -> Standing:
        """All that is said of one subject."""
        at = {"who": who}
        self.kept = {}
        total = self.total(at, note=True)
        parts = {}
        for part in self.scheme.parts:
            for each in (part, *part.parts):
                if part_grain(each, self.scheme) <= {"who"}:
                    path = each.name if each is part else f"{part.name}.{each.name}"
                    result = self.part(each, at)
                    parts[path] = None if isinstance(result.value, str) else result.value
        shown = {}
        for name, expr in self.scheme.shows:
            value = self.value(expr, at)
            shown[name] = None if isinstance(value, str) else value
        broken = [
            excused for held, excused in self.scheme.requires if self.value(held, at) is not True
        ]
        status = {UNSCORED: "unscored", FAILED: "failed"}.get(total.value, "scored")
        excused = sum(broken)
        if status == "failed" or not all(broken):  # no figure is left, whatever could be worked out
            none = dict.fromkeys(shown)
            kept = dict.fromkeys(self.kept)
            return Standing("failed", None, None, none, dict.fromkeys(parts), kept, excused)
        return Standing(
            status,
            total.value if status == "scored" else None,
            (total.low, total.high),
            shown,
            parts,
            self.kept,
            excused,
        )

    def total(self, at: dict[str, Any], *, note: bool = False) -> Result:
        """The total of a subject."""
        scheme = self.scheme
        return self.stepped(
            scheme.steps,
            at,
            lambda here: self.sum(scheme.parts, scheme.out_of, scheme.renormalise, here),
            "score" if note else "",
            self.bounds_of(scheme.parts, scheme.out_of),
        )

    def part_at(self, name: str, at: dict[str, Any]) -> Result:
        """A part of the whole by its name."""
        return next(self.part(each, at) for each in self.scheme.parts if each.name == name)

    def part(self, part: SchemePart, at: dict[str, Any]) -> Result:
        """The result of a part."""
        if part.parts:
            return self.stepped(
                part.steps,
                at,
                lambda here: self.sum(part.parts, part.out_of, part.renormalise, here),
                "",
                self.bounds_of(part.parts, part.out_of),
            )
        keys = leaf_grain(part, self.scheme)

        own = {key: value for key, value in at.items() if key in keys}
        path = next(
            f"{above.name}.{part.name}" if above is not part else part.name
            for above in self.scheme.parts
            if part in (above, *above.parts)
        )
        return self.stepped(part.steps, own, lambda here: self.leaf(part, here), path, ends(part))

    def leaf(self, part: SchemePart, at: dict[str, Any]) -> Result:
        """Rows or an expression, at one point."""
        low, high = ends(part)
        if not self.among(at):
            return Result(UNSCORED, low, high)
        points: Any = part.last
        if part.value is not None:
            points = self.value(part.value, at)
        else:
            for condition, result in part.rows:
                held = self.value(condition, at)
                if held is not False:
                    points = result if held is True else held
                    break
        if points is None or is_same(points, MISSING):
            return Result(UNSCORED, low, high)
        if is_same(points, ERROR):
            return Result(FAILED, low, high)
        return Result(points, points, points)

    def sum(
        self, parts: tuple[SchemePart, ...], whole: Fraction, renormalise: bool, at: dict[str, Any]
    ) -> Result:
        """Parts added up, penalties taken off."""
        got = gained = taken = Fraction(0)
        low = high = Fraction(0)
        values = []
        for part in parts:
            result = self.part(part, at)
            counts = factor(part, whole)
            low += min(result.low * counts, result.high * counts)
            high += max(result.low * counts, result.high * counts)
            values.append(result.value)
            if isinstance(result.value, str):
                continue
            if part.is_penalty:
                taken -= result.value * counts
            else:
                gained += result.value * counts
                got += part.out_of * counts
        if FAILED in values:
            return Result(FAILED, low, high)
        if UNSCORED in values:
            if not renormalise or got == 0:
                return Result(UNSCORED, low, high)
            gained = gained * whole / got
        return Result(gained - taken, low, high)

    def bounds_of(
        self, parts: tuple[SchemePart, ...], whole: Fraction
    ) -> tuple[Fraction, Fraction]:
        """The least and greatest sum of parts."""
        low = high = Fraction(0)
        for part in parts:
            of_part = self.bounds_of(part.parts, part.out_of) if part.parts else ends(part)
            for step in part.steps:
                of_part = (moved(step, of_part[0]), moved(step, of_part[1]))
            both = sorted(end * factor(part, whole) for end in of_part)
            low, high = low + both[0], high + both[1]
        return low, high

    def stepped(
        self,
        steps: tuple[Step, ...],
        at: dict[str, Any],
        inner: Any,
        path: str,
        bounds: tuple[Fraction, Fraction],
    ) -> Result:
        """What comes out of the last of some steps, each acting on what those before it give."""
        if not steps:
            return inner(at)  # type: ignore[no-any-return]
        *before, last = steps
        if last.kind == "combine":
            return self.combined(last, tuple(before), at, inner, path, bounds)
        result = self.stepped(tuple(before), at, inner, path, bounds)
        value = result.value if isinstance(result.value, str) else moved(last, result.value)
        return Result(value, moved(last, result.low), moved(last, result.high))

    def combined(
        self,
        step: Step,
        before: tuple[Step, ...],
        at: dict[str, Any],
        inner: Any,
        path: str,
        bounds: tuple[Fraction, Fraction],
    ) -> Result:
        """One key rolled up: over the values that the records at hand have."""
        members = {}
        for own in sorted({record[step.key] for record in self.among(at)}):
            here = {**at, step.key: own}
            result = self.stepped(before, here, inner, path, bounds)
            if step.exclude is None or self.value(step.exclude, here) is not True:
                members[own] = result
        values = [each.value for each in members.values()]
        scored = [value for value in values if not isinstance(value, str)]
        for one in before:
            bounds = (moved(one, bounds[0]), moved(one, bounds[1]))
        outcome: Any = UNSCORED
        whole = bounds
        if members:
            rolled = STATISTICS[step.values[0]]
            bounds = (
                rolled([m.low for m in members.values()]),
                rolled([m.high for m in members.values()]),
            )
        if FAILED in values:
            outcome = FAILED
        elif len(scored) >= max(1, step.quorum):
            outcome = STATISTICS[step.values[0]](scored)
        elif scored:  # fewer than are needed: none of them tells what the whole would be
            bounds = tuple(rolled([end] * len(members)) for end in whole)
        if path and set(at) == {"who"}:
            self.keep(step, path, members, outcome)
        return Result(outcome, *bounds)

    def keep(self, step: Step, path: str, members: dict[Any, Result], outcome: Any) -> None:
        """Note what a combine keeps."""
        scored = {own: m.value for own, m in members.items() if not isinstance(m.value, str)}
        for name in step.keep:
            if name == "each":
                for own in members:
                    self.kept[f"{path}.{step.key}.{own}"] = scored.get(own)
            elif isinstance(outcome, str):
                self.kept[f"{path}.{name}"] = None
            elif name == "median_record":
                by_value = sorted(scored, key=lambda own: (scored[own], own))
                self.kept[f"{path}.{name}"] = by_value[(len(by_value) - 1) // 2]
            else:
                self.kept[f"{path}.{name}"] = STATISTICS[name](list(scored.values()))


def ends(part: SchemePart) -> tuple[Fraction, Fraction]:
    """The least and greatest result that rows or an expression can give."""
    if part.value is not None:
        return Fraction(0), part.out_of
    points = [part.last, *(points for _, points in part.rows if points is not None)]
    return min(points), max(points)


def factor(part: SchemePart, whole: Fraction) -> Fraction:
    """What a result counts, in points of the whole."""
    counts = Fraction(1) if part.share is None else part.share * whole / part.out_of
    return -counts if part.is_penalty else counts


def moved(step: Step, number: Fraction) -> Fraction:
    """A number clamped or rounded; a combine leaves the bounds of results as they are."""
    match step.kind:
        case "clamp":
            low, high = step.values
            return low if number < low else high if number > high else number
        case "round":
            mode, width = step.values
            return to_step(number / width, mode) * width
    return number


def to_step(number: Fraction, mode: str) -> Fraction:
    """A number as a whole one."""
    down, up = floor(number), ceil(number)
    match mode:
        case "floor":
            return Fraction(down)
        case "ceiling":
            return Fraction(up)
        case "up":
            return Fraction(up if number > 0 else down)
        case "down":
            return Fraction(down if number > 0 else up)
    if number - down != up - number or down == up:
        return Fraction(down if number - down < up - number else up)
    if mode == "half_up":
        return Fraction(up if number > 0 else down)
    return Fraction(down if down % 2 == 0 else up)


def middle(numbers: list[Fraction]) -> Fraction:
    """The median."""
    ordered = sorted(numbers)
    count = len(ordered)
    return (ordered[(count - 1) // 2] + ordered[count // 2]) / 2


STATISTICS: dict[str, Any] = {
    "mean": lambda numbers: sum(numbers, Fraction(0)) / len(numbers),
    "median": middle,
    "sum": lambda numbers: sum(numbers, Fraction(0)),
    "min": lambda numbers: sorted(numbers)[0],
    "max": lambda numbers: sorted(numbers)[-1],
    "worst": lambda numbers: sorted(numbers)[0],
    "best": lambda numbers: sorted(numbers)[-1],
}


def rolled_up(op: str, values: list[Any]) -> Any:
    """Values rolled up; over a missing one it is missing, but where the others settle it."""
    if op in ("any", "all", "none"):
        held = kleene(values, op != "all")
        return not held if op == "none" and isinstance(held, bool) else held
    for bad in (ERROR, MISSING):
        if any(is_same(value, bad) for value in values):
            return bad
    if op == "count":
        return Fraction(len([value for value in values if value is True]))
    if not values:
        return Fraction(0) if op == "sum" else MISSING
    if op == "share":
        return Fraction(len([value for value in values if value is True]), len(values))
    return STATISTICS[op](values)


def compare(op: str, left: Any, right: Any) -> Any:
    """Compare two values."""
    for bad in (ERROR, MISSING):
        if is_same(left, bad) or is_same(right, bad):
            return bad
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        "=": left == right,
        "!=": left != right,
    }[op]


def is_condition(expr: Any) -> bool:
    """Whether an expression is yes or no."""
    match expr:
        case ("compare" | "and" | "or" | "not" | "given", *_):
            return True
        case ("field", "y" | "flag"):
            return True
        case ("aggregate", "any" | "all" | "none", *_):
            return True
        case _:
            return False
