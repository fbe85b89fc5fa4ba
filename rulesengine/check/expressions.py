"""Every expression of a file, with the context that says what its names mean."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.check.scope import EXCLUDE, EXPECT, FIGURES, PARAMS, ROWS, Context
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import part_nodes, row_expressions


def expressions(module: n.Module) -> Iterator[tuple[n.Expr, Context]]:
    """Yield every outermost expression of a file, in reading order."""
    for statement in module.statements:
        match statement:
            case n.Let(parameters=parameters, value=value):
                if parameters is None:
                    yield value, ROWS
                else:
                    yield value, function_context(statement)
            case n.Evidence(requires=requires):
                yield from ((require.condition, ROWS) for require in requires)
            case n.Score(combines=combines, parts=parts, shows=shows, requires=requires):
                yield from _excludes(combines)
                for part in part_nodes(parts):
                    if isinstance(part.stake, n.Weight):
                        yield part.stake.share, PARAMS
                    yield from _excludes(part.combines)
                    yield from ((each, ROWS) for each in row_expressions(part.rows))
                    if isinstance(part, n.Criterion) and part.value is not None:
                        yield part.value, ROWS
                yield from ((show.value, FIGURES) for show in shows)
                yield from ((require.condition, FIGURES) for require in requires)
            case n.Rank(value=value):
                yield value, FIGURES
            case n.Case(expects=expects):
                for expect in expects:
                    if isinstance(expect, n.Expect):
                        yield expect.condition, EXPECT
            case _:
                pass


def function_context(let: n.Let) -> Context:
    """Return the context of a function's body."""
    names = frozenset(parameter.name.text for parameter in let.parameters or ())
    return Context(where="function", parameters=names)


def _excludes(combines: tuple[n.Combine, ...]) -> Iterator[tuple[n.Expr, Context]]:
    for combine in combines:
        yield from ((exclude.condition, EXCLUDE) for exclude in combine.excludes)
