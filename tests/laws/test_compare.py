"""Laws of comparing: what never shows, whatever two values hold."""

import random as randomly
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from ladders import compared, free, outcomes

from rulesengine.compare.normal import equal, normal, same_normal
from rulesengine.compare.outcome import Comparison, Leaf, NeedsMore, Options, Reach, Settled
from rulesengine.compare.pairing import TooManyItems, Worth, grouped, pairs

# Few words, so that values of two sides often agree, in full, in part, or but for their case.
SCALARS = st.one_of(
    st.sampled_from(["a", "A", "b", " b", "c", "", "2024-05-01", "2024-05-02", "e\u0301", "é"]),
    st.integers(0, 3),
    st.sampled_from([Fraction(1, 2), 1.5, 2.0]),
    st.booleans(),
    st.none(),
)
NAMES = st.sampled_from(["name", "year", "tags", "x y"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=14,
)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "name": st.sampled_from("abc"),
            "year": st.integers(0, 1),
            "tags": st.lists(st.sampled_from("pq"), max_size=2),
        },
    ),
    max_size=6,
)
SCHEMAS = st.sampled_from(
    [
        None,
        {"additionalProperties": {"x-identifying": True}},
        {
            "$defs": {"node": {"properties": {"name": {"x-identifying": True}}}},
            "items": {"$ref": "#/$defs/node"},
            "properties": {"tags": {"items": {"enum": ["a", "b"]}}, "year": {"type": "number"}},
        },
    ]
)


def graded(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
    """A ladder with many credits, thirds and sevenths, symmetrical and a function of the values."""
    settled = free(leaf, reach)
    if leaf.reference is None or not isinstance(settled, Settled) or settled.credit:
        return settled
    written = sorted([str(leaf.candidate), str(leaf.reference)])
    grade = sum(map(ord, "".join(written)))
    return Settled(Fraction(grade % 7, 7) if grade % 2 else Fraction(grade % 3, 3), "graded")


LADDERS = st.sampled_from([free, graded])


def shuffled(value: Any, random: randomly.Random) -> Any:
    """The same value with the items of every list and the fields of every object in another order."""
    match value:
        case list():
            items = [shuffled(item, random) for item in value]
            random.shuffle(items)
            return items
        case dict():
            fields = [(name, shuffled(inner, random)) for name, inner in value.items()]
            random.shuffle(fields)
            return dict(fields)
        case _:
            return value


def counted(comparison: Comparison) -> list[tuple[object, ...]]:
    """What the lists say apart from positions, sorted."""
    return sorted(
        (
            *(each.path, each.ref_count, each.cand_count, each.matched),
            *(tuple(sorted(each.missed)), tuple(sorted(each.hallucinated))),
        )
        for each in comparison.lists
    )


@given(st.one_of(VALUES, RECORDS), SCHEMAS, LADDERS)
def test_a_value_is_all_of_itself(value: Any, schema: Any, ladder: Any) -> None:
    """Compared with itself, each leaf has full credit; nothing is missed and nothing is extra."""
    found = compared(value, value, schema, settle=ladder)

    assert all(row.kind == "both" and row.credit == 1 for row in found.rows)
    assert all(each.f1 == 1 for each in found.lists)


@given(
    st.one_of(st.tuples(VALUES, VALUES), st.tuples(RECORDS, RECORDS)),
    SCHEMAS,
    LADDERS,
    st.sampled_from([Options(), Options(keyed="name"), Options(paired_by=("year",))]),
    st.randoms(use_true_random=False),
)
def test_order_never_matters(
    sides: Any, schema: Any, ladder: Any, options: Options, random: Any
) -> None:
    """Neither that of items nor that of fields changes an outcome, on either side."""
    candidate, reference = sides

    one = compared(candidate, reference, schema, options, settle=ladder)
    other = compared(
        shuffled(candidate, random), shuffled(reference, random), schema, options, settle=ladder
    )

    assert outcomes(one) == outcomes(other)
    assert counted(one) == counted(other)


@given(
    st.one_of(st.tuples(VALUES, VALUES), st.tuples(RECORDS, RECORDS)),
    SCHEMAS,
    LADDERS,
    st.sampled_from(
        [
            *(Options(), Options(lists="sequences"), Options(pair_threshold=Fraction(0))),
            *(Options(keyed="name"), Options(keyed="name", paired_by=("year",))),
        ]
    ),
)
def test_swapping_the_sides_swaps_miss_and_extra(
    sides: Any, schema: Any, ladder: Any, options: Options
) -> None:
    """What one lacks is what the other has too much; all else stays as it is."""
    turn = {"miss": "extra", "extra": "miss"}

    there = compared(*sides, schema, options, settle=ladder)
    back = compared(*reversed(sides), schema, options, settle=ladder)
    turned = sorted(
        (
            (
                *(path, turn.get(kind, kind), leaf_type, reference, candidate),
                *(turn.get(rung, rung), credit, cosine),
            )
            for path, kind, leaf_type, candidate, reference, rung, credit, cosine in outcomes(back)
        ),
        key=repr,
    )

    assert outcomes(there) == turned


@given(st.tuples(VALUES, VALUES), VALUES, SCHEMAS)
def test_what_is_equal_scores_the_same_in_any_company(sides: Any, other: Any, schema: Any) -> None:
    """Alone, in a list of one, and among others, on both sides or on one (C12)."""
    value = sides[0]
    leaves = len(compared(value, value).rows)

    for others in ([], [other], [other, sides[1]]):
        found = compared([*others, value], [value], schema)
        rows = [row for row in found.rows if row.expected]

        assert [Fraction(1)] * leaves == [row.credit for row in rows]


@given(VALUES, VALUES, SCHEMAS, LADDERS)
def test_rows_are_told_apart_and_complete(
    candidate: Any, reference: Any, schema: Any, ladder: Any
) -> None:
    """Every filled leaf of each side stands in one row, and no two rows have one key."""
    found = compared(candidate, reference, schema, settle=ladder)

    assert len({row.row for row in found.rows}) == len(found.rows)
    assert len(compared(candidate, None).rows) == sum(row.filled for row in found.rows)
    assert len(compared(None, reference).rows) == sum(row.expected for row in found.rows)


@given(st.one_of(st.text(max_size=12), st.text("5² ½mMwWaA\u200b\u00a0é\u0301ﬁ", max_size=8)))
def test_folding_twice_is_folding_once(text: str) -> None:
    """What is folded stays as it is, and is the same as what it came from."""
    folded = normal(text).value

    assert folded == normal(folded).value
    assert same_normal(text, folded) is not None


@given(
    st.text("5² ½mMwWaA\u200b\u00a0é\u0301ﬁ", max_size=6), st.text("5² mMwWaA\u200b", max_size=6)
)
def test_the_folds_that_are_told_are_needed(one: str, other: str) -> None:
    """Texts that differ and are the same after folding took at least one fold."""
    found = same_normal(one, other)

    assert found is None or bool(found.folds) is not equal(one, other)


TABLES = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-1, 4), min_size=width, max_size=width), min_size=1, max_size=6
    )
)
WORTHS = st.lists(
    st.tuples(
        st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)]),
        st.sampled_from([Fraction(0), Fraction(1)]),
        st.sampled_from([Fraction(0), Fraction(1), Fraction(5, 3)]),
    ),
    min_size=5,
    max_size=5,
)


@given(TABLES, WORTHS, st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_both_ways_to_pair_agree(table: Any, worths: Any, copies: Any) -> None:
    """By hand and by scipy the same contents are paired, however many ties and copies there are."""
    known = [Worth(*worth) for worth in worths]
    left = grouped([(10 * i + c, f"l{i}") for i in range(len(table)) for c in range(copies[i] + 1)])
    right = grouped(
        [(10 * j + c, f"r{j}") for j in range(len(table[0])) for c in range(copies[6 + j] + 1)]
    )

    found = [pairs(left, right, table, known, small=small) for small in (0, 10**9)]

    by_scipy, by_hand = found
    assert not isinstance(by_scipy, TooManyItems)
    assert not isinstance(by_hand, TooManyItems)
    assert contents(by_scipy) == contents(by_hand)


def contents(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs without which of the equal items they are of."""
    return sorted((i // 10, j // 10) for i, j in found)
