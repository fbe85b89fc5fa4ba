"""Decision tables as the definitions that they are: a row of conditions for each of their rows."""

from __future__ import annotations

from typing import Literal

from rulesengine.source import Span
from rulesengine.syntax import nodes as n

ANY = "any"  # a cell that takes all


def as_definition(decide: n.Decide) -> n.Let:
    """Return a decision table as the definition that it is: a row of conditions for each of its rows."""
    # Only where a cell asks for a missing value can the others be met by one that is.
    open_to_missing = [
        any(
            isinstance(choice, n.Missing)
            for row in decide.rows
            for cell in row.cells[number : number + 1]
            for choice in cell.choices
        )
        for number in range(len(decide.inputs))
    ]
    rows: list[n.When | n.WhenMissing | n.Otherwise] = []
    for decision in decide.rows:
        parts = tuple(
            part
            for asked, cell, may_lack in zip(
                decide.inputs, decision.cells, open_to_missing, strict=False
            )
            if (part := _cell_condition(asked, cell, may_lack)) is not None
        )
        result = n.Points(span=decision.result.span, value=decision.result)
        if parts:
            condition = n.Logic(span=decision.span, op="and", parts=parts)
            rows.append(n.When(span=decision.span, condition=condition, result=result, label=None))
        else:
            rows.append(n.Otherwise(span=decision.span, result=result, label=None))
    table = n.Table(span=decide.span, rows=tuple(rows), type=decide.type, is_decision=True)
    return n.Let(span=decide.span, name=decide.name, parameters=None, value=table)


def takes_all(cell: n.Cell) -> bool:
    """Tell whether a cell takes every value."""
    return any(isinstance(c, n.Reference) and c.path.text == ANY for c in cell.choices)


def _cell_condition(asked: n.Expr, cell: n.Cell, may_lack: bool) -> n.Expr | None:
    """What a cell asks of its input; None where it takes all."""
    if takes_all(cell):
        return None
    parts: list[n.Expr] = []
    lacks: list[n.Expr] = []
    for choice in cell.choices:
        match choice:
            case n.Missing(span=span):
                lacks.append(n.IsState(span=span, operand=asked, state="missing"))
            case n.CellComparison(span=span, op=op, number=number):
                parts.append(n.Compare(span=span, op=op, left=asked, right=number))
            case n.CellRange(span=span, low=low, high=high):
                parts.append(n.Between(span=span, operand=asked, low=low, high=high, negated=False))
            case n.ListLiteral() | n.ObjectLiteral():
                pass  # no input is one; the checks say so
            case _:
                parts.append(n.Compare(span=choice.span, op="=", left=asked, right=choice))
    condition = _one(parts, "or", cell.span)
    if condition is not None and may_lack:
        is_missing = n.IsState(span=cell.span, operand=asked, state="missing")
        there = n.Not(span=cell.span, operand=is_missing)
        condition = n.Logic(span=cell.span, op="and", parts=(there, condition))
    return _one([*lacks, *([condition] if condition is not None else [])], "or", cell.span)


def _one(parts: list[n.Expr], op: Literal["and", "or"], span: Span) -> n.Expr | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return n.Logic(span=span, op=op, parts=tuple(parts))
