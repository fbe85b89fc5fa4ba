"""grammar/README.md: its examples are sound and their cases hold; those marked with a code report it.

Tables that the page shows stand beside each example.
"""

import re
from pathlib import Path

import pytest

from rulesengine.files import check_file
from rulesengine.report.cases import run_case

PAGE = Path(__file__).parents[1] / "grammar" / "README.md"
BLOCKS = re.findall(
    r"^```rubric(?: error (R[0-9]{3}))?\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S
)
TABLES = re.findall(r"^```csv (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize(("code", "text"), BLOCKS, ids=lambda part: part.split("\n")[0])
def test_an_example_is_as_it_says(code: str, text: str, tmp_path: Path) -> None:
    """Errors and warnings are the one that is named, or none; all cases of a sound example pass."""
    path = tmp_path / "example.rubric"
    path.write_text(text, "utf-8")
    for name, table in TABLES:
        (tmp_path / name).write_text(table, "utf-8")

    checked = check_file(path)
    found = {each.code.id for each in checked.diagnostics if each.severity != "note"}

    assert found == ({code} if code else set())
    if not code:
        assert checked.scope is not None
        failures = [
            failure.message
            for case in checked.cases
            for failure in run_case(case, checked.scope, checked.graph).failures
        ]
        assert failures == []
