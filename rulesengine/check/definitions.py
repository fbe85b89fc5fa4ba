"""Definitions: following what a definition uses comes to an end, and soon.

What walks expressions follows definitions and functions as if they stood in place of their names, so their depth counts
with that of the expression that uses them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from rulesengine.check.expressions import expressions
from rulesengine.check.scope import FunctionDecl, Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import children, walk

DEEPEST = 150  # levels, definitions spelt out; what walks them recurses some four frames a level


def check_definitions(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each circle of definitions, or else for each expression that is too deep.

    Later stages may rely on it: after an empty list, following definitions ends within DEEPEST levels.
    """
    return list(_findings(scope))


@lru_cache(maxsize=64)  # several stages ask
def _findings(scope: Scope) -> tuple[Diagnostic, ...]:
    found = tuple(_cycles(scope))
    if found:
        return found
    depths = _depths(scope)
    for expr, _ in expressions(scope.module):
        if _depth(expr, scope, depths) > DEEPEST:
            too_deep = Diagnostic(
                codes.TOO_DEEP,
                f"this is more than {DEEPEST} levels deep, definitions spelt out",
                expr.span,
                help="let fewer definitions stand on each other",
            )
            return (too_deep,)  # those that use it are as deep: it is enough to mend the first
    return ()


def _cycles(scope: Scope) -> Iterator[Diagnostic]:
    """Each circle once, step by step; those that share a definition with one are told when it is mended."""
    uses = _uses(scope)
    while True:
        sorter = TopologicalSorter({name: list(by_name) for name, by_name in uses.items()})
        try:
            sorter.prepare()
        except CycleError as error:
            # graphlib gives each name after one that uses it, the first again at the end.
            circle = list(reversed(error.args[1]))
            first = min(range(len(circle) - 1), key=lambda at: list(uses).index(circle[at]))
            names = [*circle[first:-1], *circle[:first], circle[first]]
            steps = list(pairwise(names))
            labels = tuple(
                Label(uses[name][used].span, f"`{name}` uses `{used}` here") for name, used in steps
            )
            yield Diagnostic(
                codes.CYCLE,
                f"`{names[0]}` needs itself: {' -> '.join(names)}",
                labels[0].span,
                labels=labels[1:],
                help="a definition may use only what can be worked out before it",
            )
            uses = {
                name: {used: by for used, by in by_name.items() if used not in names}
                for name, by_name in uses.items()
                if name not in names
            }
        else:
            return


def _uses(scope: Scope) -> dict[str, dict[str, n.Expr]]:
    """For each definition and function of a file, those that it uses, each with the first use.

    A field that a judge stands in for is one too: what the judge is asked may use others.
    """
    found: dict[str, dict[str, n.Expr]] = {}
    for name, value in _bodies(scope).items():
        let = scope.definitions.get(name)
        parameters = {each.name.text for each in (let.parameters or () if let else ())}
        used = found.setdefault(name, {})
        for node in walk(value):
            by = _used(node, scope)
            if by is not None and by not in parameters:
                used.setdefault(by, node)
    return found


@lru_cache(maxsize=64)
def _bodies(scope: Scope) -> dict[str, n.Expr]:
    """What each definition, function and asked field of a file is worked out from."""
    found = {name: let.value for name, let in scope.definitions.items()}
    for statement in scope.module.statements:
        if isinstance(statement, n.Evidence):
            for field in statement.fields:
                if field.otherwise is not None:
                    found.setdefault(field.name.text, field.otherwise)
    return found


def _used(node: n.Expr, scope: Scope) -> str | None:
    """The definition or function of this file that an expression itself names."""
    match node:
        case n.Reference(path=path) if path.text in scope.lets or _is_asked(path.text, scope):
            return path.text
        case n.Call(function=function):
            decl = scope.function(function)
            return decl.name if isinstance(decl, FunctionDecl) and decl.scope is scope else None
        case _:
            return None


def _is_asked(name: str, scope: Scope) -> bool:
    return name in scope.schema.by_name and scope.schema.by_name[name].is_asked


@lru_cache(maxsize=64)
def _depths(scope: Scope) -> dict[str, int]:
    """The depth of each definition and function of a file without circles."""
    depths: dict[str, int] = {}
    bodies = _bodies(scope)
    for name in TopologicalSorter(_uses(scope)).static_order():
        # A file of cases knows the asked fields of its rubric, where their depth was looked at already.
        depths[name] = _depth(bodies[name], scope, depths) if name in bodies else 0
    return depths


def _depth(expr: n.Expr, scope: Scope, depths: dict[str, int]) -> int:
    """The depth of an expression, what it uses spelt out."""
    deepest = 0
    stack = [(expr, 1)]
    while stack:
        node, level = stack.pop()
        below = 0
        name = _used(node, scope)
        if name is not None:
            below = depths.get(name, 0)
        elif isinstance(node, n.Call):
            decl = scope.function(node.function)
            if isinstance(decl, FunctionDecl):
                below = _depths(decl.scope).get(decl.name, 0)
        deepest = max(deepest, level + below)
        stack.extend((child, level + 1) for child in children(node))
    return deepest
