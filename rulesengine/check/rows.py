"""Rows: every input meets one, and every row can be met.

Here is what their text alone shows; what the values of fields rule out is proved on the graph.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.check.scope import Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import part_nodes


def check_rows(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each list of rows that ends open and each row that can never fire."""
    found: list[Diagnostic] = []
    for let in scope.definitions.values():
        if isinstance(let.value, n.Table) and not let.value.is_decision:
            found.extend(_values(let.value.rows))
            found.extend(_rows(let.value.rows, let.value.span))
    for statement in scope.module.statements:
        if isinstance(statement, n.Ladder):
            # What another ladder lends is looked at where it stands.
            for rung in (each for each in statement.rungs if isinstance(each, n.Rung)):
                found.extend(_hidden(rung.rows))
                found.extend(_constant(rung.rows))
            found.extend(_hidden_rungs(statement))
    for part in part_nodes(scope.score.parts) if scope.score is not None else ():
        if isinstance(part, n.Criterion) and part.value is not None:
            continue  # its one row is for a missing value
        if part.rows:
            found.extend(_rows(part.rows, part.span))
    return found


def _rows(rows: tuple[n.Row, ...], span: Span) -> Iterator[Diagnostic]:
    yield from _ends(rows, span)
    yield from _hidden(rows)
    yield from _constant(rows)


def _values(rows: tuple[n.Row, ...]) -> Iterator[Diagnostic]:
    for row in rows:
        if isinstance(row.result, n.Unscored):
            yield Diagnostic(
                codes.OUT_OF_PLACE,
                "a definition has a value, and is not scored",
                row.result.span,
                help="let the rows of a criterion say `unscored`; "
                "a definition without a value there is missing",
            )


def _ends(rows: tuple[n.Row, ...], span: Span) -> Iterator[Diagnostic]:
    if not any(isinstance(row, n.Otherwise) for row in rows):
        yield Diagnostic(
            codes.FALLS_THROUGH,
            "where none of these rows holds, there is no result",
            rows[-1].span if rows else span,
            help="end with `otherwise -> …`",
        )


def _hidden(rows: tuple[n.Row, ...]) -> Iterator[Diagnostic]:
    end: n.Row | None = None
    first: dict[n.Expr, n.Row] = {}
    missing: n.Row | None = None
    for row in rows:
        if isinstance(row, n.WhenMissing):
            if missing is not None:
                yield _never(row, missing, "missing values are covered above")
            missing = missing or row
            continue
        if end is not None:
            yield _never(row, end, "every input that comes this far is taken above")
        if isinstance(row, n.Otherwise):
            end = end or row
        else:
            before = first.setdefault(row.condition, row)
            if before is not row:
                yield _never(row, before, "the same condition stands above")
    names: dict[str, n.Gate] = {}
    for row in rows:
        if isinstance(row, n.Gate):
            before_gate = names.setdefault(row.name.text, row)
            if before_gate is not row:
                yield Diagnostic(
                    codes.DECLARED_TWICE,
                    f"the gate `{row.name.text}` stands twice",
                    row.name.span,
                    labels=(Label(before_gate.name.span, "first here"),),
                )


def _hidden_rungs(ladder: n.Ladder) -> Iterator[Diagnostic]:
    """What an earlier rung leaves nothing for: one that settles all it is tried for, or asks the same already.

    A rung that first asks something may leave anything open: its condition may be missing.
    """
    ends: list[n.Rung] = []
    asked: dict[n.Expr, list[tuple[n.Rung, n.Row]]] = {}
    for rung in ladder.rungs:
        by = next((end for end in ends if _is_tried_for_all_of(end, rung)), None)
        if by is not None:
            lent = isinstance(rung, n.RungsOf)
            own = rung.ladder.function if isinstance(rung, n.RungsOf) else rung.name
            yield Diagnostic(
                codes.NEVER_FIRES,
                f"the rung{'s of' if lent else ''} `{own.text}` {'are' if lent else 'is'} never tried: "
                f"`{by.name.text}` settles all that comes this far",
                own.span,
                labels=(Label(by.span, "what hides it"),),
                help="delete one of the two, or change their order",
            )
        if isinstance(rung, n.RungsOf):
            continue
        first = next((row for row in rung.rows if not isinstance(row, n.WhenMissing)), None)
        covers = any(isinstance(row, n.WhenMissing) for row in rung.rows)
        for row in rung.rows:
            # Beside `when missing` a row that cannot fire still tells whether something is missing.
            if covers or not isinstance(row, n.When):
                continue
            for before, its_row in asked.get(row.condition, []):
                if _is_tried_for_all_of(before, rung):
                    yield _never(row, its_row, "a rung above has the same condition")
                    break
        # Only the first row: one above it may be missing, which leaves the rung at once.
        if isinstance(first, n.When) and _is_settled(first):
            asked.setdefault(first.condition, []).append((rung, first))
        if first is None:
            for row in rung.rows:
                yield Diagnostic(
                    codes.NEVER_FIRES,
                    "this row can never fire: nothing in its rung can be missing",
                    row.span,
                    help="ask for what may be missing: `when candidate is missing -> …`",
                )
        if isinstance(first, n.Otherwise) and _is_settled(first):
            ends.append(rung)


def _is_settled(row: n.Row) -> bool:
    """Whether a row that fires gives a credit, whatever is missing."""
    return isinstance(row.result, n.Points) and isinstance(row.result.value, n.Number)


def _is_tried_for_all_of(one: n.Rung, other: n.Rung | n.RungsOf) -> bool:
    """Whether a rung is tried for every value that another one, or those of another ladder, are tried for."""
    if one.types is None or isinstance(other, n.RungsOf):
        return one.types is None
    kinds = {name.text for name in one.types}
    return other.types is not None and {name.text for name in other.types} <= kinds


def _never(row: n.Row, by: n.Row, why: str) -> Diagnostic:
    return Diagnostic(
        codes.NEVER_FIRES,
        f"this row can never fire: {why}",
        row.span,
        labels=(Label(by.span, "what hides it"),),
        help="delete one of the two, or change their order",
    )


def _constant(rows: tuple[n.Row, ...]) -> Iterator[Diagnostic]:
    for row in rows:
        if isinstance(row, n.When | n.Gate):
            always = _always(row.condition)
            if always is not None:
                verb = "fail" if isinstance(row, n.Gate) else "fire"
                yield Diagnostic(
                    codes.NEVER_FAILS,
                    f"this {'gate' if isinstance(row, n.Gate) else 'row'} "
                    f"{f'can only {verb}' if always else f'can never {verb}'}",
                    row.condition.span,
                    help="a condition compares evidence with something",
                )


def _always(expr: n.Expr) -> bool | None:
    """What a condition without evidence always is, or None."""
    match expr:
        case n.Truth(value=value):
            return value
        case n.Not(operand=operand):
            inner = _always(operand)
            return None if inner is None else not inner
        case n.Logic(parts=()):
            return expr.op != "or"
        case n.Logic(op=op, parts=parts):
            known = [_always(part) for part in parts]
            if op == "and":
                return False if False in known else True if set(known) == {True} else None
            result = True if True in known else False if set(known) == {False} else None
            return result if op == "or" or result is None else not result
        case n.Compare(op=op, left=n.Number(value=one), right=n.Number(value=other)):
            return {
                "=": one == other,
                "!=": one != other,
                "<": one < other,
                "<=": one <= other,
                ">": one > other,
                ">=": one >= other,
            }[op]
        case n.Member(container=n.ListOf(items=()), negated=negated):
            return negated
        case _:
            return None
