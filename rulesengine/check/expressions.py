"""Every expression of a file, with the context that says what its names mean."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.check.scope import Context
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import outermost


def expressions(module: n.Module) -> Iterator[tuple[n.Expr, Context]]:
    """Yield every outermost expression of a file, in reading order."""
    for expr, where, parameters in outermost(module):
        names = frozenset(parameter.name.text for parameter in parameters)
        yield expr, Context(where=where, parameters=names)


def function_context(let: n.Let) -> Context:
    """Return the context of a function's body."""
    names = frozenset(parameter.name.text for parameter in let.parameters or ())
    return Context(where="function", parameters=names)
