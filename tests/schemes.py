"""Generated rubrics with aggregates, weights, penalties, steps, requirements, figures and rankings.

A `Scheme` is such a rubric as plain data, apart from everything in `rulesengine`: `Scheme.text()` writes it down, and
`scheme_oracle.py` scores it without the engine. The subject is `who`; other keys are `run` (integers) and `task`
(options), one or both. Expressions are tuples:

    ("number", "2.5")  ("field", name)  ("key", name)  ("let", name)  ("this", field)
    ("arithmetic", op, a, b)  ("compare", op, a, b)  ("given", a)  ("not", a)  ("and" | "or", a, b)  ("else", a, b)
    ("aggregate", op, value, key, other, per, where)        where: None or a condition

Every row list ends with `when missing -> unscored` and `otherwise`, so nothing has to be covered.
"""

from fractions import Fraction
from typing import Any, TypeAlias

from attrs import field, frozen
from hypothesis import strategies as st
from strategies import decimal

Expression: TypeAlias = tuple[Any, ...]
Draw: TypeAlias = Any
NUMBERS = ("0", "1", "2", "3", "0.5", "2.5", "7.25")
OF_NUMBERS = ("mean", "median", "sum", "min", "max", "worst", "best")
OF_TRUTHS = ("share", "count")
GIVING_NUMBERS = ("count", "mean", "share", *OF_NUMBERS, *OF_TRUTHS)  # the first are drawn most
ROUNDING = ("half_up", "half_even", "up", "down", "floor", "ceiling")


@frozen(kw_only=True)
class Step:
    """A step: `kind` is combine, clamp or round; `values` are a combine's operation, the ends, or mode and step."""

    kind: str
    values: tuple[Any, ...]
    key: str = ""
    quorum: int = 0
    keep: tuple[str, ...] = ()
    exclude: Expression | None = None
    in_each_item: bool = False


@frozen(kw_only=True)
class SchemePart:
    """A criterion, penalty or item: with rows (condition, points or None for unscored), an expression, or parts.

    `share` is None where it has points: then these are `out_of`.
    """

    name: str
    out_of: Fraction
    share: Fraction | None
    is_penalty: bool = False
    is_item: bool = False
    rows: tuple[tuple[Expression, Fraction | None], ...] = ()
    last: Fraction = Fraction(0)
    value: Expression | None = None
    parts: "tuple[SchemePart, ...]" = ()
    renormalise: bool = False
    steps: tuple[Step, ...] = ()
    label: str = ""


@frozen(kw_only=True)
class Scheme:
    """A rubric."""

    keys: tuple[str, ...]
    shared: dict[str, tuple[str, ...]] = field(factory=dict)  # by field, the keys that it varies by
    lets: tuple[tuple[str, Expression], ...] = ()
    parts: tuple[SchemePart, ...] = ()
    out_of: Fraction = Fraction(0)
    renormalise: bool = False
    steps: tuple[Step, ...] = ()
    shows: tuple[tuple[str, Expression], ...] = ()
    requires: tuple[tuple[Expression, bool], ...] = ()  # a condition, whether it is excused
    ranks: tuple[
        tuple[str, Expression, bool, int], ...
    ] = ()  # name, value, descending, keep (0: all)
    label: str = ""

    def text(self) -> str:
        """Return the rubric as written."""
        note = f' "{self.label}"' if self.label else ""
        types = {"run": "integer", "task": "one of t1, t2, t3"}
        said = [
            'rubric generated version "1" language 1',
            "param excused : yes/no default yes",
            "evidence { key who : text",
            *(f"  key {key} : {types[key]}" for key in self.keys),
            "  x : number?  y : yes/no?  w : number",
            *(
                f"  {name} : {'yes/no' if name == 'flag' else 'number'}? per {', '.join(keys)}{note}"
                for name, keys in self.shared.items()
            ),
            "}",
            *(f"let {name} = {write(value)}" for name, value in self.lets),
            f"score each who out of {decimal(self.out_of)} {{",
            *(["  renormalise"] if self.renormalise else []),
            *(
                f'  require {write(condition)} "{self.label or "message"}"'
                f"{' unless excused' if excused else ''}"
                for condition, excused in self.requires
            ),
            *(f"  show {name}{note} = {write(value)}" for name, value in self.shows),
            *map(_step, self.steps),
            *map(_part, self.parts),
            "}",
            *(
                f"rank who by {write(value)} {'descending' if descending else 'ascending'}"
                f"{f' keep {keep}' if keep else ''} as {name}"
                for name, value, descending, keep in self.ranks
            ),
        ]
        return "\n".join(said) + "\n"


def write(expr: Expression) -> str:
    """Return an expression as written: everything that has parts stands in brackets."""
    match expr:
        case ("number", text):
            return str(text)
        case ("field" | "key" | "let" | "part", name):
            return str(name)
        case ("this", name):
            return f"this.{name}"
        case ("arithmetic" | "compare", op, left, right):
            return f"({write(left)} {op} {write(right)})"
        case ("and" | "or" | "else" as word, left, right):
            return f"({write(left)} {word} {write(right)})"
        case ("given", operand):
            return f"({write(operand)} is given)"
        case ("not", operand):
            return f"(not {write(operand)})"
        case ("clamp", operand, low, high):
            return f"clamp({write(operand)}, {low}, {decimal(high)})"
        case ("aggregate", op, value, key, other, per, where):
            inside = write(value)
            inside = inside if inside.startswith("(") or inside.isidentifier() else f"({inside})"
            over = "over other" if other else "over"
            pers = "".join(f" per {name}" for name in per)
            condition = write(where) if where is not None else ""
            if where is not None and not condition.startswith("("):
                condition = f"({condition})"
            return (
                f"({op} of {inside} {over} {key}{pers}{f' where {condition}' if condition else ''})"
            )
    raise AssertionError(expr)


def _step(step: Step) -> str:
    match step.kind:
        case "clamp":
            return f"  clamp {' to '.join(map(decimal, step.values))}"
        case "round":
            return f"  round {step.values[0]} to {decimal(step.values[1])}"
    words = [f"  combine {step.key} by {step.values[0]}"]
    words += ["in each item"] if step.in_each_item else []
    words += [f"needs at least {step.quorum}"] if step.quorum else []
    words += [f"keep {', '.join(step.keep)}"] if step.keep else []
    words += [f'{{ exclude when {write(step.exclude)} "left out" }}'] if step.exclude else []
    return " ".join(words)


def _part(part: SchemePart) -> str:
    label = f' "{part.label}"' if part.label else ""
    stake = f"worth {decimal(part.out_of)}"
    if part.share is not None:
        stake = f"weight {decimal(part.share * 100)}% out of {decimal(part.out_of)}"
    word = "item" if part.is_item else "penalty" if part.is_penalty else "criterion"
    head = f"  {word} {part.name}{label} {stake}"
    if part.value is not None and not part.steps:
        return f'{head} = {write(part.value)} when missing -> unscored "gap"'
    inside = [" renormalise"] if part.renormalise else []
    inside += [_step(step) for step in part.steps] + [_part(each) for each in part.parts]
    if part.value is not None:
        inside += ['when missing -> unscored "gap"', f"otherwise -> {write(part.value)}"]
    elif not part.parts:
        inside += [
            f"when {write(condition)} -> "
            + ('unscored "none"' if points is None else decimal(points))
            for condition, points in part.rows
        ]
        inside += ['when missing -> unscored "gap"', f"otherwise -> {decimal(part.last)}"]
    body = "\n    ".join(inside)
    return f"{head} {{\n    {body}\n  }}"


# ----------------------------------------------------------------------------------------------- grain


def grain(expr: Expression, scheme: Scheme) -> frozenset[str]:
    """Return the keys that an expression varies by."""
    match expr:
        case ("number", _):
            return frozenset()
        case ("field" | "this", name):
            return frozenset(scheme.shared.get(name, ("who", *scheme.keys)))
        case ("key", name):
            return frozenset({name})
        case ("let", name):
            return grain(dict(scheme.lets)[name], scheme)
        case ("aggregate", _, value, key, other, per, where):
            inner = grain(value, scheme) | frozenset(per)
            inner |= grain(where, scheme) if where is not None else frozenset()
            return inner if other else inner - {key}
        case _:
            return frozenset().union(*(grain(e, scheme) for e in expr if isinstance(e, tuple)))


def reads_over(expr: Expression, scheme: Scheme) -> bool:
    """Whether an expression reads what is no value of one record: an aggregate, a shared field."""
    match expr:
        case ("aggregate", *_):
            return True
        case ("field", name):
            return name in scheme.shared
        case ("let", name):
            return reads_over(dict(scheme.lets)[name], scheme)
        case _:
            return any(reads_over(each, scheme) for each in expr if isinstance(each, tuple))


def leaf_grain(part: SchemePart, scheme: Scheme) -> frozenset[str]:
    """Return the keys that the rows of a part vary by."""
    exprs = [condition for condition, _ in part.rows]
    exprs += [part.value] if part.value is not None else []
    if any(reads_over(each, scheme) for each in exprs):
        return frozenset({"who"}).union(*(grain(each, scheme) for each in exprs))
    return frozenset({"who", *scheme.keys})


# ----------------------------------------------------------------------------------------- building it


def _numbers(draw: Draw, scheme: Scheme, depth: int) -> Expression:
    kinds = ["field", "field", "number"]
    lets = [name for name, value in scheme.lets if name.startswith("n")]
    kinds += ["let"] * (2 if lets else 0)
    kinds += ["shared"] * ("size" in scheme.shared)
    kinds += ["arithmetic", "aggregate", "aggregate", "aggregate", "else"] if depth > 0 else []
    match draw(st.sampled_from(kinds)):
        case "field":
            return ("field", draw(st.sampled_from("xw")))
        case "shared":
            return ("field", "size")
        case "let":
            return ("let", draw(st.sampled_from(lets)))
        case "arithmetic":
            op = draw(st.sampled_from("+-*/"))
            return ("arithmetic", op, *(_numbers(draw, scheme, depth - 1) for _ in "ab"))
        case "else":
            return ("else", ("field", "x"), ("number", draw(st.sampled_from(NUMBERS))))
        case "aggregate":
            return _aggregate(draw, scheme, depth)
        case _:
            return ("number", draw(st.sampled_from(NUMBERS)))


def _read(draw: Draw, scheme: Scheme, depth: int) -> Expression:
    """A number that is not the same for all evidence."""
    expr = _numbers(draw, scheme, depth)
    return expr if grain(expr, scheme) or reads_over(expr, scheme) else ("field", "x")


def _conditions(draw: Draw, scheme: Scheme, depth: int, *, this: bool = False) -> Expression:
    kinds = ["compare", "compare", "truth"] + (["not", "join", "given"] if depth > 0 else [])
    kinds += ["flag"] * ("flag" in scheme.shared)
    kinds += ["truths"] * (2 if depth > 0 else 0)
    kinds += ["this"] * (3 if this else 0)
    match draw(st.sampled_from(kinds)):
        case "truth":
            return ("field", "y")
        case "flag":
            return ("field", "flag")
        case "this":
            op = draw(st.sampled_from(["<", "=", "!="]))
            name = draw(st.sampled_from("xw"))
            return ("compare", op, ("field", name), ("this", name))
        case "not":
            return ("not", _conditions(draw, scheme, depth - 1, this=this))
        case "join":
            word = draw(st.sampled_from(["and", "or"]))
            return (word, *(_conditions(draw, scheme, depth - 1, this=this) for _ in "ab"))
        case "given":
            return ("given", ("field", "x"))
        case "truths":
            return _aggregate(draw, scheme, depth, ops=("any", "all", "none"))
        case _:
            op = draw(st.sampled_from(["<", "<=", "=", ">"]))
            right = ("number", draw(st.sampled_from(NUMBERS)))
            return ("compare", op, _read(draw, scheme, depth - 1), right)


def _aggregate(
    draw: Draw, scheme: Scheme, depth: int, ops: tuple[str, ...] = GIVING_NUMBERS
) -> Expression:
    """An aggregate over some key that its value varies by; where there is none, a field of the record."""
    is_truth = ops != GIVING_NUMBERS
    op = draw(st.sampled_from(ops))
    other = draw(st.integers(0, 3)) == 0
    per: tuple[str, ...] = ()
    if op == "count" and draw(st.booleans()):
        key = draw(st.sampled_from(["who", *scheme.keys]))
        per = tuple(each for each in ("who", *scheme.keys) if each != key)
        return ("aggregate", op, ("key", key), key, False, per, None)
    truths = op in (*OF_TRUTHS, "any", "all", "none") and draw(st.integers(0, 4)) > 0
    truths = truths or op == "share" or is_truth
    value = (
        _conditions(draw, scheme, depth - 1, this=other)
        if truths
        else _numbers(draw, scheme, depth - 1)
    )
    where = None
    if draw(st.integers(0, 2)) == 0:
        where = _conditions(draw, scheme, depth - 1, this=other)
    varies = grain(value, scheme)
    keys = [key for key in ("who", *scheme.keys) if key in varies]
    if not keys:
        return ("field", "y") if is_truth else ("field", "w")
    return ("aggregate", op, value, draw(st.sampled_from(keys)), other, per, where)


def _rolled(draw: Draw, scheme: Scheme, expr: Expression) -> Expression:
    """An expression that varies by the subject at most."""
    while left := [key for key in scheme.keys if key in grain(expr, scheme)]:
        op = draw(st.sampled_from(OF_NUMBERS))
        expr = ("aggregate", op, expr, draw(st.sampled_from(left)), False, (), None)
    return expr


def _combine(draw: Draw, key: str, out_of: Fraction, *, of_records: bool) -> list[Step]:
    op = draw(st.sampled_from(["mean", "mean", "median", "min", "max", "sum"]))
    keep = draw(
        st.lists(
            st.sampled_from(["mean", "median", "min", "max", "sum", "each", "median_record"]),
            max_size=2,
            unique=True,
        )
    )
    exclude = None
    if of_records and draw(st.integers(0, 3)) == 0:
        exclude = (
            "and",
            ("given", ("field", "x")),
            ("compare", ">", ("field", "x"), ("number", "2")),
        )
    found = [
        Step(
            kind="combine",
            key=key,
            values=(op,),
            quorum=draw(st.sampled_from([0, 0, 0, 1, 2])),
            keep=tuple(keep),
            exclude=exclude,
        )
    ]
    if op == "sum":
        found.append(Step(kind="clamp", values=(Fraction(-20), out_of)))
        found.append(Step(kind="clamp", values=(Fraction(0), out_of)))
    return found


def _steps(
    draw: Draw, keys: list[str], out_of: Fraction, *, of_records: bool = False
) -> tuple[Step, ...]:
    """Some clamping and rounding, and a combine for each key."""

    def some() -> list[Step]:
        match draw(st.sampled_from(["none", "none", "none", "clamp", "round"])):
            case "clamp":
                return [Step(kind="clamp", values=(Fraction(0), out_of / 2))]
            case "round":
                mode = draw(st.sampled_from(ROUNDING))
                width = draw(st.sampled_from([Fraction(1, 2), Fraction(1)]))
                found = [Step(kind="round", values=(mode, width))]
                return [*found, Step(kind="clamp", values=(Fraction(0), out_of))]
            case _:
                return []

    found = some()
    for number, key in enumerate(keys):
        exact = of_records and not found and number == 0
        found += _combine(draw, key, out_of, of_records=exact)
        found += some()
    return tuple(found)


def _leaf(
    draw: Draw, scheme: Scheme, name: str, stake: tuple[Fraction, Fraction | None], **more: Any
) -> SchemePart:
    out_of, share = stake
    if draw(st.booleans()):
        value = ("clamp", _numbers(draw, scheme, 2), "0", out_of)
        return SchemePart(name=name, out_of=out_of, share=share, value=value, **more)
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        points = draw(st.sampled_from([None, Fraction(0), out_of / 2, out_of, out_of]))
        rows.append((_conditions(draw, scheme, 2), points))
    rows = [rows[0]] if len(rows) > 1 and rows[0][0] == rows[1][0] else rows
    last = draw(st.sampled_from([Fraction(0), out_of]))
    return SchemePart(name=name, out_of=out_of, share=share, rows=tuple(rows), last=last, **more)


def _stakes(draw: Draw, whole: Fraction, count: int) -> list[tuple[Fraction, Fraction | None]]:
    """What the parts of a block that is out of `whole` are out of, and their shares."""
    cuts = {1: [1], 2: [3, 7], 3: [2, 3, 5]}[count]
    if draw(st.booleans()):
        return [(whole * cut / sum(cuts), None) for cut in cuts]
    outs = [draw(st.sampled_from([Fraction(1), Fraction(5), Fraction(10)])) for _ in cuts]
    return [(out_of, Fraction(cut, sum(cuts))) for out_of, cut in zip(outs, cuts, strict=True)]


@st.composite
def schemes(draw: Draw, *, tame: bool = False) -> Scheme:
    """Schemes that the checks accept; a `tame` one divides by nothing."""
    keys = draw(st.sampled_from([("run",), ("task",), ("run", "task"), ("task", "run")]))
    shared: dict[str, tuple[str, ...]] = {}
    if draw(st.booleans()):
        shared["size"] = draw(st.sampled_from([("who",), (keys[-1],)]))
    if draw(st.booleans()):
        shared["flag"] = draw(st.sampled_from([("who",), (keys[0],)]))
    scheme = Scheme(keys=keys, shared=shared)
    lets: list[tuple[str, Expression]] = []
    for number in range(draw(st.integers(0, 3))):
        lets.append((f"n{number}", _read(draw, scheme, 3)))
        scheme = Scheme(keys=keys, shared=shared, lets=tuple(lets))

    def finished(part: SchemePart, over: frozenset[str]) -> SchemePart:
        """A leaf with its steps; keys in `over` are combined above it."""
        own = leaf_grain(part, scheme)
        of_records = own == {"who", *keys}
        taken = {"task"} if part.is_item else set()
        left = [key for key in keys if key in own - over - taken]
        steps = _steps(draw, left, part.out_of, of_records=of_records)
        return SchemePart(
            **{name: getattr(part, name) for name in SCHEME_PART_FIELDS if name != "steps"},
            steps=steps,
        )

    over = frozenset(draw(st.sets(st.sampled_from(keys), max_size=1)))
    whole = Fraction(draw(st.sampled_from([10, 20, 100])))
    count = draw(st.integers(1, 3))
    parts: list[SchemePart] = []
    for number, stake in enumerate(_stakes(draw, whole, count)):
        name = "abc"[number]
        if draw(st.integers(0, 3)) == 0:
            inner = draw(st.integers(1, 2))
            below = tuple(
                finished(_leaf(draw, scheme, f"{name}{'uv'[at]}", each), over)
                for at, each in enumerate(_stakes(draw, stake[0], inner))
            )
            parts.append(
                SchemePart(
                    name=name,
                    out_of=stake[0],
                    share=stake[1],
                    parts=below,
                    renormalise=draw(st.booleans()),
                    steps=_steps(draw, [], stake[0]),
                )
            )
        else:
            parts.append(finished(_leaf(draw, scheme, name, stake), over))
    is_share = parts[0].share is not None
    if draw(st.integers(0, 2)) == 0:
        stake = (Fraction(5), Fraction(1, 4) if is_share else None)
        parts.append(finished(_leaf(draw, scheme, "p", stake, is_penalty=True), over))
    scheme = Scheme(keys=keys, shared=shared, lets=tuple(lets), parts=tuple(parts))
    left = [key for key in keys if any(key in part_grain(part, scheme) for part in parts)]
    total = _steps(draw, left, whole)
    values = [("part", "score"), *(("part", p.name) for p in parts if not left)]
    values += [_rolled(draw, scheme, _numbers(draw, scheme, 2)) for _ in range(2)]
    shows = tuple((f"s{n}", value) for n, value in enumerate(values) if draw(st.booleans()))
    requires = []
    for _ in range(draw(st.integers(0, 1))):
        value = draw(st.sampled_from(values))
        held = ("compare", ">", ("else", value, ("number", "0")), ("number", "0"))
        requires.append((held, draw(st.booleans())))
    ranks = tuple(
        (f"r{n}", draw(st.sampled_from(values)), draw(st.booleans()), draw(st.integers(0, 2)))
        for n in range(draw(st.integers(0, 2)))
    )
    return Scheme(
        keys=keys,
        shared=shared,
        lets=tuple(lets),
        parts=tuple(parts),
        out_of=whole,
        renormalise=draw(st.booleans()),
        steps=total,
        shows=shows,
        requires=tuple(requires),
        ranks=ranks,
    )


SCHEME_PART_FIELDS = tuple(each.name for each in SchemePart.__attrs_attrs__)  # type: ignore[attr-defined]


def part_grain(part: SchemePart, scheme: Scheme) -> frozenset[str]:
    """Return the keys that a part varies by, its own steps done."""
    if part.parts:
        own: frozenset[str] = frozenset().union(*(part_grain(each, scheme) for each in part.parts))
    else:
        own = leaf_grain(part, scheme) - ({"task"} if part.is_item else set())
    return own - {step.key for step in part.steps if step.kind == "combine"}


@st.composite
def records_of(draw: Draw, scheme: Scheme) -> list[dict[str, Any]]:
    """Records that conform, no two with the same keys, alike where a field is shared."""
    some = {"who": st.sampled_from("mno"), "run": st.sampled_from([2, 9, 10])}
    some["task"] = st.sampled_from(["t1", "t2", "t3"])
    names = ("who", *scheme.keys)
    points = draw(
        st.lists(st.tuples(*(some[name] for name in names)), min_size=1, max_size=7, unique=True)
    )
    numbers = st.sampled_from([0, 1, 2, 3, 5, 0.5, 2.5, -1, 10])
    shared: dict[Any, Any] = {}
    found = []
    for point in points:
        record: dict[str, Any] = dict(zip(names, point, strict=True))
        if draw(st.integers(0, 3)):
            record["x"] = draw(numbers)
        if draw(st.integers(0, 3)):
            record["y"] = draw(st.booleans())
        record["w"] = draw(numbers)
        for name, keys in scheme.shared.items():
            at = (name, *(record[key] for key in keys))
            value = draw(numbers if name == "size" else st.booleans())
            if draw(st.integers(0, 3)):
                record[name] = shared.setdefault(at, value)
        found.append(record)
    return found


@st.composite
def schemes_and_records(draw: Draw) -> tuple[Scheme, list[dict[str, Any]]]:
    """Return a scheme and records for it."""
    scheme = draw(schemes())
    return scheme, draw(records_of(scheme))
