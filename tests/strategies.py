"""Generated rubrics and evidence for the laws.

A `Plan` is a rubric as plain data, apart from everything in `rulesengine`: `Plan.text()` writes it
down, and `oracle.py` scores it without the engine. Plans are built sound; hardly anything is
filtered out.

Expressions are tuples that begin with their kind:

    ("number", "2.5")  ("text", "a")  ("truth", True)  ("points", Fraction)
    ("field", name)  ("option", name)  ("let", name)  ("parameter", name)  ("awarded",)  ("scale",)
    ("call", function, arguments)  ("not", a)  ("and" | "or" | "all" | "any" | "none", parts)
    ("compare", op, a, b)  ("in" | "not in", a, items)
    ("between" | "not between", a, low, high)  ("date", value)  ("built in", name, arguments)
    ("missing" | "given", a)  ("else", a, b)  ("arithmetic", op, a, b)  ("minus", a)

`("points", value)` is a constant of the scoring side, which the law of scaling multiplies.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

Expression: TypeAlias = tuple[Any, ...]
Draw: TypeAlias = Any

# ----------------------------------------------------------------------------------------- the plan


@frozen(kw_only=True)
class PlanField:
    """A field: `kind` is a type's name or `one of`."""

    name: str
    kind: str
    options: tuple[str, ...] = ()
    is_key: bool = False
    optional: bool = False
    default: Any = None
    label: str = ""


@frozen(kw_only=True)
class PlanRow:
    """A row: `kind` is when, gate, missing or otherwise; a `result` of None is unscored."""

    kind: str
    condition: Expression | None = None
    result: Expression | None
    gate: str = ""
    label: str = ""
    stop: bool = False


@frozen(kw_only=True)
class PlanCombine:
    """A combine: `place` is leaf, items (over all items below), top (over a top part) or total."""

    key: str
    place: str
    excludes: tuple[tuple[Expression, str], ...] = ()


@frozen(kw_only=True)
class PlanPart:
    """A part: an item of some options, a leaf criterion, a computed one, or a group of parts."""

    names: tuple[str, ...]
    worth: Fraction
    is_item: bool = False
    scale: tuple[Fraction, ...] | None = None
    rows: tuple[PlanRow, ...] = ()
    value: Expression | None = None
    parts: "tuple[PlanPart, ...]" = ()
    combines: tuple[PlanCombine, ...] = ()
    label: str = ""

    @property
    def whole(self) -> Fraction:
        """What it adds to the whole, all its names together."""
        return self.worth * len(self.names)


@frozen(kw_only=True)
class Plan:
    """A rubric."""

    fields: tuple[PlanField, ...]
    lets: tuple[tuple[str, Expression], ...]
    functions: tuple[tuple[str, tuple[tuple[str, str], ...], Expression], ...]
    subject: tuple[str, ...]
    combines: tuple[PlanCombine, ...]
    parts: tuple[PlanPart, ...]
    bands: tuple[tuple[Fraction | None, Fraction | None, bool, str], ...] = ()
    says_out_of: bool = True
    notes: str = ""  # a comment before every statement
    space: str = "\n"
    about: str = ""

    @property
    def keys(self) -> tuple[PlanField, ...]:
        """The key fields."""
        return tuple(each for each in self.fields if each.is_key)

    @property
    def out_of(self) -> Fraction:
        """The points that can be had."""
        return sum((part.whole for part in self.parts), Fraction(0))

    def text(self) -> str:
        """Return the rubric as written."""
        note = f"# {self.notes}\n" if self.notes else ""
        said = [f'rubric generated "Generated {self.notes}" version "1" language 1']
        if self.about:
            said.append(f'about "{self.about}"')
        said.append(f"evidence {{ {self.space.join(map(_field, self.fields))} }}")
        for name, parameters, body in self.functions:
            listed = ", ".join(f"{each} : {kind}" for each, kind in parameters)
            said.append(f"let {name}({listed}) = {write(body)}")
        said.extend(f"let {name} = {write(value)}" for name, value in self.lets)
        inside = [*map(_combine, self.combines), *map(_part, self.parts)]
        out_of = f" out of {decimal(self.out_of)}" if self.says_out_of else ""
        said.append(f"score each {', '.join(self.subject)}{out_of} {{ {self.space.join(inside)} }}")
        if self.bands:
            said.append(f"bands status {{ {self.space.join(map(_band, self.bands))} }}")
        return self.space.join(note + each for each in said) + "\n"


def decimal(value: Fraction) -> str:
    """Return a number as the language writes it; only decimals can be written."""
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    digits = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
        assert len(digits) < 60, value
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def write(expr: Expression) -> str:
    """Return an expression as written: everything that has parts stands in brackets."""
    match expr:
        case ("number", text):
            return text
        case ("points", value):
            return decimal(value)
        case ("text", text):
            return f'"{text}"'
        case ("truth", truth):
            return "yes" if truth else "no"
        case ("field" | "option" | "let" | "parameter", name):
            return name
        case ("call", name, arguments):
            return f"{name}({', '.join(map(write, arguments))})"
        case ("awarded" | "scale" as word,):
            return word
        case ("not", inner):
            return f"(not {write(inner)})"
        case ("and" | "or" as word, parts):
            return f"({f' {word} '.join(map(write, parts))})"
        case ("all" | "any" | "none" as word, parts):
            return f"{word} of [{', '.join(map(write, parts))}]"
        case ("compare", op, left, right):
            return f"({write(left)} {op} {write(right)})"
        case ("in" | "not in" as word, item, ("scale",)):
            return f"({write(item)} {word} scale)"
        case ("in" | "not in" as word, item, items):
            return f"({write(item)} {word} [{', '.join(map(write, items))}])"
        case ("between" | "not between" as word, item, low, high):
            return f"({write(item)} {word} {write(low)} and {write(high)})"
        case ("date", value):
            return f"{value.isoformat()}"
        case ("built in", name, arguments):
            return f"{name}({', '.join(map(write, arguments))})"
        case ("missing" | "given" as word, inner):
            return f"({write(inner)} is {word})"
        case ("else", inner, fallback):
            return f"({write(inner)} else {write(fallback)})"
        case ("arithmetic", op, left, right):
            return f"({write(left)} {op} {write(right)})"
        case ("minus", inner):
            return f"(-{write(inner)})"
    raise AssertionError(expr)


def _field(each: PlanField) -> str:
    type_ = f"one of {', '.join(each.options)}" if each.kind == "one of" else each.kind
    default = ""
    if each.default is not None:
        shown = each.default
        if isinstance(shown, bool):
            shown = "yes" if shown else "no"
        elif isinstance(shown, Fraction):
            shown = decimal(shown)
        elif each.kind == "text":
            shown = f'"{shown}"'
        default = f" default {shown}"
    label = f' "{each.label}"' if each.label else ""
    key = "key " if each.is_key else ""
    return f"{key}{each.name} : {type_}{'?' if each.optional else ''}{default}{label}"


def _combine(each: PlanCombine) -> str:
    place = " in each item" if each.place == "items" else ""
    excludes = " ".join(
        f'exclude when {write(condition)} "{reason}"' for condition, reason in each.excludes
    )
    return f"combine {each.key} by mean{place}" + (f" {{ {excludes} }}" if excludes else "")


def _part(part: PlanPart) -> str:
    label = f' "{part.label}"' if part.label else ""
    worth = decimal(part.worth)
    if part.value is not None:
        return f"criterion {part.names[0]}{label} worth {worth} = {write(part.value)}"
    each = " each" if len(part.names) > 1 else ""
    scale = f" scale {', '.join(map(decimal, part.scale))}" if part.scale else ""
    word = "item" if part.is_item else "criterion"
    inside = [*map(_combine, part.combines), *map(_part, part.parts), *map(_row, part.rows)]
    body = "\n  ".join(inside)
    return f"{word} {', '.join(part.names)}{label} worth {worth}{each}{scale} {{\n  {body}\n}}"


def _row(row: PlanRow) -> str:
    result = 'unscored "no result"' if row.result is None else write(row.result)
    stop = " stop" if row.stop else ""
    label = f' "{row.label}"' if row.label else ""
    match row.kind:
        case "when":
            assert row.condition is not None
            return f"when {write(row.condition)} -> {result}{stop}{label}"
        case "gate":
            assert row.condition is not None
            return f"gate {row.gate} fails when {write(row.condition)} -> {result}{label}"
        case "missing":
            return f"when missing -> {result}{stop}{label}"
        case _:
            return f"otherwise -> {result}{label}"


def _band(band: tuple[Fraction | None, Fraction | None, bool, str]) -> str:
    low, high, inclusive, name = band
    if inclusive:
        assert low is not None
        assert high is not None
        return f'{decimal(low)} to {decimal(high)} -> "{name}"'
    words = [f"from {decimal(low)}"] if low is not None else []
    words += [f"below {decimal(high)}"] if high is not None else []
    return f'{" ".join(words)} -> "{name}"'


# --------------------------------------------------------------------------------------- conditions

SMALL = (*tuple(f"{n}" for n in range(6)), "0.5", "2.5", "0.1", "7.25", "10")
BUILT_INS = (("abs", 1), ("min_of", 2), ("max_of", 3), ("floor", 1), ("clamp", 3))
TEXTS = ("", "a", "b", "Straße", "a b")


@frozen
class Style:
    """What a plan may use.

    Attributes:
        covered: whether every missing value is covered, as the checks want it.
        states: whether `else`, `is missing` and `is given` are used at all; without them, every
            part says `when missing -> unscored`.
        off_scale: whether results may leave the scale or divide by zero, so that subjects fail.
        simple_key: whether the subject is the only key, so that nothing is combined.
        excludes: whether records are excluded.
        constants: whether every result is a constant.
    """

    covered: bool = True
    states: bool = True
    off_scale: bool = True
    simple_key: bool = False
    excludes: bool = True
    constants: bool = False


DEFAULT_STYLE = Style()


@frozen
class Names:
    """What conditions of a plan can read."""

    fields: tuple[PlanField, ...]
    lets: tuple[tuple[str, Expression, str], ...] = ()  # name, value, what it is: number or truth
    functions: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...] = ()
    awarded: bool = False
    scale: bool = False  # whether `scale` can stand here

    def of(self, *kinds: str) -> list[PlanField]:
        """Return the fields of some kinds."""
        return [each for each in self.fields if each.kind in kinds]


def may_be_missing(expr: Any, known: frozenset[str], lets: Mapping[str, Expression]) -> set[str]:
    """Return the names that may be missing and that an expression reads unguarded.

    A cautious reading for building sound conditions: names under `is missing` and `is given` do not
    count, those under `else` only where the fallback does.
    """
    match expr:
        case ("missing" | "given", _):
            return set()
        case ("else", inner, fallback):
            return (
                may_be_missing(inner, known, lets)
                if may_be_missing(fallback, known, lets)
                else set()
            )
        case ("field", name):
            return {name} - known
        case ("awarded",):
            return {"awarded"} - known
        case ("let", name):
            return may_be_missing(lets[name], known, lets)
        case tuple() | list():
            return {name for each in expr for name in may_be_missing(each, known, lets)}
        case _:
            return set()


def numbers(draw: Draw, names: Names, depth: int, *, positive: bool = False) -> Expression:
    """Return an expression that is a number."""
    fields = names.of("number", "integer")
    lets = [name for name, _, kind in names.lets if kind == "number"]
    kinds = ["constant"]
    kinds += ["field"] * (3 if fields else 0)
    kinds += ["let"] * (1 if lets else 0)
    kinds += ["awarded"] * (2 if names.awarded else 0)
    functions = [each for each in names.functions if each[2] == "number"]
    if depth > 0:
        kinds += ["arithmetic", "divide", "minus", "built in"]
        kinds += ["call"] * (1 if functions else 0)
    match draw(st.sampled_from(kinds)):
        case "field":
            return ("field", draw(st.sampled_from(fields)).name)
        case "let":
            return ("let", draw(st.sampled_from(lets)))
        case "awarded":
            return ("awarded",)
        case "arithmetic":
            op = draw(st.sampled_from(["+", "-", "*"]))
            return (
                "arithmetic",
                op,
                numbers(draw, names, depth - 1),
                numbers(draw, names, depth - 1),
            )
        case "divide":
            below: Expression = ("number", draw(st.sampled_from(["2", "3", "7", "0.1"])))
            if fields and draw(st.booleans()):
                below = ("field", draw(st.sampled_from(fields)).name)
            return ("arithmetic", "/", numbers(draw, names, depth - 1), below)
        case "minus":
            return ("minus", numbers(draw, names, depth - 1))
        case "built in":
            name, count = draw(st.sampled_from(BUILT_INS))
            return ("built in", name, tuple(numbers(draw, names, depth - 1) for _ in range(count)))
        case "call":
            return call(draw, names, draw(st.sampled_from(functions)), depth)
        case _:
            return ("number", draw(st.sampled_from(SMALL)))


def call(draw: Draw, names: Names, function: Any, depth: int) -> Expression:
    """Return a call of a function."""
    name, parameters, _ = function
    arguments = []
    for _, kind in parameters:
        if kind == "number":
            arguments.append(numbers(draw, names, 0))
        else:
            arguments.append(atoms(draw, names, 0))
    return ("call", name, tuple(arguments))


def atoms(draw: Draw, names: Names, depth: int) -> Expression:
    """Return a condition without logic in it; it reads something, so it is not always the same."""
    kinds = []
    if names.of("yes/no"):
        kinds += ["truth"] * 3
    if names.of("number", "integer") or names.awarded:
        kinds += ["compare"] * 3 + ["member", "between"]
    if names.of("text"):
        kinds += ["text"]
    if names.of("one of"):
        kinds += ["option"] * 2
    if len(names.of("date")) > 1:
        kinds += ["date"]
    if names.of("date"):
        kinds += ["days"]
    kinds += ["let"] * sum(kind == "truth" for _, _, kind in names.lets)
    functions = [each for each in names.functions if each[2] == "truth"]
    kinds += ["call"] * (1 if functions and depth > 0 else 0)
    kinds += ["scale"] * (2 if names.scale and names.of("number") else 0)
    if not kinds:
        kinds = ["same"]
    match draw(st.sampled_from(kinds)):
        case "truth":
            return ("field", draw(st.sampled_from(names.of("yes/no"))).name)
        case "compare":
            fields = names.of("number", "integer")
            left: Expression = (
                ("awarded",) if names.awarded else ("field", draw(st.sampled_from(fields)).name)
            )
            if fields and draw(st.booleans()):
                left = ("field", draw(st.sampled_from(fields)).name)
            if depth > 0 and draw(st.booleans()):
                left = ("arithmetic", draw(st.sampled_from("+-*")), left, numbers(draw, names, 1))
            op = draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
            right = numbers(draw, names, depth)
            return ("compare", op, left, right)
        case "member":
            fields = names.of("number", "integer")
            item: Expression = (
                ("field", draw(st.sampled_from(fields)).name) if fields else ("awarded",)
            )
            items = draw(st.lists(st.sampled_from(SMALL), min_size=1, max_size=3))
            listed: list[Expression] = [("number", text) for text in items]
            if depth > 0 and draw(st.booleans()):
                listed.append(numbers(draw, names, 0))
            return (draw(st.sampled_from(["in", "not in"])), item, tuple(listed))
        case "between":
            fields = names.of("number", "integer")
            item = ("field", draw(st.sampled_from(fields)).name) if fields else ("awarded",)
            low = numbers(draw, names, 0)
            high = ("arithmetic", "+", low, ("number", draw(st.sampled_from(SMALL))))
            return (draw(st.sampled_from(["between", "not between"])), item, low, high)
        case "scale":
            item = ("field", draw(st.sampled_from(names.of("number"))).name)
            return (draw(st.sampled_from(["in", "not in"])), item, ("scale",))
        case "text":
            name = draw(st.sampled_from(names.of("text"))).name
            op = draw(st.sampled_from(["=", "!="]))
            return ("compare", op, ("field", name), ("text", draw(st.sampled_from(TEXTS))))
        case "option":
            each = draw(st.sampled_from(names.of("one of")))
            if draw(st.booleans()):
                op = draw(st.sampled_from(["=", "!="]))
                return (
                    "compare",
                    op,
                    ("field", each.name),
                    ("option", draw(st.sampled_from(each.options))),
                )
            chosen = draw(
                st.lists(st.sampled_from(each.options), min_size=1, max_size=2, unique=True)
            )
            word = draw(st.sampled_from(["in", "not in"]))
            return (word, ("field", each.name), tuple(("option", option) for option in chosen))
        case "date":
            one, other = draw(st.permutations(names.of("date")))[:2]
            op = draw(st.sampled_from(["=", "<", ">="]))
            return ("compare", op, ("field", one.name), ("field", other.name))
        case "days":
            dates = [("field", each.name) for each in names.of("date")]
            day, days = draw(st.sampled_from(dates)), draw(st.integers(-400, 400))
            other_day: Expression = ("date", date(2024, 2, 28))
            if draw(st.booleans()):
                later = ("arithmetic", "+", other_day, ("number", str(abs(days))))
                return ("compare", draw(st.sampled_from(["=", "<", ">="])), day, later)
            between = ("arithmetic", "-", day, draw(st.sampled_from([*dates, other_day])))
            return ("compare", "<", between, ("number", str(abs(days))))
        case "let":
            return (
                "let",
                draw(st.sampled_from([n for n, _, kind in names.lets if kind == "truth"])),
            )
        case "call":
            return call(draw, names, draw(st.sampled_from(functions)), depth)
        case _:
            name = names.fields[0].name
            return ("compare", "=", ("field", name), ("field", name))


def conditions(draw: Draw, names: Names, style: Style, depth: int = 2) -> Expression:
    """Return a condition of any form; missing values are not covered yet."""
    kinds = ["atom"] * 3
    if depth > 0:
        kinds += ["not", "join", "join"]
    asked = [each for each in names.fields if each.optional or each.default is not None]
    if style.states:
        kinds += ["state"] if asked else []
        kinds += ["else"] if names.of("number", "yes/no") else []
    match draw(st.sampled_from(kinds)):
        case "not":
            return ("not", conditions(draw, names, style, depth - 1))
        case "join":
            parts = [
                conditions(draw, names, style, depth - 1) for _ in range(draw(st.integers(2, 3)))
            ]
            return (draw(st.sampled_from(["and", "or", "all", "any", "none"])), tuple(parts))
        case "state":
            return (
                draw(st.sampled_from(["missing", "given"])),
                ("field", draw(st.sampled_from(asked)).name),
            )
        case "else":
            each = draw(st.sampled_from(names.of("number", "yes/no")))
            if each.kind == "yes/no":
                return ("else", ("field", each.name), ("truth", draw(st.booleans())))
            stand_in: Expression = (
                "else",
                ("field", each.name),
                ("number", draw(st.sampled_from(SMALL))),
            )
            return (
                "compare",
                draw(st.sampled_from(["<", ">=", "="])),
                stand_in,
                numbers(draw, names, 0),
            )
        case _:
            return atoms(draw, names, depth)


def covered(
    draw: Draw, expr: Expression, known: frozenset[str], lets: Mapping[str, Expression]
) -> Expression:
    """Return a condition guarded against all that may be missing in it."""
    doubtful = sorted(may_be_missing(expr, known, lets))
    if not doubtful:
        return expr
    asked = [("awarded",) if name == "awarded" else ("field", name) for name in doubtful]
    if draw(st.booleans()):
        return ("and", (*(("given", each) for each in asked), expr))
    return ("any", (*(("missing", each) for each in asked), expr))


def constant(expr: Any) -> Fraction | None:
    """The number that an expression is without evidence, or None."""
    match expr:
        case ("number", text):
            return Fraction(text)
        case ("points", value):
            return Fraction(value)
        case ("minus", operand):
            inner = constant(operand)
            return None if inner is None else -inner
        case ("arithmetic", op, left, right):
            one, other = constant(left), constant(right)
            if one is None or other is None or (op == "/" and other == 0):
                return None
            if op == "/":
                return one / other
            return one + other if op == "+" else one - other if op == "-" else one * other
        case _:
            return None


def shown_given(expr: Expression) -> frozenset[str]:
    """Return the fields whose presence a row proves for the rows below it."""
    match expr:
        case ("missing", ("field", name)):
            return frozenset({name})
        case _:
            return frozenset()


# ---------------------------------------------------------------------------------------- the parts


def _worth(draw: Draw) -> Fraction:
    return Fraction(draw(st.sampled_from(["1", "2", "5", "10", "15", "0.5", "2.5", "33.3"])))


def _constants(draw: Draw, worth: Fraction) -> list[Fraction]:
    shares = draw(st.lists(st.sampled_from([0, 1, 2, 3, 4]), max_size=3))
    return sorted({Fraction(0), worth, *(worth * share / 4 for share in shares)})


def _rows(
    draw: Draw,
    names: Names,
    style: Style,
    results: list[Expression],
    lets: Mapping[str, Expression],
    always: frozenset[str],
    prefix: str,
    *,
    must_score: bool,
) -> tuple[PlanRow, ...]:
    """Return rows that end with `otherwise`; `always` are the names that are never missing."""
    has_missing = not style.states or draw(st.booleans())
    known = always
    rows: list[PlanRow] = []
    seen: set[Expression] = set()
    for number in range(draw(st.integers(0, 3))):
        condition = conditions(draw, names, style)
        if style.covered and not has_missing:
            condition = covered(draw, condition, known, lets)
        if style.states and draw(st.integers(0, 3)) == 0:
            optional = [each for each in names.fields if each.optional and each.name not in known]
            if optional:
                condition = ("missing", ("field", draw(st.sampled_from(optional)).name))
        if condition in seen:
            continue
        seen.add(condition)
        known = known | shown_given(condition)
        result = None if draw(st.integers(0, 4)) == 0 else draw(st.sampled_from(results))
        is_gate = draw(st.booleans())
        rows.append(
            PlanRow(
                kind="gate" if is_gate else "when",
                condition=condition,
                result=result,
                gate=f"{prefix}_gate{number}" if is_gate else "",
                label=draw(st.sampled_from(["", "", f"row {number}"])),
                stop=not is_gate and draw(st.booleans()),
            )
        )
    last = draw(st.sampled_from(results if must_score else [*results, None]))
    rows.append(PlanRow(kind="otherwise", result=last))
    if has_missing:
        points = None if not style.states else draw(st.sampled_from([None, *results]))
        rows.insert(draw(st.integers(0, len(rows))), PlanRow(kind="missing", result=points))
    return tuple(rows)


@frozen
class Kit:
    """What parts are made of."""

    names: Names
    style: Style
    lets: Mapping[str, Expression]
    always: frozenset[str]
    item_key: PlanField | None
    leaf_combines: tuple[PlanCombine, ...]
    question_at_leaf: bool  # whether a leaf that is no item combines the item key itself
    may_compute: bool
    top: tuple[PlanCombine, ...]


def _free(draw: Draw, kit: Kit, worth: Fraction) -> list[Expression]:
    """Return results that are no constants, with stand-ins for what may be missing."""
    results: list[Expression] = []
    for _ in range(draw(st.integers(1, 2))):
        value = numbers(draw, evolve(kit.names, awarded=False), 2)
        if not kit.style.states:  # what may be missing is not read at all
            if may_be_missing(value, kit.always, kit.lets):
                value = ("points", worth / 2)
        else:
            value = _stand_ins(value, kit)
        if constant(value) is not None:  # it might lie off the scale, which the checks would see
            value = ("points", worth / 2)
        results.append(value)
    return results


def _stand_ins(expr: Any, kit: Kit) -> Any:
    """Every name that may be missing with a stand-in."""
    match expr:
        case ("field" | "let", _) if may_be_missing(expr, kit.always, kit.lets):
            return ("else", expr, ("number", "1"))
        case tuple():
            return tuple(_stand_ins(each, kit) for each in expr)
        case _:
            return expr


def _leaf(draw: Draw, kit: Kit, name: str, options: tuple[str, ...], top: bool) -> PlanPart:
    worth = _worth(draw)
    is_item = bool(options)
    kind = draw(st.sampled_from(["constant", "constant", "scale", "free"]))
    if kit.style.constants or kit.names.scale:
        kind = "constant"
    scale: tuple[Fraction, ...] | None = None
    points: list[Expression] = [("points", value) for value in _constants(draw, worth)]
    if kind == "scale" and is_item:
        scale = tuple(value for _, value in points)
        declared = [f for f in kit.names.fields if f.kind == "number" and not f.optional]
        if kit.style.off_scale and declared:
            points.append(("field", declared[0].name))
    if kind == "free" and kit.style.off_scale:
        points = [*points, *_free(draw, kit, worth)]
    own = list(kit.leaf_combines)
    if kit.item_key and not is_item and kit.question_at_leaf:
        own.append(PlanCombine(key=kit.item_key.name, place="leaf"))
    if top:
        own.extend(kit.top)
    if not is_item and kit.may_compute and not own and draw(st.integers(0, 4)) == 0:
        value = _free(draw, kit, worth)[0] if kit.style.off_scale else points[0]
        return PlanPart(names=(name,), worth=worth, value=value)
    return PlanPart(
        names=options or (name,),
        worth=worth,
        is_item=is_item,
        scale=scale,
        rows=_rows(
            draw,
            kit.names,
            kit.style,
            points,
            kit.lets,
            kit.always,
            name,
            must_score=kit.style.constants,
        ),
        combines=tuple(own),
        label=draw(st.sampled_from(["", "A label"])),
    )


def _parts(
    draw: Draw, kit: Kit, prefix: str, depth: int, count: int, *, is_top: bool
) -> tuple[PlanPart, ...]:
    parts = []
    free_options = list(kit.item_key.options) if kit.item_key else []
    for number in range(count):
        name = f"{prefix}{'abc'[number]}"
        if depth > 0 and draw(st.integers(0, 2)) == 0:
            below = _parts(draw, kit, name, depth - 1, draw(st.integers(1, 2)), is_top=False)
            worth = sum((part.whole for part in below), Fraction(0))
            combines = kit.top if is_top else ()
            parts.append(PlanPart(names=(name,), worth=worth, parts=below, combines=combines))
            continue
        options: tuple[str, ...] = ()
        if free_options and draw(st.integers(0, 3)) > 0:
            take = draw(st.integers(1, min(2, len(free_options))))
            options, free_options = tuple(free_options[:take]), free_options[take:]
        parts.append(_leaf(draw, kit, name, options, is_top))
    return tuple(parts)


def _key_fields(
    draw: Draw, style: Style
) -> tuple[list[PlanField], PlanField | None, list[PlanField]]:
    """Return the subject's keys, the key that items fix, and those to combine."""
    subject = [PlanField(name="who", kind="text", is_key=True)]
    if style.simple_key:
        return subject, None, []
    shape = draw(
        st.sampled_from(
            ["who", "item", "item", "combine", "combine", "both", "both", "two", "pair"]
        )
    )
    item_key, combined = None, []
    if shape in ("item", "both"):
        options = ("Q1", "Q2", "Q3")[: draw(st.integers(1, 3))]
        item_key = PlanField(name="question", kind="one of", options=options, is_key=True)
    if shape in ("combine", "both", "two"):
        kind = draw(
            st.sampled_from(["one of", "one of", "integer", "text", "date", "yes/no", "number"])
        )
        options = ("s1", "s2", "s3")[: draw(st.integers(1, 3))] if kind == "one of" else ()
        combined.append(PlanField(name="source", kind=kind, options=options, is_key=True))
    if shape == "two":
        combined.append(PlanField(name="turn", kind="one of", options=("t1", "t2"), is_key=True))
    if shape == "pair":
        subject.append(
            PlanField(
                name="team",
                kind=draw(st.sampled_from(["integer", "one of"])),
                options=("x1", "x2"),
                is_key=True,
            )
        )
    return subject, item_key, combined


def _value_fields(draw: Draw) -> list[PlanField]:
    fields = [
        PlanField(name="flag", kind="yes/no"),
        PlanField(name="amount", kind="number", optional=draw(st.booleans())),
    ]
    if draw(st.booleans()):
        fields.append(PlanField(name="maybe", kind="yes/no", optional=True))
    if draw(st.booleans()):
        fields.append(
            PlanField(name="count", kind="integer", default=Fraction(draw(st.integers(0, 3))))
        )
    if draw(st.booleans()):
        fields.append(
            PlanField(
                name="level",
                kind="one of",
                options=("low", "mid", "high"),
                optional=draw(st.booleans()),
                default=draw(st.sampled_from([None, "mid"])),
            )
        )
    if draw(st.booleans()):
        fields.append(
            PlanField(name="words", kind="text", optional=draw(st.booleans()), label="said")
        )
    if draw(st.integers(0, 3)) == 0:
        fields.append(PlanField(name="day", kind="date"))
        fields.append(PlanField(name="due", kind="date", optional=draw(st.booleans())))
    if draw(st.integers(0, 3)) == 0:
        fields.append(PlanField(name="flagged", kind="yes/no", optional=True, default=True))
    if draw(st.booleans()):
        fields.append(PlanField(name="declared", kind="number"))
    return fields


def _excludes(
    draw: Draw, names: Names, style: Style, lets: Mapping[str, Expression], always: frozenset[str]
) -> tuple[tuple[Expression, str], ...]:
    if not style.excludes:
        return ()
    found = []
    for number in range(draw(st.integers(0, 2))):
        condition = conditions(draw, names, style, 1)
        if style.covered:
            condition = covered(draw, condition, always, lets)
        found.append((condition, f"reason {number}"))
    return tuple(found)


@st.composite
def plans(draw: Draw, style: Style = DEFAULT_STYLE) -> Plan:
    """Plans of whole rubrics, which the checks accept if the style is `covered`."""
    subject, item_key, combined = _key_fields(draw, style)
    keys = [*subject, *([item_key] if item_key else []), *combined]
    keys = list(draw(st.permutations(keys)))
    fields = [*keys, *_value_fields(draw)]
    always = frozenset(each.name for each in fields if not each.optional)
    readable = Names(tuple(each for each in fields if not each.is_key))

    functions: list[Any] = []
    if draw(st.booleans()):
        functions.append(
            ("twice", (("a", "number"),), ("arithmetic", "*", ("parameter", "a"), ("number", "2")))
        )
    if draw(st.booleans()):
        body = ("and", (("parameter", "t"), ("compare", ">", ("parameter", "a"), ("number", "1"))))
        functions.append(("both", (("t", "yes/no"), ("a", "number")), body))
    called = tuple(
        (name, ps, "number" if name == "twice" else "truth") for name, ps, _ in functions
    )
    lets: list[tuple[str, Expression]] = []
    names = evolve(readable, functions=called)
    for number in range(draw(st.integers(0, 3))):
        is_truth = draw(st.booleans())
        value = conditions(draw, names, style) if is_truth else numbers(draw, names, 2)
        lets.append((f"let{number}", value))
        names = evolve(
            names, lets=(*names.lets, (f"let{number}", value, "truth" if is_truth else "number"))
        )
    values = dict(lets)

    # Where each key is combined, in the order in which it happens.
    places = {
        each.name: draw(st.sampled_from(["leaf", "items", "top", "total"])) for each in combined
    }
    question_at_leaf = draw(st.booleans())
    where = list(places.items())
    if item_key and not question_at_leaf:
        where.insert(draw(st.integers(0, len(where))), (item_key.name, "items"))
    if any(place == "items" for _, place in where):
        # What a top part combines comes before what it inherits in a leaf, and after in a group.
        where = [(name, "total" if place == "top" else place) for name, place in where]
    where.sort(key=lambda each: ["leaf", "items", "top", "total"].index(each[1]))
    with_scale = bool(where) and where[0][1] in ("leaf", "items") and draw(st.integers(0, 3)) == 0
    combines: list[PlanCombine] = []
    left = [each.name for each in keys]
    for number, (name, place) in enumerate(where):
        at_records = (
            number == 0
            and place in ("leaf", "items")
            and not (item_key and name != item_key.name and question_at_leaf and place == "items")
        )
        if at_records:
            seen = evolve(names, awarded=True, scale=with_scale)
        else:
            grain = left if not item_key else [each for each in left if each != item_key.name]
            seen = Names(tuple(each for each in keys if each.name in grain), awarded=True)
        is_question = item_key is not None and name == item_key.name
        excludes = (
            ()
            if is_question and draw(st.booleans())
            else _excludes(draw, seen, style, values, always)
        )
        if is_question and not at_records:
            excludes = ()
        combines.append(PlanCombine(key=name, place=place, excludes=excludes))
        left.remove(name)
    kit = Kit(
        names=evolve(names, scale=with_scale),
        style=style,
        lets=values,
        always=always,
        item_key=item_key,
        leaf_combines=tuple(each for each in combines if each.place == "leaf"),
        question_at_leaf=question_at_leaf,
        may_compute=not with_scale and (not item_key or not question_at_leaf),
        top=tuple(each for each in combines if each.place == "top"),
    )
    kit = evolve(
        kit,
        names=evolve(kit.names, scale=False),
        style=evolve(style, constants=style.constants or with_scale),
    )
    parts = _parts(draw, kit, "", 2, draw(st.integers(1, 3)), is_top=True)
    if not any(_is_free_leaf(each) for part in parts for each in _leaves(part)):
        # Every part is an item, which fixes the key: there is nothing to combine.
        combines = [each for each in combines if not (item_key and each.key == item_key.name)]
    plan = Plan(
        fields=tuple(fields),
        lets=tuple(lets),
        functions=tuple(functions),
        subject=tuple(each.name for each in subject),
        combines=tuple(each for each in combines if each.place in ("items", "total")),
        parts=parts,
        says_out_of=draw(st.booleans()),
    )
    return evolve(plan, bands=_bands(draw, plan.out_of))


def _leaves(part: PlanPart) -> list[PlanPart]:
    return [leaf for each in part.parts for leaf in _leaves(each)] if part.parts else [part]


def _is_free_leaf(part: PlanPart) -> bool:
    return not part.is_item


def _bands(draw: Draw, out_of: Fraction) -> tuple[Any, ...]:
    """Bands without a gap, from the highest down."""
    shares = draw(st.lists(st.sampled_from([1, 2, 5, 8]), max_size=3, unique=True))
    if not shares or draw(st.integers(0, 3)) == 0:
        return ()
    bounds = sorted((out_of * share / 10 for share in shares), reverse=True)
    bands: list[Any] = []
    for number, low in enumerate(bounds):
        upper = bounds[number - 1] if number and draw(st.booleans()) else None
        bands.append((low, upper, False, f"band {number}"))
    if draw(st.booleans()):
        bands.append((None, bounds[-1], False, "the rest"))
    else:
        bands.append((Fraction(0), None, False, "the rest"))
    return tuple(bands)


# ----------------------------------------------------------------------------------------- evidence


def _long_decimals() -> Any:
    return st.decimals(min_value=-3, max_value=20, allow_nan=False, places=25)


def values_of(each: PlanField, *, tame: bool = False) -> Any:
    """Values that a record may hold for a field."""
    match each.kind:
        case "yes/no":
            return st.booleans()
        case "integer":
            if each.is_key:
                return st.integers(1, 2)
            small = st.integers(-1, 6)
            return small if tame else st.one_of(small, small, st.just(10**40 + 1))
        case "number":
            if each.is_key:
                return st.sampled_from([Fraction(1, 2), 1])
            small = st.sampled_from(
                [0, 1, 2, 3, 5, 10, Decimal("0.5"), Decimal("2.5"), Decimal("0.10"), 0.1]
            )
            rare = st.one_of(_long_decimals(), st.just(-(10**30)), st.just(Fraction(1, 3)))
            return small if tame else st.one_of(small, small, rare)
        case "date":
            return st.sampled_from([date(2024, 2, 29), "2024-02-29", "2025-01-01"])
        case "one of":
            return st.sampled_from(each.options)
        case _:
            return st.sampled_from(["m", "n", "ß"] if each.is_key else TEXTS)


@st.composite
def records_for(
    draw: Draw, plan: Plan, *, tame: bool = False, most: int = 6
) -> list[dict[str, Any]]:
    """Records that conform to a plan's evidence, no two with the same keys, and at least one."""
    keys: dict[tuple[Any, ...], None] = {}
    for _ in range(draw(st.integers(1, most))):
        keys[tuple(draw(values_of(each)) for each in plan.keys)] = None
    found, seen = [], set()
    for values in keys:
        same = tuple(str(value) for value in values)
        if same in seen:  # a date and its text are one key
            continue
        seen.add(same)
        record: dict[str, Any] = {
            each.name: value for each, value in zip(plan.keys, values, strict=True)
        }
        for each in plan.fields:
            if each.is_key:
                continue
            how = draw(st.sampled_from(["given", "given", "given", "absent", "null"]))
            if how == "null" and each.optional:
                record[each.name] = None
            elif how == "given" or not (each.optional or each.default is not None):
                record[each.name] = draw(values_of(each, tame=tame))
        found.append(record)
    return found


@st.composite
def rubrics_and_records(draw: Draw, style: Style = DEFAULT_STYLE, *, tame: bool = False) -> Any:
    """Return a plan and records for it."""
    plan = draw(plans(style))
    return plan, draw(records_for(plan, tame=tame))


# ----------------------------------------------------------------------------------------- any text

WORDS = """
about and awarded bands below by case combine criterion default each else evidence exclude excluded
expect failed from gate given in is item key language let missing no not or otherwise rubric scale
score stop to unscored use version when worth yes yes/no between contains matches
""".split()  # noqa: SIM905 # easier to read
JOINED = (
    *("all of", "any of", "none of", "one of", "out of"),
    *("cases of", "fails when", "in each item", "starts with", "ends with"),
)
SIGNS = "-> != <= >= = < > + - * / { } ( ) [ ] , : . ?".split()  # noqa: SIM905 # easier to read
TOKENS = (
    *WORDS,
    *JOINED,
    *SIGNS,
    *(
        '"text"',
        '""',
        '"',
        '"""',
        "`quoted`",
        "`",
        "1",
        "0.5",
        "70%",
        "2024-02-29",
        "2024-02-30",
        "007",
        "1.2.3",
        "# note\n",
        "\n",
        "==",
        "&&",
        "é",
        "\x00",
    ),
    *(
        "name",
        "who",
        "Q1",
        "std.url",
        "./other",
        "core.cited",
        "url.same",
        "round(1, half_up, 0.5)",
        "normal(who)",
        "language 1",
        "rubric a language 1",
    ),
    *(
        "library a.b language 1",
        "evidence {",
        "score each who {",
        "criterion a worth 1 {",
        "item Q1 worth 1 {",
    ),
)


def token_soup() -> Any:
    """Texts of the language's own words and signs in any order, some of them beginning well."""
    start = st.sampled_from(
        [
            "",
            "rubric a language 1\n",
            "rubric a language 1 evidence { key who : text }\n",
            "library a language 1\n",
        ]
    )
    soup = st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join)
    return st.tuples(start, soup).map("".join)
