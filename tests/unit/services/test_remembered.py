"""A judge with a memory: what it asks, what it keeps, and what it hands on."""

import json
import os
import sqlite3
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from ledgers import Says, asked_through, paid, question, replies

from rulesengine.providers.protocols import Answer, Call, NoAnswer, Panel, Question, Undecided
from rulesengine.services.audit import open_audit
from rulesengine.services.leases import Leases
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered import Remembered
from rulesengine.types import DATE, INTEGER, JSON, NUMBER, TEXT, YES_NO, NumberType, OneOfType, Type

FIRST = question("a")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a ledger may be made."""
    return tmp_path / "a ledger?#.db"


def yes(_: Question) -> Answer:
    """Say yes."""
    return paid("yes")


@pytest.mark.parametrize(
    ("again", "scope", "name"),
    [
        (question("b"), "", "judge"),
        (question("a", template="and what of {x}?"), "", "judge"),
        (question("a", type_=OneOfType(("yes", "no"))), "", "judge"),
        (question("a", given=(("y", "k"),)), "", "judge"),
        (question("a", blind=("x",)), "", "judge"),
        (question("a", panel=Panel("majority")), "", "judge"),
        (question("a"), "scenario 1", "judge"),
        (question("a"), "", "judge 2"),
    ],
    ids=["input", "template", "type", "given", "blind", "panel", "scope", "judge"],
)
def test_what_changes_a_question_asks_anew(
    path: Path, again: Question, scope: str, name: str
) -> None:
    """All that another answer could come of is in the key."""
    asked_through(path, Says(yes), FIRST)
    judge = Says(yes, name)
    asked_through(path, judge, again, scope=scope)

    assert len(judge.asked) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (NumberType(low=Fraction(0), high=Fraction(1)), NumberType(low=Fraction(0))),
        (NUMBER, INTEGER),
        (OneOfType(("a", "b")), OneOfType(("b", "a"))),
        (OneOfType(tuple("abcdefghi")), OneOfType(tuple("abcdefghj"))),
    ],
)
def test_types_that_differ_have_other_keys(path: Path, left: Type, right: Type) -> None:
    """Every bound and every option is in the key, also those that a message leaves out."""
    with Ledger(path) as ledger:
        judge = Remembered(Says(yes), ledger)

        assert judge.key(question("a", type_=left)) != judge.key(question("a", type_=right))


def test_a_renamed_ask_is_not_asked_again(path: Path) -> None:
    """What the rubric calls a question changes nothing of it."""
    asked_through(path, Says(yes), FIRST)
    judge = Says(yes)
    came = asked_through(path, judge, question("a", ask="renamed"))

    assert ([Answer("yes")], []) == (came, judge.asked)


def test_the_same_question_under_two_names_is_asked_once(path: Path) -> None:
    """Both are handed the one answer."""
    judge = Says(yes)
    came = asked_through(path, judge, FIRST, question("a", ask="other"), FIRST)

    assert [paid("yes")] * 3 == came
    assert judge.asked == ["a"]


@pytest.mark.parametrize(
    ("type_", "value", "kept"),
    [
        (NUMBER, 0.1, Decimal("0.1")),
        (NUMBER, Fraction(1, 2), Decimal("0.5")),
        (NUMBER, Fraction(1, 3), Fraction(1, 3)),
        (INTEGER, 9007199254740993, 9007199254740993),
        (INTEGER, 2.0, 2),
        (YES_NO, True, True),
        (DATE, date(2024, 3, 14), "2024-03-14"),
        (TEXT, "é\u2028\0 \x1b", "é\u2028\0 \x1b"),
        (JSON, {"b": [0.5, None], "a": True}, {"a": True, "b": [Decimal("0.5"), None]}),
    ],
)
def test_an_answer_is_the_same_in_every_run(
    path: Path, type_: Type, value: object, kept: object
) -> None:
    """The run that hears it gets it as later ones do: exact, and of one Python type."""
    asked = question("a", type_=type_)
    (first,) = asked_through(path, Says(lambda _: Answer(value, "a note")), asked)
    (second,) = asked_through(path, Says(yes), asked)

    assert Answer(kept, "a note") == first == second
    assert isinstance(first, Answer)
    assert type(first.value) is type(kept)


def test_undecided_is_an_answer(path: Path) -> None:
    """It is not asked again."""
    asked_through(path, Says(lambda _: Undecided("a tie")), FIRST)
    judge = Says(yes)
    came = asked_through(path, judge, FIRST)

    assert ([Undecided("a tie")], []) == (came, judge.asked)


@pytest.mark.parametrize(
    ("type_", "reply"),
    [
        (YES_NO, NoAnswer("503")),
        (YES_NO, Answer("maybe")),
        (YES_NO, Answer(None)),
        (NumberType(high=Fraction(1)), Answer(7)),
        (NUMBER, Answer(float("nan"))),
        (TEXT, Answer("\ud800")),
        (JSON, Answer({1: object()})),
        (JSON, Answer([Fraction(1, 3)])),
    ],
)
def test_what_is_no_answer_is_asked_again(
    path: Path, type_: Type, reply: Answer | NoAnswer
) -> None:
    """An outage, and an answer that is not of the type, are handed on as they came, and kept as calls that failed."""
    asked = question("a", type_=type_)
    first = asked_through(path, Says(lambda _: reply), asked)
    judge = Says(lambda _: reply)
    asked_through(path, judge, asked)
    with open_audit(path) as audit:
        (line,) = audit.lines()
        errors = [each.error for each in audit.calls()]

    assert ([reply], ["a"]) == (first, judge.asked)
    assert (line.calls, line.failures, line.unanswered, line.answers) == (2, 2, 1, 0)
    assert all(errors)


def test_calls_are_kept_whole(path: Path) -> None:
    """Each call with all that is known of it; an answer names its calls."""
    failed = Call(model="m", prompt="p", error="429", seconds=0.5, started=1.5)
    good = Call(
        model="m",
        prompt="p\n",
        reply="yes",
        input_tokens=7,
        output_tokens=2**70,
        cost=Fraction(1, 8),
    )
    asked_through(path, Says(lambda _: Answer("yes", calls=(failed, good))), FIRST)
    with open_audit(path) as audit:
        first, second = audit.calls()
    with sqlite3.connect(path) as file:
        ((ids,),) = file.execute("SELECT calls FROM answers")

    assert (
        first.reply,
        first.error,
        first.cost,
        first.seconds,
        first.started,
    ) == (None, "429", None, 0.5, 1.5)
    assert ("p\n", "yes", None, 7, None, Fraction(1, 8)) == (
        second.prompt,
        second.reply,
        second.error,
        second.input_tokens,
        second.output_tokens,
        second.cost,
    )
    assert [first.id, second.id] == json.loads(ids)


def test_a_judge_that_breaks_off_keeps_what_it_said(path: Path) -> None:
    """What came before is kept; the error goes on to who asked."""

    def says(asked: Question) -> Answer:
        if dict(asked.inputs)["x"] == "b":
            raise OSError("gone")
        return paid("yes")

    with pytest.raises(OSError, match="gone"):
        asked_through(path, Says(says), FIRST, question("b"), question("c"))
    judge = Says(yes)
    asked_through(path, judge, FIRST, question("b"), question("c"))

    assert judge.asked == ["b", "c"]


def test_known_says_what_would_not_be_asked(path: Path) -> None:
    """Nothing is asked for it."""
    asked_through(path, Says(yes), FIRST)
    judge = Says(yes)
    with Ledger(path) as ledger:
        known = Remembered(judge, ledger).known([FIRST, question("b")])

    assert (known, judge.asked) == ([True, False], [])


def test_secrets_are_nowhere_in_the_files(path: Path) -> None:
    """Neither in what a provider says nor in what it was asked, in the file or beside it."""
    secret = "local/key+marked-0123456789"
    shaped = "sk-proj-marked0123456789abcdef"
    said = f"refused: {secret} {shaped} local%2Fkey%2Bmarked-0123456789 Bearer {secret}"
    call = Call(model=said, prompt=said, reply=said, error=said)
    asked = question(said, given=(("y", said),), ask=said)
    with Ledger(path, secrets=[secret, "", "none"]) as ledger:
        judge = Remembered(Says(lambda _: Answer(said, said, (call,)), said), ledger, said)
        replies(judge, [asked])
        replies(Remembered(Says(lambda _: NoAnswer(said)), ledger), [asked])
        beside = b"".join(each.read_bytes() for each in path.parent.iterdir())
    after = path.read_bytes()

    assert b"[secret]" in beside
    assert [b for b in (beside, after) if b"marked" in b] == []


@pytest.mark.parametrize("table", ["calls", "answers", "hits"])
def test_a_ledger_is_only_added_to(path: Path, table: str) -> None:
    """The file itself refuses changes, whoever tries."""
    asked_through(path, Says(yes), FIRST)
    asked_through(path, Says(yes), FIRST)
    with sqlite3.connect(path) as file:
        before = file.execute(f"SELECT * FROM {table}").fetchall()
        marks = ", ".join("?" * len(before[0]))
        for change in (f"DELETE FROM {table}", f"UPDATE {table} SET run = ''"):
            with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                file.execute(change)
        file.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", before[0])
        after = file.execute(f"SELECT * FROM {table}").fetchall()

    assert before == after
    assert len(before) == 1


def test_a_lease_of_who_is_gone_holds_nobody_up(path: Path) -> None:
    """A process that was killed leaves leases behind; the next one asks at once."""
    with Ledger(path) as ledger:
        leases = Leases(ledger)
        judge = Remembered(Says(yes), ledger)
        leases.claim([judge.key(FIRST)])
        process = os.fork()
        if not process:
            os._exit(0)
        os.waitpid(process, 0)
        with ledger.transaction() as connection:
            connection.execute("UPDATE owners SET process = ?", (process,))

        assert [paid("yes")] == replies(judge, [FIRST])


def test_a_forked_process_writes_through_a_connection_of_its_own(path: Path) -> None:
    """Parent and child both go on with one ledger."""
    with Ledger(path) as ledger:
        judge = Remembered(Says(yes), ledger)
        process = os.fork()
        if not process:
            replies(judge, [question("child")])
            os._exit(0)
        replies(judge, [question("parent")])
        os.waitpid(process, 0)

        assert judge.known([question("child"), question("parent")]) == [True, True]
