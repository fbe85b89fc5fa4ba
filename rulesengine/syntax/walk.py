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


def walk(expr: n.Expr) -> Iterator[n.Expr]:
    """Yield `expr` and then everything inside it, in reading order."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


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
