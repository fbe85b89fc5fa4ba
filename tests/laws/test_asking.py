"""Laws of decision tables, ladders, providers and lists of records."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from engine import score
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.providers.recorded import RecordedJudge

HEADER = 'rubric sample version "1" language 1\n'

# ---------------------------------------------------------------------------------------- decision tables

# An input is its name, its type as written, and the values that stand for all that it can be.
Cell: TypeAlias = tuple[str, frozenset[Any]]  # as written, and the values that it takes
INPUTS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "colour": ("one of red, green, blue", ("red", "green", "blue")),
    "seen": ("yes/no?", (True, False, None)),
    "size": ("integer 0 to 6", tuple(range(7))),
}


def cells(name: str) -> st.SearchStrategy[list[Cell]]:
    """Return cells that share out all that an input can be, each value to one of them."""
    values = INPUTS[name][1]
    everything = [("any", frozenset(values))]
    if name == "size":
        return st.sampled_from([everything, *(_cut_at(cut) for cut in range(1, 7))])
    return st.lists(st.integers(0, 2), min_size=len(values), max_size=len(values)).map(
        lambda groups: everything if len(set(groups)) == 1 else _grouped(values, groups)
    )


def _cut_at(cut: int) -> list[Cell]:
    return [
        (f"< {cut}", frozenset(range(cut))),
        (f">= {cut}", frozenset(range(cut, 7))),
    ]


def _grouped(values: tuple[Any, ...], groups: list[int]) -> list[Cell]:
    parts = [
        [value for value, own in zip(values, groups, strict=True) if own == group]
        for group in sorted(set(groups))
    ]
    return [(" or ".join(map(_written, part)), frozenset(part)) for part in parts]


def _written(value: Any) -> str:
    return {True: "yes", False: "no", None: "missing"}.get(value, str(value))


@st.composite
def tables(draw: Any) -> list[tuple[tuple[Cell, ...], int]]:
    """Return the rows of a table that decides every combination once, in any order."""
    rows: list[tuple[Cell, ...]] = [()]
    for name in INPUTS:
        # Each row so far is split by cells of its own, so that a table is no mere grid.
        rows = [(*row, cell) for row in rows for cell in draw(cells(name))]
    outcomes = [draw(st.integers(0, 5)) for _ in rows]
    return draw(st.permutations(list(zip(rows, outcomes, strict=True))))


def scores_of(rows: list[tuple[tuple[Cell, ...], int]]) -> dict[tuple[Any, ...], Fraction | None]:
    """Return what the engine decides for every combination of inputs."""
    fields = " ".join(f"{name} : {type_}" for name, (type_, _) in INPUTS.items())
    body = "\n".join(f"{', '.join(text for text, _ in row)} -> {points}" for row, points in rows)
    text = (
        f"{HEADER}evidence {{ key who : integer {fields} }}\n"
        f"decide points by {', '.join(INPUTS)} {{\n{body}\n}}\n"
        "score each who out of 5 { criterion p worth 5 = points }"
    )
    combinations = list(product(*(values for _, values in INPUTS.values())))
    records = [
        {"who": number, **dict(zip(INPUTS, values, strict=True))}
        for number, values in enumerate(combinations)
    ]
    found = {result.subject["who"]: result.score for result in score(text, records).results}
    return {values: found[number] for number, values in enumerate(combinations)}  # type: ignore[index]


@given(tables())
def test_a_table_decides_as_its_rows_read(rows: list[tuple[tuple[Cell, ...], int]]) -> None:
    """The outcome of every combination is that of the first row whose cells take it, read one by one."""
    read = {
        values: next(
            Fraction(points)
            for row, points in rows
            if all(value in taken for value, (_, taken) in zip(values, row, strict=True))
        )
        for values in product(*(values for _, values in INPUTS.values()))
    }

    assert scores_of(rows) == read


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(
    rows: list[tuple[tuple[Cell, ...], int]], random: Any
) -> None:
    """A table that is sound decides alike in any order."""
    shuffled = list(rows)
    random.shuffle(shuffled)

    assert scores_of(rows) == scores_of(shuffled)


# ------------------------------------------------------------------------------------ ladders and providers

CREDITS = ("0", "0.25", "0.5", "1")
FREE = ("candidate = reference", "normal(candidate) = normal(reference)", "length(candidate) > 2")
ASKING = (
    "similarity(candidate, reference) >= 0.9",
    "similarity(candidate, reference) < 0.5",
    "same(candidate, reference)",
    "not same(candidate, reference)",
    "(same(candidate, reference) else yes)",
)
COSTLY = (*ASKING, "same(candidate, reference) or candidate = reference")
TEXTS = ("a", "A", "b", "abc")


def rungs(conditions: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Return the bodies of up to three rungs."""
    rows = st.builds("when {} -> {}".format, st.sampled_from(conditions), st.sampled_from(CREDITS))
    ends = st.sampled_from(("", "", " when missing -> 0.5", " otherwise -> 0.25"))
    return st.lists(st.builds("{}{}".format, rows, ends), max_size=3)


def saying(given: object) -> Any:
    """A judge, or a measure, that always says the same."""
    return lambda *_: given


def credits_of(bodies: list[str], **providers: Any) -> list[Fraction | None]:
    """Return the credit of each pair of texts, by a ladder of these rungs."""
    ladder = "\n".join(f"rung r{number} {{ {body} }}" for number, body in enumerate(bodies))
    text = (
        HEADER
        + "evidence { key who : integer  a : text  b : text }\n"
        + 'ask same(x, y) -> yes/no { prompt "Do {x} and {y} say the same?" }\n'
        + f"ladder alike(candidate, reference) {{ {ladder} rung end {{ when candidate = reference -> 0 }} }}\n"
        + "score each who out of 1 { criterion c worth 1 = alike(a, b) }"
    )
    records = [
        {"who": number, "a": one, "b": other}
        for number, (one, other) in enumerate(product(TEXTS, TEXTS))
    ]
    return [result.score for result in score(text, records, **providers).results]


PROVIDERS = st.fixed_dictionaries(
    {
        "judge": st.sampled_from([True, False]).map(saying),
        "measure": st.fractions(-1, 1, max_denominator=20).map(saying),
    }
)


@given(rungs(FREE), rungs(ASKING), PROVIDERS)
def test_without_providers_a_ladder_gives_no_more(
    free: list[str], costly: list[str], providers: dict[str, Any]
) -> None:
    """Where what is free stands first, a missing judge and model never raise what any answers would give.

    With free rungs, or free conditions, below those that cost it does not hold: these settle what a judge had denied.
    """
    full = credits_of([*free, *costly], **providers)
    without = credits_of([*free, *costly])

    assert all(
        lack is not None and known is not None and lack <= known
        for lack, known in zip(without, full, strict=True)
    )


@given(rungs(FREE + COSTLY), rungs(FREE + COSTLY), PROVIDERS)
def test_a_rung_below_one_that_settles_changes_nothing(
    above: list[str], below: list[str], providers: dict[str, Any]
) -> None:
    """What a ladder has settled stands, whatever rungs are added below."""
    settled = [*above, "otherwise -> 0.75"]

    assert credits_of([*settled, *below], **providers) == credits_of(settled, **providers)


@given(rungs(COSTLY))
def test_an_outage_is_never_passed(costly: list[str]) -> None:
    """A judge that does not answer fails each subject whose ladder reaches a question alone."""
    bodies = ["when same(candidate, reference) -> 1", *costly, "otherwise -> 1"]

    assert credits_of(bodies, judge=RecordedJudge([])) == [None] * len(TEXTS) ** 2


@given(st.fractions(-1, 1, max_denominator=50), st.sampled_from(("0.5", "0.86", "0.9", "1")))
def test_alike_and_unlike_share_everything_out(cosine: Fraction, edge: str) -> None:
    """At every cosine, the edge too, exactly one of `>=` and `<` holds."""
    conditions = [f"similarity(candidate, reference) {op} {edge}" for op in (">=", "<")]
    one, other = (
        credits_of([f"when {each} -> 1 otherwise -> 0"], measure=saying(cosine))
        for each in conditions
    )

    assert [a + b for a, b in zip(one, other, strict=True) if a is not None and b is not None] == [
        1
    ] * len(TEXTS) ** 2


# ------------------------------------------------------------------------------------------ lists of records

ITEMS = st.lists(
    st.tuples(st.integers(0, 5), st.none() | st.integers(0, 5), st.booleans()),
    min_size=1,
    max_size=5,
)
FIGURES = (
    "mean of {points} over {key}",
    "median of {points} over {key}",
    "sum of {points} over {key} where ({counts})",
    "max of {points} over {key}",
    "count of {note} over {key}",
    "count of {counts} over {key}",
    "share of ({points} > 2) over {key}",
    "mean of ({note} else {points}) over {key}",
    "sum of (max of {points} over other {key} where ({points} < this.{points}) else 0) over {key}",
)


def figures(
    names: dict[str, str], evidence: str, records: list[dict[str, Any]]
) -> Iterator[object]:
    """Yield the figures of the one subject."""
    shown = "\n".join(
        f"show f{number} = {figure.format(**names)}" for number, figure in enumerate(FIGURES)
    )
    text = (
        f"{HEADER}evidence {{ key who : text {evidence} }}\n"
        f"score each who out of 1 {{ criterion c worth 1 = (sum of {names['points']} over {names['key']}) * 0\n"
        f"{shown} }}"
    )
    (result,) = score(text, records).results
    return (result.values[f"f{number}"] for number in range(len(FIGURES)))


def as_rows(items: list[tuple[int, int | None, bool]]) -> list[object]:
    """Return the figures of items that stand in a list."""
    rows = [{"points": p, "note": note, "counts": counts} for p, note, counts in items]
    names = {
        "key": "item_",
        "points": "item_.points",
        "note": "item_.note",
        "counts": "item_.counts",
    }
    evidence = "item_ : list of record { points : number  note : number?  counts : yes/no }"
    return list(figures(names, evidence, [{"who": "m", "item_": rows}]))


def as_keys(items: list[tuple[int, int | None, bool]]) -> list[object]:
    """Return the figures of items that are records of their own."""
    records = [
        {"who": "m", "nth": nth, "points": p, "note": note, "counts": counts}
        for nth, (p, note, counts) in enumerate(items)
    ]
    names = {"key": "nth", "points": "points", "note": "note", "counts": "counts"}
    evidence = "key nth : integer  points : number  note : number?  counts : yes/no"
    return list(figures(names, evidence, records))


@given(ITEMS)
def test_a_list_of_records_is_as_good_as_a_key(items: list[tuple[int, int | None, bool]]) -> None:
    """The same data as rows of a list and as records with one more key give the same figures."""
    assert as_rows(items) == as_keys(items)


@given(ITEMS, st.randoms(use_true_random=False))
def test_the_order_of_a_list_never_matters(
    items: list[tuple[int, int | None, bool]], random: Any
) -> None:
    """Figures over a list are those of its items in any order."""
    shuffled = list(items)
    random.shuffle(shuffled)

    assert as_rows(items) == as_rows(shuffled)
