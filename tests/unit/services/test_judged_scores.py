"""Scores by judges behind a server: an outage or a bad reply is never a score, and nothing is asked twice."""

import json
import time
from contextlib import ExitStack
from fractions import Fraction
from typing import Any

import pytest
from engine import score
from server.running import Server, running

from rulesengine.providers.blind import Blind
from rulesengine.providers.panel import Panel
from rulesengine.report.result import Result
from rulesengine.services.limits import Limits
from rulesengine.services.openai_judge import OpenAIJudge

LIMITS = Limits(seconds=20, tries=2, readings=2, gives_up_after=1000)
HEADER = 'rubric sample version "1" language 1\nevidence { key who : integer  text : text }\n'
SHORT = HEADER + 'ask is_short(text) -> yes/no { prompt "Is {text} short?" }\n'
SHARE = HEADER + 'ask quality(text) -> number 0 to 1 { prompt "How good is {text}?" }\n'
ONE = (
    SHORT
    + "score each who out of 1 { criterion c worth 1 { when is_short(text) -> 1  otherwise -> 0 } }"
)
NOT = ONE.replace("when is_short", "when not is_short")
BROKEN: list[dict[str, Any]] = [
    {"do": "status", "status": 503},  # J4
    {"do": "say", "text": '{"score": 0, "reason": "bad"}'},  # J1
    {"do": "say", "text": '{"reason": "bad"}'},  # J2
    {"do": "say", "text": "GRADE: C. No reason to downgrade: insufficient"},  # J10
    {"do": "say", "text": '{"verdict": NaN}'},  # J21
    {"do": "refuse", "text": "I cannot"},
]


def judge(server: Server, **more: Any) -> OpenAIJudge:
    """Return a judge behind the server."""
    return OpenAIJudge("m", base_url=server.url, **{"limits": LIMITS, **more})


def results(text: str, *texts: str, **providers: Any) -> list[Result]:
    """Return the results of records with these texts, in their order."""
    records = [{"who": number, "text": each} for number, each in enumerate(texts)]
    return list(score(text, records, **providers).results)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda step: str(list(step.values())[1]))
def test_what_is_no_verdict_is_no_score(broken: dict[str, Any]) -> None:
    """Outage, missing and malformed verdict fail their subject, negated or not; others are scored (J1 J2 J4 J8 J10)."""
    with running(rules=[{"when": "bad", **broken}]) as server:
        plain = results(ONE, "bad", "good", judge=judge(server))
        negated = results(NOT, "bad", "good", judge=judge(server))

    assert [(each.status, each.score) for each in plain] == [("failed", None), ("scored", 1)]
    assert [(each.status, each.score) for each in negated] == [("failed", None), ("scored", 0)]
    for result in (plain[0], negated[0]):
        assert [each.code.id for each in result.errors] == ["R540"]


@pytest.mark.parametrize("said", [0, 0.4, 0.5, 0.9, 1])
def test_not_is_the_opposite_of_what_was_judged(said: float) -> None:
    """Negation has one meaning, on what a judged value decides: the two scores always add up to one (J7)."""
    pair = (
        SHARE
        + "score each who out of 2 {\n"
        + "criterion a worth 1 { when quality(text) >= 0.5 -> 1  otherwise -> 0 }\n"
        + "criterion b worth 1 { when not quality(text) >= 0.5 -> 1  otherwise -> 0 }\n}"
    )
    with running(default={"do": "answer", "verdict": said}) as server:
        (result,) = results(pair, "t", judge=judge(server))

        assert server.calls == 1
    assert (result.values["a"], result.values["b"]) == (int(said >= 0.5), int(said < 0.5))


def test_a_scale_is_declared_once() -> None:
    """An answer of 0.9 on the declared scale counts as 0.9 of the points, however many there are (J29)."""
    text = SHARE + "score each who out of 10 { criterion c worth 10 = 10 * quality(text) }"
    with running(
        {"do": "answer", "verdict": 0.9}, default={"do": "answer", "verdict": 9}
    ) as server:
        within, off = results(text, "a", "b", judge=judge(server, limits=Limits(concurrency=1)))

    assert (within.score, off.status) == (9, "failed")


def test_one_nan_spoils_nothing_else() -> None:
    """Of five subjects, the one whose verdict is no number fails; the others have their scores (J21)."""
    text = SHARE + "score each who out of 1 { criterion c worth 1 = quality(text) }"
    rules = [{"when": "odd", "do": "say", "text": '{"verdict": NaN}'}]
    with running(rules=rules, default={"do": "answer", "verdict": 0.5}) as server:
        found = results(text, "a", "b", "odd", "c", "d", judge=judge(server))

    assert [Fraction(1, 2)] * 2 + [None] + [Fraction(1, 2)] * 2 == [each.score for each in found]
    assert found[2].status == "failed"


def test_a_function_that_says_nan_fails_its_subject() -> None:
    """What is no number is refused wherever it comes from (J21)."""
    text = SHARE + "score each who out of 1 { criterion c worth 1 = quality(text) }"

    (result,) = results(text, "a", judge=lambda _: float("nan"))

    assert (result.status, result.score) == ("failed", None)


def test_endless_nonsense_ends() -> None:
    """A judge that never gives a verdict is asked a bounded number of times, and what it cost is told (J16)."""
    with running(default={"do": "say", "text": "Hmm."}) as server:
        (result,) = results(ONE, "a", judge=judge(server))

        assert server.calls == 2
    assert "no verdict in 2 replies: the last is no object of JSON" in result.errors[0].reason


QUORUM = ONE.replace('short?" }', 'short?"  panel by majority needs at least 2 }')


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ((None, None, None), ("failed", None)),
        ((True, None, None), ("failed", None)),
        ((True, True, None), ("scored", 1)),
        ((True, False, None), ("unscored", None)),
        ((True, False, False), ("scored", 0)),
    ],
)
def test_a_quorum_is_that_of_the_rubric(
    votes: tuple[bool | None, ...], expected: tuple[str, int | None]
) -> None:
    """Where fewer judges answer than the rubric wants, there is no score; a tie is unscored (J18)."""
    steps = {vote: {"do": "answer", "verdict": vote} for vote in (True, False)}
    with ExitStack() as stack:
        servers = {
            vote: stack.enter_context(
                running(default=steps.get(vote, {"do": "status", "status": 503}))
            )
            for vote in set(votes)
        }
        members = [judge(servers[vote], revision=str(n)) for n, vote in enumerate(votes)]
        (result,) = results(QUORUM, "t", judge=Panel(members))

    assert expected == (result.status, result.score)


def test_what_judges_do_not_agree_on_stays_in_the_denominator() -> None:
    """Undecided parts are no zero and no pass: the score is open, and its interval says how far (J24, J25)."""
    text = (
        QUORUM.partition("score each")[0]
        + "score each who out of 87 {\n"
        + "criterion known worth 43 { when length(text) > 0 -> 33  otherwise -> 0 }\n"
        + "criterion judged worth 44 { when is_short(text) -> 44  otherwise -> 0 }\n}"
    )
    with running() as yes, running(default={"do": "answer", "verdict": False}) as no:
        (result,) = results(text, "t", judge=Panel([judge(yes), judge(no, revision="b")]))

    assert (result.status, result.score) == ("unscored", None)
    assert result.interval == (33, 77)


def test_a_judge_that_favours_a_place_is_undecided() -> None:
    """Asked in both orders, a model that always prefers the first text decides nothing; no side is named."""
    text = (
        'rubric sample version "1" language 1\n'
        + "evidence { key who : integer  candidate : text  reference : text }\n"
        + "ask better(candidate, reference) -> one of first, second, alike {\n"
        + 'prompt "Which is better? {candidate} {reference}"\n'
        + "blind candidate, reference with first as second in both orders\n}\n"
        + "score each who out of 1 { criterion c worth 1 {\n"
        + "when better(candidate, reference) = first -> 1  otherwise -> 0 } }"
    )
    records = [{"who": 1, "candidate": "one", "reference": "two"}]
    with running(default={"do": "answer", "verdict": "first"}) as server:
        (result,) = score(text, records, judge=Blind(judge(server))).results

        assert server.calls == 2
        for message in server.messages:
            assert "candidate" not in message
            assert "reference" not in message
    assert (result.status, [each.code.id for each in result.unscored]) == ("unscored", ["R543"])


def test_ten_thousand_questions_are_five_hundred_calls() -> None:
    """However many records and parts ask, each distinct question is one call at the server."""
    text = (
        SHORT
        + "score each who out of 2 {\n"
        + "criterion a worth 1 { when is_short(text) -> 1  otherwise -> 0 }\n"
        + "criterion b worth 1 { when not is_short(text) -> 1  otherwise -> 0 }\n}"
    )
    records = [{"who": number, "text": f"text {number % 500}"} for number in range(5000)]
    with running(rules=[{"when": "text 7", "do": "answer", "verdict": False}]) as server:
        begun = time.monotonic()
        run = score(text, records, judge=judge(server))
        took = time.monotonic() - begun

        assert server.calls == 500
        assert len({json.dumps(message.split()[40:]) for message in server.messages}) == 500
    print(f"10,000 questions, 500 calls: {took:.1f} s")
    assert run.statuses == {"scored": 5000, "unscored": 0, "failed": 0}
    assert {Fraction(1)} == {result.score for result in run.results}
