"""Cases as JSON lines: what they expect holds, or is told with its line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulesengine_cli.main import group

RUBRIC = """
rubric sample version "1" language 1
param share : number 0 to 1 default 50%
evidence {
  key who : text
  key run : integer
  right : yes/no
  answer : text
  wanted : text
}
ask alike(a, b) -> yes/no { prompt "Is {a} {b}?" }
ladder same(candidate, reference) {
  rung exact { when candidate = reference -> 1 }
  rung near { when similarity(candidate, reference) >= 0.9 -> 1 }
  rung judge { when alike(candidate, reference) -> 1 otherwise -> 0 }
}
score each who out of 100 {
  combine run by mean keep max { exclude when answer = "" "no answer" }
  criterion right weight share { gate wrong fails when not right -> 0 otherwise -> 1 "right" }
  criterion same weight 1 - share = same(answer, wanted)
}
bands letter { from 50 -> "pass" below 50 -> "fail" }
rank who by score descending keep 1
"""
M = {"who": "m", "run": 1, "right": True, "answer": "a", "wanted": "a"}
N = {"who": "n", "run": 1, "right": False, "answer": "b", "wanted": "c"}
YES = [{"ask": "alike", "inputs": ["b", "c"], "answer": True}]
NEAR = [{"ask": "similarity", "inputs": ["c", "b"], "answer": 0.95}]


def outcome_of(folder: Path, *rows: Any) -> tuple[int, str]:
    """The exit code and output of `rubric test` for a rubric with these lines beside it."""
    (folder / "a.rubric").write_text(RUBRIC, "utf-8")
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    (folder / "a.cases.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    done = CliRunner().invoke(group, ["test", str(folder / "a.rubric")], standalone_mode=False)
    return done.return_value, done.output


@pytest.mark.parametrize(
    "row",
    [
        {"given": [M], "expect": {"score": 100, "right": 1, "letter": "pass", "status": "scored"}},
        {"given": [M, M | {"run": 2, "right": False}], "expect": {"score": 75, "score.max": 100}},
        {
            "given": [N],
            "answers": YES,
            "expect": {"score": "50", "same": 1},
            "by": {"right": "wrong"},
        },
        {"given": [N], "answers": NEAR, "expect": {"score": 50.0}},
        {"given": [N], "expect": {"score": 0}, "by": {"right": "wrong"}},
        {"given": [M], "params": {"share": 1}, "expect": {"score": 100}, "by": {"right": "right"}},
        {"given": [M, N], "subject": {"who": "n"}, "expect": {"who.place": 2, "who.kept": False}},
        {
            "given": [M, M | {"run": 2, "answer": ""}],
            "expect": {"score": 100},
            "excluded": ["no answer"],
        },
        {"given": [M | {"answer": ""}], "expect": {"score": None, "status": "unscored"}},
        {
            "given": [N],
            "answers": [{"ask": "alike", "inputs": ["x", "y"], "answer": True}],
            "expect": {"score": None, "status": "failed"},
            "errors": ["alike(b, c): the case gives no answer"],
        },
    ],
)
def test_what_holds_passes(row: Any, tmp_path: Path) -> None:
    """Scores, figures, bands, states, rows, exclusions, errors and places can be expected."""
    code, output = outcome_of(tmp_path, {"case": "one", **row})

    assert (code, output.splitlines()[-1]) == (0, "1 passed, 0 failed")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"given": [M], "expect": {"score": 99}}, "expected `score` to be 99, and it is 100"),
        ({"given": [M], "expect": {"right": True}}, "expected `right` to be yes, and it is 1"),
        (
            {"given": [M], "expect": {"letter": "fail"}},
            "expected `letter` to be fail, and it is pass",
        ),
        ({"given": [M], "expect": {"rihgt": 1}}, "did you mean `right`?"),
        ({"given": [M], "by": {"right": "wrong"}}, "expected `right` by `wrong`, and what fired"),
        ({"given": [M], "excluded": ["no answer"]}, "expected excluded for `no answer`"),
        ({"given": [M, N], "expect": {"score": 1}}, "2 subjects, and 2 are meant"),
        (
            {"given": [{**M, "run": "x"}], "expect": {"score": 1}},
            "record 1: `run` has to be an integer",
        ),
        ({"given": M, "expect": {"score": 1}}, "a case gives records"),
        ({"given": [M]}, "this case expects nothing"),
        ({"given": [M], "expct": {"score": 1}}, "did you mean `expect`?"),
        ({"given": [M], "params": {"share": 2}, "expect": {"score": 1}}, "from 0 to 1"),
        ('{"given": [', "this is no JSON"),
    ],
)
def test_what_does_not_hold_is_told_with_its_line(row: Any, told: str, tmp_path: Path) -> None:
    """A case that fails, or is none, says so at its line, and the others run."""
    code, output = outcome_of(
        tmp_path, {"case": "fine", "given": [M], "expect": {"score": 100}}, row
    )

    assert (code, output.splitlines()[-1]) == (1, "1 passed, 1 failed")
    assert "a.cases.jsonl:2:" in output
    assert told in " ".join(output.split()) or row == '{"given": ['
