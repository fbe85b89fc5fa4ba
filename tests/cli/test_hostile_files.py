"""Files and streams that are hostile or broken: a message, an exit code, and nothing lost or let through."""

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulesengine_cli import exits
from rulesengine_cli.main import run

RUBRIC = """rubric sample version "1" language 1
evidence { key who : text  key r : one of x, y  n : number }
score each who out of 10 {
  combine r by mean in each item
  criterion c worth 10 { when n >= 5 -> 10 otherwise -> 0 }
}
bands g { from 5 -> "ok" below 5 -> "bad" }
"""
GOOD = '{"who": "a", "r": "x", "n": 7}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a rubric and evidence, to work in."""
    monkeypatch.chdir(tmp_path)
    Path("a.rubric").write_text(RUBRIC, "utf-8")
    Path("e.jsonl").write_text(GOOD, "utf-8")


def command(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    line = [sys.executable, "-m", "rulesengine_cli.main", *arguments]
    return subprocess.run(line, capture_output=True, check=False, timeout=60, **options)  # type: ignore[call-overload,no-any-return]


def results(path: str = "r.jsonl") -> dict[str, str]:
    """The status of each subject of a results file."""
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    return {row["subject"]["who"]: row["status"] for row in rows}


def test_nothing_moves_the_cursor_of_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters of evidence, rubric and file names are shown by their code."""
    name = "\x1b[31mred\u202e"
    Path("a.rubric").write_text(RUBRIC.replace("criterion c", f"criterion `c{name}`"), "utf-8")
    record = {"who": name, "r": "x", "n": name, name: 1}
    good = {"who": name, "r": "y", "n": 1, name: 1}
    Path("e.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in (record, good)), "utf-8")

    run(["score", "a.rubric", "e.jsonl", "--format", "table"])
    run(["score", "a.rubric", "e.jsonl", "-o", "r.jsonl", "--allow-rejects"])
    run(["explain", "r.jsonl"])
    run(["check", "a.rubric"])
    shown = "".join(capsys.readouterr())

    assert [sign for sign in ("\x1b", "\u202e") if sign in shown] == []


def test_a_line_of_zeros_does_not_end_a_file() -> None:
    """What a crash leaves in a log is one rejected record; those behind it are read."""
    more = GOOD.replace('"a"', '"b"')
    Path("e.jsonl").write_bytes(GOOD.encode() + b"\0" * 100 + b"\n" + more.encode())

    run(["score", "a.rubric", "e.jsonl", "-o", "r.jsonl"])

    assert results() == {"a": "scored", "b": "scored"}


def test_a_good_record_with_a_rejected_twin_is_rejected() -> None:
    """Of two records with the same keys none counts, also where one of them is faulty."""
    Path("e.jsonl").write_text(GOOD + GOOD.replace("7", '"z"'), "utf-8")

    run(["score", "a.rubric", "e.jsonl", "-o", "r.jsonl", "--allow-rejects"])

    assert results() == {"a": "unscored"}


def test_a_file_of_two_names_is_read_once() -> None:
    """The same file, named in two ways, is no duplicate of itself."""
    code = run(
        ["score", "a.rubric", "e.jsonl", "./e.jsonl", os.path.abspath("e.jsonl"), "-o", "r.jsonl"]
    )

    assert (code, results()) == (exits.CLEAN, {"a": "scored"})


def test_a_pipe_is_read_once() -> None:
    """Evidence from a named pipe is scored; the summary does not open it again, which would wait for ever."""
    os.mkfifo("pipe")
    with subprocess.Popen(["sh", "-c", "cat e.jsonl > pipe"]):
        done = command("score", "a.rubric", "pipe", "-o", "r.jsonl")

    summary = json.loads(Path("r.jsonl.summary.json").read_text("utf-8"))

    assert (done.returncode, results()) == (exits.CLEAN, {"a": "scored"})
    assert summary["evidence"] == [{"path": "pipe", "hash": None}]


def test_results_in_a_folder_of_evidence_are_no_evidence() -> None:
    """A second run over the folder that holds the first one's results reads what the first one read."""
    Path("in").mkdir()
    Path("in/e.jsonl").write_text(GOOD, "utf-8")
    codes = [run(["score", "a.rubric", "in/e*.jsonl", "-o", "in/e-results.json"]) for _ in range(2)]

    assert codes == [exits.CLEAN, exits.CLEAN]


@pytest.mark.parametrize(
    "change",
    [
        {"score": 9.0},
        {"values": {"c": 9.0}},
        {"bands": {"g": "bad"}},
        {"rank": 2},
        {"interval": [0.0, 10.0]},
        {"counts": {}},
        {"excluded": [{}]},
        {"subject": {"who": "b"}},
        {"subject": None},
        {"rubric": None},
    ],
)
def test_results_that_were_edited_are_not_explained(change: dict[str, object]) -> None:
    """Every figure of a stored result is compared with what is worked out again."""
    run(["score", "a.rubric", "e.jsonl", "-o", "r.jsonl"])
    row = json.loads(Path("r.jsonl").read_text("utf-8"))
    Path("r.jsonl").write_text(json.dumps(row | change), "utf-8")

    code = run(["explain", "r.jsonl"])

    assert code in (exits.FINDINGS, exits.USAGE)


@pytest.mark.parametrize("text", ["[" * 100_000, "{}", "", "null", '{"rubric": {"path": 5}}'])
def test_what_is_no_result_and_no_summary_is_told(text: str) -> None:
    """Whatever stands where results or their summary should be: exit 2, and no bug of ours."""
    Path("broken.jsonl").write_text(text, "utf-8")
    run(["score", "a.rubric", "e.jsonl", "-o", "r.jsonl"])
    Path("r.jsonl.summary.json").write_text(text, "utf-8")

    codes = [run(["explain", name]) for name in ("broken.jsonl", "r.jsonl")]

    assert codes == [exits.USAGE, exits.USAGE]


def test_a_damaged_archive_is_told() -> None:
    """Wherever a gzip file is damaged or cut, the run ends with a message."""
    whole = gzip.compress(GOOD.encode() * 50)
    for at in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        Path("e.jsonl.gz").write_bytes(damaged)

        assert run(["score", "a.rubric", "e.jsonl.gz", "-o", "r.jsonl"]) in (
            exits.FINDINGS,
            exits.USAGE,
            exits.CLEAN,  # a byte of the header that says nothing of the text
        )


def test_streams_that_take_nothing() -> None:
    """A full disk and a closed output are no bugs of ours."""
    with Path("/dev/full").open("wb") as full:
        on_full = subprocess.run(
            [sys.executable, "-m", "rulesengine_cli.main", "score", "a.rubric", "e.jsonl"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (on_full.returncode, b"bug" in on_full.stderr) == (exits.USAGE, False)


def test_output_is_utf8_in_any_locale() -> None:
    """Results are the same bytes whatever the terminal is said to be."""
    Path("e.jsonl").write_text(GOOD.replace('"a"', '"é"'), "utf-8")
    environment = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}

    outputs = [
        command("score", "a.rubric", "e.jsonl", env=each).stdout
        for each in (environment, dict(os.environ))
    ]

    assert outputs[0] == outputs[1]
    assert "é".encode() in outputs[0]


@pytest.mark.parametrize(
    "text",
    [
        "let x = 1 +\n" * 3000,
        "\u200b" * 50_000,
        "bands b {" + "".join(f'{k} to {k}.9 -> "{k}" ' for k in range(2000)) + "}",
        "".join(f"criterion c{'{'}" for _ in range(3000)),
        "let a = " + "(" * 5000,
        "let a = n = 0" + " or n = 1" * 2000,
        "let a0 = n > 0\n"
        + "".join(
            f"let a{i} = (m{i % 9} is given and a{i - 1}) or (m{i % 7} is missing and a{i - 1})\n"
            for i in range(1, 30)
        ),
    ],
    ids=["errors", "strays", "bands", "openings", "brackets", "parts", "facts"],
)
def test_checks_of_hostile_rubrics_end(text: str) -> None:
    """Whatever a rubric holds, checking it ends soon: within ten seconds on a busy machine."""
    fields = " ".join(f"m{i} : number?" for i in range(9))
    evidence = f"rubric a language 1\nevidence {{ key who : text n : number {fields} }}\n"
    score = "score each who { criterion c worth 1 { otherwise -> 1 } }\n"
    Path("a.rubric").write_text(evidence + score + text, "utf-8")
    start = time.process_time()

    run(["check", "a.rubric"])

    assert time.process_time() - start < 10
