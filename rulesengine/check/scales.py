"""Scales: what the rows of a part can give, and that it is what the part is out of."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.scope import PARAMS, ParamDecl, Part, Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.source import Span
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import walk
from rulesengine.values import show_number


class Scale(Struct, frozen=True):
    """The results that a leaf can give: `low` to `high`, and if `values` is there, only those (ascending)."""

    low: Fraction
    high: Fraction
    values: tuple[Fraction, ...] | None

    def holds(self, value: Fraction) -> bool:
        """Whether a result is on the scale."""
        return value in self.values if self.values else self.low <= value <= self.high


def out_of(node: n.Part) -> Fraction:
    """Return what the results of a part are out of: its points, or for a weight 1 or what it says."""
    match node.stake:
        case n.Worth(points=points):
            return points.value
        case n.Weight(out_of=number):
            return Fraction(1) if number is None else number.value


def out_of_span(node: n.Part) -> Span:
    """Return the place that says so."""
    match node.stake:
        case n.Worth(points=points):
            return points.span
        case n.Weight(out_of=number):
            return node.stake.span if number is None else number.span


def limits(node: n.Part) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest result that a part may give."""
    if node.range is not None:
        return node.range.low.value, node.range.high.value
    return Fraction(0), out_of(node)


def scale_of(part: Part) -> Scale:
    """Return the scale of a leaf: the one it declares, or the constants of its rows, or all between its limits."""
    node = part.node
    if node.scale is not None:
        values = tuple(sorted({number.value for number in node.scale}))
        return Scale(values[0], values[-1], values)
    constants = {constant(result) for result in results_of(node)}
    if constants and None not in constants:
        values = tuple(sorted(value for value in constants if value is not None))
        return Scale(values[0], values[-1], values)
    return Scale(*limits(node), None)


def results_of(node: n.Part) -> list[n.Expr]:
    """Return the expressions that give a leaf its results."""
    results = [row.result.value for row in node.rows if isinstance(row.result, n.Points)]
    if isinstance(node, n.Criterion) and node.value is not None:
        results.append(node.value)
    return results


def constant(expr: n.Expr, scope: Scope | None = None) -> Fraction | None:
    """Return the number that an expression always is, where its own text says so, params (with `scope`) included."""
    match expr:
        case n.Number(value=value):
            return value
        case n.Reference() if scope is not None:
            meaning = scope.meaning(expr, PARAMS)
            is_number = isinstance(meaning, ParamDecl) and isinstance(meaning.value, Fraction)
            return meaning.value if is_number else None  # type: ignore[union-attr, return-value]
        case n.Minus(operand=operand):
            inner = constant(operand, scope)
            return None if inner is None else -inner
        case n.Arithmetic(op=op, left=left, right=right):
            one, other = constant(left, scope), constant(right, scope)
            if one is None or other is None or (op == "/" and other == 0):
                return None
            if op == "/":
                return one / other
            return {"+": one + other, "-": one - other, "*": one * other}[op]
        case _:
            return None


def check_scales(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each row outside its part's worth or scale, and each `scale` that is not known."""
    found: list[Diagnostic] = []
    seen: set[int] = set()
    for part in scope.all_parts.values():
        if part.is_leaf:
            found.extend(_scale_words(part))
            if id(part.node) not in seen:  # an item of several names is written once
                seen.add(id(part.node))
                found.extend(_leaf(part))
    return found


def _leaf(part: Part) -> Iterator[Diagnostic]:
    node = part.node
    low, high = limits(node)
    scale = scale_of(part)
    if low > high:
        assert node.range is not None
        yield Diagnostic(
            codes.OUTSIDE_WORTH,
            f"no number lies from {show_number(low)} to {show_number(high)}",
            node.range.span,
            help="the lower end comes first",
        )
        return
    for number in node.scale or ():
        if not low <= number.value <= high:
            yield _outside(number.span, number.value, node)
    for result in results_of(node):
        value = constant(result)
        if value is None:
            continue
        if not low <= value <= high:
            yield _outside(result.span, value, node)
        elif not scale.holds(value):
            assert node.scale is not None
            yield Diagnostic(
                codes.OUTSIDE_WORTH,
                f"this gives {show_number(value)}, which is not on the scale",
                result.span,
                labels=(Label(node.scale[0].span, "the scale"),),
                help="add it to the scale, or change the row",
            )
    if scale.values and scale.high < high and node.range is None and not _adds_up(part):
        yield Diagnostic(
            codes.WORTH_NEVER_REACHED,
            f"`{part.name.text}` is {says(node)} {show_number(out_of(node))}, "
            f"and its best row gives {show_number(scale.high)}",
            out_of_span(node),
            help=f"change what it is {says(node)}, or let a row give it",
        )


def _adds_up(part: Part) -> bool:
    """Whether its results are added up, so that no single one has to come to what it is worth."""
    return any(combine.op.text == "sum" for combine in part.combines)


def says(node: n.Part) -> str:
    """Return the words that say what a part is out of."""
    return "worth" if isinstance(node.stake, n.Worth) else "out of"


def _outside(span: Span, value: Fraction, node: n.Part) -> Diagnostic:
    if node.range is not None:
        low, high = limits(node)
        return Diagnostic(
            codes.OUTSIDE_WORTH,
            f"{show_number(value)} is outside the range from {show_number(low)} to {show_number(high)}",
            span,
            labels=(Label(node.range.span, "the range"),),
        )
    if isinstance(node.stake, n.Weight):
        return Diagnostic(
            codes.OUTSIDE_WORTH,
            f"{show_number(value)} is not between 0 and {show_number(out_of(node))}, which this part is out of",
            span,
            labels=(Label(node.stake.span, "its weight"),),
            help=None
            if node.stake.out_of is not None
            else "the results of a weighted part are from 0 to 1; for others write `weight … out of …`",
        )
    return Diagnostic(
        codes.OUTSIDE_WORTH,
        f"{show_number(value)} is not between 0 and the {show_number(out_of(node))} that this part is worth",
        span,
        labels=(Label(out_of_span(node), "what it is worth"),),
    )


def _word(node: n.Part) -> str:
    return "item" if isinstance(node, n.Item) else "criterion"


def _scale_words(part: Part) -> Iterator[Diagnostic]:
    if scale_of(part).values is not None:
        return
    for combine in part.combines:
        for exclude in combine.excludes:
            for node in walk(exclude.condition):
                if isinstance(node, n.ScaleOf):
                    yield Diagnostic(
                        codes.NO_SCALE,
                        f"the results of `{part.path}` are not a list of constants, so it has no scale",
                        node.span,
                        labels=(Label(part.name.span, "this part"),),
                        help=f"write it: `{_word(part.node)} {part.name.text} "
                        f"{' '.join(part.node.stake.span.text.split())} scale 0, …`",
                    )
