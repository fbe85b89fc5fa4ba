"""tests/FIELD_FAULTS.md: every file that it names for a fault is there and names the fault, and none is left out."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROW = re.compile(r"^\| ([A-Z][0-9]+) \| .+ \| (.*) \|$", re.MULTILINE)
ROWS = ROW.findall((TESTS / "FIELD_FAULTS.md").read_text("utf-8"))
SUFFIXES = (".rubric", ".py", ".jsonl")


def _names(path: Path, fault: str) -> bool:
    return re.search(rf"\b{fault}\b", path.read_text("utf-8")) is not None


@pytest.mark.parametrize(("fault", "cases"), ROWS, ids=[fault for fault, _ in ROWS])
def test_the_files_of_a_fault_are_those_that_name_it(fault: str, cases: str) -> None:
    """The page lists for a fault each file of the tests that has its id, and no other."""
    listed = re.findall(r"\]\(([^)]+)\)", cases)

    naming = [
        path.relative_to(TESTS).as_posix()
        for path in sorted(TESTS.rglob("*"))
        if path.suffix in SUFFIXES and _names(path, fault)
    ]

    assert sorted(listed) == naming
    assert listed


def test_no_fault_has_two_rows() -> None:
    """Each fault stands once."""
    faults = [fault for fault, _ in ROWS]

    assert faults == list(dict.fromkeys(faults))
    assert len(faults) > 40
