"""Plans: what a run would ask, at the least and at the most, before anything is asked.

At the least it asks what the first evaluation wants that nobody has answered yet. At the most it asks what any answers
may lead to: there, what waits ends no row, no ladder and no condition. A question about what is itself not known, such
as a leaf of a list whose pairing waits for embeddings, has no text yet and is counted alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import field, frozen

from rulesengine.providers.protocols import Question, Reply
from rulesengine.runtime.waves import Asked

T = TypeVar("T")


@frozen(kw_only=True)
class Plan:
    """What a run would ask.

    Attributes:
        least: the questions that are asked in any case.
        most: those that may be asked, with those of `least`.
        unformed: by ask, how many more may be asked whose text hangs on answers.
        known: the questions that were answered before.
        least_texts: the texts that are embedded in any case.
        most_texts: those that may be embedded, with those of `least_texts`.
    """

    least: tuple[Question, ...]
    most: tuple[Question, ...]
    unformed: Counter[str] = field(factory=Counter)
    known: tuple[Question, ...]
    least_texts: tuple[str, ...]
    most_texts: tuple[str, ...]


def planned(
    units: Sequence[Callable[[Asked], T]],
    is_settled: Callable[[T], bool],
    peek: Callable[[Sequence[Question]], dict[Question, Reply]],
    *,
    has_judge: bool,
    has_measure: bool,
) -> Plan:
    """Return what units of work would ask.

    Args:
        units: as for `in_waves`.
        is_settled: likewise.
        peek: looks up the replies that are there already, and asks nobody.
        has_judge: whether the run would have a judge.
        has_measure: whether it would have an embedding model.
    """
    least: dict[Question, None] = {}
    most: dict[Question, None] = {}
    known: dict[Question, None] = {}
    least_texts: dict[str, None] = {}
    most_texts: dict[str, None] = {}
    unformed: Counter[str] = Counter()
    for unit in units:
        asked = Asked(has_judge=has_judge, has_measure=has_measure)
        settled = is_settled(unit(asked))
        while not settled and (found := peek(tuple(asked.questions))):
            known.update(dict.fromkeys(found))
            asked.learn(found, {})
            settled = is_settled(unit(asked))
        if settled:
            continue
        least.update(asked.questions)
        least_texts.update((text, None) for pair in asked.pairs for text in pair)
        asked.explores = True
        asked.learn({}, {})
        unit(asked)
        while found := peek(tuple(asked.questions)):
            known.update(dict.fromkeys(found))
            asked.learn(found, {})
            unit(asked)
        most.update(asked.questions)
        most_texts.update((text, None) for pair in asked.pairs for text in pair)
        unformed.update(asked.unformed)
    return Plan(
        least=tuple(least),
        most=tuple(most | least),
        unformed=unformed,
        known=tuple(known),
        least_texts=tuple(least_texts),
        most_texts=tuple(most_texts | least_texts),
    )
