"""A judge with a memory: what the ledger knows is not asked again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from rulesengine.providers.protocols import Answer, Heard, Judge, NoAnswer, Question, Reply
from rulesengine.providers.question_key import question_key
from rulesengine.services.kept_answers import why_not_kept
from rulesengine.services.leases import Leases
from rulesengine.services.ledger import Exchange, Ledger

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds, while another process asks


class Remembered:
    """A judge whose answers are kept in a ledger and asked for once.

    Each reply is on the disk before it is handed on. An answer comes as it was written, in the run that heard it and in
    all later ones. No answer is written as a call that failed, and asked again; so is an answer that is not of its
    question's type. What is undecided is an answer.

    Args:
        judge: asked for what the ledger does not know. `name` is its name.
        ledger: where answers are looked up and written.
        scope: the part of the world in which alone answers hold, such as a scenario.
    """

    def __init__(self, judge: Judge, ledger: Ledger, scope: str = "") -> None:
        self.judge = judge
        self.ledger = ledger
        self.scope = scope
        self.name = judge.name

    def key(self, question: Question) -> str:
        """Return what a question is kept by."""
        return question_key(question, self.name, self.scope)

    def known(self, questions: Sequence[Question]) -> list[bool]:
        """Return for each question whether its answer is in the ledger; nothing is asked, nothing written.

        Raises:
            LedgerError: the ledger cannot be read.
        """
        keys = [self.key(each) for each in questions]
        found = self.ledger.find(keys)
        return [key in found for key in keys]

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Hand on what the ledger knows, and ask the judge the rest, each question once.

        What another process is asking at the moment is waited for.

        Raises:
            LedgerError: before anything is asked, if the ledger cannot be read or written; or at the end, if an answer
                was handed on that could not be written: it is tried again when the ledger is closed.
        """
        places: dict[str, list[int]] = {}
        for index, question in enumerate(questions):
            places.setdefault(self.key(question), []).append(index)
        self._hand_on_known(questions, places, heard)
        if not places:
            return
        self.ledger.write_rest()
        leases = Leases(self.ledger)
        pause = FIRST_PAUSE
        try:
            while places:
                mine = leases.claim(places)
                # What was answered in the meantime, so that nobody leases it.
                came = self._hand_on_known(questions, places, heard)
                if mine:
                    asked = {key: places.pop(key) for key in mine if key in places}
                    self._ask(questions, asked, heard, leases.owner)
                pause = FIRST_PAUSE if mine or came else min(2 * pause, LONGEST_PAUSE)
                if places:
                    time.sleep(pause)
        finally:
            leases.release()
        if self.ledger.fault is not None:
            raise self.ledger.fault

    def _hand_on_known(
        self, questions: Sequence[Question], places: dict[str, list[int]], heard: Heard
    ) -> bool:
        """Hand on what the ledger knows, and take it out of `places`; whether that was anything."""
        hits: Counter[str] = Counter()
        for key, reply in self.ledger.find(places).items():
            for index in places.pop(key):
                hits[questions[index].ask] += 1
                heard(index, reply)
        if hits:
            self.ledger.count_hits("answers", self.name, hits)
        return bool(hits)

    def _ask(
        self, questions: Sequence[Question], places: dict[str, list[int]], heard: Heard, owner: str
    ) -> None:
        keys = sorted(places, key=lambda key: places[key][0])  # as they were asked

        def hear(number: int, reply: Reply) -> None:
            first = questions[places[keys[number]][0]]
            stands = self._kept(keys[number], first, reply, owner)
            for index in places[keys[number]]:
                heard(index, stands)

        self.judge.ask([questions[places[key][0]] for key in keys], hear)

    def _kept(self, key: str, question: Question, reply: Reply, owner: str) -> Reply:
        """Write a reply, and return the one that stands."""
        why = why_not_kept(question, reply.value) if isinstance(reply, Answer) else None
        kept = self.ledger.write(
            Exchange(
                key=key,
                question=question,
                judge=self.name,
                scope=self.scope,
                reply=reply if why is None else NoAnswer(why, reply.calls),
                owner=owner,
            )
        )
        return kept if why is None else reply
