"""A plan with all its points multiplied by one number."""

from fractions import Fraction
from typing import Any

from attrs import evolve
from strategies import Plan, PlanCombine, PlanPart, PlanRow, decimal


def scaled(plan: Plan, factor: Fraction) -> Plan:
    """Return the plan with all its points times `factor`, and `awarded` divided by it."""

    def combine(each: PlanCombine) -> PlanCombine:
        excludes = tuple((_awarded(condition, factor), why) for condition, why in each.excludes)
        return evolve(each, excludes=excludes)

    def row(each: PlanRow) -> PlanRow:
        return each if each.result is None else evolve(each, result=_result(each.result, factor))

    def part(each: PlanPart) -> PlanPart:
        return evolve(
            each,
            worth=each.worth * factor,
            scale=tuple(value * factor for value in each.scale) if each.scale else None,
            rows=tuple(map(row, each.rows)),
            value=None if each.value is None else _result(each.value, factor),
            parts=tuple(map(part, each.parts)),
            combines=tuple(map(combine, each.combines)),
        )

    return evolve(
        plan,
        combines=tuple(map(combine, plan.combines)),
        parts=tuple(map(part, plan.parts)),
        bands=tuple(
            (
                None if low is None else low * factor,
                None if high is None else high * factor,
                inclusive,
                name,
            )
            for low, high, inclusive, name in plan.bands
        ),
    )


def _result(expr: Any, factor: Fraction) -> Any:
    if expr[0] == "points":
        return ("points", expr[1] * factor)
    return ("arithmetic", "*", expr, ("number", decimal(factor)))


def _awarded(expr: Any, factor: Fraction) -> Any:
    match expr:
        case ("missing" | "given", ("awarded",)):
            return expr
        case ("awarded",):
            return ("arithmetic", "/", expr, ("number", decimal(factor)))
        case ("in" | "not in" as word, item, ("scale",)):
            return (word, ("arithmetic", "*", item, ("number", decimal(factor))), ("scale",))
        case tuple():
            return tuple(_awarded(each, factor) for each in expr)
        case _:
            return expr
