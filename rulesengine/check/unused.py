"""Unused: definitions that nothing uses, fields that no rule reads, options that no item scores."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.check.expressions import expressions
from rulesengine.check.scope import AskDecl, AttributeDecl, FunctionDecl, LetDecl, ParamDecl, Scope
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.evidence.schema import Field
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import walk
from rulesengine.types import OneOfType


def check_unused(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each thing declared and never used. A library's functions are for others."""
    if scope.score is None:
        return []
    used = set(_used(scope))
    for child in scope.children.values():
        if child.comparison is not None:
            ladders = child.comparison.leaves + child.comparison.extras
            used.update(ladder.function.text for ladder in ladders)
            also = child.comparison.schemas + child.comparison.texts
            used.update(name.text for name in also)
    used.update(name.text for ask in scope.asks.values() for name in ask.node.given)
    used.update(
        require.unless.text
        for statement in scope.module.statements
        if isinstance(statement, n.Evidence | n.Score)
        for require in statement.requires
        if require.unless is not None
    )
    return [*_definitions(scope, used), *_fields(scope, used), *_options(scope)]


def _used(scope: Scope) -> Iterator[str]:
    """Every name used outside cases."""
    for expr, context in expressions(scope.module):
        if context.where == "expect":
            continue
        for node in walk(expr):
            if isinstance(node, n.Aggregate):
                yield from (name.text for name in (node.key, *node.per))
            if isinstance(node, n.Reference):
                match scope.meaning(node, context):
                    case AttributeDecl(child=child):
                        yield child.name
                    case ParamDecl(node=param):
                        yield param.name.text
                    case Field(name=name):
                        yield name
                    case LetDecl(node=let):
                        yield let.name.text
                    case _:
                        pass
            if isinstance(node, n.Call):
                decl = scope.function(node.function)
                if isinstance(decl, FunctionDecl | AskDecl) and decl.scope is scope:
                    yield decl.name


def _definitions(scope: Scope, used: set[str]) -> Iterator[Diagnostic]:
    names = [ask.node.name for ask in scope.asks.values()]
    names += [*(let.name for let in scope.definitions.values())]
    names += [param.node.name for param in scope.params.values()]
    for name in names:
        if name.text not in used:
            yield Diagnostic(
                codes.UNUSED_DEFINITION,
                f"nothing uses `{name.text}`",
                name.span,
                help="delete it, or use it in a row",
            )


def _fields(scope: Scope, used: set[str]) -> Iterator[Diagnostic]:
    for field in scope.schema.fields:
        if not field.is_key and field.name not in used:
            yield Diagnostic(codes.UNUSED_FIELD, f"no rule reads `{field.name}`", field.span)


def _options(scope: Scope) -> Iterator[Diagnostic]:
    fixed = {part.fixes for part in scope.all_parts.values() if part.fixes is not None}
    for key in {key for key, _ in fixed}:
        field = scope.schema.by_name[key]
        assert isinstance(field.type, OneOfType)
        for option in field.type.options:
            if (key, option) not in fixed:
                yield Diagnostic(
                    codes.OPTION_WITHOUT_ITEM,
                    f"no item scores `{option}` of `{key}`",
                    field.span,
                    help=f"add `item {option} …`, or take it from the options",
                )
