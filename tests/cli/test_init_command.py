"""`rubric init`: what it writes is sound, laid out, tested and scores; nothing is written over."""

import csv
import tomllib
from pathlib import Path

import pytest
import yaml

from rulesengine_cli import exits
from rulesengine_cli.init import CONFIGURATION, FILES
from rulesengine_cli.main import run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)


def written() -> set[str]:
    """The names of all files below the folder that is started."""
    return {
        path.relative_to("mine").as_posix() for path in Path("mine").rglob("*") if path.is_file()
    }


def test_it_writes_a_whole_project() -> None:
    """Every file that it promises, and no other."""
    code = run(["init", "mine"])

    assert (code, written()) == (exits.CLEAN, {*FILES, CONFIGURATION})


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "mine"],
        ["fmt", "--check", "mine"],
        ["test", "mine"],
        ["score", "mine/protocol.rubric", "mine/evidence.csv"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_it_writes_is_well(arguments: list[str]) -> None:
    """The project passes each command that its CI runs, and its evidence scores."""
    run(["init", "mine"])

    assert run(arguments) == exits.CLEAN


def test_its_rubric_has_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    """A starter has not even a warning."""
    run(["init", "mine"])
    capsys.readouterr()
    run(["check", "mine"])

    assert capsys.readouterr().out.splitlines() == [
        "mine/protocol.rubric: sound",
        "mine/protocol.test.rubric: sound",
    ]


def test_every_answer_of_its_evidence_has_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    """No sheet is rejected; a reader is left out where the sheet says so."""
    run(["init", "mine"])
    capsys.readouterr()
    run(["score", "mine/protocol.rubric", "mine/evidence.csv", "--format", "csv"])
    rows = csv.DictReader(capsys.readouterr().out.splitlines())

    assert [(row["answer"], row["score"], row["grade"]) for row in rows] == [
        ("A1", "18.0", "good"),
        ("A2", "8.0", "poor"),
        ("A3", "8.0", "poor"),
    ]


def test_its_settings_can_be_read() -> None:
    """CI and hooks run what a project has to hold; the configuration names what lies there."""
    run(["init", "mine"])
    workflow = yaml.safe_load(Path("mine/.github/workflows/rubric.yml").read_text("utf-8"))
    hooks = yaml.safe_load(Path("mine/.pre-commit-config.yaml").read_text("utf-8"))
    project = tomllib.loads(Path("mine/rubric.toml").read_text("utf-8"))["project"]
    steps = [step.get("run", "") for step in workflow["jobs"]["rubric"]["steps"]]
    entries = {hook["entry"] for repo in hooks["repos"] for hook in repo["hooks"]}

    assert [step for step in steps if step.startswith("rubric ")] == [
        "rubric check .",
        "rubric fmt --check .",
        "rubric test .",
    ]
    assert entries == {"rubric fmt", "rubric check", "rubric test ."}
    assert project["name"] == "mine"
    assert {project["rubric"], *project["evidence"]} <= written()


@pytest.mark.parametrize("name", [*FILES, CONFIGURATION])
def test_it_writes_over_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where one of its files is there already, none is written, and the message names it."""
    path = Path("mine") / name
    path.parent.mkdir(parents=True)
    path.write_text("mine", "utf-8")
    code = run(["init", "mine"])

    assert (code, written(), path.read_text("utf-8")) == (exits.USAGE, {name}, "mine")
    assert name in capsys.readouterr().err


def test_other_files_of_a_folder_stay() -> None:
    """A folder with something in it can be started in."""
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("mine", "utf-8")
    code = run(["init", "mine"])

    assert code == exits.CLEAN
    assert Path("mine/notes.txt").read_text("utf-8") == "mine"


def test_a_file_is_no_folder() -> None:
    """The name of a file is told as a mistake."""
    Path("mine").write_text("mine", "utf-8")

    assert run(["init", "mine"]) == exits.USAGE
