"""Questions and judges for the tests of the ledger."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from rulesengine.providers.protocols import Answer, Call, Heard, Question, Reply
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered import Remembered
from rulesengine.types import TEXT, Type


def question(about: object, *, ask: str = "fit", type_: Type = TEXT, **other: object) -> Question:
    """Return a question about something."""
    parts: dict[str, object] = {
        "ask": ask,
        "inputs": (("x", str(about)),),
        "given": (),
        "template": "what of {x}?",
        "type": type_,
    }
    return Question(**(parts | other))  # type: ignore[arg-type]


def paid(value: object, **call: object) -> Answer:
    """Return an answer that came of one call."""
    fields = {"model": "m-1", "prompt": "what?", "reply": str(value), "cost": Fraction(1, 3)}
    return Answer(value, calls=(Call(**(fields | call)),))  # type: ignore[arg-type]


class Says:
    """A judge that is a function of a question, and lists what it was asked."""

    def __init__(self, says: Callable[[Question], Reply], name: str = "judge") -> None:
        self.says = says
        self.name = name
        self.asked: list[str] = []

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Answer in order."""
        for index, each in enumerate(questions):
            self.asked.append(dict(each.inputs)["x"])
            heard(index, self.says(each))


def replies(judge: Remembered | Says, questions: Sequence[Question]) -> list[Reply]:
    """Ask all, and return the replies in the order of the questions."""
    came: dict[int, Reply] = {}
    judge.ask(questions, came.__setitem__)
    return [came[index] for index in range(len(questions))]


def asked_through(path: Path, judge: Says, *questions: Question, scope: str = "") -> list[Reply]:
    """Ask through a ledger that is opened for it."""
    with Ledger(path) as ledger:
        return replies(Remembered(judge, ledger, scope), questions)
