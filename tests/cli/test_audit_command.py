"""`rubric audit`: figures that add up, in every format, and nothing that a terminal or a spreadsheet obeys."""

import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet
import pytest
from ledgers import Says, asked_through, paid, question

from rulesengine.providers.protocols import Answer, Call, NoAnswer, Question, Reply, Undecided
from rulesengine_cli import exits
from rulesengine_cli.main import run

EVIL = "=HYPERLINK(1)\x1b[31m\u202e"


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger of two judges and two asks, with failures and hits."""
    monkeypatch.chdir(tmp_path)

    def says(asked: Question) -> Reply:
        about = dict(asked.inputs)["x"]
        match about:
            case "fails":
                return NoAnswer("503", (Call(model="m-1", prompt="p", seconds=2.0),))
            case "tie":
                return Undecided("a tie")
            case _:
                return paid(about, reply=EVIL, input_tokens=10, output_tokens=1, seconds=0.5)

    path = Path("a.ledger")
    first = [question("a"), question("b"), question("fails"), question("tie", ask="grade")]
    asked_through(path, Says(says, "large"), *first)
    asked_through(path, Says(says, "large"), *first)
    unpriced = Answer("a", calls=(Call(model="m-2", prompt=EVIL, reply="a"),))
    asked_through(path, Says(lambda _: unpriced, "small"), question("a"))


LINES = {
    ("large", "fit"): (4, 2, 0, 2, 1, 2, 20, 2, "2/3", 2, 5.0),
    ("large", "grade"): (0, 0, 1, 0, 0, 1, 0, 0, None, 0, 0.0),
    ("small", "fit"): (1, 1, 0, 0, 0, 0, 0, 0, None, 1, 0.0),
}


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command, which does well, and return what it wrote."""
    code = run(["audit", "a.ledger", *arguments])
    out, err = capsys.readouterr()

    assert code == exits.CLEAN, err
    return out


def test_figures_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Every call, answer, failure and hit is counted once, per judge and per ask; costs are exact."""
    account = json.loads(said(capsys, "--format", "json"))
    lines = {(line["judge"], line["ask"]): tuple(line.values())[3:] for line in account["lines"]}

    assert lines == LINES
    assert tuple(account["total"].values()) == (5, 3, 1, 2, 1, 3, 20, 2, "2/3", 3, 5.0)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--ask", "grade"], {("large", "grade")}),
        (["--judge", "smal"], {("small", "fit")}),
        (["--errors"], {("large", "fit")}),
        (["--judge", "large", "--ask", "fit"], {("large", "fit")}),
        (["--judge", "small", "--errors"], set()),
    ],
)
def test_filters(
    capsys: pytest.CaptureFixture[str], arguments: list[str], expected: set[tuple[str, str]]
) -> None:
    """Each leaves the lines that it names."""
    account = json.loads(said(capsys, "--format", "json", *arguments))

    assert expected == {(line["judge"], line["ask"]) for line in account["lines"]}


def test_calls_are_listed_alike_in_all_formats(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON, CSV and Parquet hold the same calls; a formula is none in CSV."""
    in_json = json.loads(said(capsys, "--calls", "--format", "json"))
    in_csv = list(csv.DictReader(io.StringIO(said(capsys, "--calls", "--format", "csv"))))
    said(capsys, "--calls", "-o", "a.parquet")
    in_parquet = pyarrow.parquet.read_table("a.parquet").to_pylist()

    assert 5 == len(in_json) == len(in_csv) == len(in_parquet)
    assert [each["reply"] for each in in_json] == [each["reply"] for each in in_parquet]
    assert [f"'{EVIL}", "", ""] == [in_csv[0]["reply"], in_csv[0]["error"], in_csv[2]["reply"]]
    assert [Fraction(each["cost"] or 0) for each in in_json] == [
        Fraction(each["cost"] or 0) for each in in_parquet
    ]
    assert [each["error"] for each in in_json] == [None, None, "503", "503", None]
    assert [each["answered"] for each in in_parquet] == [True, True, False, False, True]


def test_only_errors_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--calls --errors` are the calls that failed."""
    calls = json.loads(said(capsys, "--calls", "--errors", "--format", "json"))

    assert [each["error"] for each in calls] == ["503", "503"]


@pytest.mark.parametrize("arguments", [[], ["--calls"]])
def test_a_table_obeys_nothing(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """Texts of judges and evidence are shown by their codes."""
    table = said(capsys, *arguments)

    assert [sign for sign in ("\x1b", "\u202e") if sign in table] == []
    assert "m-1" in table or "large" in table


def test_reading_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The file is the same after an audit."""
    before = Path("a.ledger").read_bytes()
    said(capsys)

    assert before == Path("a.ledger").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.ledger"], "there is no file"),
        (["a.ledger", "--ask", "fitt"], "did you mean `fit`"),
        (["a.ledger", "--judge", "nobody"], "no judge or model `nobody`"),
        (["a.ledger", "-o", "a.ledger", "--format", "csv"], "belongs to the ledger"),
        (["a.ledger", "-o", "a.xls"], "say --format"),
        (["a.ledger", "--format", "parquet"], "name a file with -o"),
        (["text"], "is no ledger"),
    ],
)
def test_slips_are_told(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """Exit code 2, and the ledger as it was."""
    Path("text").write_text("no ledger")
    before = Path("a.ledger").read_bytes()
    code = run(["audit", *arguments])

    assert code == exits.USAGE
    assert words in capsys.readouterr().err
    assert before == Path("a.ledger").read_bytes()


def test_parquet_without_its_library() -> None:
    """It says what to install."""
    code = (
        "import sys\nsys.modules['pyarrow'] = None\nfrom rulesengine_cli.main import run\n"
        "sys.exit(run(['audit', 'a.ledger', '-o', 'a.parquet']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )

    assert (done.returncode, "rubriclang[parquet]" in done.stderr) == (exits.USAGE, True)
