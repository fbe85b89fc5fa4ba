"""Blind questions: neither side is known by its place, and answers are turned back to what was asked."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.providers.blind import Blind
from rulesengine.providers.callables import EachAsked
from rulesengine.providers.protocols import (
    Answer,
    Heard,
    Judge,
    NoAnswer,
    Panel,
    Question,
    Reply,
    Undecided,
)
from rulesengine.types import OneOfType

TYPE = OneOfType(("first", "second", "alike"))
TEXTS = st.text("abc", max_size=4)


def better(a: str, b: str, *, both: bool = False, tone: str = "kind") -> Question:
    """Return the question which of two texts is better."""
    return Question(
        ask="better",
        inputs=(("a", a), ("rule", "short"), ("b", b)),
        given=(("tone", tone),),
        template="{a} or {b}, by {rule}?",
        type=TYPE,
        blind=("a", "b"),
        mirrored=(("first", "second"),),
        both_orders=both,
        panel=Panel("majority", 1),
    )


def longer(question: Question) -> object:
    """Answer which text is longer: a judge without a bias."""
    sides = dict(question.inputs)
    one, other = (len(sides[name]) for name in ("a", "b"))
    return "alike" if one == other else "first" if one > other else "second"


def replies(judge: Judge, *questions: Question) -> list[Reply]:
    """Return what a judge says, each heard once."""
    found: dict[int, Reply] = {}

    def hear(index: int, reply: Reply) -> None:
        assert index not in found
        found[index] = reply

    judge.ask(questions, hear)
    return [found[index] for index in range(len(questions))]


class Noting:
    """A judge that notes what it is asked."""

    name = "noting"

    def __init__(self, *answers: object) -> None:
        self.answers = answers
        self.asked: list[Question] = []

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Answer in turn, from the last question to the first."""
        self.asked += questions
        for index in reversed(range(len(questions))):
            said: Any = self.answers[index % len(self.answers)]
            heard(index, said if isinstance(said, Answer | NoAnswer | Undecided) else Answer(said))


@given(st.lists(st.tuples(TEXTS, TEXTS, st.booleans()), max_size=6))
def test_an_answer_does_not_depend_on_the_order(pairs: list[tuple[str, str, bool]]) -> None:
    """A judge without a bias gives, through whatever order, the answer to the question as it was asked."""
    questions = [better(a, b, both=both) for a, b, both in pairs]

    found = replies(Blind(EachAsked(longer)), *questions)

    assert [Answer(longer(question)) for question in questions] == found


@given(TEXTS, TEXTS)
def test_both_ways_of_asking_are_one_question(a: str, b: str) -> None:
    """Whoever is named first, the judge is asked the same, once; the two answers fit each other."""
    judge = Noting("first")

    one, other = replies(Blind(judge), better(a, b), better(b, a))

    assert len(judge.asked) == 1
    assert isinstance(one, Answer)
    assert isinstance(other, Answer)
    assert ({one.value, other.value} == {"first", "second"}) is (a != b)


def test_both_orders_come_up() -> None:
    """Of many questions about half are exchanged, and always the same ones: the draw is that of the text."""
    judge = Noting("first")

    replies(Blind(judge), *(better("x", f"text {number}") for number in range(100)))

    first = "".join("x" if dict(each.inputs)["a"] == "x" else "-" for each in judge.asked)
    assert (first[:20], first.count("x")) == ("-x--xx-xx---------xx", 40)


def test_a_plain_question_is_handed_down() -> None:
    """Whoever is asked sees neither what is blind nor how answers are turned, and nothing of panels."""
    judge = Noting("alike")

    replies(Blind(judge), better("x", "y", both=True))

    assert {("x", "y"), ("y", "x")} == {
        (dict(each.inputs)["a"], dict(each.inputs)["b"]) for each in judge.asked
    }
    for each in judge.asked:
        assert (each.blind, each.mirrored, each.both_orders, each.panel) == ((), (), False, None)
        assert [name for name, _ in each.inputs] == ["a", "rule", "b"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("first", "second"), Answer("first")),
        (("alike", "alike"), Answer("alike")),
        (
            ("first", "first"),
            Undecided("asked in both orders, the judge said first and second"),
        ),
        (
            ("first", "alike"),
            Undecided("asked in both orders, the judge said first and alike"),
        ),
        (("first", NoAnswer("down")), NoAnswer("asked in one of both orders: down")),
        ((Undecided("a tie"), "first"), Undecided("asked in one of both orders: a tie")),
        ((Undecided("a tie"), NoAnswer("down")), NoAnswer("asked in one of both orders: down")),
        (
            (Answer("first", "noted"), Answer("second", "noted")),
            Answer("first", "noted"),
        ),
    ],
)
def test_both_orders_agree_or_are_undecided(answers: tuple[object, ...], expected: Reply) -> None:
    """A bias for a place makes two answers of one, and that is undecided; an order that failed is a failure."""
    assert [expected] == replies(Blind(Noting(*answers)), better("x", "y", both=True))


def test_two_sides_that_say_the_same_are_asked_once() -> None:
    """Where both orders are one question, it is asked once, and an answer that favours a side is undecided."""
    judge = Noting("first")

    found = replies(Blind(judge), better("x", "x", both=True))

    assert len(judge.asked) == 1
    assert [Undecided("asked in both orders, the judge said first and second")] == found


def test_a_name_is_that_of_the_judge() -> None:
    """Answers are kept by a name that holds who was asked."""
    assert Blind(EachAsked(longer, "m")).name == "blind m"
