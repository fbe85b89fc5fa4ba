"""Grain: the score is given for its subject, so every other key is fixed by an item or combined.

A part with rows of its own is judged once for each record, so it varies by every key; an item fixes the key whose
option it is; `combine k` removes k; a part that holds others varies by what they vary by.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.check.scope import EXCLUDE, LetDecl, Part, Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.schema import Field
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import references, walk

OPERATIONS = ("mean",)

Grain = frozenset[str]


def check_grain(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each key that is left over, and for each combine that has nothing to do.

    Later stages may rely on it: after an empty list, the total varies by the subject's keys alone.
    """
    score = scope.score
    if score is None:
        return []
    found: list[Diagnostic] = []
    combines = [*score.combines, *(c for part in scope.all_parts.values() for c in part.combines)]
    for combine in dict.fromkeys(combines):
        found.extend(_names(combine, scope))
    if found:
        return found
    used: set[int] = set()
    leftovers: dict[str, list[Part]] = {}
    grain: Grain = frozenset()
    for part in scope.parts:
        grain = grain | _grain(part, scope, found, used)
    own = [combine for combine in score.combines if not combine.in_each_item]
    for combine in own:
        found.extend(_coarse(combine, grain, "the total", scope))
        grain = _combined(combine, grain, "the total", scope, found)
    for part in scope.all_parts.values():
        if part.is_leaf:
            for key in grain & _grain(part, scope, [], set()):
                leftovers.setdefault(key, []).append(part)
    for key in scope.schema.keys:
        if key in grain - set(scope.subject):
            found.append(_left_over(key, leftovers.get(key, []), score, scope))
    for combine in score.combines:
        if combine.in_each_item and id(combine) not in used:
            found.append(_nothing(combine, "what stands below"))
    return found


def part_grain(part: Part, scope: Scope) -> Grain:
    """Return the keys that a part of a checked rubric varies by."""
    return _grain(part, scope, [], set())


def _grain(part: Part, scope: Scope, found: list[Diagnostic], used: set[int]) -> Grain:
    if part.is_leaf:
        grain = frozenset(scope.schema.keys)
        if part.fixes is not None:
            grain = grain - {part.fixes[0]}
    else:
        grain = frozenset().union(*(_grain(below, scope, found, used) for below in part.parts))
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
                lost = [key for key in _keys_of(node, scope) if key not in grain]
                if lost:
                    yield Diagnostic(
                        codes.NOT_COMBINED,
                        f"`{node.path.text}` varies by {_list(lost)}, {what} does not",
                        node.span,
                        help="write the exclusion into a `combine … in each item`",
                    )


def _keys_of(reference: n.Reference, scope: Scope) -> tuple[str, ...]:
    """The keys that a name varies by."""
    match scope.meaning(reference, EXCLUDE):
        case Field(name=name, is_key=is_key):
            return (name,) if is_key else scope.schema.keys
        case LetDecl(node=node):
            found = {key for each in references(node.value) for key in _keys_of(each, scope)}
            return tuple(key for key in scope.schema.keys if key in found)
        case _:
            return ()


def _names(combine: n.Combine, scope: Scope) -> Iterator[Diagnostic]:
    if combine.key.text not in scope.schema.keys:
        yield Diagnostic(
            codes.NOT_A_KEY,
            f"`{combine.key.text}` is not a key of the evidence",
            combine.key.span,
            help=did_you_mean(combine.key.text, scope.schema.keys)
            or f"the keys are {_list(scope.schema.keys)}",
        )
    if combine.op.text not in OPERATIONS:
        yield Diagnostic(
            codes.UNKNOWN_OPERATION,
            f"no way to combine is called `{combine.op.text}`",
            combine.op.span,
            help=f"there is {_list(OPERATIONS)}",
        )


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
