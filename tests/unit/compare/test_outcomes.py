"""Two values compared: rows, list counts, and the vectors of the protocol."""

from datetime import date
from fractions import Fraction

import pytest
from ladders import (
    FULL,
    NOTHING,
    compared,
    completeness,
    correctness,
    free,
    hallucination,
    judged,
    outcomes,
    overall,
    with_similarities,
)

from rulesengine.compare.compare import compare
from rulesengine.compare.outcome import (
    Comparison,
    Leaf,
    ListCount,
    NeedsMore,
    Options,
    Reach,
    Settled,
    Unusable,
    Waiting,
)

REFERENCE = {"a": "x", "b": 2, "c": ["p", "q"], "d": None}
CANDIDATE = {"a": "x", "b": 3, "c": ["p", "r"], "e": "z"}


def test_the_protocols_vector() -> None:
    """Completeness 3/4, correctness 2/3, hallucination 2/5, overall 121/180."""
    found = compared(CANDIDATE, REFERENCE)

    assert (Fraction(3, 4), Fraction(2, 3), Fraction(2, 5), Fraction(121, 180)) == (
        completeness(found),
        correctness(found),
        hallucination(found),
        overall(found),
    )


def test_each_leaf_that_a_side_fills_has_a_row() -> None:
    """Paths, places, kinds, rungs, in the order of names."""
    found = compared(CANDIDATE, REFERENCE)

    assert [
        (
            *(row.row, row.path, row.kind, row.rung, row.credit),
            *(row.candidate_at, row.reference_at, row.item),
        )
        for row in found.rows
    ] == [
        ("a", "a", "both", "exact", FULL, "a", "a", ""),
        ("b", "b", "both", "unsettled", NOTHING, "b", "b", ""),
        ("c[0]", "c[]", "both", "exact", FULL, "c[0]", "c[0]", ""),
        ("c[1]", "c[]", "miss", "miss", NOTHING, None, "c[1]", "c[1]"),
        ("c[+1]", "c[]", "extra", "extra", NOTHING, "c[1]", None, "c[+1]"),
        ("e", "e", "extra", "extra", NOTHING, "e", None, ""),
    ]


@pytest.mark.parametrize(
    ("matched", "missed", "extra", "precision", "recall", "f1"),
    [
        (15, 0, 0, "1", "1", "1"),
        (4, 11, 0, "1", "0.2667", "0.4211"),
        (14, 1, 1, "0.9333", "0.9333", "0.9333"),
        (4, 11, 2, "0.6667", "0.2667", "0.3810"),
        (0, 0, 0, "1", "1", "1"),
        (0, 3, 0, "1", "0", "0"),
        (0, 0, 3, "0", "1", "0"),
        (0, 2, 2, "0", "0", "0"),
    ],
)
def test_lists_are_counted_as_the_protocol_says(
    matched: int, missed: int, extra: int, precision: str, recall: str, f1: str
) -> None:
    """Precision, recall and F1 of items, and what becomes of empty denominators."""
    both = [f"both {i}" for i in range(matched)]
    reference = [*both, *(f"missed {i}" for i in range(missed))]
    candidate = [*(f"extra {i}" for i in range(extra)), *reversed(both)]

    (count,) = compared(candidate, reference).lists

    assert (matched, missed, extra) == (
        count.matched,
        len(count.missed),
        len(count.hallucinated),
    )
    assert [Fraction(precision), Fraction(recall), Fraction(f1)] == [
        round(number, 4) for number in (count.precision, count.recall, count.f1)
    ]


def test_what_neither_side_fills_has_no_row() -> None:
    """Absence on both sides is no agreement (C11)."""
    empties: list[object] = [None, "", [], {}, [None], {"x": None}]

    rows = [compared({"a": one}, {"a": other}).rows for one in empties for other in empties]

    assert [()] * len(rows) == rows
    assert compared({}, {"a": None}).rows == ()


def test_a_missing_field_is_not_null_on_the_other_side() -> None:
    """What only one side fills is a miss or an extra, never a match (C7)."""
    kinds = [
        compared(candidate, reference).rows[0].kind
        for candidate, reference in [({}, {"a": 1}), ({"a": 1}, {"a": None}), ({"a": ""}, {"a": 0})]
    ]

    assert kinds == ["miss", "extra", "miss"]


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        (150, 100),
        (2014, 2024),
        ("2024-05-06", "2024-06-05"),
        ("GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"),
        (True, 1),
        ("incorrect", "correct"),
        ("v1.0", "v10"),
    ],
)
def test_nearly_right_is_not_right(candidate: object, reference: object) -> None:
    """Values are equal or not; nothing is earned by being near (C3, C4, C7)."""
    (row,) = compared(candidate, reference).rows

    assert row.credit == 0


def test_lists_are_sets() -> None:
    """A list in another order is the same list (C7)."""
    found = compared([3, 1, 2], [1, 2, 3])

    assert [row.credit for row in found.rows] == [FULL] * 3


def test_pairs_are_chosen_for_their_sum() -> None:
    """The best pair is not taken first where that costs more elsewhere."""
    schema = {"items": {"properties": {"a": {}, "b": {}, "c": {}, "d": {}}}}
    reference = [{"a": 1, "b": 1, "c": 1, "d": 1}, {"a": 1, "b": 1, "c": 2, "d": 2}]
    candidate = [{"a": 1, "b": 1, "c": 1, "d": 2}, {"a": 1, "b": 9, "c": 1, "d": 1}]

    found = compared(candidate, reference, schema)

    # 3/4 + 3/4, not 3/4 + 1/4
    assert Fraction(6) == sum(row.credit for row in found.rows)
    assert (found.lists[0].matched, len(found.lists[0].missed)) == (2, 0)


def test_a_pair_below_the_threshold_is_none() -> None:
    """An unpaired item's leaves are all missed, or all extra; at the threshold it is a pair."""
    reference = [{"a": 1, "b": 1}]

    at, below = (
        compared([{"a": 1, "b": 2}], reference),
        compared([{"a": 1, "b": 2, "c": 3}], reference),
    )

    assert [row.kind for row in at.rows] == ["both", "both"]
    assert [row.kind for row in below.rows] == ["miss", "miss", "extra", "extra", "extra"]
    assert (below.rows[0].item, below.rows[-1].item) == ("[0]", "[+0]")


def test_no_credit_is_no_pair() -> None:
    """Even without a threshold, items that have nothing in common do not belong together."""
    found = compared(["a"], ["b"], options=Options(pair_threshold=NOTHING))

    assert [row.kind for row in found.rows] == ["miss", "extra"]


def test_an_identifying_field_counts_double() -> None:
    """(2 + 0) / 3 is a pair, 1 / 2 of three fields is none."""
    schema = {"items": {"properties": {"name": {"x-identifying": True}, "year": {}, "place": {}}}}
    reference = [{"name": "a", "year": 1}]

    with_name = compared([{"name": "a", "year": 2}], reference, schema)
    without = compared([{"name": "b", "year": 1}], reference, schema)

    assert (with_name.lists[0].matched, without.lists[0].matched) == (1, 0)


def test_a_tie_goes_by_what_identifies() -> None:
    """Of two candidates of one credit the one of the same name is taken, wherever it stands."""
    schema = {"items": {"properties": {"name": {"x-identifying": True}, "b": {}, "c": {}, "d": {}}}}
    reference = [{"name": "n", "b": 1, "c": 1, "d": 1}]
    by_name = {"name": "n", "b": 1, "c": 9, "d": 9}  # (2 + 1) / 5
    by_rest = {"name": "m", "b": 1, "c": 1, "d": 1}  # (1 + 1 + 1) / 5

    orders = ([by_name, by_rest], [by_rest, by_name])
    found = [compared(order, reference, schema) for order in orders]

    assert [
        [row.candidate for row in each.rows if row.path == "[].name" and row.kind == "both"]
        for each in found
    ] == [["n"], ["n"]]


KEYED = Options(keyed="id")


def partners(found: Comparison) -> list[tuple[object, object]]:
    """The ids that stand together, with None for an item without a partner."""
    return [(row.reference, row.candidate) for row in found.rows if row.path == "[].id"]


def test_items_of_one_key_are_a_pair_whatever_else_they_say() -> None:
    """Without a key the likeness of all else pairs them across; below the threshold too, the key holds."""
    reference = [{"id": 1, "a": "x", "b": "y"}, {"id": 2, "a": "p", "b": "q"}]
    candidate = [{"id": 2, "a": "x", "b": "y"}, {"id": 1, "a": "p", "b": "q"}]

    by_credit = partners(compared(candidate, reference))
    by_key = compared(candidate, reference, options=KEYED)

    assert (by_credit, partners(by_key)) == ([(1, 2), (2, 1)], [(1, 1), (2, 2)])
    assert (*(by_key.lists[0].matched, by_key.lists[0].missed, by_key.lists[0].hallucinated),) == (
        2,
        (),
        (),
    )


def test_a_key_that_stands_twice_decides_nothing() -> None:
    """Nor does one that an item does not give: such items are paired by credit, as without a key."""
    reference = [{"id": 1, "a": "x"}, {"id": 1, "a": "y"}, {"a": "z"}, {"id": 3, "a": "w"}]
    candidate = [{"a": "z"}, {"id": 1, "a": "y"}, {"id": 3, "a": "v"}, {"id": 4, "a": "w"}]

    found = compared(candidate, reference, options=KEYED)
    names = [(row.reference, row.candidate) for row in found.rows if row.path == "[].a"]

    assert names == [("x", None), ("y", "y"), ("z", "z"), ("w", "v"), (None, "w")]


def test_named_fields_alone_speak_for_a_pair() -> None:
    """The others are compared once the pair is made; an item that has none of them is looked at whole."""
    reference = [{"name": "a", "b": 1, "c": 1}, {"d": 1, "e": 1}]
    candidate = [{"name": "z", "b": 1, "c": 1}, {"name": "a", "b": 2, "c": 2}, {"d": 1, "e": 2}]

    found = compared(candidate, reference, options=Options(paired_by=("name",)))
    stood = {(row.within, row.reference, row.candidate) for row in found.rows}

    assert {
        *{("[0]", "a", "a"), ("[0]", 1, 2)},
        *{("[1]", 1, 1), ("[1]", 1, 2)},
        *{("[+0]", None, "z"), ("[+0]", None, 1)},
    } == stood


def test_an_item_scores_the_same_alone_and_among_others() -> None:
    """As a field, in a list of one, and in a list of two (C12)."""
    reference = {"name": "A", "year": 1999, "tags": ["p", "q"]}
    candidate = {"name": "a", "year": 1999, "tags": ["q", "r"]}
    other = {"name": "Z", "year": 1, "tags": ["z"]}

    alone = compared(candidate, reference)
    one = compared([candidate], [reference])
    two = compared([other, candidate], [reference, other])

    def scores(comparison: Comparison) -> list[tuple[object, ...]]:
        return [
            (row.path.removeprefix("[]."), row.kind, row.rung, row.credit)
            for row in comparison.rows
            if row.candidate not in ("Z", 1, "z")
        ]

    assert scores(alone) == scores(one) == scores(two)


def test_lists_in_lists_are_paired_inside_and_outside() -> None:
    """Rows of a matrix in another order, each in another order."""
    found = compared([[3, 4], [1, 2], []], [[2, 1], [4, 3]])

    assert [row.credit for row in found.rows] == [FULL] * 4
    assert [(each.row, each.matched) for each in found.lists] == [("$", 2), ("[0]", 2), ("[1]", 2)]


def test_a_sequence_is_compared_by_position() -> None:
    """Where order has a meaning, items that changed places are wrong."""
    found = compared(["a", "c", "b"], ["a", "b"], options=Options(lists="sequences"))

    assert [(row.row, row.kind, row.credit) for row in found.rows] == [
        ("[0]", "both", FULL),
        ("[1]", "both", NOTHING),
        ("[+2]", "extra", NOTHING),
    ]
    assert [ListCount("$", "$", 2, 3, 1, ("b",), ("c", "b"))] == list(found.lists)


def test_positions_that_have_schemas_are_compared_by_position() -> None:
    """A point is no set of numbers."""
    schema = {"prefixItems": [{"type": "number"}, {"type": "number", "x-exact": True}]}

    found = compared([2, 1], [1, 2], schema)

    assert [(row.path, row.type, row.credit) for row in found.rows] == [
        ("[0]", "number", NOTHING),
        ("[1]", "exact", NOTHING),
    ]


def test_values_of_two_shapes_have_nothing_in_common() -> None:
    """What the one holds is missing, what the other holds is extra."""
    found = compared({"a": "Paris"}, {"a": {"city": "Paris", "zip": ["75001"]}})

    assert [(row.row, row.kind) for row in found.rows] == [
        ("a.city", "miss"),
        ("a.zip[0]", "miss"),
        ("a", "extra"),
    ]


def test_days_come_as_days() -> None:
    """A ladder gets dates, not texts."""
    found = compared("1972-03-14", "1972-03-24")

    assert (date(1972, 3, 14), date(1972, 3, 24), "date") == (
        found.rows[0].candidate,
        found.rows[0].reference,
        found.rows[0].rung,
    )


def test_similar_texts_are_paired() -> None:
    """Embeddings count while lists are paired, and the row has the cosine."""
    cosine = Fraction(98, 100)
    settle = with_similarities({frozenset(["Acme Corp", "ACME Corporation"]): cosine})

    found = compared(["Acme Corp", "Ltd"], ["Ltd", "ACME Corporation"], settle=settle)

    assert [("exact", None), ("embedding", cosine)] == [
        (row.rung, row.cosine) for row in found.rows
    ]


def test_the_judge_is_asked_about_chosen_pairs_and_leftovers_only() -> None:
    """Never about all pairs, never about what the candidate lacks, and once about each."""
    asked: list[tuple[object, object]] = []

    def verdict(leaf: Leaf) -> Fraction:
        asked.append((leaf.candidate, leaf.reference))
        return FULL

    schema = {"items": {"properties": {"name": {"x-identifying": True}, "note": {}}}}
    reference = [{"name": name, "note": f"about {name}"} for name in "abc"]
    candidate = [{"name": name, "note": f"on {name}"} for name in "cbx"]

    found = compared(candidate, reference, schema, settle=judged(free, verdict))

    assert asked == [
        ("on b", "about b"),
        ("on c", "about c"),
        ("x", None),
        ("on x", None),
    ]
    assert [(row.candidate, row.confirmed) for row in found.rows if row.extra] == [
        ("x", True),
        ("on x", True),
    ]


def test_a_confirmed_extra_is_one_that_the_reference_should_have_had() -> None:
    """It counts for completeness and correctness, and is no hallucination."""
    settle = judged(free, lambda leaf: Fraction(leaf.candidate == "z"))

    found = compared(CANDIDATE, REFERENCE, settle=settle)

    assert (Fraction(4, 5), Fraction(3, 4), Fraction(1, 5)) == (
        completeness(found),
        correctness(found),
        hallucination(found),
    )


def test_what_a_ladder_waits_for_is_told_at_once() -> None:
    """All embeddings of a list, and the judge's questions outside it, but none inside it yet."""

    def settle(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
        settled = free(leaf, reach)
        if isinstance(settled, Settled) and settled.credit:
            return settled
        if leaf.field.path == "list[]":
            return NeedsMore(("embed", leaf.candidate, leaf.reference))
        return NeedsMore(("judge", leaf.candidate)) if reach == "all" else settled

    found = compare({"list": ["a", "b"], "text": "c"}, {"list": ["d"], "text": "e"}, settle=settle)

    assert Waiting((("embed", "a", "d"), ("embed", "b", "d"), ("judge", "c"))) == found


@pytest.mark.parametrize("lists", ["sets", "sequences"])
def test_a_list_that_waits_inside_a_list_waits_too(lists: str) -> None:
    """Nothing is paired on half of what is to be known."""

    def settle(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
        return NeedsMore((leaf.candidate, leaf.reference, reach))

    options = Options(lists="sets" if lists == "sets" else "sequences")
    found = compare([[["a"]]], [[["b"]]], None, options, settle=settle)

    assert Waiting((("a", "b", "pairing"),)) == found


def test_items_are_called_by_what_identifies_them() -> None:
    """Else by their first leaf; long names are cut."""
    schema = {"items": {"properties": {"year": {}, "name": {"x-identifying": True}}}}

    named = compared([], [{"year": 1, "name": "A\nB"}], schema)
    first = compared([{"year": 1, "place": "x" * 100}], [])

    assert named.lists[0].missed == ("A B",)
    assert first.lists[0].hallucinated == ("x" * 79 + "…",)


def test_names_that_are_no_words_are_quoted() -> None:
    """Paths stay unambiguous whatever a field is called."""
    value = {"a.b": 1, "a": {"b": 1}, '"]': 1, "[+0]": 1, "étage-2": 1}

    rows = compared(value, value).rows

    assert [row.row for row in rows] == ['["\\"]"]', '["[+0]"]', "a.b", '["a.b"]', "étage-2"]


@pytest.mark.parametrize(
    ("candidate", "reference", "schema", "options", "side", "at"),
    [
        ({"a": float("nan")}, {}, None, Options(), "candidate", "a"),
        ({}, {"a": [object()]}, None, Options(), "reference", "a[0]"),
        ({}, {}, {"type": "strng"}, Options(), "schema", "#/type"),
        ({"a": ["x"] * 3}, {"a": ["y", "z"]}, None, Options(most_pairs=1), "lists", "a"),
    ],
)
def test_what_cannot_be_compared_is_an_error_value(
    candidate: object, reference: object, schema: object, options: Options, side: str, at: str
) -> None:
    """It says which input is at fault, and where."""
    found = compare(candidate, reference, schema, options, settle=free)

    assert isinstance(found, Unusable)
    assert (side, at) == (found.side, found.at)


def test_work_is_bounded_however_it_is_nested() -> None:
    """Lists in lists are paired once, not once for each way to reach them."""
    calls = 0

    def settle(leaf: Leaf, reach: Reach) -> Settled | NeedsMore:
        nonlocal calls
        calls += 1
        return free(leaf, reach)

    deep: object = "a"
    for _ in range(100):
        deep = [deep]
    compared(deep, deep, settle=settle)

    assert calls == 101  # once for each list around the leaf, and once for its row


def test_long_lists_are_paired() -> None:
    """Lists of 300 items that have all but one item in common."""
    reference = [f"item {i}" for i in range(300)]

    found = compared([*reversed(reference[1:]), "other"], reference)

    assert (
        found.lists[0].matched,
        found.lists[0].missed,
        found.lists[0].hallucinated,
    ) == (299, ("item 0",), ("other",))


def test_items_that_differ_by_an_empty_list_are_told_apart() -> None:
    """Which of two such items is paired decides which lists are counted, so order must not."""
    reference, bare, empty = {"name": "a"}, {"name": "a"}, {"name": "a", "tags": []}

    one, other = compared([bare, empty], [reference]), compared([empty, bare], [reference])

    assert [each.path for each in one.lists] == [each.path for each in other.lists]


def test_outcomes_leave_positions_out() -> None:
    """The helper that laws rely on tells two different rows apart."""
    one, other = compared(["a", "b"], ["a"]), compared(["a", "c"], ["a"])

    assert outcomes(one) == outcomes(compared(["b", "a"], ["a"]))
    assert outcomes(one) != outcomes(other)
