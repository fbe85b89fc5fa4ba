"""Waves: what needs a provider is collected over all that is evaluated, asked once, and evaluated again.

Nothing asks a provider in the middle of an expression. A unit of work, a subject or all subjects that are measured
against each other, is evaluated with what it knows; what it reached and does not know it *wants*, and the value there
waits. Between two evaluations the wants of all units are put together, each question once, and handed over. There are
as many waves as the deepest chain of questions that hang on each other.

A unit knows only what it wanted itself, whatever others have asked, so that its result does not depend on who they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from rulesengine.providers.callables import failed
from rulesengine.providers.protocols import NoAnswer, Providers, Question, Reply
from rulesengine.struct import Struct

T = TypeVar("T")


class Wanted(Struct, frozen=True):
    """Not known yet."""


WANTED = Wanted()
Pair: TypeAlias = tuple[str, str]


class Asked:
    """What one unit knows from providers, and what it wants to know.

    Args:
        has_judge: whether questions can be asked.
        has_measure: whether likeness can be measured.
        explores: whether what waits ends nothing, so that all is wanted that any answers may lead to.
    """

    def __init__(self, *, has_judge: bool, has_measure: bool, explores: bool = False) -> None:
        self.has_judge = has_judge
        self.has_measure = has_measure
        self.explores = explores
        # By ask: questions about what is not known yet, at the most.
        self.unformed: Counter[str] = Counter()
        self.replies: dict[Question, Reply] = {}
        self.cosines: dict[Pair, Fraction | NoAnswer] = {}
        self.questions: dict[Question, None] = {}
        self.pairs: dict[Pair, None] = {}

    @property
    def wants(self) -> bool:
        """Whether anything was wanted and not known."""
        return bool(self.questions or self.pairs)

    def reply(self, question: Question) -> Reply | Wanted:
        """Return the reply to a question, or that it is wanted from now on."""
        if question not in self.replies:
            self.questions[question] = None
        return self.replies.get(question, WANTED)

    def cosine(self, left: str, right: str) -> Fraction | NoAnswer | Wanted:
        """Return the cosine of two texts, in whichever order, or that it is wanted from now on."""
        pair = (left, right) if left <= right else (right, left)
        if pair not in self.cosines:
            self.pairs[pair] = None
        return self.cosines.get(pair, WANTED)

    def learn(
        self, replies: dict[Question, Reply], cosines: dict[Pair, Fraction | NoAnswer]
    ) -> None:
        """Take what was wanted from what came; nothing else is wanted before the next evaluation."""
        self.replies.update((each, replies[each]) for each in self.questions if each in replies)
        self.cosines.update((each, cosines[each]) for each in self.pairs if each in cosines)
        self.questions.clear()
        self.pairs.clear()
        self.unformed.clear()


def in_waves(
    units: Sequence[Callable[[Asked], T]],
    providers: Providers,
    is_settled: Callable[[T], bool] = lambda _: False,
) -> list[T]:
    """Evaluate units until none wants anything.

    Args:
        units: each evaluates anew whenever it is called.
        providers: who is asked between two evaluations.
        is_settled: whether a result stands, whatever is still wanted for it: then nobody is asked.

    Returns:
        The last result of each unit.
    """
    asked = [asked_of(providers) for _ in units]
    results: dict[int, T] = {}
    left = list(range(len(units)))
    while left:
        for index in left:
            results[index] = units[index](asked[index])
        left = [i for i in left if asked[i].wants and not is_settled(results[i])]
        if left:
            wanted = [asked[index] for index in left]
            replies = ask_all(providers, {q: None for each in wanted for q in each.questions})
            cosines = measure_all(providers, {pair: None for each in wanted for pair in each.pairs})
            for each in wanted:
                each.learn(replies, cosines)
    return [results[index] for index in range(len(units))]


def asked_of(providers: Providers) -> Asked:
    """Return what a unit knows at first: nothing, but who there is to be asked."""
    return Asked(has_judge=providers.judge is not None, has_measure=providers.measure is not None)


def ask_all(providers: Providers, questions: dict[Question, None]) -> dict[Question, Reply]:
    """Return the reply to each question. A judge that breaks off leaves the rest without an answer."""
    judge = providers.judge
    if judge is None or not questions:
        return {}
    listed = list(questions)
    heard: dict[int, Reply] = {}
    why = "the judge did not answer"

    def hear(index: int, reply: Reply) -> None:
        heard[index] = reply

    try:
        judge.ask(listed, hear)
    except Exception as error:  # the caller's own code, which may do anything
        why = failed(error)
    return {question: heard.get(index, NoAnswer(why)) for index, question in enumerate(listed)}


def measure_all(providers: Providers, pairs: dict[Pair, None]) -> dict[Pair, Fraction | NoAnswer]:
    """Return the cosine of each pair. A measure that breaks off leaves all of them without one."""
    measure = providers.measure
    if measure is None or not pairs:
        return {}
    listed = list(pairs)
    try:
        cosines = list(measure.cosines(listed))
        why = NoAnswer(f"{len(cosines)} cosines came for {len(listed)} pairs of texts")
    except Exception as error:  # the caller's own code, which may do anything
        cosines, why = [], NoAnswer(failed(error))
    if len(cosines) != len(listed):
        cosines = [why] * len(listed)
    return dict(zip(listed, cosines, strict=True))
