"""Scales: what the rows of a part can give, and that it is what the part is worth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.check.scope import Part, Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.source import Span
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import walk
from rulesengine.values import show_number


class Scale(Struct, frozen=True):
    """The results that a leaf can give: 0 to `worth`, and if `values` is there, only those (ascending)."""

    worth: Fraction
    values: tuple[Fraction, ...] | None

    @property
    def low(self) -> Fraction:
        """The least result."""
        return self.values[0] if self.values else Fraction(0)

    @property
    def high(self) -> Fraction:
        """The greatest result."""
        return self.values[-1] if self.values else self.worth

    def holds(self, value: Fraction) -> bool:
        """Whether a result is on the scale."""
        return value in self.values if self.values else 0 <= value <= self.worth


def scale_of(part: Part) -> Scale:
    """Return the scale of a leaf: the one it declares, or the constants of its rows, or all from 0 to its worth."""
    node = part.node
    worth = node.worth.value
    if node.scale is not None:
        return Scale(worth, tuple(sorted({number.value for number in node.scale})))
    constants = {constant(result) for result in results_of(node)}
    if constants and None not in constants:
        return Scale(worth, tuple(sorted(value for value in constants if value is not None)))
    return Scale(worth, None)


def results_of(node: n.Part) -> list[n.Expr]:
    """Return the expressions that give a leaf its results."""
    results = [row.result.value for row in node.rows if isinstance(row.result, n.Points)]
    if isinstance(node, n.Criterion) and node.value is not None:
        results.append(node.value)
    return results


def constant(expr: n.Expr) -> Fraction | None:
    """Return the number that an expression always is, where its own text says so."""
    match expr:
        case n.Number(value=value):
            return value
        case n.Minus(operand=operand):
            inner = constant(operand)
            return None if inner is None else -inner
        case n.Arithmetic(op=op, left=left, right=right):
            one, other = constant(left), constant(right)
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
    scale = scale_of(part)
    for number in node.scale or ():
        if not 0 <= number.value <= scale.worth:
            yield _outside(number.span, number.value, node)
    for result in results_of(node):
        value = constant(result)
        if value is None:
            continue
        if not 0 <= value <= scale.worth:
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
    if scale.values and scale.high < scale.worth:
        yield Diagnostic(
            codes.WORTH_NEVER_REACHED,
            f"`{part.name.text}` is worth {show_number(scale.worth)}, "
            f"and its best row gives {show_number(scale.high)}",
            node.worth.span,
            help="change what it is worth, or let a row give it",
        )


def _outside(span: Span, value: Fraction, node: n.Item | n.Criterion) -> Diagnostic:
    worth = node.worth.value
    return Diagnostic(
        codes.OUTSIDE_WORTH,
        f"{show_number(value)} is not between 0 and the {show_number(worth)} that this part is worth",
        span,
        labels=(Label(node.worth.span, "what it is worth"),),
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
                        help=f"write it: `{_word(part.node)} {part.name.text} worth "
                        f"{show_number(part.node.worth.value)} scale 0, …`",
                    )
