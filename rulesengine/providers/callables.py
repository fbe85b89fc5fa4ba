"""Any Python function as a judge or a measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from rulesengine.providers.likeness import Likeness
from rulesengine.providers.protocols import (
    Answer,
    Embedder,
    Heard,
    Judge,
    Measure,
    NoAnswer,
    Providers,
    Question,
    Reply,
    Undecided,
)

Answering: TypeAlias = Callable[[Question], object]
"""Returns the answer to a question, `Undecided` or `NoAnswer`. What it raises is no answer, with the error as why."""

Measuring: TypeAlias = Callable[[str, str], Fraction | NoAnswer | float]
"""Returns the cosine of two texts, from -1 to 1, the same in both orders."""


class EachAsked:
    """A judge that is a function of one question.

    Args:
        function: what answers.
        name: what its answers are kept by.
    """

    def __init__(self, function: Answering, name: str = "function") -> None:
        self.function = function
        self.name = name

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask one question after the other."""
        for index, question in enumerate(questions):
            heard(index, self.reply(question))

    def reply(self, question: Question) -> Reply:
        """Return what the function says."""
        try:
            said = self.function(question)
        except Exception as error:  # the caller's own code, which may do anything
            return NoAnswer(failed(error))
        return said if isinstance(said, Answer | Undecided | NoAnswer) else Answer(said)


class EachMeasured:
    """A measure that is a function of two texts."""

    def __init__(self, function: Measuring, name: str = "function") -> None:
        self.function = function
        self.name = name

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Fraction | NoAnswer]:
        """Measure one pair after the other."""
        return [self.cosine(*pair) for pair in pairs]

    def cosine(self, left: str, right: str) -> Fraction | NoAnswer:
        """Return what the function says; what is no cosine is told where it is used."""
        try:
            return cast("Fraction | NoAnswer", self.function(left, right))
        except Exception as error:  # the caller's own code, which may do anything
            return NoAnswer(failed(error))


def failed(error: Exception) -> str:
    """Return why a provider that raised gave nothing."""
    return f"the provider failed: {type(error).__name__}: {error}"


def providers_of(
    judge: Judge | Answering | None, measure: Measure | Embedder | Measuring | None
) -> Providers:
    """Return the providers that a caller means.

    Args:
        judge: a judge, or a function of one question.
        measure: a measure, an embedder, or a function of two texts.

    Raises:
        TypeError: one of them is none of these.
    """
    return Providers(_judge(judge), _measure(measure))


def _judge(given: Judge | Answering | None) -> Judge | None:
    if given is None or isinstance(given, Judge):
        return given
    if not callable(given):
        raise TypeError(f"a judge has a method `ask`, or is a function of a question: {given!r}")
    return EachAsked(given)


def _measure(given: Measure | Embedder | Measuring | None) -> Measure | None:
    if given is None or isinstance(given, Measure):
        return given
    if isinstance(given, Embedder):
        return Likeness(given)
    if not callable(given):
        raise TypeError(
            f"a measure has a method `cosines` or `embed`, or is a function of two texts: {given!r}"
        )
    return EachMeasured(given)
