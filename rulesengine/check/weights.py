"""Weights: what parts are worth adds up to what holds them, exactly.

The parts of one block have points (`worth`) or shares (`weight`), not both. Points add up to those of the block, shares
to 100 %; penalties stand apart, since they only take away.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.scales import constant, limits, out_of, out_of_span
from rulesengine.check.scope import Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import part_nodes
from rulesengine.values import show_number


def check_weights(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each worth that is not above zero and each sum that does not come out.

    Later stages may rely on it: after an empty list every part has its factor.
    """
    score = scope.score
    if score is None:
        return []
    found = list(_bad_stakes(score, scope))
    if found:
        return found
    found.extend(_block(score.parts, score.out_of, "the score", "is out of", scope))
    for part in part_nodes(score.parts):
        if isinstance(part, n.Criterion) and part.parts:
            number = n.Number(span=out_of_span(part), value=out_of(part))
            says = "is worth" if isinstance(part.stake, n.Worth) else "is out of"
            found.extend(_block(part.parts, number, f"`{part.name.text}`", says, scope))
    return found


def score_out_of(scope: Scope) -> Fraction:
    """Return what the total of a checked rubric is out of: what it says, or all its points together."""
    assert scope.score is not None
    if scope.score.out_of is not None:
        return scope.score.out_of.value
    parts = [part for part in scope.score.parts if not is_penalty(part)]
    return sum((out_of(part) * _count(part) for part in parts), Fraction(0))


def factor(part: n.Part, whole: Fraction, scope: Scope) -> Fraction:
    """Return what a result of a part counts, in points of a block that is out of `whole`; below 0 for a penalty."""
    match part.stake:
        case n.Worth():
            counts = Fraction(1)
        case n.Weight(share=share):
            value = constant(share, scope)
            assert value is not None
            counts = value * whole / out_of(part)
    return -counts if is_penalty(part) else counts


def is_penalty(part: n.Part) -> bool:
    """Tell whether a part takes away."""
    return isinstance(part, n.Criterion) and part.is_penalty


def _count(part: n.Part) -> int:
    return len(part.names) if isinstance(part, n.Item) else 1


def _bad_stakes(score: n.Score, scope: Scope) -> Iterator[Diagnostic]:
    if score.out_of is not None and score.out_of.value <= 0:
        yield _not_above(score.out_of.value, score.out_of.span)
    for part in part_nodes(score.parts):
        if out_of(part) <= 0:
            yield _not_above(out_of(part), out_of_span(part))
        if part.range is not None and is_penalty(part) and limits(part)[0] < 0:
            yield Diagnostic(
                codes.BAD_WORTH,
                "a penalty below 0 would give points",
                part.range.span,
                help="let its range begin at 0",
            )
        stake = part.stake
        if isinstance(stake, n.Weight):
            share = constant(stake.share, scope)
            if share is None:
                yield Diagnostic(
                    codes.BAD_WORTH,
                    f"`{stake.share.span.text}` is no fixed number",
                    stake.share.span,
                    help="a weight is made of numbers and params",
                )
            elif share < 0 or (share == 0 and constant(stake.share) is not None):
                yield _not_above(share, stake.share.span)
        if isinstance(part, n.Item) and len(part.names) > 1 and not stake.each:
            what = " ".join(stake.span.text.split())
            yield Diagnostic(
                codes.BAD_WORTH,
                f"`{what}` each, or together?",
                stake.span,
                help=f"write `{what} each`",
            )


def _not_above(value: Fraction, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.BAD_WORTH,
        f"{show_number(value)}: a part is worth more than nothing",
        span,
        help="what takes points away is a row that gives fewer, or a `penalty`",
    )


def _block(
    parts: tuple[n.Part, ...], whole: n.Number | None, what: str, says: str, scope: Scope
) -> Iterator[Diagnostic]:
    """Check the parts of one block against what it is out of."""
    shares = [part for part in parts if isinstance(part.stake, n.Weight)]
    points = [part for part in parts if isinstance(part.stake, n.Worth)]
    if shares and points:
        yield Diagnostic(
            codes.BAD_WORTH,
            "one part has a share, another one points: which of them counts how much?",
            points[0].stake.span,
            labels=(Label(shares[0].stake.span, "a share"),),
            help="give all parts of a block `worth`, or all of them `weight`",
        )
        return
    adding = [part for part in parts if not is_penalty(part)]
    if not adding:
        if parts:
            yield Diagnostic(
                codes.BAD_WORTH,
                f"{what} has penalties only: there is nothing to take away from",
                parts[0].span,
                help="add what gives points",
            )
        return
    if shares:
        if whole is None:
            yield Diagnostic(
                codes.BAD_WORTH,
                f"{what} has shares, and does not say of what",
                shares[0].stake.span,
                help="write `out of 100` behind its keys",
            )
            return
        yield from _shares(adding, what, scope)
    elif whole is not None:
        yield from _points(adding, whole, what, says)


def _shares(parts: list[n.Part], what: str, scope: Scope) -> Iterator[Diagnostic]:
    shares = [_share(part, scope) for part in parts]
    total = sum(
        (share * _count(part) for part, share in zip(parts, shares, strict=True)), Fraction(0)
    )
    if total != 1:
        terms = [
            _times(_percent(share), _count(part)) for part, share in zip(parts, shares, strict=True)
        ]
        adds = f"{' + '.join(terms)} = " if len(terms) > 1 or _count(parts[0]) > 1 else ""
        yield Diagnostic(
            codes.WORTH_DOES_NOT_ADD_UP,
            f"the weights of {what} add up to {adds}{_percent(total)}, not to 100%",
            parts[0].stake.span,
            labels=tuple(
                Label(part.stake.span, term)
                for part, term in zip(parts[1:], terms[1:], strict=True)
            ),
            help=f"that is {_percent(abs(total - 1))} too {'much' if total > 1 else 'little'}",
        )


def _share(part: n.Part, scope: Scope) -> Fraction:
    assert isinstance(part.stake, n.Weight)
    share = constant(part.stake.share, scope)
    assert share is not None
    return share


def _percent(share: Fraction) -> str:
    return f"{_exact(share * 100)}%"


def _times(term: str, count: int) -> str:
    return term if count == 1 else f"{count} × {term}"


def _points(parts: list[n.Part], whole: n.Number, what: str, says: str) -> Iterator[Diagnostic]:
    total = sum((out_of(part) * _count(part) for part in parts), Fraction(0))
    if total != whole.value:
        terms = [_times(_exact(out_of(part)), _count(part)) for part in parts]
        difference = total - whole.value
        adds = terms[0] if terms == [_exact(total)] else f"{' + '.join(terms)} = {_exact(total)}"
        yield Diagnostic(
            codes.WORTH_DOES_NOT_ADD_UP,
            f"{what} {says} {_exact(whole.value)}, its parts add up to {adds}",
            whole.span,
            labels=tuple(
                Label(out_of_span(part), term) for part, term in zip(parts, terms, strict=True)
            ),
            help=f"that is {_exact(abs(difference))} too {'much' if difference > 0 else 'little'}",
        )


def _exact(number: Fraction) -> str:
    """Points as they are written: a sum that is off by a hair is shown to the last digit."""
    return show_number(number, places=60)
