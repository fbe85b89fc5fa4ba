"""`rubric explain`: what it shows of a run, and when it refuses."""

from pathlib import Path

import pytest

from rulesengine_cli import exits
from rulesengine_cli.main import run

RUBRIC = """rubric sample language 1
evidence {
  key who  : text
  key part : one of one, two
  right : yes/no default no
  asked : yes/no default yes
}
score each who out of 20 {
  item one, two worth 10 each {
    gate asked fails when not asked -> 0
    when right -> 10 "right"
    otherwise -> 0 "wrong"
  }
}
"""
EVIDENCE = """{"who": "a", "part": "one", "right": true}
{"who": "a", "part": "two", "asked": false}
{"who": "b", "part": "one"}
{"who": "b", "part": "two", "right": null}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample.rubric").write_text(RUBRIC, "utf-8")
    (tmp_path / "evidence.jsonl").write_text(EVIDENCE, "utf-8")
    return tmp_path


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run `rubric explain` alone; return its exit code, output and messages."""
    capsys.readouterr()
    code = run(["explain", "results.jsonl", *arguments])
    output, messages = capsys.readouterr()
    return code, output, messages


def scored(*arguments: str) -> None:
    run(["score", "sample.rubric", "evidence.jsonl", "-o", "results.jsonl", *arguments])


def test_says_which_row_gave_the_points_and_on_what(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line a record: the row or gate that fired, and what it read."""
    scored()

    code, output, _ = explained(capsys, "who=a")

    assert code == exits.CLEAN
    assert output == (
        "who a\n"
        "10 of 20\n"
        "\n"
        "lines are those of sample.rubric\n"
        "one: 10 of 10  line 9\n"
        '  10 by "right"  [passed asked; right = yes]  line 11\n'
        "two: 0 of 10  line 9\n"
        "  0 by gate asked  [asked = no]  line 10\n"
    )


def test_a_default_is_called_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody observed never reads as if somebody had."""
    scored("--allow-rejects")

    _, output, _ = explained(capsys, "who=b")

    assert '  0 by "wrong"  [passed asked; asked = yes by default; right = no by default]' in output


def test_a_key_of_the_records_picks_parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parts about another value of the key are not shown."""
    scored()

    _, output, _ = explained(capsys, "who=a", "part=two")

    assert ("\none: " in output, "\ntwo: " in output) == (False, True)


def test_tried_shows_every_row_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows that did not hold stand before the one that did."""
    scored()

    _, output, _ = explained(capsys, "who=a", "part=one", "--tried")

    words = [line.split()[0] for line in output.splitlines() if line.startswith("    ")]
    assert words == ["passed", "fired"]


def test_a_subject_that_failed_is_told_as_failed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run is repeated as it was: a lost record is not passed over the second time."""
    scored()

    _, output, _ = explained(capsys, "who=b")

    assert output.splitlines()[:2] == ["who b", "failed"]


def test_results_that_the_evidence_does_not_give_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stored score that was altered is not explained as if it had been worked out."""
    scored()
    results = folder / "results.jsonl"
    results.write_text(
        results.read_text("utf-8").replace('"score_exact":"10"', '"score_exact":"20"')
    )

    code, output, messages = explained(capsys, "who=a")

    assert (code, output, "R602" in messages) == (exits.FINDINGS, "", True)


def test_unknown_keys_and_options_are_usage_errors(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names what there is."""
    scored()

    code, _, messages = explained(capsys, "part=tow")

    assert (code, "it is one of one, two" in messages) == (exits.USAGE, True)


def test_one_kind_of_fault_is_told_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Many records with one fault give one message, with where the others are."""
    bad = '{"who": "a", "part": "one", "right": null}\n{"who": "b", "part": "one", "right": null}\n'
    (folder / "evidence.jsonl").write_text(bad, "utf-8")

    scored()

    messages = capsys.readouterr().err
    assert messages.count("R507") == 1
    assert "the same in 1 other place: evidence.jsonl:2" in messages
