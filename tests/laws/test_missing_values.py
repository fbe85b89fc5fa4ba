"""Laws of the analysis of missing values: what it lets pass is never missing unanswered."""

import itertools
from collections.abc import Iterator
from typing import Any

from engine import checked, sound
from hypothesis import event, given
from oracle import NotCoveredError, Oracle
from strategies import Plan, Style, plans, rubrics_and_records

from rulesengine.rubric import Rubric

UNCOVERED = Style(covered=False)


@given(rubrics_and_records(UNCOVERED))
def test_what_passes_is_never_missing(both: tuple[Plan, list[dict[str, Any]]]) -> None:
    """Rubrics built without care for missing values either get R305 or never meet one uncovered."""
    plan, records = both
    result = checked(plan.text())
    errors = {d.code.id for d in result.diagnostics if d.severity == "error"}
    assert errors <= {"R305"}

    if not errors:
        Rubric(result).score(records)
        Oracle(plan, records).results()


def small_evidence(plan: Plan) -> Iterator[dict[str, Any]]:
    """Every record over few values of each field, for a plan whose subject is its only key."""
    few: dict[str, list[Any]] = {
        "yes/no": [True, False],
        "number": [0, 2, 20],
        "integer": [0, 3],
        "text": ["", "a", "Straße"],
        "date": ["2024-02-29", "2025-01-01"],
    }
    text = plan.text()
    used = [each for each in plan.fields if not each.is_key and text.count(each.name) > 1]
    choices = []
    for each in used:
        values: list[Any] = list(few.get(each.kind, each.options))
        absent = [None] if each.optional or each.default is not None else []
        values += [None] if each.optional else []  # written as null
        choices.append([*((each.name, value) for value in values), *absent])
    fixed = {
        each.name: few.get(each.kind, each.options)[0]
        for each in plan.fields
        if each not in used and not each.is_key
    }
    for chosen in itertools.islice(itertools.product(*choices), 2000):
        yield {"who": "m"} | fixed | dict(each for each in chosen if each is not None)


def ever_missing(plan: Plan) -> bool:
    """Whether any small evidence shows a condition or result that is missing and not covered."""
    for record in small_evidence(plan):
        try:
            Oracle(plan, [record]).results()
        except NotCoveredError:
            return True
    return False


@given(plans(Style(covered=False, simple_key=True)))
def test_how_strict_it_is(plan: Plan) -> None:
    """Count how often it refuses what small evidence cannot show missing (in the statistics)."""
    result = checked(plan.text())
    refused = any(d.code.id == "R305" for d in result.diagnostics)
    shown = ever_missing(plan)

    event(f"refused: {refused}, shown missing by small evidence: {shown}")
    assert refused or not shown


@given(rubrics_and_records())
def test_covered_plans_are_covered(both: tuple[Plan, list[dict[str, Any]]]) -> None:
    """The oracle, which shares nothing with the analysis, finds nothing missing either."""
    plan, records = both
    sound(plan.text())

    Oracle(plan, records).results()
