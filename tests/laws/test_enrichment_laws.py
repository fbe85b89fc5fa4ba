"""Laws of the enrichment protocol, of the shipped rubric as a whole."""

import random
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from rulesengine.report.result import Result
from rulesengine.rubric import Rubric, load

NAMES = st.sampled_from(["a", "b", "c", "name"])
LEAVES = st.one_of(
    st.sampled_from(["x", "X ", "y", "Acme", "2024-05-01", "2024-05-02", ""]),
    *(st.integers(0, 3), st.booleans(), st.none()),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=10,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
# Two spellings of one value: the ladder settles each pair as equal.
EQUAL = st.sampled_from(
    [("Acme", "ACME"), ("x  y", " x y"), ("é", "e\u0301"), (4, Fraction(4)), ("2024-05-01",) * 2]
)


def verdict(question: Any) -> object:
    """Answer by the content of a question, never by what stands around it."""
    inputs = dict(question.inputs)
    drawn = random.Random(repr((question.ask, inputs["candidate"], inputs.get("reference"))))
    if question.ask == "supported":
        return drawn.random() < 0.5
    return drawn.choice(["better", "both_right", "reference_wrong", "worse", "wrong"])


def cosine(left: str, right: str) -> Fraction:
    """Return a cosine drawn from the two texts, in whichever order."""
    return Fraction(random.Random(repr(sorted([left, right]))).randint(0, 100), 100)


@cache
def rubric() -> Rubric:
    return load("enrichment")


def score(*records: dict[str, Any], **more: Any) -> tuple[Result, ...]:
    """The results of records of one scenario."""
    whole = [{"scenario": "s", "run": 1, "verified": True, **record} for record in records]
    return rubric().score(whole, judge=verdict, measure=cosine, **more).results


def one(candidate: Any, reference: Any) -> Result:
    (result,) = score({"model": "m", "candidate": candidate, "reference": reference})
    return result


def sub_scores(result: Result) -> tuple[Any, ...]:
    names = ("completeness", "correctness", "grounded", "lists_f1")
    return result.status, result.score, *(result.values[name] for name in names)


def shuffled(value: Any, chance: random.Random) -> Any:
    match value:
        case list():
            return chance.sample([shuffled(each, chance) for each in value], len(value))
        case dict():
            fields = [(name, shuffled(each, chance)) for name, each in value.items()]
            return dict(chance.sample(fields, len(fields)))
        case _:
            return value


@given(OBJECTS)
def test_a_value_held_against_itself_has_the_maximum(value: Any) -> None:
    """score(x, x) = 1, unless nothing in it is filled."""
    result = one(value, value)
    assume(result.status == "scored")

    assert result.score == 1


@given(OBJECTS, OBJECTS)
def test_no_candidate_has_more_than_the_reference_itself(candidate: Any, reference: Any) -> None:
    """Every sub-score lies from 0 to 1, and so does the score."""
    result = one(candidate, reference)
    assume(result.status == "scored")

    assert all(0 <= value <= 1 for value in sub_scores(result)[1:] if value is not None)


@given(
    EQUAL,
    st.lists(st.sampled_from(["p", "q", "r", 17, True]), unique=True, max_size=4),
    st.randoms(),
)
def test_what_is_equal_scores_the_same_alone_and_in_lists(
    pair: tuple[Any, Any], others: list[Any], chance: random.Random
) -> None:
    """Alone, in a list of one, and among others that both sides have."""
    mine, theirs = [pair[0], *others], [pair[1], *others]
    chance.shuffle(mine)

    assert [Fraction(1)] * 3 == [
        one({"a": pair[0]}, {"a": pair[1]}).score,
        one({"a": [pair[0]]}, {"a": [pair[1]]}).score,
        one({"a": mine}, {"a": theirs}).score,
    ]


@given(OBJECTS, OBJECTS, st.randoms(use_true_random=False))
def test_the_order_of_fields_and_items_never_matters(
    candidate: Any, reference: Any, chance: random.Random
) -> None:
    """On neither side."""
    assert sub_scores(one(candidate, reference)) == sub_scores(
        one(shuffled(candidate, chance), shuffled(reference, chance))
    )


@given(
    st.lists(st.tuples(st.sampled_from("mno"), OBJECTS), min_size=1, max_size=5),
    OBJECTS,
    st.randoms(),
)
def test_the_order_of_records_never_matters(
    given_: list[tuple[str, Any]], reference: Any, chance: random.Random
) -> None:
    """Several models and runs in any order: the same results, the same ranking."""
    records = [
        {"model": model, "run": run, "candidate": candidate, "reference": reference, "cost": run}
        for run, (model, candidate) in enumerate(given_, start=1)
    ]

    there = score(*records)
    again = score(*chance.sample(records, len(records)))

    assert [(each.subject, sub_scores(each), each.places) for each in there] == [
        (each.subject, sub_scores(each), each.places) for each in again
    ]


@given(OBJECTS, OBJECTS, st.text("xyz", min_size=1, max_size=3))
def test_what_is_made_up_never_helps(candidate: Any, reference: Any, made_up: str) -> None:
    """A further value that the judge does not confirm leaves completeness and correctness, and grounds it less."""
    extra = {"made up": made_up}
    assume(verdict(_asked(made_up)) is False)
    before, after = one(candidate, reference), one(candidate | extra, reference)
    assume(before.status == "scored")

    assert sub_scores(before)[2:4] == sub_scores(after)[2:4]
    assert (after.values["grounded"] or 0) <= (before.values["grounded"] or 0)


def _asked(candidate: str) -> Any:
    class Asked:
        ask = "supported"
        inputs = (("candidate", candidate),)

    return Asked
