"""What a failed case says: what came out, and what gave it."""

from pathlib import Path

import pytest

from rulesengine.files import check_file
from rulesengine.report.cases import run_case

RUBRIC = """rubric sample language 1
evidence {
  key who  : text
  key part : one of one, two
  right : yes/no?
}
score each who out of 20 {
  item one, two worth 10 each {
    when right is missing -> unscored "not looked at"
    when right -> 10 "right"
    otherwise -> 0
  }
}
"""


@pytest.mark.parametrize(
    ("given", "expect", "message"),
    [
        (
            "right: yes",
            "one = 0",
            'expected `one = 0`, and `one` is 10, by `when right -> 10 "right"`',
        ),
        ("right: missing", "one = 0", "expected `one = 0`, and `one` is unscored: not looked at"),
        (
            "right: yes",
            "score = 10",
            "expected `score = 10`, and `score` is unscored: no record for part two",
        ),
    ],
)
def test_says_what_came_out_and_why(tmp_path: Path, given: str, expect: str, message: str) -> None:
    """The row that fired, or the reason for no score, stands beside the result."""
    path = tmp_path / "sample.rubric"
    path.write_text(
        f'{RUBRIC}\ncase "it" {{ given {{ who: "a", part: one, {given} }} expect {expect} }}\n',
        "utf-8",
    )
    checked = check_file(path)
    assert checked.scope is not None

    (run,) = [run_case(case, checked.scope, checked.graph) for case in checked.cases]

    assert [failure.message for failure in run.failures] == [message]
