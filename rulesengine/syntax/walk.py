"""Walks over syntax: every expression inside an expression, and every expression of a file with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from rulesengine.syntax import nodes as n
from rulesengine.syntax.decisions import as_definition


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
        case n.Rungs(rungs=rungs):
            return tuple(each for rung in rungs for each in row_expressions(rung.rows))
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


Where: TypeAlias = Literal["rows", "exclude", "function", "figures", "expect", "params"]
Outermost: TypeAlias = tuple[n.Expr, Where, tuple[n.Parameter, ...]]


def outermost(module: n.Module) -> Iterator[Outermost]:
    """Yield every outermost expression of a file in reading order, where it stands, and the parameters there."""
    for statement in module.statements:
        match statement:
            case n.Let(parameters=parameters, value=value):
                yield value, "rows" if parameters is None else "function", parameters or ()
            case n.Ladder(parameters=parameters, rungs=rungs):
                yield n.Rungs(span=statement.span, rungs=rungs), "function", parameters
            case n.Decide():
                yield as_definition(statement).value, "rows", ()
            case n.ComparisonOf(candidate=candidate, reference=reference, threshold=threshold):
                yield candidate, "rows", ()
                yield reference, "rows", ()
                if threshold is not None:
                    yield threshold, "params", ()
            case n.Evidence(fields=fields, requires=requires):
                for field in fields:
                    if field.otherwise is not None:
                        yield field.otherwise, "rows", ()
                yield from ((require.condition, "rows", ()) for require in requires)
            case n.Score():
                yield from _of_score(statement)
            case n.Rank(value=value):
                yield value, "figures", ()
            case n.Claim(condition=condition):
                yield condition, "figures", ()
            case n.Bands(bands=bands):
                for band in bands:
                    if band.condition is not None:
                        yield band.condition, "figures", ()
            case n.Case(expects=expects):
                for expect in expects:
                    if isinstance(expect, n.Expect):
                        yield expect.condition, "expect", ()
            case _:
                pass


def _of_score(score: n.Score) -> Iterator[Outermost]:
    yield from _excludes(score.combines)
    for part in part_nodes(score.parts):
        if isinstance(part.stake, n.Weight):
            yield part.stake.share, "params", ()
        yield from _excludes(part.combines)
        yield from ((each, "rows", ()) for each in row_expressions(part.rows))
        if isinstance(part, n.Criterion) and part.value is not None:
            yield part.value, "rows", ()
    yield from ((show.value, "figures", ()) for show in score.shows)
    yield from ((require.condition, "figures", ()) for require in score.requires)


def _excludes(combines: tuple[n.Combine, ...]) -> Iterator[Outermost]:
    for combine in combines:
        yield from ((exclude.condition, "exclude", ()) for exclude in combine.excludes)


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
