"""Walks over syntax: every expression inside an expression, and every expression of a file with its place."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.syntax import nodes as n


def children(expr: n.Expr) -> tuple[n.Expr, ...]:
    """Return the expressions that stand directly inside one, in reading order."""
    match expr:
        case n.Call(arguments=arguments):
            return tuple(argument.value for argument in arguments)
        case n.ListOf(items=items):
            return items
        case n.Logic(parts=parts):
            return parts
        case n.Not(operand=operand) | n.Minus(operand=operand) | n.IsState(operand=operand):
            return (operand,)
        case n.Compare(left=left, right=right) | n.Arithmetic(left=left, right=right):
            return (left, right)
        case n.Member(item=item, container=container):
            return (item, container)
        case n.Between(operand=operand, low=low, high=high):
            return (operand, low, high)
        case n.TextTest(left=left, right=right):
            return (left, right)
        case n.Else(operand=operand, fallback=fallback):
            return (operand, fallback)
        case n.Aggregate(value=value, where=where):
            return (value,) if where is None else (value, where)
        case n.This(operand=operand):
            return (operand,)
        case n.Table(rows=rows):
            return tuple(row_expressions(rows))
        case _:
            return ()


def between_as_comparisons(expr: n.Between) -> n.Logic:
    """Return what `x between a and b` is short for: `x >= a and x <= b`, its `not` left aside."""
    span, operand = expr.span, expr.operand
    return n.Logic(
        span=span,
        op="and",
        parts=(
            n.Compare(span=span, op=">=", left=operand, right=expr.low),
            n.Compare(span=span, op="<=", left=operand, right=expr.high),
        ),
    )


def walk(expr: n.Expr) -> Iterator[n.Expr]:
    """Yield `expr` and then everything inside it, in reading order."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def outermost(module: n.Module) -> Iterator[n.Expr]:
    """Yield every outermost expression of a file, in no order that matters."""
    for statement in module.statements:
        match statement:
            case n.Let(value=value):
                yield value
            case n.Score(combines=combines, parts=parts):
                written = [
                    *combines,
                    *(each for part in part_nodes(parts) for each in part.combines),
                ]
                yield from (exclude.condition for each in written for exclude in each.excludes)
                for part in part_nodes(parts):
                    yield from row_expressions(part.rows)
                    if isinstance(part, n.Criterion) and part.value is not None:
                        yield part.value
            case n.Case(expects=expects):
                yield from (each.condition for each in expects if isinstance(each, n.Expect))
            case _:
                pass


def references(expr: n.Expr) -> Iterator[n.Reference]:
    """Yield every name used in an expression."""
    return (each for each in walk(expr) if isinstance(each, n.Reference))


def row_expressions(rows: tuple[n.Row, ...]) -> Iterator[n.Expr]:
    """Yield every condition and result of rows, in reading order."""
    for row in rows:
        if isinstance(row, n.When | n.Gate):
            yield row.condition
        if isinstance(row.result, n.Points):
            yield row.result.value


def part_nodes(parts: tuple[n.Part, ...]) -> Iterator[n.Part]:
    """Yield every item and criterion, each before what stands in it."""
    for part in parts:
        yield part
        if isinstance(part, n.Criterion):
            yield from part_nodes(part.parts)
