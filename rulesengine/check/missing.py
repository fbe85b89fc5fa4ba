"""Missing: every value that evidence may lack is covered where a condition or a result needs it.

Logic is Kleene's: `x is given and x > 3` is never missing, since a false part settles it. So what a condition
proves counts: in the parts of an `and` that stand beside it, in the row that it guards, and, where it did not hold,
in the rows below.

    when target is missing -> unscored "target missing"
    when link = exact      -> 10          # link needs target, and here target is there

A fact is the name of a field or definition (or `awarded`, or a parameter) that is known to be there. An aggregate is
an operation like any other: over a missing value it is missing, unless its `where` leaves that out; and a mean of
nothing is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulesengine.check.expressions import expressions, function_context
from rulesengine.check.scope import (
    EXCLUDE,
    FIGURES,
    ROWS,
    TOTAL,
    AttributeDecl,
    Context,
    FunctionDecl,
    LetDecl,
    ParameterDecl,
    Part,
    Scope,
)
from rulesengine.check.types import match_arguments
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.evidence.schema import Field
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import children, part_nodes, walk
from rulesengine.types import UnknownType, YesNoType

Facts = frozenset[str]
NOTHING: Facts = frozenset()
MOST_TRIED = 2_000  # definitions looked into, each under one set of facts
AWARDED = (
    ""  # the fact that `awarded` is there; a field may be called so, and none has an empty name
)


def _result(path: str) -> str:
    """The fact that a part has a score; a field may be called like a part, and none has a backquote in its name."""
    return f"`{path}`"


# What needs a value, as a message calls it.
CONDITION, RESULT, EXCLUSION = "the condition", "the result", "what excludes a record"
COMPARED = "what is compared"
CONDITION_OF_BAND = "the condition of the band"
CRITERION, REQUIREMENT = "the criterion", "what is required"
QUESTION = "the question"

SIMILARITY = "similarity"
NOT_OF_NOTHING = {"sum", "count", "all", "any", "none"}  # these have a value where there is nothing


def check_missing(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each condition or result that a missing value can reach uncovered.

    Relies on check_names and check_types having found nothing. Later stages may rely on it: after an empty list no
    condition of a row without `when missing` is ever missing, and no result is.
    """
    if scope.score is None:
        return []
    found: list[Diagnostic] = []
    for statement in scope.module.statements:
        if isinstance(statement, n.Evidence):
            found.extend(_requires(statement.requires, ROWS, scope))
            for field in statement.fields:
                found.extend(_asked(field, scope))
    found.extend(_requires(scope.score.requires, FIGURES, scope))
    found.extend(_bands(scope))
    found.extend(_excludes(scope.score.combines, scope))
    for statement in scope.module.statements:
        if isinstance(statement, n.ComparisonOf):
            for side in (statement.candidate, statement.reference):
                found.extend(_uncovered(side, NOTHING, ROWS, scope, COMPARED))
    for part in part_nodes(scope.score.parts):
        found.extend(_excludes(part.combines, scope))
        found.extend(_rows(part, scope))
    for let in scope.definitions.values():
        if isinstance(let.value, n.Table):
            context = ROWS if let.parameters is None else function_context(let)
            found.extend(_needless(let.value.rows, NOTHING, context, scope))
    found.extend(_pointless(scope))
    return found


def _asked(field: n.Field, scope: Scope) -> Iterator[Diagnostic]:
    """What a judge is told in place of a field is there, so that the field is."""
    if isinstance(field.otherwise, n.Call):
        for argument in field.otherwise.arguments:
            yield from _uncovered(argument.value, NOTHING, ROWS, scope, QUESTION)


def _requires(
    requires: tuple[n.Require, ...], context: Context, scope: Scope
) -> Iterator[Diagnostic]:
    for require in requires:
        yield from _uncovered(require.condition, NOTHING, context, scope, REQUIREMENT)


def _bands(scope: Scope) -> Iterator[Diagnostic]:
    """A band is looked for where there is a score, so then all that is summed is there, unless it is left out."""
    assert scope.score is not None
    parts = list(part_nodes(scope.score.parts))
    known = {_result(TOTAL)}
    if not scope.score.renormalise and not any(
        isinstance(part, n.Criterion) and part.renormalise for part in parts
    ):
        known |= {_result(path) for path in scope.all_parts}
    for bands in scope.bands:
        for band in bands.bands:
            if band.condition is not None:
                yield from _uncovered(
                    band.condition, Facts(known), FIGURES, scope, CONDITION_OF_BAND
                )


class Tried(Struct, frozen=True):
    """A row with the facts that hold where its condition is tried, and where it has fired."""

    row: n.Row
    known: Facts
    inside: Facts


def _tried_rows(
    rows: tuple[n.Row, ...], known: Facts, context: Context, scope: Scope
) -> Iterator[Tried]:
    for row in rows:
        if isinstance(row, n.When | n.Gate):
            holds = known | _proves(row.condition, True, context, scope)
            yield Tried(row, known, holds)
            known = known | _proves(row.condition, False, context, scope)
        else:
            yield Tried(row, known, NOTHING if isinstance(row, n.WhenMissing) else known)


def _rows(part: n.Part, scope: Scope) -> Iterator[Diagnostic]:
    """What of a part's rows, or of its expression, may be missing and is not covered."""
    covered = any(isinstance(row, n.WhenMissing) for row in part.rows)
    value = part.value if isinstance(part, n.Criterion) else None
    if value is not None and not covered:
        yield from _uncovered(value, NOTHING, ROWS, scope, CRITERION)
    for tried in _tried_rows(part.rows, NOTHING, ROWS, scope):
        row = tried.row
        if isinstance(row, n.When | n.Gate) and not covered:
            yield from _uncovered(row.condition, tried.known, ROWS, scope, CONDITION)
        if isinstance(row.result, n.Points) and not (
            covered and not isinstance(row, n.WhenMissing)
        ):
            yield from _uncovered(row.result.value, tried.inside, ROWS, scope, RESULT)
    if value is None or not _may_be_missing(value, NOTHING, ROWS, scope):
        yield from _needless(part.rows, NOTHING, ROWS, scope)


def _needless(
    rows: tuple[n.Row, ...], known: Facts, context: Context, scope: Scope
) -> Iterator[Diagnostic]:
    """`when missing` where nothing can be missing."""
    tried_rows = list(_tried_rows(rows, known, context, scope))
    if any(_is_doubtful(tried, context, scope) for tried in tried_rows):
        return
    for row in rows:
        if isinstance(row, n.WhenMissing):
            yield Diagnostic(
                codes.NEVER_MISSING,
                "no condition and no result of these rows can be missing, so this row never fires",
                row.span,
                help="delete the row",
            )


def _is_doubtful(tried: Tried, context: Context, scope: Scope) -> bool:
    """Whether a row's condition or result may be missing; `when missing` itself is asked about apart."""
    row = tried.row
    if isinstance(row, n.When | n.Gate) and _may_be_missing(
        row.condition, tried.known, context, scope
    ):
        return True
    return (
        not isinstance(row, n.WhenMissing)
        and isinstance(row.result, n.Points)
        and _may_be_missing(row.result.value, tried.inside, context, scope)
    )


def _excludes(combines: tuple[n.Combine, ...], scope: Scope) -> Iterator[Diagnostic]:
    for combine in combines:
        for exclude in combine.excludes:
            yield from _uncovered(exclude.condition, NOTHING, EXCLUDE, scope, EXCLUSION)


def _uncovered(
    expr: n.Expr, known: Facts, context: Context, scope: Scope, what: str
) -> Iterator[Diagnostic]:
    if _may_be_missing(expr, known, context, scope):
        culprits = list(dict.fromkeys(_culprits(expr, known, context, scope)))
        names = " and ".join(f"`{name}`" for name in culprits) or f"`{expr.span.text}`"
        example = culprits[0] if culprits else "…"
        yield Diagnostic(
            codes.MISSING_NOT_COVERED,
            f"{names} may be missing, and {what} does not say what holds then",
            expr.span,
            help="\n".join(_ways_out(example, what)),
        )


def _ways_out(example: str, what: str) -> Iterator[str]:
    """How to say what holds where a value is missing, as far as the place allows it."""
    if what in (CONDITION, RESULT):
        yield f"say it in a row above: `when {example} is missing -> …`"
    if what == CRITERION:
        yield 'say it behind the expression: `when missing -> unscored "…"`'
    if what in (CONDITION, CONDITION_OF_BAND, EXCLUSION, REQUIREMENT):
        yield f"say it in the condition: `{example} is given and …`"
    yield f"give a stand-in: `({example} else …)`"


def _culprits(
    expr: n.Expr, known: Facts, context: Context, scope: Scope, seen: frozenset[str] = frozenset()
) -> Iterator[str]:
    """What may be missing, through definitions too: fields, and aggregates over nothing."""
    match expr:
        case n.Awarded() if AWARDED not in known:
            yield "awarded"
        case n.ScoreOf() if _result(TOTAL) not in known:
            yield TOTAL
        case n.Aggregate(value=value, where=where):
            inner = NOTHING if where is None else _proves(where, True, context, scope)
            if where is not None and _may_be_missing(where, NOTHING, context, scope):
                yield from _culprits(where, NOTHING, context, scope, seen)
            elif _may_be_missing(value, inner, context, scope):
                yield from _culprits(value, inner, context, scope, seen)
            elif _may_be_missing(expr, known, context, scope):
                yield " ".join(expr.span.text.split())
        case n.Reference():
            match scope.meaning(expr, context):
                case Field(name=name, optional=True, is_asked=False) if name not in known:
                    yield name
                case Part(path=path) if _result(path) not in known:
                    yield path
                case AttributeDecl(attribute=attribute) if (
                    attribute.optional and expr.path.text not in known
                ):
                    yield expr.path.text
                case LetDecl(node=let) if let.name.text not in seen | known and _let_may_be_missing(
                    let.name.text, known, scope
                ):
                    seen = seen | {let.name.text}
                    yield from _culprits(let.value, known, ROWS, scope, seen)
                case _:
                    pass
        case _:
            for child in children(expr):
                yield from _culprits(child, known, context, scope, seen)


def _may_be_missing(expr: n.Expr, known: Facts, context: Context, scope: Scope) -> bool:
    """Whether an expression can be missing for some evidence, where the facts in `known` hold."""
    match expr:
        case n.Number() | n.Text() | n.Date() | n.Truth() | n.ScaleOf() | n.IsState():
            return False
        case n.ScoreOf():
            return context.where == "figures" and _result(TOTAL) not in known
        case n.Awarded():
            return AWARDED not in known
        case n.Reference():
            match scope.meaning(expr, context):
                case Field(name=name, optional=optional, is_asked=is_asked):
                    return optional and not is_asked and name not in known
                case LetDecl(node=let):
                    name = let.name.text
                    return name not in known and _let_may_be_missing(name, known, scope)
                case ParameterDecl(name=name):
                    return name not in known
                case AttributeDecl(attribute=attribute):
                    return attribute.optional and expr.path.text not in known
                case Part(path=path):  # it may be unscored
                    return context.where == "figures" and _result(path) not in known
                case _:
                    return False
        case n.Aggregate():
            return _aggregate_may_be_missing(expr, context, scope)
        case n.This(operand=operand):
            return _may_be_missing(operand, NOTHING, context, scope)
        case n.Table(rows=rows):
            return _table_may_be_missing(rows, known, context, scope)
        case n.Rungs():
            return False  # what no rung settles is 0
        case n.Call():
            return _call_may_be_missing(expr, known, context, scope)
        case n.ListOf(items=parts):
            return any(_may_be_missing(part, known, context, scope) for part in parts)
        case n.Logic(op=op, parts=parts):
            return _logic_may_be_missing(op, parts, known, context, scope)
        case n.Not(operand=operand) | n.Minus(operand=operand):
            return _may_be_missing(operand, known, context, scope)
        case (
            n.Compare(left=left, right=right)
            | n.Arithmetic(left=left, right=right)
            | n.TextTest(left=left, right=right)
        ):
            return _may_be_missing(left, known, context, scope) or _may_be_missing(
                right, known, context, scope
            )
        case n.Between():
            return any(_may_be_missing(part, known, context, scope) for part in children(expr))
        case n.Member(item=item, container=container):
            return _may_be_missing(item, known, context, scope) or _may_be_missing(
                container, known, context, scope
            )
        case n.Else(operand=operand, fallback=fallback):
            return _may_be_missing(operand, known, context, scope) and _may_be_missing(
                fallback, known, context, scope
            )


def _aggregate_may_be_missing(expr: n.Aggregate, context: Context, scope: Scope) -> bool:
    """What is known of the record at hand says nothing of the others; what `where` asks holds for each that is left."""
    known = NOTHING
    if expr.where is not None:
        if _may_be_missing(expr.where, NOTHING, context, scope):
            return True
        known = _proves(expr.where, True, context, scope)
    if _may_be_missing(expr.value, known, context, scope) and not _counts_given(
        expr, scope, context
    ):
        return True
    # A list may be empty, and a comparison without rows; a key has a value in each record.
    can_be_empty = (
        expr.where is not None
        or expr.other
        or expr.op == "stdev_sample"
        or expr.key.text in scope.children
    )
    return can_be_empty and expr.op not in NOT_OF_NOTHING


def _counts_given(expr: n.Aggregate, scope: Scope, context: Context) -> bool:
    """`count of x over k` of what is no condition counts where x is there."""
    from rulesengine.check.types import Checker

    if expr.op != "count":
        return False
    type_ = Checker(scope).type_of(expr.value, context)
    return not isinstance(type_, YesNoType | UnknownType)


def _table_may_be_missing(
    rows: tuple[n.Row, ...], known: Facts, context: Context, scope: Scope
) -> bool:
    covers = [row for row in rows if isinstance(row, n.WhenMissing)]
    doubtful = any(
        _is_doubtful(tried, context, scope) for tried in _tried_rows(rows, known, context, scope)
    )
    if not doubtful or not covers:
        return doubtful
    result = covers[0].result
    return isinstance(result, n.Points) and _may_be_missing(result.value, NOTHING, context, scope)


def may_be_missing(expr: n.Expr, scope: Scope) -> bool:
    """Tell whether a value of one record can be missing for some evidence."""
    return _may_be_missing(expr, NOTHING, ROWS, scope)


def _logic_may_be_missing(
    op: str, parts: tuple[n.Expr, ...], known: Facts, context: Context, scope: Scope
) -> bool:
    """An `and` is missing only where no part is false, so what its other parts prove when true is known.

    Only parts that cannot be missing themselves, by what is known already, may prove something.
    """
    simple = [part for part in parts if not _is_nested(part, context, scope)]
    doubtful: list[n.Expr] = simple
    while True:
        rest = [part for part in doubtful if _may_be_missing(part, known, context, scope)]
        left = {id(part) for part in rest}
        settled = [part for part in doubtful if id(part) not in left]
        more = known.union(*(_proves(part, op == "and", context, scope) for part in settled))
        if more == known:
            break
        known, doubtful = more, rest
    # A condition within the condition is looked into once, with what the others prove: to try it again with each
    # new fact would take twice as long with every level.
    for part in parts:
        if _is_nested(part, context, scope):
            if _may_be_missing(part, known, context, scope):
                return True
            known = known | _proves(part, op == "and", context, scope)
    return any(_may_be_missing(part, known, context, scope) for part in rest)


def _is_nested(expr: n.Expr, context: Context, scope: Scope) -> bool:
    """Whether a condition has conditions within, in its own words or behind a name."""
    while True:
        match expr:
            case n.Not(operand=operand):
                expr = operand
            case n.Reference():
                meaning = scope.meaning(expr, context)
                if not isinstance(meaning, LetDecl):
                    return False
                expr, context = meaning.node.value, ROWS
            case _:
                return isinstance(expr, n.Logic | n.Call)


def _call_may_be_missing(expr: n.Call, known: Facts, context: Context, scope: Scope) -> bool:
    decl = scope.function(expr.function)
    if expr.function.text == SIMILARITY:
        return True  # there may be no model to measure it
    if not isinstance(decl, FunctionDecl):
        return any(
            _may_be_missing(argument.value, known, context, scope) for argument in expr.arguments
        )
    names = [parameter.name.text for parameter in decl.node.parameters or ()]
    given, _ = match_arguments(expr, names)
    there = frozenset(
        name
        for name in names
        if name not in given or not _may_be_missing(given[name], known, context, scope)
    )
    return _function_may_be_missing(decl.name, there, decl.scope)


def _proves(expr: n.Expr, holds: bool, context: Context, scope: Scope) -> Facts:
    """What is there where a condition holds; or, with `holds` no, where it does not hold and is not missing."""
    match expr:
        case n.IsState(operand=operand, state=state):
            lacking = (
                ("missing", "unscored") if _is_result(operand, context, scope) else ("missing",)
            )
            asks = (state == "given") if holds else (state in lacking)
            return _needs(operand, context, scope) if asks else NOTHING
        case n.Not(operand=operand):
            return _proves(operand, not holds, context, scope)
        case n.Logic(op=op, parts=parts):
            # `none of` is the opposite of `any of`. All parts of an `and` hold where it does, and none of an `or`
            # where it does not; else one of them decides, and which is not known.
            inner = not holds if op == "none" else holds
            each = [_proves(part, inner, context, scope) for part in parts]
            return NOTHING.union(*each) if (op == "and") == inner else _common(each)
        case n.Between(low=low, high=high, negated=negated) if holds != negated:
            inside = _needs(expr, context, scope)
            return inside | _needs(low, context, scope) | _needs(high, context, scope)
        case n.Reference():
            match scope.meaning(expr, context):
                case LetDecl(node=let):
                    return _let_proves(let.name.text, holds, scope) | {let.name.text}
                case _:
                    return _needs(expr, context, scope)
        case _:
            return _needs(expr, context, scope)


def _is_result(expr: n.Expr, context: Context, scope: Scope) -> bool:
    """Whether a value is a result, which is missing where it is unscored and nowhere else."""
    match expr:
        case n.Awarded() | n.ScoreOf():
            return True
        case n.Reference():
            return isinstance(scope.meaning(expr, context), Part)
        case _:
            return False


def _needs(expr: n.Expr, context: Context, scope: Scope) -> Facts:
    """What must be there for an expression not to be missing."""
    match expr:
        case n.Awarded():
            return frozenset({AWARDED})
        case n.ScoreOf():
            return frozenset({_result(TOTAL)})
        case n.Reference():
            match scope.meaning(expr, context):
                case Field(name=name) | ParameterDecl(name=name):
                    return frozenset({name})
                case Part(path=path):
                    return frozenset({_result(path)})
                case LetDecl(node=let):
                    return _let_needs(let.name.text, scope) | {let.name.text}
                case AttributeDecl():
                    return frozenset({expr.path.text})
                case _:
                    return NOTHING
        case (
            n.Compare(left=left, right=right)
            | n.Arithmetic(left=left, right=right)
            | n.TextTest(left=left, right=right)
        ):
            return _needs(left, context, scope) | _needs(right, context, scope)
        case n.Between(operand=operand):
            # A bound that is missing leaves it open only where the other one does not settle it.
            return _needs(operand, context, scope)
        case n.Member(item=item, container=container):
            return _needs(item, context, scope) | _needs(container, context, scope)
        case n.ListOf(items=items):
            return NOTHING.union(*(_needs(item, context, scope) for item in items))
        case n.Not(operand=operand) | n.Minus(operand=operand):
            return _needs(operand, context, scope)
        case n.Call():
            return _call_needs(expr, context, scope)
        case _:
            return NOTHING


def _call_needs(expr: n.Call, context: Context, scope: Scope) -> Facts:
    decl = scope.function(expr.function)
    if not isinstance(decl, FunctionDecl):
        return NOTHING.union(*(_needs(a.value, context, scope) for a in expr.arguments))
    names = [parameter.name.text for parameter in decl.node.parameters or ()]
    given, _ = match_arguments(expr, names)
    needed = _function_needs(decl.name, decl.scope)
    return NOTHING.union(
        *(_needs(value, context, scope) for name, value in given.items() if name in needed)
    )


# A definition is looked into once for each set of facts, however often it is used: without this, a chain of
# definitions that each use the one before twice would take forever.


@lru_cache(maxsize=4096)
def _let_may_be_missing(name: str, known: Facts, scope: Scope) -> bool:
    # Definitions of definitions, each looked into under other facts, can be more than anyone waits for. What is not
    # looked into counts as missing: then the author is asked to cover it, and no condition is missing unseen.
    tried = _tried(scope)
    tried.append(name)
    if len(tried) > MOST_TRIED:
        return True
    return _may_be_missing(scope.lets[name].value, known, ROWS, scope)


@lru_cache(maxsize=8)
def _tried(scope: Scope) -> list[str]:
    return []


@lru_cache(maxsize=4096)
def _let_proves(name: str, holds: bool, scope: Scope) -> Facts:
    return _proves(scope.lets[name].value, holds, ROWS, scope)


@lru_cache(maxsize=4096)
def _let_needs(name: str, scope: Scope) -> Facts:
    return _needs(scope.lets[name].value, ROWS, scope)


@lru_cache(maxsize=4096)
def _function_may_be_missing(name: str, there: Facts, scope: Scope) -> bool:
    let = scope.functions[name].node
    return _may_be_missing(let.value, there, function_context(let), scope)


@lru_cache(maxsize=4096)
def _function_needs(name: str, scope: Scope) -> Facts:
    let = scope.functions[name].node
    return _needs(let.value, function_context(let), scope)


def _common(sets: list[Facts]) -> Facts:
    return sets[0].intersection(*sets[1:]) if sets else NOTHING


def _pointless(scope: Scope) -> Iterator[Diagnostic]:
    """`is missing` asked of what is always there."""
    for expr, context in expressions(scope.module):
        for node in walk(expr):
            if (
                isinstance(node, n.IsState)
                and node.state == "missing"
                and context.where != "function"
                and not _may_be_missing(node.operand, NOTHING, context, scope)
                and context.where != "expect"
            ):
                yield Diagnostic(
                    codes.NEVER_MISSING,
                    f"`{node.operand.span.text}` is never missing",
                    node.span,
                    help="a field that may be missing is declared with `?`; "
                    "whether one with a default was written, `is given` tells",
                )
