"""Grain: the keys that a value varies by; the score is given for its subject, so every other key has to go.

A field varies by every key of the record, or by those that `per` names; a key by itself; an expression by what its
parts vary by. `OP of X over k` removes k, and so does `combine k`; an item fixes the key whose option it is; a part
that holds others varies by what they vary by.

A part with rows of its own is judged once for each record, unless it reads an aggregate or a `per` field: then it
varies by what it reads, and by the subject, since it is the subject that gets the points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rulesengine.check.expressions import expressions
from rulesengine.check.scope import (
    EXCLUDE,
    FIGURES,
    ROWS,
    AttributeDecl,
    Context,
    LetDecl,
    Part,
    Scope,
)
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.schema import Field
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import children, row_expressions, walk

OPERATIONS = ("mean", "median", "min", "max", "sum")  # that `combine` knows
KEPT = (*OPERATIONS, "stdev_sample", "stdev_population", "median_record", "each")

Grain = frozenset[str]
NONE: Grain = frozenset()


def check_grain(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each key that is left over, and for each combine that has nothing to do.

    Later stages may rely on it: after an empty list, the total varies by the subject's keys alone, and so does
    what the score shows and ranks by.
    """
    score = scope.score
    if score is None:
        return []
    found = [*_pers(scope), *_aggregates(scope)]
    combines = [*score.combines, *(c for part in scope.all_parts.values() for c in part.combines)]
    for combine in dict.fromkeys(combines):
        found.extend(_names(combine, scope))
    if found:
        return found
    used: set[int] = set()
    leftovers: dict[str, list[Part]] = {}
    grain: Grain = NONE
    for part in scope.parts:
        grain = grain | _grain(part, scope, found, used)
    for combine in n.combines_of(scope.own_steps):
        found.extend(_coarse(combine, grain, "the total", scope))
        grain = _combined(combine, grain, "the total", scope, found)
    for part in scope.all_parts.values():
        if part.is_leaf:
            for key in grain & _grain(part, scope, [], set()):
                leftovers.setdefault(key, []).append(part)
    for key in scope.dimensions:
        if key in grain - set(scope.subject):
            found.append(_left_over(key, leftovers.get(key, []), score, scope))
    for combine in score.combines:
        if combine.in_each_item and id(combine) not in used:
            found.append(_nothing(combine, "what stands below"))
    return found or [*_figures(scope), *_ranks(scope)]


# ------------------------------------------------------------------------------------------------ grain of values


def grain_of(expr: n.Expr, context: Context, scope: Scope) -> Grain:
    """Return the keys that an expression varies by."""
    match expr:
        case n.Reference():
            return _grain_of_name(expr, context, scope)
        case n.ScoreOf():
            return total_grain(scope)
        case n.Aggregate(key=key, other=other):
            inner = inner_grain(expr, context, scope)
            return inner if other else inner - {key.text}
        case _:
            return union(children(expr), context, scope)


def inner_grain(expr: n.Aggregate, context: Context, scope: Scope) -> Grain:
    """Return the keys that an aggregate's own value varies by, and those that it says it is for."""
    inner = grain_of(expr.value, context, scope)
    if expr.where is not None:
        inner = inner | grain_of(expr.where, context, scope)
    return inner | {name.text for name in expr.per}


def union(exprs: Iterable[n.Expr], context: Context, scope: Scope) -> Grain:
    """Return the keys that any of several expressions varies by."""
    return NONE.union(*(grain_of(each, context, scope) for each in exprs))


def _grain_of_name(reference: n.Reference, context: Context, scope: Scope) -> Grain:
    match scope.meaning(reference, context):
        case Field(name=name, is_key=is_key, per=per):
            if is_key:
                return frozenset({name})
            return frozenset(scope.schema.keys if per is None else per)
        case LetDecl(node=node):
            return let_grain(node.name.text, scope)
        case AttributeDecl(child=child):
            return child_grain(child.name, scope) | {child.name}
        case Part() as part:
            return part_grain(part, scope)
        case _:
            return NONE


@lru_cache(maxsize=256)
def child_grain(name: str, scope: Scope) -> Grain:
    """Return the keys that the rows of a child grain as a whole vary by."""
    child = scope.children[name]
    if child.comparison is None:
        per = child.field.per if child.field is not None else None
        return frozenset(scope.schema.keys if per is None else per)
    node = child.comparison
    inputs = [node.candidate, node.reference]
    typed = [
        n.Reference(span=each.span, path=n.Path(span=each.span, names=(each,)))
        for each in (*node.schemas, *node.texts)
    ]
    return union([*inputs, *typed], ROWS, scope)


@lru_cache(maxsize=4096)
def let_grain(name: str, scope: Scope) -> Grain:
    """Return the keys that a definition varies by."""
    return grain_of(scope.lets[name].value, ROWS, scope)


def part_grain(part: Part, scope: Scope) -> Grain:
    """Return the keys that a part of a checked rubric varies by."""
    return _grain(part, scope, [], set())


@lru_cache(maxsize=64)
def total_grain(scope: Scope) -> Grain:
    """Return the keys that the total of a checked rubric varies by."""
    grain = NONE.union(*(part_grain(part, scope) for part in scope.parts))
    return grain - {combine.key.text for combine in n.combines_of(scope.own_steps)}


def leaf_grain(part: Part, scope: Scope) -> Grain:
    """Return the keys that the rows of a part, or its expression, vary by."""
    exprs = leaf_expressions(part)
    grain = union(exprs, ROWS, scope)
    if any(_is_coarse(each, scope) for each in exprs):
        return grain | frozenset(scope.subject)
    return grain | frozenset(scope.schema.keys)


def leaf_expressions(part: Part) -> list[n.Expr]:
    """Return every expression of a leaf."""
    exprs = list(row_expressions(part.node.rows))
    if isinstance(part.node, n.Criterion) and part.node.value is not None:
        exprs.append(part.node.value)
    return exprs


def _is_coarse(expr: n.Expr, scope: Scope) -> bool:
    """Whether an expression reads what is not a value of one record."""
    for node in walk(expr):
        if isinstance(node, n.Aggregate):
            return True
        if isinstance(node, n.Reference):
            match scope.meaning(node, ROWS):
                case Field(per=per) if per is not None:
                    return True
                case LetDecl(node=let) if _is_coarse_let(let.name.text, scope):
                    return True
                case _:
                    pass
    return False


@lru_cache(maxsize=4096)
def _is_coarse_let(name: str, scope: Scope) -> bool:
    return _is_coarse(scope.lets[name].value, scope)


def _grain(part: Part, scope: Scope, found: list[Diagnostic], used: set[int]) -> Grain:
    if part.is_leaf:
        grain = leaf_grain(part, scope)
        if part.fixes is not None:
            if part.fixes[0] not in grain:
                found.append(
                    Diagnostic(
                        codes.NOTHING_TO_COMBINE,
                        f"`{part.path}` stands for one `{part.fixes[0]}`, and what it reads does not vary by that",
                        part.name.span,
                        help="write a `criterion`, or read what varies",
                    )
                )
            grain = grain - {part.fixes[0]}
    else:
        grain = NONE.union(*(_grain(below, scope, found, used) for below in part.parts))
    for combine in part.combines:
        if (
            combine.in_each_item
            and combine not in part.node.combines
            and combine.key.text not in grain
        ):
            continue  # written above for all parts; this one has no such key left
        used.add(id(combine))
        fixed = frozenset(part.fixes[:1] if part.fixes else ())
        of_records = part.is_leaf and grain | fixed == frozenset(scope.schema.keys)
        if not of_records:
            found.extend(_coarse(combine, grain, f"`{part.path}`", scope))
        grain = _combined(combine, grain, f"`{part.path}`", scope, found)
    return grain


def _combined(
    combine: n.Combine, grain: Grain, what: str, scope: Scope, found: list[Diagnostic]
) -> Grain:
    if combine.key.text not in grain:
        found.append(_nothing(combine, what))
    elif combine.key.text in scope.subject:
        found.append(
            Diagnostic(
                codes.NOTHING_TO_COMBINE,
                f"the score is given for each `{combine.key.text}`, so it cannot be combined",
                combine.key.span,
            )
        )
    return grain - {combine.key.text}


def _coarse(combine: n.Combine, grain: Grain, what: str, scope: Scope) -> Iterator[Diagnostic]:
    """What excludes a result that stands for several records may read only keys that it still varies by."""
    for exclude in combine.excludes:
        for node in walk(exclude.condition):
            if isinstance(node, n.ScaleOf):
                yield Diagnostic(
                    codes.NO_SCALE,
                    f"{what} is made of several results, so it has no scale",
                    node.span,
                    help="write the exclusion into a `combine … in each item`",
                )
            elif isinstance(node, n.Reference):
                varies = grain_of(node, EXCLUDE, scope)
                lost = [key for key in scope.dimensions if key in varies - grain]
                if lost:
                    yield Diagnostic(
                        codes.NOT_COMBINED,
                        f"`{node.path.text}` varies by {_list(lost)}, {what} does not",
                        node.span,
                        help="write the exclusion into a `combine … in each item`",
                    )


def _names(combine: n.Combine, scope: Scope) -> Iterator[Diagnostic]:
    if combine.key.text not in scope.dimensions:
        yield _no_key(combine.key, scope)
    if combine.op.text not in OPERATIONS:
        yield Diagnostic(
            codes.UNKNOWN_OPERATION,
            f"no way to combine is called `{combine.op.text}`",
            combine.op.span,
            help=did_you_mean(combine.op.text, OPERATIONS) or f"there is {_list(OPERATIONS)}",
        )
    for kept in combine.keep:
        if kept.text not in KEPT:
            yield Diagnostic(
                codes.UNKNOWN_OPERATION,
                f"nothing that can be kept is called `{kept.text}`",
                kept.span,
                help=did_you_mean(kept.text, KEPT) or f"there is {_list(KEPT)}",
            )
    quorum = combine.quorum
    if quorum is not None and (quorum.value.denominator != 1 or quorum.value < 1):
        yield Diagnostic(codes.BAD_NUMBER, "a quorum is a whole number above 0", quorum.span)


def _nothing(combine: n.Combine, what: str) -> Diagnostic:
    return Diagnostic(
        codes.NOTHING_TO_COMBINE,
        f"{what} does not vary by `{combine.key.text}`: there is nothing to combine",
        combine.span,
        help="it is fixed by an item, combined already, or written in a part that has none",
    )


def _left_over(key: str, parts: list[Part], score: n.Score, scope: Scope) -> Diagnostic:
    shown = parts[:3]
    names = _list([part.path for part in shown]) + (" and others" if len(parts) > 3 else "")
    verb = "varies" if len(parts) == 1 else "vary"
    subject = " and ".join(f"`{each}`" for each in scope.subject) or "nothing"
    return Diagnostic(
        codes.NOT_COMBINED,
        f"{names} {verb} by `{key}`, the score by {subject}",
        score.subject[0].span,
        labels=tuple(Label(part.name.span, f"varies by `{key}`") for part in shown),
        help=f"combine it: `combine {key} by mean in each item`",
    )


def _list(names: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# ------------------------------------------------------------------------------- `per`, aggregates, shows and ranks


def _pers(scope: Scope) -> Iterator[Diagnostic]:
    for statement in scope.module.statements:
        if isinstance(statement, n.Evidence):
            for require in statement.requires:
                if _is_coarse(require.condition, scope):
                    yield Diagnostic(
                        codes.OUT_OF_PLACE,
                        "what is required of each record can read that record only",
                        require.condition.span,
                        help="write the `require` into `score`",
                    )
            for field in statement.fields:
                for key in field.per or ():
                    if key.text not in scope.schema.keys:
                        yield _no_key(key, scope)


def _no_key(name: n.Name, scope: Scope) -> Diagnostic:
    return Diagnostic(
        codes.NOT_A_KEY,
        f"`{name.text}` is not a key of the evidence",
        name.span,
        help=did_you_mean(name.text, scope.dimensions) or f"the keys are {_list(scope.dimensions)}",
    )


def _aggregates(scope: Scope) -> Iterator[Diagnostic]:
    for expr, context in expressions(scope.module):
        for node in walk(expr):
            if isinstance(node, n.Aggregate):
                yield from _aggregate(node, context, scope)


def _aggregate(node: n.Aggregate, context: Context, scope: Scope) -> Iterator[Diagnostic]:
    if context.where in ("function", "params", "exclude", "expect"):
        yield Diagnostic(
            codes.OUT_OF_PLACE,
            f"`{node.op} of … over …` means nothing here",
            node.span,
            help="give it a name with `let`, and use the name",
        )
        return
    keys = [node.key, *node.per]
    unknown = [key for key in keys if key.text not in scope.dimensions]
    inner = grain_of(node.value, context, scope)
    said = {key.text for key in keys}
    if unknown:
        yield _no_key(unknown[0], scope)
    elif node.key.text in {key.text for key in node.per}:
        yield Diagnostic(
            codes.NOTHING_TO_COMBINE,
            f"`{node.key.text}` is rolled up, so the result is not for each of them",
            node.per[0].span,
        )
    elif not node.per and _reads_keys_only(node.value, context, scope):
        others = [key for key in scope.schema.keys if key != node.key.text]
        yield Diagnostic(
            codes.NOT_COMBINED,
            f"`{node.value.span.text}` is a key: among which records is it looked at?",
            node.span,
            help=f"say for each what: `over {node.key.text} per {others[0] if others else '…'}`",
        )
    elif node.per and not inner_grain(node, context, scope) <= said:
        left = [k for k in scope.dimensions if k in inner_grain(node, context, scope) - said]
        yield Diagnostic(
            codes.NOT_COMBINED,
            f"this varies by {_list(left)} too",
            node.span,
            help=f"roll that up first, or add `per {left[0]}`",
        )
    elif node.key.text not in inner:
        yield Diagnostic(
            codes.NOTHING_TO_COMBINE,
            f"`{node.value.span.text}` does not vary by `{node.key.text}`: there is nothing to combine",
            node.key.span,
            help="it is the same for each of them; use it as it is",
        )


def _reads_keys_only(expr: n.Expr, context: Context, scope: Scope) -> bool:
    for node in walk(expr):
        if isinstance(node, n.Aggregate | n.ScoreOf):
            return False
        if isinstance(node, n.Reference):
            match scope.meaning(node, context):
                case Field(is_key=False) | Part() | AttributeDecl():
                    return False
                case LetDecl(node=let) if not _reads_keys_only(let.value, ROWS, scope):
                    return False
                case _:
                    pass
    return True


def _figures(scope: Scope) -> Iterator[Diagnostic]:
    score = scope.score
    assert score is not None
    for show in score.shows:
        yield from _too_fine(show.value, f"`{show.name.text}`", scope)
    for bands in scope.bands:
        for band in bands.bands:
            if band.condition is not None:
                yield from _too_fine(band.condition, f'the band "{band.name}"', scope, by="any")
    for claim in scope.module.statements:
        if isinstance(claim, n.Claim):
            yield from _claim(claim, scope)


RECORD = "record"  # what a claim calls all keys together


def claim_keys(claim: n.Claim, scope: Scope) -> tuple[str, ...]:
    """Return the keys that a claim is about."""
    names = [name.text for name in claim.keys]
    return scope.schema.keys if names == [RECORD] else tuple(names)


def _claim(claim: n.Claim, scope: Scope) -> Iterator[Diagnostic]:
    keys = claim_keys(claim, scope)
    unknown = [name for name in claim.keys if name.text not in (*scope.dimensions, RECORD)]
    if unknown:
        yield _no_key(unknown[0], scope)
        return
    varies = grain_of(claim.condition, FIGURES, scope)
    left = [key for key in scope.dimensions if key in varies - set(keys)]
    if left:
        yield Diagnostic(
            codes.BAD_CLAIM,
            f"the claim is about each {_list(keys)}, and what it says varies by {_list(left)} too",
            claim.condition.span,
            help="say `each record`, or roll that up",
        )


def _ranks(scope: Scope) -> Iterator[Diagnostic]:
    for rank in scope.ranks:
        names = [*rank.keys, *rank.within]
        unknown = [name for name in names if name.text not in scope.schema.keys]
        if unknown:
            yield _no_key(unknown[0], scope)
        elif {name.text for name in names} != set(scope.subject):
            yield Diagnostic(
                codes.NOT_COMBINED,
                f"the ranking is by {_list([name.text for name in names])}, the score is given for each "
                f"{_list(scope.subject)}",
                rank.keys[0].span,
                help="name each key of the score once: what is ranked, and `per` the others",
            )
        else:
            yield from _too_fine(rank.value, "the ranking", scope)
        keep = rank.keep
        if keep is not None and (keep.value.denominator != 1 or keep.value < 1):
            yield Diagnostic(codes.BAD_NUMBER, "what is kept is a whole number above 0", keep.span)


def _too_fine(value: n.Expr, what: str, scope: Scope, by: str = "mean") -> Iterator[Diagnostic]:
    varies = grain_of(value, FIGURES, scope)
    left = [key for key in scope.dimensions if key in varies - set(scope.subject)]
    if left:
        yield Diagnostic(
            codes.NOT_COMBINED,
            f"{what} varies by {_list(left)}, the score by {_list(scope.subject)}",
            value.span,
            help=f"combine it: `{by} of ({value.span.text}) over {left[0]}`",
        )
