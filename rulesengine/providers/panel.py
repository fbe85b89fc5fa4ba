"""Several judges, and how one answer comes of theirs.

A vote is a reply that a judge gave: an answer, or that it is undecided. A judge that failed cast no vote. Nothing
depends on the order of the judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from rulesengine.evidence.numbers import OverLimit, exact
from rulesengine.providers.callables import failed
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
from rulesengine.types import NumberType, OneOfType, Type, YesNoType, describe
from rulesengine.values import show, show_number

By = Literal["majority", "unanimous", "median"]


class Panel:
    """Judges that answer together.

    Args:
        judges: two or more, each with a name of its own.
        by: how they agree where the question does not say it.
            `majority`: more than half of all votes, the undecided ones among them, say the same.
            `unanimous`: all votes say the same.
            `median`: of numbers; more than half of all votes are numbers. Of an even number of them, the mean of the
            two in the middle, where it is a number of the scale.
        quorum: answers that it takes at the least; more than half of the judges where left out.

    Raises:
        ValueError: there are no judges, two have one name, or the quorum is not between 1 and their number.
    """

    def __init__(
        self, judges: Sequence[Judge], by: By = "majority", quorum: int | None = None
    ) -> None:
        self.judges = sorted(judges, key=lambda judge: judge.name)
        names = [judge.name for judge in self.judges]
        twice = [name for name, count in Counter(names).items() if count > 1]
        if not names:
            raise ValueError("a panel has judges")
        if twice:
            # Answers are kept by name: the second judge would be handed those of the first.
            raise ValueError(f"two judges of a panel are called `{twice[0]}`")
        self.policy = Policy(by, len(names) // 2 + 1 if quorum is None else quorum)
        if not 1 <= self.policy.quorum <= len(names):
            raise ValueError(f"a panel of {len(names)} has no quorum of {quorum}")
        self.name = f"panel by {by} needs {self.policy.quorum} of [{', '.join(names)}]"

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask one judge after the other, each all that the panel is asked; each asks as many at once as it can."""
        asked: list[tuple[int, Question]] = []
        for index, question in enumerate(questions):
            policy = question.panel or self.policy
            if policy.quorum > len(self.judges):
                heard(index, NoAnswer(_too_few(policy.quorum, len(self.judges))))
            else:
                asked.append((index, question))
        plain = [msgspec.structs.replace(question, panel=None) for _, question in asked]
        votes: list[dict[str, Reply]] = [{} for _ in asked]

        def settle(place: int) -> None:
            index, question = asked[place]
            heard(index, agreed(votes[place], question.type, question.panel or self.policy))

        for judge in self.judges:
            why = "the judge did not answer"
            is_last = judge is self.judges[-1]

            def hear(
                place: int, reply: Reply, name: str = judge.name, is_last: bool = is_last
            ) -> None:
                if name not in votes[place]:
                    votes[place][name] = reply
                    if is_last:
                        settle(place)

            try:
                judge.ask(plain, hear)
            except Exception as error:  # a judge of the caller's, which may do anything
                why = failed(error)
            for place in range(len(asked)):
                hear(place, NoAnswer(why))


def _too_few(quorum: int, judges: int) -> str:
    have = f"{judges} judge{'' if judges == 1 else 's'}"
    return (
        f"the question needs answers of at least {quorum} judges, and the panel has {have}: "
        "add judges to it, or change `needs at least` in the rubric"
    )


def agreed(votes: dict[str, Reply], type_: Type, policy: Policy) -> Reply:
    """Return what comes of the votes of a panel.

    Args:
        votes: what each judge said, by its name.
        type_: of the answer; an answer of another type counts as that of a judge that failed.
        policy: how they agree.

    Returns:
        An answer, whose note names the judges that failed; or undecided; or no answer, where more answers of judges
        that failed could have made the quorum.
    """
    replies = {name: _held(votes[name], type_) for name in sorted(votes)}
    calls: tuple[Call, ...] = tuple(call for reply in replies.values() for call in reply.calls)
    answers = [reply for reply in replies.values() if isinstance(reply, Answer)]
    lost = {name: reply.why for name, reply in replies.items() if isinstance(reply, NoAnswer)}
    undecided = len(replies) - len(answers) - len(lost)
    failures = "; ".join(f"{name}: {why}" for name, why in lost.items())
    if len(answers) < policy.quorum <= len(answers) + len(lost):
        need = f"{len(answers)} of {policy.quorum} answers that the panel needs"
        return NoAnswer(f"{need}; {failures}", calls)
    behind = f"; without {failures}" if failures else ""
    if policy.by == "median" and not isinstance(type_, NumberType):
        return NoAnswer(f"only numbers have a median, and the answer is {describe(type_)}", calls)
    if len(answers) < policy.quorum:
        return Undecided(
            f"{_tally(answers, undecided)}, and {policy.quorum} are needed{behind}", calls
        )
    value = _settled(answers, undecided, type_, policy.by)
    if value is None:
        return Undecided(f"the panel said {_tally(answers, undecided)}{behind}", calls)
    notes = [f"not heard: {failures}"] if failures else []
    notes += dict.fromkeys(answer.note for answer in answers if answer.note)
    return Answer(value, "; ".join(notes), calls)


def _held(reply: Reply, type_: Type) -> Reply:
    """Return a vote with its answer as this panel counts it, or that it is none."""
    if not isinstance(reply, Answer):
        return reply
    try:
        number = exact(reply.value)
    except OverLimit:
        number = None
    match type_, reply.value:
        case YesNoType(), bool():
            return reply
        case OneOfType(options=options), str() if reply.value in options:
            return reply
        case NumberType(), _ if number is not None and type_.holds(number):
            return msgspec.structs.replace(reply, value=number)
        case _:
            return NoAnswer(f"its answer is not {describe(type_)}", reply.calls)


def _settled(
    answers: list[Answer], undecided: int, type_: Type, by: By
) -> bool | str | int | float | Fraction | None:
    """Return what the votes come to, None where they come to nothing."""
    cast = len(answers) + undecided
    if by == "median":
        assert isinstance(type_, NumberType)
        number = _median(sorted(_number(answer) for answer in answers), type_)
        return None if 2 * len(answers) <= cast or number is None else as_json(number)
    value, count = Counter(answer.value for answer in answers).most_common(1)[0]
    enough = count == cast if by == "unanimous" else 2 * count > cast
    if not enough:
        return None
    return as_json(value) if isinstance(value, Fraction) else value  # type: ignore[return-value]


def _number(answer: Answer) -> Fraction:
    assert isinstance(answer.value, Fraction)
    return answer.value


def _median(numbers: list[Fraction], type_: NumberType) -> Fraction | None:
    middle = (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2
    return middle if type_.holds(middle) else None


def as_json(number: Fraction) -> int | float | Fraction:
    """Return a number as JSON would say it, where JSON can say all of it."""
    if number.denominator == 1:
        return int(number)
    return float(number) if exact(float(number)) == number else number


def _tally(answers: list[Answer], undecided: int) -> str:
    """How often each answer was given: `yes twice, no once`, in an order of its own."""
    counts = Counter(
        show_number(answer.value) if isinstance(answer.value, Fraction) else show(answer.value)  # type: ignore[arg-type]
        for answer in answers
    )
    told = [f"{text} {_times(count)}" for text, count in sorted(counts.items())]
    if undecided:
        told.append(f"undecided {_times(undecided)}")
    return ", ".join(told) or "nothing"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
