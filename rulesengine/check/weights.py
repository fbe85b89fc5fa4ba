"""Weights: what parts are worth adds up to what holds them, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.scope import Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import part_nodes
from rulesengine.values import show_number


def check_weights(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each worth that is not above zero and each sum that does not come out.

    Later stages may rely on it: after an empty list a total lies between 0 and `out of`.
    """
    score = scope.score
    if score is None:
        return []
    found = list(_bad_worths(score))
    if found:
        return found
    if score.out_of is not None:
        found.extend(_sum(score.parts, score.out_of, "the score", "is out of"))
    for part in part_nodes(score.parts):
        if isinstance(part, n.Criterion) and part.parts:
            found.extend(_sum(part.parts, part.worth, f"`{part.name.text}`", "is worth"))
    return found


def worth_of(part: n.Part) -> Fraction:
    """Return what a written part adds to the whole, all its names together."""
    return part.worth.value * (len(part.names) if isinstance(part, n.Item) else 1)


def _bad_worths(score: n.Score) -> Iterator[Diagnostic]:
    numbers = [part.worth for part in part_nodes(score.parts)]
    if score.out_of is not None:
        numbers.append(score.out_of)
    for number in numbers:
        if number.value <= 0:
            yield Diagnostic(
                codes.BAD_WORTH,
                f"{show_number(number.value)} points: a part is worth more than nothing",
                number.span,
                help="what takes points away is a row that gives fewer",
            )
    for part in part_nodes(score.parts):
        if isinstance(part, n.Item) and len(part.names) > 1 and not part.each:
            yield Diagnostic(
                codes.BAD_WORTH,
                f"{show_number(part.worth.value)} points each, or together?",
                part.worth.span,
                help=f"write `worth {show_number(part.worth.value)} each`",
            )


def _sum(parts: tuple[n.Part, ...], whole: n.Number, what: str, says: str) -> Iterator[Diagnostic]:
    total = sum((worth_of(part) for part in parts), Fraction(0))
    if total != whole.value:
        terms = [_term(part) for part in parts]
        difference = total - whole.value
        adds = terms[0] if terms == [_exact(total)] else f"{' + '.join(terms)} = {_exact(total)}"
        yield Diagnostic(
            codes.WORTH_DOES_NOT_ADD_UP,
            f"{what} {says} {_exact(whole.value)}, its parts add up to {adds}",
            whole.span,
            labels=tuple(Label(part.worth.span, _term(part)) for part in parts),
            help=f"that is {_exact(abs(difference))} too {'much' if difference > 0 else 'little'}",
        )


def _term(part: n.Part) -> str:
    worth = _exact(part.worth.value)
    count = len(part.names) if isinstance(part, n.Item) else 1
    return worth if count == 1 else f"{count} × {worth}"


def _exact(number: Fraction) -> str:
    """Points as they are written: a sum that is off by a hair is shown to the last digit."""
    return show_number(number, places=60)
