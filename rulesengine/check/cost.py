"""Cost: what a rubric may do for one record is bounded, and known before it runs.

Functions never recurse, but each may call the one before it twice, so the work is counted with every call spelt out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulesengine.check.expressions import expressions
from rulesengine.check.scope import FunctionDecl, Scope
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import walk

MOST_STEPS = 100_000  # operations in one expression, calls spelt out


def check_cost(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each expression that takes more than MOST_STEPS operations.

    What calls a function that takes too many itself is not told again.
    """
    return [
        Diagnostic(
            codes.TOO_COSTLY,
            f"this takes more than {MOST_STEPS:,} steps, with every call spelt out",
            expr.span,
            help="give what is worked out more than once a name with `let`",
        )
        for expr, _ in expressions(scope.module)
        if _steps(expr, scope) > MOST_STEPS
        and not any(
            _function_steps(decl.name, decl.scope) > MOST_STEPS for decl in _called(expr, scope)
        )
    ]


def _called(expr: n.Expr, scope: Scope) -> Iterator[FunctionDecl]:
    for node in walk(expr):
        if isinstance(node, n.Call):
            decl = scope.function(node.function)
            if isinstance(decl, FunctionDecl):
                yield decl


def _steps(expr: n.Expr, scope: Scope) -> int:
    own = sum(1 for _ in walk(expr))
    return own + sum(_function_steps(decl.name, decl.scope) for decl in _called(expr, scope))


@lru_cache(maxsize=4096)
def _function_steps(name: str, scope: Scope) -> int:
    return _steps(scope.functions[name].node.value, scope)
