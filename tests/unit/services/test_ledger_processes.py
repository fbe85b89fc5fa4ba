"""Processes that are killed, and several at once."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ledgers import Says, paid, question

from rulesengine.providers.protocols import Answer
from rulesengine.services.audit import open_audit
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered import Remembered

HELPERS = str(Path(__file__).parents[2])
QUESTIONS = [question(number) for number in range(60)]

# Four threads hear replies; what is handed on is told on standard output in one write a reply.
STREAM = """
import os, sys
sys.path.insert(0, sys.argv[2])
from concurrent.futures import ThreadPoolExecutor
from ledgers import paid, question
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered import Remembered

class Pool:
    name = "judge"
    def ask(self, questions, heard):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: heard(i, paid(dict(questions[i].inputs)["x"])), range(len(questions))))

def hear(index, reply):
    os.write(1, f"{index}\\n".encode())

Remembered(Pool(), Ledger(sys.argv[1])).ask([question(number) for number in range(60)], hear)
"""


@pytest.mark.parametrize("after", [1, 2, 3, 8, 21, 34, 59])
def test_a_killed_process_loses_nothing_that_it_was_told(tmp_path: Path, after: int) -> None:
    """What was handed on is there, the file is whole, and the same command asks just the rest, at once."""
    path = tmp_path / "file"
    line = [sys.executable, "-c", STREAM, str(path), HELPERS]
    with subprocess.Popen(line, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None
        told = b""
        while told.count(b"\n") < after:
            told += process.stdout.read(64)
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read()
    with open_audit(path) as audit:  # which looks for damage
        calls = [each.reply for each in audit.calls()]
    judge = Says(lambda each: paid(dict(each.inputs)["x"]))
    came: dict[int, object] = {}
    with Ledger(path) as ledger:
        remembered = Remembered(judge, ledger)
        known = remembered.known(QUESTIONS)
        remembered.ask(QUESTIONS, came.__setitem__)

    heard = {int(number) for number in told.split()}
    there = {number for number, is_known in enumerate(known) if is_known}
    assert set() == heard - there
    assert sorted(map(str, there)) == sorted(map(str, calls))
    assert set(map(str, range(60))) - set(map(str, there)) == set(judge.asked)
    assert [str(number) for number in range(60)] == [
        reply.value for _, reply in sorted(came.items()) if isinstance(reply, Answer)
    ]


# Each process says something else, so that it shows whose answer stands.
BESIDE = """
import json, os, sys, time
sys.path.insert(0, sys.argv[2])
from ledgers import Says, paid, question, replies
from rulesengine.providers.protocols import NoAnswer
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered import Remembered

def says(asked):
    time.sleep(0.005)
    fails = dict(asked.inputs)["x"] == "7"
    return NoAnswer("503") if fails else paid(f"{os.getpid()}")

order = [question(number) for number in range(60)]
if sys.argv[3] == "1":
    order.reverse()
with Ledger(sys.argv[1]) as ledger:
    judge = Says(says)
    came = dict(zip((dict(each.inputs)["x"] for each in order), replies(Remembered(judge, ledger), order)))
    print(json.dumps({key: getattr(reply, "value", None) for key, reply in sorted(came.items())}))
"""


@pytest.mark.parametrize("number", [2, 4])
def test_processes_at_once_give_the_same_answers_and_pay_once(tmp_path: Path, number: int) -> None:
    """They make the file together, share the questions, and each asks what failed for another."""
    path = tmp_path / "file"
    line = [sys.executable, "-c", BESIDE, str(path), HELPERS]
    running = [
        subprocess.Popen([*line, str(each % 2)], stdout=subprocess.PIPE, text=True)
        for each in range(number)
    ]
    said = [json.loads(process.communicate(timeout=100)[0]) for process in running]
    with open_audit(path) as audit:
        (asked,) = audit.lines()

    assert [said[0]] * number == said
    assert len([value for value in said[0].values() if value is not None]) == 59
    assert (59, number, 1) == (asked.answers, asked.failures, asked.unanswered)
    assert 59 + number == asked.calls
    assert 59 * number == asked.answers + asked.from_ledger


def test_the_first_answer_stands(tmp_path: Path) -> None:
    """Where two ask all the same, both go on with what was written first, and each with its own calls."""
    with Ledger(tmp_path / "file") as one, Ledger(tmp_path / "file") as two:
        inner = Says(lambda _: paid("second"))
        asked: dict[int, object] = {}

        def says(each: object) -> Answer:
            # As a process does whose lease ran out.
            with two.transaction() as connection:
                connection.execute("DELETE FROM leases")
            Remembered(inner, two).ask(QUESTIONS[:1], asked.__setitem__)
            return paid("late")

        came: dict[int, object] = {}
        Remembered(Says(says), one).ask(QUESTIONS[:1], came.__setitem__)

    assert {0: paid("second")} == asked
    assert {0: Answer("second", calls=paid("late").calls)} == came
