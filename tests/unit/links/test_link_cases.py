"""Links of many kinds, thought up from the published rule alone, apart from the code that judges them."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from rulesengine import load
from rulesengine.links.cite import cited

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("cases.jsonl").read_text("utf-8").splitlines()
]
POINTS = {"none": 0, "domain": 5, "exact": 10}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_judges_links_of_every_kind(case: dict[str, str]) -> None:
    """Each text links to its target as well as the published rule says."""
    assert cited(case["answer"], case["target"]).level == case["expected"]


def test_the_shipped_rubric_gives_the_points() -> None:
    """The same texts, as answers to Q7 of as many respondents, get 10, 5 and 0 points."""
    records = [
        {
            "respondent": case["id"],
            "question": "Q7",
            "source": "examiner",
            "answer": case["answer"],
            "target": case["target"],
        }
        for case in CASES
    ]
    expected = {case["id"]: Fraction(POINTS[case["expected"]]) for case in CASES}

    results = load("bigaiarena").score(records).results

    assert {each.subject["respondent"]: each.values["citation.Q7"] for each in results} == expected
