"""What the runtime asks of a judge and of an embedding model, and what they may say.

Nothing is asked one by one: a wave of evaluation hands over all that it needs, each question once. A judge may answer
in any order and from any thread; each reply is handed on at once, so that a reply that was paid for is kept whatever
becomes of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from rulesengine.diagnostics.short import short
from rulesengine.struct import Struct
from rulesengine.types import Type

HOLE = re.compile(r"\{([^{}\s]+)\}")


class Panel(Struct, frozen=True):
    """How judges agree, as the rubric says it: by `majority`, `unanimous` or `median`; with fewer than `quorum` not."""

    by: Literal["majority", "unanimous", "median"]
    quorum: int = 1


class Question(Struct, frozen=True, kw_only=True):
    """One question, ready to be asked.

    Two questions are the same where all of this but `ask` is: that is only what the rubric calls it.

    Attributes:
        ask: the name of the rubric's `ask`.
        inputs: its parameters with their values as text, in order.
        given: the fields of the record that go along, likewise.
        template: what the judge is asked; `{name}` stands for an input or for what is given.
        type: of the answer.
        blind: the parameters whose order the judge is not to see.
        mirrored: pairs of options, `(better, worse)`: what an answer says, seen from the other side.
        both_orders: whether it is asked in both orders, and undecided where the answers differ.
        panel: how several judges agree on it; None where the rubric leaves that open.
    """

    ask: str
    inputs: tuple[tuple[str, str], ...]
    given: tuple[tuple[str, str], ...]
    template: str
    type: Type
    blind: tuple[str, ...] = ()
    mirrored: tuple[tuple[str, str], ...] = ()
    both_orders: bool = False
    panel: Panel | None = None

    @property
    def said(self) -> str:
        """The question as a message calls it."""
        return f"{self.ask}({', '.join(short(text) for _, text in self.inputs)})"

    @property
    def prompt(self) -> str:
        """What is asked, its holes filled."""
        known = dict(self.inputs + self.given)
        return HOLE.sub(lambda hole: known.get(hole[1], hole[0]), self.template)


class Call(Struct, frozen=True, kw_only=True):
    """One exchange with a model or a person, whatever came of it.

    Attributes:
        model: who was asked, as it calls itself.
        prompt: the text that was sent, whole.
        reply: the text that came back; None where none did.
        error: what went wrong; None where the reply holds an answer.
        input_tokens: those of the prompt, as the provider counted them; None where it does not say.
        output_tokens: those of the reply, likewise.
        cost: in the currency of the price list; None where no price is known.
        seconds: from sending to the last of the reply.
        started: seconds since 1970, by the clock of this machine.
    """

    model: str
    prompt: str
    reply: str | None = None
    error: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: Fraction | None = None
    seconds: float = 0.0
    started: float = 0.0


class Answer(Struct, frozen=True):
    """An answer as JSON would say it: yes or no as a boolean, an option as a text, a number.

    `note` is what weakens it: a judge of a panel that was not heard, a verdict that stood in the evidence.
    """

    value: object
    note: str = ""
    calls: tuple[Call, ...] = ()


class Undecided(Struct, frozen=True):
    """There are replies, and no answer comes of them: a tie, or two orders that gave two answers. Not a failure."""

    why: str
    calls: tuple[Call, ...] = ()


class NoAnswer(Struct, frozen=True):
    """Why a provider gave nothing: an outage, a refusal, a reply without a verdict, an answer that is not on record."""

    why: str
    calls: tuple[Call, ...] = ()


Reply: TypeAlias = Answer | Undecided | NoAnswer
Heard: TypeAlias = Callable[[int, Reply], None]
"""Takes the reply to a question, by its place in what was asked. May be called from any thread."""


@runtime_checkable
class Judge(Protocol):
    """Answers questions.

    `name` says who answers, as far as another answer could come of a change: the model and its settings. Answers are
    kept by it.
    """

    name: str

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask all questions, in any order, and hand on each reply once, as soon as it is there."""
        ...


Vector: TypeAlias = Sequence[float]
"""The direction of a text, not 0; all of one model have the same length."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. `name` is the model with its revision: vectors are kept by it."""

    name: str

    def embed(self, texts: Sequence[str]) -> Sequence[Vector | NoAnswer]:
        """Return the vector of each text, none of which is empty."""
        ...


@runtime_checkable
class Measure(Protocol):
    """Measures how alike two texts are. `name` is as an embedder's."""

    name: str

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Fraction | NoAnswer]:
        """Return the cosine of each pair of texts, from -1 to 1; no text is empty."""
        ...


class Providers(Struct, frozen=True):
    """Those of one run; None where there is none."""

    judge: Judge | None = None
    measure: Measure | None = None


NO_PROVIDERS = Providers()
