"""`rubric score`: what is written where, what bears the mark of what was lost, and how it ends."""

import csv
import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rulesengine_cli import exits
from rulesengine_cli.main import run

RUBRIC = """rubric sample version "1" language 1
evidence {
  key who    : text
  key source : one of one, two
  right      : yes/no
  conflict   : yes/no default no
}
score each who out of 10 {
  combine source by mean in each item { exclude when conflict "conflict" }
  criterion answer worth 10 { when right -> 10 otherwise -> 0 }
}
bands grade { from 5 -> "high" below 5 -> "low" }
"""
HEADER = "who,source,right,conflict\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a rubric, to work in."""
    monkeypatch.chdir(tmp_path)
    Path("sample.rubric").write_text(RUBRIC, "utf-8")
    return tmp_path


def score(evidence: str, *options: str, name: str = "e.csv") -> int:
    """Score a file with this text."""
    Path(name).write_text(evidence, "utf-8")
    return run(["score", "sample.rubric", name, *options])


def rows(path: str = "r.jsonl") -> dict[str, dict[str, Any]]:
    """The results of a file by `who`."""
    read = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    return {row["subject"]["who"]: row for row in read}


def test_a_short_row_fails_whom_it_names_and_marks_all() -> None:
    """Its keys can be read, but may have moved: the subject fails, and every result says the run is incomplete."""
    code = score(f"{HEADER}a,one,yes,\nb,one,yes,\nb,two,yes\n", "-o", "r.jsonl")

    assert code == exits.FINDINGS
    assert {who: row["status"] for who, row in rows().items()} == {"a": "scored", "b": "failed"}
    assert all(row["degraded"] for row in rows().values())


def test_a_score_without_its_rejects_says_so() -> None:
    """With --allow-rejects the result bears the mark of what it lacks."""
    score(f"{HEADER}a,one,yes,\na,two,maybe,\n", "-o", "r.jsonl", "--allow-rejects")

    assert (rows()["a"]["status"], rows()["a"]["degraded"]) == (
        "scored",
        ["without 1 rejected record"],
    )


def test_a_default_that_holds_throughout_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A column under another name is no silent default."""
    score("who,source,right,coi\na,one,yes,yes\n")

    assert "no record has `conflict`: the default holds throughout" in capsys.readouterr().err


def test_rejects_of_an_earlier_run_do_not_stay() -> None:
    """A run without rejects takes away the file of one that had some."""
    score(f"{HEADER}a,one,maybe,\n", "-o", "r.jsonl")
    before = Path("r.jsonl.rejects.jsonl").exists()
    score(f"{HEADER}a,one,yes,\n", "-o", "r.jsonl")

    assert (before, Path("r.jsonl.rejects.jsonl").exists()) == (True, False)


@pytest.mark.parametrize(
    "options",
    [
        ("-o", "r.xlsx"),
        ("-o", "e.csv"),
        ("-o", "sample.rubric", "--format", "jsonl"),
        ("-o", "r.jsonl", "--rejects", "r.jsonl"),
        ("-o", "missing/r.jsonl"),
    ],
)
def test_what_cannot_be_written_is_refused(options: tuple[str, ...]) -> None:
    """An unknown ending, a file that is read, two things in one file, no folder: exit 2, nothing written over."""
    evidence = f"{HEADER}a,one,yes,\n"

    code = score(evidence, *options)

    assert code == exits.USAGE
    assert (Path("e.csv").read_text("utf-8"), Path("sample.rubric").read_text("utf-8")) == (
        evidence,
        RUBRIC,
    )


def test_results_as_a_table_for_spreadsheets() -> None:
    """CSV has a row a subject, and no cell that a spreadsheet would run."""
    score(f'{HEADER}"=1+1",one,yes,\n"=1+1",two,no,\n', "-o", "r.csv")

    with Path("r.csv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)

    assert (row["who"], row["score"], row["grade"], row["answer"]) == (
        "'=1+1",
        "5.0",
        "high",
        "5.0",
    )


def test_every_way_of_giving_evidence_gives_the_same(folder: Path) -> None:
    """CSV, JSON lines, a JSON list, gzip, a folder, a pattern and many files: one result."""
    records = [
        {"who": "a", "source": "one", "right": True},
        {"who": "a", "source": "two", "right": False},
    ]
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    (folder / "csv").mkdir()
    (folder / "many").mkdir()
    Path("csv/e.csv").write_text(f"{HEADER}a,one,true,\na,two,No,\n", "utf-8")
    Path("e.jsonl").write_text(lines, "utf-8")
    Path("e.json").write_text(json.dumps(records), "utf-8")
    Path("g.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for number, record in enumerate(reversed(records)):
        Path(f"many/{number}.json").write_text(json.dumps(record), "utf-8")
    found = []
    for given in (["csv"], ["e.jsonl"], ["e.json"], ["g.jsonl.gz"], ["many/*.json"], ["many"]):
        code = run(["score", "sample.rubric", *given, "-o", "r.jsonl"])
        found.append((code, Path("r.jsonl").read_text("utf-8")))

    assert len(set(found)) == 1
    assert found[0][0] == exits.CLEAN


@pytest.mark.parametrize("evidence", ["", "\n\n", HEADER])
def test_a_run_without_a_record_is_an_error(evidence: str) -> None:
    """Nothing read is exit 1, never an empty success."""
    assert score(evidence) == exits.FINDINGS


def test_an_unsound_rubric_scores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 3, each error with its place, and nothing on standard output."""
    Path("sample.rubric").write_text(
        RUBRIC.replace("worth 10", "worth 9").replace("right ->", "rihgt ->"), "utf-8"
    )

    code = score(f"{HEADER}a,one,yes,\n", "-o", "r.jsonl")
    output, messages = capsys.readouterr()

    assert (code, output, Path("r.jsonl").exists()) == (exits.UNSOUND, "", False)
    assert all(
        f"sample.rubric:{place}" in messages for place in ("8:23: error R401", "10:35: error R201")
    )


def test_interrupted_leaves_the_old_file() -> None:
    """Ctrl-C ends with 130 and a word, and what stood in the output stands there still."""
    Path("r.jsonl").write_text("old\n", "utf-8")
    command = [
        sys.executable,
        "-m",
        "rulesengine_cli.main",
        "score",
        "sample.rubric",
        "-",
        "-o",
        "r.jsonl",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b'{"who": "a", "source": "one", "right": true}\n')
        process.stdin.flush()
        time.sleep(2)  # it waits for more
        process.send_signal(signal.SIGINT)
        messages = process.stderr.read()
        process.wait(20)

    assert (process.returncode, messages.strip()) == (exits.INTERRUPTED, b"interrupted")
    assert Path("r.jsonl").read_text("utf-8") == "old\n"
    assert [path.name for path in Path().glob(".r.jsonl*")] == []
