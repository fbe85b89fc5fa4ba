"""The cases that stand beside the shipped rubrics and the standard library."""

from pathlib import Path

import pytest

from rulesengine.files import check_file
from rulesengine.report.cases import run_case

REPOSITORY = Path(__file__).parents[3]
FILES = sorted(
    path
    for folder in ("rubrics", "stdlib")
    for path in (REPOSITORY / folder).rglob("*.test.rubric")
)
RUBRICS = sorted(
    path
    for folder in ("rubrics", "stdlib")
    for path in (REPOSITORY / folder).rglob("*.rubric")
    if not path.name.endswith(".test.rubric")
)


def _name(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_every_case_holds(path: Path) -> None:
    """A shipped case is a promise."""
    checked = check_file(path)
    assert checked.scope is not None

    failed = [
        case.title
        for case in checked.cases
        if run_case(case, checked.scope, checked.graph).failures
    ]

    assert checked.cases
    assert failed == []


@pytest.mark.parametrize("path", RUBRICS, ids=_name)
def test_every_file_has_cases_beside_it(path: Path) -> None:
    """No rubric and no library is shipped without cases."""
    assert path.with_name(f"{path.stem}.test.rubric") in FILES
