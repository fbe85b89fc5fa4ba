"""Waves: what is asked, how often, in how many rounds, and what is never asked."""

from collections.abc import Sequence
from typing import Any

import pytest
from engine import score

from rulesengine.providers.protocols import Answer, Heard, NoAnswer, Question, Reply, Undecided

HEADER = 'rubric sample version "1" language 1\n'
SHORT = 'ask is_short(text) -> yes/no { prompt "Is {text} short?" }\n'


class Judge:
    """Answers as it is told to, from the last question to the first, and notes what was asked in which round."""

    name = "told"

    def __init__(self, answers: dict[str, object]) -> None:
        self.answers = answers
        self.rounds: list[list[str]] = []

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Hand on the answers."""
        self.rounds.append([f"{each.ask} {each.inputs[0][1]}" for each in questions])
        for index, question in reversed(list(enumerate(questions))):
            answer = self.answers.get(f"{question.ask} {question.inputs[0][1]}", True)
            is_reply = isinstance(answer, Answer | Undecided | NoAnswer)
            reply: Reply = answer if is_reply else Answer(answer)  # type: ignore[assignment]
            heard(index, reply)


def asked(text: str, records: list[dict[str, Any]], **answers: object) -> list[list[str]]:
    """Return what was asked, round by round; an answer that is not given is yes."""
    judge = Judge({name.replace("__", " "): answer for name, answer in answers.items()})
    score(HEADER + text, records, judge=judge)
    return judge.rounds


def test_a_question_is_asked_once_over_all_records() -> None:
    """However many records and parts hold the same text, one question is sent, and all in one round."""
    text = (
        "evidence { key who : integer  text : text }\n"
        + SHORT
        + "score each who out of 2 {\n"
        + "criterion a worth 1 { when is_short(text) -> 1  otherwise -> 0 }\n"
        + "criterion b worth 1 { when not is_short(text) -> 1  otherwise -> 0 }\n}"
    )
    records = [{"who": number, "text": "abc"[number % 3]} for number in range(60)]

    assert asked(text, records) == [["is_short a", "is_short b", "is_short c"]]


def test_a_question_behind_a_stop_is_never_asked() -> None:
    """Gates, earlier rows, free parts of a condition and earlier rungs settle without a judge."""
    text = (
        "evidence { key who : integer  text : text }\n"
        + SHORT
        + "ladder same(candidate, reference) {\n"
        + "rung exact { when candidate = reference -> 1 }\n"
        + "rung judge { when is_short(candidate) -> 1  otherwise -> 0 }\n}\n"
        + "score each who out of 4 {\n"
        + 'criterion gated worth 1 { gate x fails when text = "x" -> 0  when is_short(text) -> 1  otherwise -> 0 }\n'
        + 'criterion first worth 1 { when text = "x" -> 1  when is_short(text) -> 1  otherwise -> 0 }\n'
        + 'criterion free worth 1 { when is_short(text) and text != "x" -> 1  otherwise -> 0 }\n'
        + 'criterion climbed worth 1 = same(text, "x")\n}'
    )

    assert asked(text, [{"who": 1, "text": "x"}]) == []
    assert asked(text, [{"who": 1, "text": "x"}, {"who": 2, "text": "y"}]) == [["is_short y"]]


def test_as_many_rounds_as_questions_hang_on_each_other() -> None:
    """What is asked next depends on an answer; what does not is asked in the first round."""
    text = (
        "evidence { key who : integer  text : text  more : text }\n"
        + SHORT
        + 'ask is_kind(text) -> yes/no { prompt "Is {text} kind?" }\n'
        + "score each who out of 2 {\n"
        + "criterion a worth 1 { when is_short(text) and is_kind(text) -> 1  otherwise -> 0 }\n"
        + "criterion b worth 1 { when is_kind(more) -> 1  otherwise -> 0 }\n}"
    )
    records = [{"who": 1, "text": "p", "more": "q"}, {"who": 2, "text": "r", "more": "q"}]

    rounds = asked(text, records, is_short__r=False)

    assert rounds == [["is_short p", "is_kind q", "is_short r"], ["is_kind p"]]


def test_nobody_is_asked_about_what_fails_anyway() -> None:
    """A subject that breaks a requirement, or has an error of its own, costs nothing."""
    text = (
        "evidence { key who : integer  text : text  n : number }\n"
        + SHORT
        + "score each who out of 2 {\n"
        + 'require n < 9 "too large"\n'
        + "criterion a worth 1 = 1 / n\n"
        + "criterion b worth 1 { when is_short(text) -> 1  otherwise -> 0 }\n}"
    )
    records = [
        {"who": 1, "text": "large", "n": 10},
        {"who": 2, "text": "zero", "n": 0},
        {"who": 3, "text": "well", "n": 1},
    ]
    judge = Judge({})

    run = score(HEADER + text, records, judge=judge)

    assert judge.rounds == [["is_short well"]]
    assert [[each.code.id for each in r.errors] for r in run.results] == [
        ["R515"],
        ["R511"],
        [],
    ]


UNDECIDED = [
    ("when is_short(text) -> 1  otherwise -> 0", ("unscored", ["R543"])),
    ("when is_short(text) -> 1  when missing -> 0  otherwise -> 0", ("unscored", ["R543"])),
    ("when not is_short(text) -> 1  otherwise -> 0", ("unscored", ["R543"])),
    ("when is_short(text) else yes -> 1  otherwise -> 0", ("scored", [])),
    ("when is_short(text) or who = 1 -> 1  otherwise -> 0", ("scored", [])),
    ("when is_short(text) is missing -> 1  otherwise -> 0", ("scored", [])),
]


@pytest.mark.parametrize(("rows", "expected"), UNDECIDED)
def test_what_judges_do_not_agree_on_is_no_score(
    rows: str, expected: tuple[str, list[str]]
) -> None:
    """A tie is neither yes nor no nor 0, and only what is written for it stands in for it."""
    text = (
        "evidence { key who : integer  text : text  note : text? }\n"
        + SHORT
        + f"score each who out of 1 {{ criterion a worth 1 {{ {rows} }} }}"
    )
    if "when missing" in rows:
        text = text.replace("when is_short(text)", 'when is_short(text) and note = "x"')

    (result,) = score(
        HEADER + text,
        [{"who": 1, "text": "p", "note": "x"}],
        judge=Judge({"is_short p": Undecided("a tie")}),
    ).results

    assert expected == (result.status, [each.code.id for each in result.unscored])
    if result.status == "unscored":
        assert result.unscored[0].reason == "is_short(p): a tie"
        assert result.interval == (0, 1)


def test_a_rung_on_which_judges_do_not_agree_ends_the_climb() -> None:
    """The rungs below are for what no rung settled, and not for a tie; an aggregate over it is not known."""
    text = (
        "evidence { key who : integer  candidate : json  reference : json }\n"
        + SHORT
        + "ladder same(candidate, reference) {\n"
        + "rung exact { when candidate = reference -> 1 }\n"
        + "rung judge { when is_short(candidate) -> 1 }\n"
        + "rung last { otherwise -> 1 }\n}\n"
        + "compare candidate with reference as part { leaves by same }\n"
        + "let credit = mean of part.credit over part\n"
        + 'score each who out of 1 { criterion a worth 1 = credit when missing -> unscored "no part" }'
    )
    records = [{"who": 1, "candidate": {"a": "x", "b": "p"}, "reference": {"a": "x", "b": "q"}}]

    (result,) = score(
        HEADER + text, records, judge=Judge({"is_short p": Undecided("a tie")})
    ).results

    assert (result.status, [each.code.id for each in result.unscored]) == ("unscored", ["R543"])
    rungs = [row.rung for row in result.comparisons[0].comparison.rows]
    assert rungs == ["exact", "undecided"]


def test_a_judge_that_breaks_off_keeps_what_it_said() -> None:
    """Replies that were handed on count; the others are no answer, with the error as the reason."""

    class Breaking(Judge):
        def ask(self, questions: Sequence[Question], heard: Heard) -> None:
            """Answer the first question, and break."""
            heard(0, Answer(value=True))
            raise OSError("line down")

    text = (
        "evidence { key who : integer  text : text }\n"
        + SHORT
        + "score each who out of 1 { criterion a worth 1 { when is_short(text) -> 1  otherwise -> 0 } }"
    )
    run = score(HEADER + text, [{"who": n, "text": f"{n}"} for n in (1, 2)], judge=Breaking({}))

    assert [each.status for each in run.results] == ["scored", "failed"]
    assert [each.reason for result in run.results for each in result.errors] == [
        "is_short(2): the provider failed: OSError: line down"
    ]
