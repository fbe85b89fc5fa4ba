"""Panels: how one answer comes of many votes, whatever the order of the judges."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.providers.callables import EachAsked
from rulesengine.providers.panel import Panel
from rulesengine.providers.protocols import (
    Answer,
    Call,
    Heard,
    Judge,
    NoAnswer,
    Question,
    Reply,
    Undecided,
)
from rulesengine.providers.protocols import Panel as Policy
from rulesengine.types import YES_NO, NumberType, OneOfType, Type

OPTIONS = OneOfType(("a", "b", "c"))
TEN = NumberType(integer=True, low=Fraction(0), high=Fraction(10))
SHARE = NumberType(low=Fraction(0), high=Fraction(1))
DOWN, UNSURE = NoAnswer("down"), Undecided("a tie")


def question(type_: Type, policy: Policy | None = None) -> Question:
    """Return a question of a type."""
    return Question(
        ask="q", inputs=(("x", "t"),), given=(), template="{x}?", type=type_, panel=policy
    )


def judges(*votes: object) -> list[Judge]:
    """Return judges that vote so, called j1, j2, and on."""
    return [EachAsked(lambda _, vote=vote: vote, f"j{n}") for n, vote in enumerate(votes, 1)]


def reply(panel: Judge, asked: Question) -> Reply:
    """Return what a judge says to one question, heard once."""
    found: list[Reply] = []
    panel.ask([asked], lambda _, said: found.append(said))
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("votes", "type_", "policy", "expected"),
    [
        (("a", "a", "b"), OPTIONS, Policy("majority"), Answer("a")),
        (
            ("a", "b", "c"),
            OPTIONS,
            Policy("majority"),
            Undecided("the panel said a once, b once, c once"),
        ),
        (("a", "b"), OPTIONS, Policy("majority"), Undecided("the panel said a once, b once")),
        # Undecided votes stay in the denominator: two of four are no majority.
        (
            ("a", "a", UNSURE, UNSURE),
            OPTIONS,
            Policy("majority"),
            Undecided("the panel said a twice, undecided twice"),
        ),
        (("a", "a", "a", UNSURE), OPTIONS, Policy("majority"), Answer("a")),
        ((True, True, DOWN), YES_NO, Policy("majority", 2), Answer(True, "not heard: j3: down")),
        # J18: none answered, or fewer than the rubric wants, is no score at all.
        (
            (DOWN, DOWN, DOWN),
            YES_NO,
            Policy("majority"),
            NoAnswer("0 of 1 answers that the panel needs; j1: down; j2: down; j3: down"),
        ),
        (
            (True, DOWN, DOWN),
            YES_NO,
            Policy("majority", 2),
            NoAnswer("1 of 2 answers that the panel needs; j2: down; j3: down"),
        ),
        (
            (True, UNSURE, UNSURE),
            YES_NO,
            Policy("majority", 2),
            Undecided("yes once, undecided twice, and 2 are needed"),
        ),
        # The judge that failed could have made the quorum: that is a failure. Here it could not.
        (
            (True, UNSURE, DOWN),
            YES_NO,
            Policy("majority", 2),
            NoAnswer("1 of 2 answers that the panel needs; j3: down"),
        ),
        (
            (UNSURE, UNSURE, DOWN),
            YES_NO,
            Policy("majority", 2),
            Undecided("undecided twice, and 2 are needed; without j3: down"),
        ),
        ((True, True), YES_NO, Policy("unanimous"), Answer(True)),
        (
            (True, UNSURE),
            YES_NO,
            Policy("unanimous"),
            Undecided("the panel said yes once, undecided once"),
        ),
        ((True, False), YES_NO, Policy("unanimous"), Undecided("the panel said no once, yes once")),
        ((1, 7, 8), TEN, Policy("median"), Answer(7)),
        ((1, 7.0, 9, 10), TEN, Policy("median"), Answer(8)),
        (
            (1, 7, 8, 10),
            TEN,
            Policy("median"),
            Undecided("the panel said 1 once, 10 once, 7 once, 8 once"),
        ),
        ((0.25, 0.5), SHARE, Policy("median"), Answer(0.375)),
        (
            (0.5, UNSURE),
            SHARE,
            Policy("median"),
            Undecided("the panel said 0.5 once, undecided once"),
        ),
        (
            (True, False, True),
            YES_NO,
            Policy("median"),
            NoAnswer("only numbers have a median, and the answer is yes or no"),
        ),
        # What is not of the type is the vote of a judge that failed.
        (
            (0.5, float("nan"), 9),
            SHARE,
            Policy("median"),
            Answer(
                0.5,
                "not heard: j2: its answer is not a number from 0 to 1; "
                "j3: its answer is not a number from 0 to 1",
            ),
        ),
        (
            (1, True),
            YES_NO,
            Policy("majority"),
            Answer(True, "not heard: j1: its answer is not yes or no"),
        ),
        # Equal numbers are one answer, however they are written.
        ((7, 7.0, Fraction(7)), TEN, Policy("unanimous"), Answer(7)),
        (
            (True, True),
            YES_NO,
            Policy("majority", 3),
            NoAnswer(
                "the question needs answers of at least 3 judges, and the panel has 2 judges: "
                "add judges to it, or change `needs at least` in the rubric"
            ),
        ),
    ],
)
def test_how_votes_are_counted(
    votes: tuple[Any, ...], type_: Type, policy: Policy, expected: Reply
) -> None:
    """Majority, unanimity and median of all votes; a tie is undecided; failures never score (J18, J21)."""
    assert expected == reply(Panel(judges(*votes)), question(type_, policy))


VOTES = st.lists(
    st.sampled_from(["a", "b", "c", UNSURE, DOWN, "no option"]), min_size=1, max_size=5
)
POLICIES = st.builds(Policy, st.sampled_from(["majority", "unanimous"]), st.integers(1, 5))


@given(VOTES, st.none() | POLICIES, st.randoms(use_true_random=False))
def test_the_order_of_judges_never_matters(
    votes: list[Any], policy: Policy | None, random: Any
) -> None:
    """Name, answer, reason and note are the same for judges in any order."""
    members = judges(*votes)
    shuffled = list(members)
    random.shuffle(shuffled)

    one, other = Panel(members), Panel(shuffled)

    assert one.name == other.name
    assert reply(one, question(OPTIONS, policy)) == reply(other, question(OPTIONS, policy))


@given(VOTES, POLICIES)
def test_an_outage_never_changes_an_answer_to_another(votes: list[Any], policy: Policy) -> None:
    """What a panel answers although a judge failed, no two of its full panels contradict by majority without a vote."""
    before = reply(Panel(judges(*votes)), question(OPTIONS, policy))
    after = reply(Panel(judges(*votes, DOWN)), question(OPTIONS, policy))

    if isinstance(before, Answer) and isinstance(after, Answer):
        assert before.value == after.value
    else:
        assert not isinstance(after, Answer) or policy.quorum > len(votes)


def test_the_question_goes_before_the_panel() -> None:
    """How the rubric says that judges agree holds, whatever the panel was made with."""
    panel = Panel(judges(True, True, False), by="unanimous")

    assert Undecided("the panel said no once, yes twice") == reply(panel, question(YES_NO))
    assert Answer(True) == reply(panel, question(YES_NO, Policy("majority", 2)))


def test_more_than_half_make_a_quorum_where_none_is_named() -> None:
    """A panel of three that nobody told otherwise needs two answers."""
    panel = Panel(judges(True, DOWN, DOWN))

    assert NoAnswer("1 of 2 answers that the panel needs; j2: down; j3: down") == reply(
        panel, question(YES_NO)
    )


def test_judges_are_asked_plain_questions_and_their_calls_are_kept() -> None:
    """A member sees no policy; what each call was is told with the answer; a member that raises is one that failed."""
    calls = [Call(model=name, prompt="p") for name in ("one", "two")]

    def saying(number: int) -> Any:
        def answer(asked: Question) -> object:
            assert asked.panel is None
            return Answer(True, "" if number else "noted", (calls[number],))

        return answer

    class Broken:
        name = "broken"

        def ask(self, questions: Sequence[Question], heard: Heard) -> None:
            raise OSError("no network")

    members = [EachAsked(saying(0), "a"), EachAsked(saying(1), "b"), Broken()]

    for order in permutations(members):
        assert reply(Panel(order), question(YES_NO, Policy("majority", 2))) == Answer(
            True,
            "not heard: broken: the provider failed: OSError: no network; noted",
            tuple(calls),
        )


def test_a_panel_that_cannot_be_is_refused() -> None:
    """No judge, one judge twice, and a quorum of more judges than there are."""
    with pytest.raises(ValueError, match="has judges"):
        Panel([])
    with pytest.raises(ValueError, match="two judges of a panel are called `j1`"):
        Panel([*judges(True), *judges(False)])
    with pytest.raises(ValueError, match="a panel of 1 has no quorum of 2"):
        Panel(judges(True), quorum=2)


def test_the_name_says_who_and_how() -> None:
    """Answers of another panel are other answers."""
    names = {
        Panel(judges(True, True)).name,
        Panel(judges(True, True), "unanimous").name,
        Panel(judges(True, True), quorum=1).name,
        Panel(judges(True)).name,
    }

    assert len(names) == 4
    assert Panel(judges(True, True)).name == "panel by majority needs 2 of [j1, j2]"
