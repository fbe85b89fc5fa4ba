"""What the runtime asks of a judge and of an embedding model."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from rulesengine.evidence.scan import short
from rulesengine.struct import Struct
from rulesengine.types import Type


class Question(Struct, frozen=True, kw_only=True):
    """One question, ready to be asked.

    Attributes:
        ask: the name of the rubric's `ask`.
        inputs: its parameters with their values as text, in order.
        given: the fields of the record that go along, likewise.
        prompt: what the judge is asked, its holes filled.
        type: of the answer.
        blind: the parameters whose order the judge is not to see.
    """

    ask: str
    inputs: tuple[tuple[str, str], ...]
    given: tuple[tuple[str, str], ...]
    prompt: str
    type: Type
    blind: tuple[str, ...]

    @property
    def said(self) -> str:
        """The question as a message calls it."""
        return f"{self.ask}({', '.join(short(text) for _, text in self.inputs)})"


class NoAnswer(Struct, frozen=True):
    """Why a provider gave nothing: an outage, a refusal, an answer that is not on record."""

    why: str


class Judge(Protocol):
    """Answers questions."""

    def answer(self, question: Question) -> object | NoAnswer:
        """Return the answer as JSON would say it: yes or no as a boolean, an option as a text, a number."""
        ...


class Measure(Protocol):
    """Measures how alike two texts are."""

    def cosine(self, left: str, right: str) -> Fraction | NoAnswer:
        """Return the cosine of two texts, from -1 to 1."""
        ...


class Providers(Struct, frozen=True):
    """Those of one run; None where there is none."""

    judge: Judge | None = None
    measure: Measure | None = None


NO_PROVIDERS = Providers()
