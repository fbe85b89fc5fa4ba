"""BigAIArena's sample, its results worked out a second time from the words of the protocol."""

import csv
import json
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulesengine.diagnostics.codes import BAND_GAP
from rulesengine.files import check_file
from rulesengine.report.explain import explain
from rulesengine.report.result import Result
from rulesengine.report.run import run
from rulesengine.report.to_json import dumps, result_json
from rulesengine.rubric import Rubric, load
from rulesengine_cli.evidence_files import read_records

REPOSITORY = Path(__file__).parents[3]
FOLDER = REPOSITORY / "rubrics" / "bigaiarena"
SAMPLE, SCORES = FOLDER / "sample.jsonl", FOLDER / "scores.csv"
ACCESS, TRUST = ("Q1", "Q2"), ("Q3", "Q4", "Q5", "Q6")
QUESTIONS = (*ACCESS, *TRUST, "Q7", "Q8")


def results(rubric: Rubric, evidence: Path) -> tuple[Result, ...]:
    """Score a file as the command does."""
    records = read_records([str(evidence)], rubric.graph.schema, allow_unknown=False)
    return run(rubric.graph, records).results


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return load(FOLDER / "bigaiarena.rubric")


@pytest.fixture(scope="module")
def sample(rubric: Rubric) -> tuple[Result, ...]:
    return results(rubric, SAMPLE)


@pytest.fixture(scope="module")
def sheets() -> dict[str, list[dict[str, Any]]]:
    """The sample's sheets by respondent, as plain JSON."""
    by_respondent = defaultdict(list)
    for line in SAMPLE.read_text("utf-8").splitlines():
        sheet = json.loads(line)
        by_respondent[sheet["respondent"]].append(sheet)
    return dict(by_respondent)


# ---------------------------------------------------------------------------- the protocol, by hand


def cited(answer: str, target: str) -> int:
    """Points for a link, for links as the sample has them."""

    def same(url: str) -> str:
        bare = re.sub(r"^https?://(www\.)?", "", url)
        return re.sub(r"\?utm_source=\w+$", "", bare).rstrip("/")

    links = [link.rstrip(".,") for link in re.findall(r"https?://[^\s)\]]+", answer)]
    if any(same(link) == same(target) for link in links):
        return 10
    return 5 if any(same(link) == same(target).split("/")[0] for link in links) else 0


def observed(sheet: dict[str, Any]) -> int | str | None:
    """The points that a sheet's own observations give; None for no observation; or why not."""
    question = sheet["question"]
    invented = sheet.get("fabricates", False) and not sheet.get("vindicated", False)
    if question in ACCESS:
        if not {"access", "fabricates", "claims_empty", "vindicated"} & sheet.keys():
            return None
        if invented or sheet.get("claims_empty"):
            return 0
        if "access" not in sheet:
            return "access not recorded"
        half = "partial" if question == "Q1" else "dynamic_table"
        return {"full": 10, half: 5}.get(sheet["access"], 0)
    if question in TRUST:
        facts = {"fabricates", "vindicated", "bends", "generic", "tool_failure", "blank"}
        if not facts & sheet.keys():
            return None
        if invented:
            return 0
        if sheet.get("tool_failure") or sheet.get("bends"):
            return 5
        return 10 if sheet.get("generic") or sheet.get("blank") else 15
    return cited(sheet["answer"], sheet["target"]) if "target" in sheet else None


def valid(sheet: dict[str, Any]) -> int | str:
    """The points with which a sheet counts, or why it does not."""
    scale = (0, 5, 10, 15) if sheet["question"] in TRUST else (0, 5, 10)
    declared, points = sheet.get("declared"), observed(sheet)
    if declared is not None and declared not in scale:
        return "used the wrong scale"
    if declared is not None and isinstance(points, int) and points != declared:
        return "contradicted itself"
    if sheet.get("sheet_respondent", sheet["respondent"]) != sheet["respondent"]:
        return "named another respondent"
    if sheet.get("sheet_phase", sheet.get("phase")) != sheet.get("phase"):
        return "named another phase"
    if sheet.get("cannot_score"):
        return "declared 'Cannot score'"
    if points is not None:
        return points
    return declared if declared is not None else "nothing observed"


def means(sheets: list[dict[str, Any]]) -> dict[str, Fraction]:
    """Each question's mean over the sheets that count."""
    by_question: dict[str, list[int]] = defaultdict(list)
    for sheet in sheets:
        points = valid(sheet)
        if isinstance(points, int):
            by_question[sheet["question"]].append(points)
    return {name: Fraction(sum(each), len(each)) for name, each in sorted(by_question.items())}


def status(total: Fraction) -> str:
    """The status of a total."""
    lower = {95: "Elite Reliability", 90: "High Reliability", 80: "Verified", 40: "Pass"}
    return next((name for end, name in lower.items() if total >= end), "Needs Improvement")


# --------------------------------------------------------------------------------------- the sample


def test_sample_has_every_sheet_once(sheets: dict[str, list[dict[str, Any]]]) -> None:
    """Three respondents, eight questions, four sources."""
    found = {
        name: sorted({(s["question"], s["source"]) for s in each}) for name, each in sheets.items()
    }

    assert dict.fromkeys(sheets, 32) == {name: len(each) for name, each in found.items()}


def test_sample_gives_the_results_beside_it(rubric: Rubric, sample: tuple[Result, ...]) -> None:
    """What `rubric score` wrote is what comes out, but for the fingerprint."""
    expected = [
        json.loads(line) for line in (FOLDER / "expected.jsonl").read_text("utf-8").splitlines()
    ]
    identity = {"name": rubric.name, "version": rubric.version}

    actual = [json.loads(dumps(result_json(result, identity))) for result in sample]

    for row in expected:
        del row["rubric"]["fingerprint"]
    assert expected == actual


def test_every_question_is_the_mean_by_hand(
    sheets: dict[str, list[dict[str, Any]]], sample: tuple[Result, ...]
) -> None:
    """Each question's points are what the protocol's text gives, worked out without the engine."""
    expected = {name: means(each) for name, each in sheets.items()}

    actual = {
        str(result.subject["respondent"]): {
            path.rpartition(".")[2]: value for path, value in result.values.items() if "." in path
        }
        for result in sample
    }

    assert expected == actual


def test_every_total_and_status_is_the_one_by_hand(
    sheets: dict[str, list[dict[str, Any]]], sample: tuple[Result, ...]
) -> None:
    """The total is the sum of the eight questions, and the status follows from it."""
    totals = {name: sum(means(each).values(), Fraction(0)) for name, each in sheets.items()}
    expected = {name: (total, status(total)) for name, total in totals.items()}

    actual = {str(r.subject["respondent"]): (r.score, r.bands["status"]) for r in sample}

    assert expected == actual


def test_every_sheet_that_does_not_count_is_told(
    sheets: dict[str, list[dict[str, Any]]], sample: tuple[Result, ...]
) -> None:
    """Each sheet left out stands in the result, with the reason found by hand."""
    expected = sorted(
        (name, sheet["question"], sheet["source"], why)
        for name, each in sheets.items()
        for sheet in each
        if isinstance(why := valid(sheet), str)
    )

    actual = sorted(
        (str(result.subject["respondent"]), str(keys["question"]), str(keys["source"]), each.reason)
        for result in sample
        for each in (*result.excluded, *result.unscored)
        for keys in [dict(each.keys)]
    )

    assert expected == actual


def test_sample_shows_three_statuses_and_every_reason(sample: tuple[Result, ...]) -> None:
    """No two respondents have one status, and each reason for leaving a sheet out occurs."""
    reasons = {each.reason for result in sample for each in (*result.excluded, *result.unscored)}

    assert (
        3,
        {
            "used the wrong scale",
            "contradicted itself",
            "named another respondent",
            "named another phase",
            "declared 'Cannot score'",
            "nothing observed",
        },
    ) == (len({result.bands["status"] for result in sample}), reasons)


def test_score_sheets_give_the_worked_total(rubric: Rubric) -> None:
    """Plain score sheets in a table, nothing observed: 185/3, two left out."""
    (result,) = results(rubric, SCORES)

    assert (Fraction(185, 3), "Pass", 2) == (
        result.score,
        result.bands["status"],
        len(result.excluded),
    )


def test_score_sheets_add_up_by_hand() -> None:
    """The table itself adds up to 185/3 by the text of the protocol."""
    with SCORES.open(encoding="utf-8", newline="") as stream:
        rows = [
            {name: cell for name, cell in row.items() if cell} for row in csv.DictReader(stream)
        ]
    plain = [
        row
        | ({"declared": int(row["declared"])} if "declared" in row else {})
        | ({"cannot_score": True} if "cannot_score" in row else {})
        for row in rows
    ]

    assert Fraction(185, 3) == sum(means(plain).values(), Fraction(0))


# --------------------------------------------------------------------------------------- the rubric


def test_bands_as_published_have_a_gap(tmp_path: Path) -> None:
    """Written as whole numbers, the bands leave totals without a status, and the check says so."""
    text = (FOLDER / "bigaiarena.rubric").read_text("utf-8")
    head, _, _ = text.partition("bands status")
    published = tmp_path / "bigaiarena.rubric"
    published.write_text(
        head
        + """bands status "Arena status" {
  95 to 100 -> "Elite Reliability"
  90 to 94  -> "High Reliability"
  80 to 89  -> "Verified"
  40 to 79  -> "Pass"
  0 to 39   -> "Needs Improvement"
}
""",
        "utf-8",
    )

    checked = check_file(published)

    assert (False, {BAND_GAP.id}) == (
        checked.is_sound,
        {each.code.id for each in checked.diagnostics if each.severity == "error"},
    )


def test_explanation_names_the_row_of_every_sheet(sample: tuple[Result, ...]) -> None:
    """Each source's line says by which row or gate, or why it was left out."""
    for result in sample:
        lines = re.findall(r"^ +(?:reviewer_\d|examiner): (.*)$", explain(result), re.MULTILINE)

        assert result.records == sum(
            " by " in line or line.startswith("excluded") for line in lines
        )
