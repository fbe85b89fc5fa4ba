"""Shape: a file holds the statements that its kind needs, and no others."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.syntax import nodes as n

_WORD: dict[type, str] = {
    n.About: "about",
    n.Use: "use",
    n.Param: "param",
    n.Ask: "ask",
    n.Ladder: "ladder",
    n.ComparisonOf: "compare",
    n.Decide: "decide",
    n.Claim: "claim",
    n.Rank: "rank",
    n.Evidence: "evidence",
    n.Let: "let",
    n.Score: "score",
    n.Bands: "bands",
    n.Case: "case",
}
_ONCE = (n.About, n.Evidence, n.Score)


def check_shape(module: n.Module) -> list[Diagnostic]:
    """Return what the file lacks, has twice, or cannot have.

    Later stages may rely on it: a rubric has one evidence with at least one key, and one score with parts.
    """
    match module.header:
        case n.RubricHeader():
            return [*_twice(module), *_lacks(module)]
        case n.LibraryHeader():
            return [
                *_twice(module),
                *_foreign(module, (n.About, n.Use, n.Let, n.Ask, n.Ladder, n.Case), "a library"),
            ]
        case n.CasesHeader():
            return [*_twice(module), *_foreign(module, (n.About, n.Case), "a file of cases")]


def _twice(module: n.Module) -> Iterator[Diagnostic]:
    first: dict[type, n.Statement] = {}
    for statement in module.statements:
        kind = type(statement)
        before = first.setdefault(kind, statement)
        if kind in _ONCE and before is not statement:
            yield Diagnostic(
                codes.DECLARED_TWICE,
                f"a file has one `{_WORD[kind]}` statement",
                statement.span,
                labels=(Label(before.span, "the first one"),),
            )


def _foreign(module: n.Module, allowed: tuple[type, ...], what: str) -> Iterator[Diagnostic]:
    for statement in module.statements:
        if not isinstance(statement, allowed):
            yield Diagnostic(
                codes.WRONG_STATEMENT,
                f"{what} has no `{_WORD[type(statement)]}` statement",
                statement.span,
                help=f"it can hold {', '.join(f'`{_WORD[kind]}`' for kind in allowed)}",
            )
        if isinstance(statement, n.Let) and statement.parameters is None:
            yield Diagnostic(
                codes.WRONG_STATEMENT,
                f"`{statement.name.text}` of a library needs parameters",
                statement.span,
                help="a library has no evidence of its own: what it works on comes in by parameters",
            )


def _lacks(module: n.Module) -> Iterator[Diagnostic]:
    evidence = next((s for s in module.statements if isinstance(s, n.Evidence)), None)
    score = next((s for s in module.statements if isinstance(s, n.Score)), None)
    if evidence is None:
        yield Diagnostic(
            codes.MISSING_STATEMENT,
            "the rubric does not say what its evidence is",
            module.header.span,
            help="add `evidence { key name : text … }`",
        )
    elif not any(field.is_key for field in evidence.fields):
        yield Diagnostic(
            codes.MISSING_STATEMENT,
            "the evidence has no key",
            evidence.span,
            help="a key says what a record is about: `key respondent : text`",
        )
    if score is None:
        yield Diagnostic(
            codes.MISSING_STATEMENT,
            "the rubric does not say what it scores",
            module.header.span,
            help="add `score each name out of 100 { … }`",
        )
    elif not score.parts:
        yield Diagnostic(
            codes.MISSING_STATEMENT,
            "the score has no criterion and no item",
            score.span,
            help='add `criterion name "Title" worth 100 { when … -> …  otherwise -> … }`',
        )
    for each in module.statements:
        if isinstance(each, n.Score):
            yield from _empty_parts(each.parts)
        if isinstance(each, n.Bands) and not each.bands:
            yield Diagnostic(
                codes.MISSING_STATEMENT,
                f"the bands block `{each.name.text}` holds no band",
                each.span,
                help='add `from 90 -> "High"`',
            )


def _empty_parts(parts: tuple[n.Part, ...]) -> Iterator[Diagnostic]:
    for part in parts:
        inside = part.rows or (isinstance(part, n.Criterion) and (part.parts or part.value))
        if not inside:
            word = "item" if isinstance(part, n.Item) else "criterion"
            yield Diagnostic(
                codes.MISSING_STATEMENT,
                f"this {word} has no rows",
                part.span,
                help="add `when … -> …` and `otherwise -> …`",
            )
        if isinstance(part, n.Criterion):
            if part.parts and part.scale is not None:
                yield Diagnostic(
                    codes.WRONG_STATEMENT,
                    f"the criterion `{part.name.text}` has parts, so their scales make its own",
                    part.scale[0].span,
                    help="delete `scale`, or write it into the parts",
                )
            if part.parts and part.rows:
                yield Diagnostic(
                    codes.WRONG_STATEMENT,
                    f"the criterion `{part.name.text}` has both parts and rows",
                    part.rows[0].span,
                    help="put the rows into a criterion of their own beside the other parts",
                )
            yield from _empty_parts(part.parts)
