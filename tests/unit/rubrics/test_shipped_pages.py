"""The pages beside shipped rubrics and libraries: what they show is what happens."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from rulesengine.files import check_file
from rulesengine.report.cases import run_case
from rulesengine_cli.main import run

REPOSITORY = Path(__file__).parents[3]
RUBRIC_PAGES = sorted((REPOSITORY / "rubrics").rglob("README.md"))
LIBRARY_PAGE = REPOSITORY / "stdlib" / "README.md"


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize("page", RUBRIC_PAGES, ids=lambda page: page.parent.name)
def test_commands_give_what_is_shown(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    update_expected: bool,
) -> None:
    """Each `$ rubric …` of a page gives the lines below it: its output, then its messages."""
    shutil.copytree(REPOSITORY / "rubrics", tmp_path / "rubrics")
    monkeypatch.chdir(tmp_path)
    text = page.read_text("utf-8")

    actual = text
    for block in blocks(page, "console"):
        lines = []
        for command in re.findall(r"^\$ rubric (.*)$", block, re.MULTILINE):
            run(shlex.split(command))
            output, messages = capsys.readouterr()
            lines.append(f"$ rubric {command}\n{output}{messages}")
        actual = actual.replace(block, "".join(lines))

    if update_expected:
        page.write_text(actual, "utf-8")
    assert actual == page.read_text("utf-8")


def test_examples_of_the_library_hold(tmp_path: Path) -> None:
    """The examples are cases, and they pass."""
    failed = []
    for number, block in enumerate(blocks(LIBRARY_PAGE, "rubric")):
        path = tmp_path / f"example_{number}.test.rubric"
        path.write_text(block, "utf-8")
        checked = check_file(path)
        assert checked.scope is not None
        assert checked.cases
        failed += [
            case.title
            for case in checked.cases
            if run_case(case, checked.scope, checked.graph).failures
        ]

    assert failed == []
