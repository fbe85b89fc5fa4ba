"""`rubric score`, `plan` and `explain` with judges of rubric.toml, driven against a real server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.running import Server, running

from rulesengine_cli import exits
from rulesengine_cli.main import run

RUBRIC = """rubric sample version "1" language 1
evidence {
  key who : integer
  text    : text
}
ask short(text) -> yes/no {
  prompt "Is {text} short?"
}
ask kind(text) -> yes/no {
  prompt "Is {text} kind?"
}
score each who out of 1 {
  criterion c worth 1 {
    when short(text) and kind(text) -> 1
    otherwise                       -> 0
  }
}
"""
TEXTS = 4  # distinct ones
RECORDS = "".join(f'{{"who": {n}, "text": "t{n % TEXTS}"}}\n' for n in range(3 * TEXTS))
YES = {"do": "answer", "verdict": True}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a rubric and evidence, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    Path("r.rubric").write_text(RUBRIC, "utf-8")
    Path("e.jsonl").write_text(RECORDS, "utf-8")


def configured(*judges: str, judge: str = "small", more: str = "") -> None:
    """Write rubric.toml."""
    Path("rubric.toml").write_text(
        f'[run]\njudge = "{judge}"\n{more}\n' + "\n".join(judges), "utf-8"
    )


def model(server: Server, name: str = "small", model: str = "m", more: str = "") -> str:
    """Return the table of a judge behind a server."""
    return (
        f'[judges.{name}]\nkind = "openai"\nmodel = "{model}"\nbase_url = "{server.url}"\n'
        f"input_price = 0.15\noutput_price = 0.60\n{more}\n"
        f"[judges.{name}.limits]\ntries = 1\nseconds = 20\n"
    )


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that says yes to all."""
    with running(default=YES) as found:
        yield found


def results(
    capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, list[dict[str, Any]]]:
    """Score, and return the exit code with the results."""
    capsys.readouterr()
    code = run(["score", "r.rubric", "e.jsonl", "--format", "jsonl", *arguments])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_question_is_paid_for_once(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """However many records ask it, and however often the command is run."""
    configured(model(server))

    runs = [results(capsys) for _ in range(2)]

    assert runs[0] == runs[1]
    assert (runs[0][0], {row["score"] for row in runs[0][1]}) == (exits.CLEAN, {1.0})
    assert server.calls == 2 * TEXTS


def test_killed_midway_and_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Fault J4: who lacks an answer fails by name, exit code 4; run again, only what is unanswered is asked."""
    with running(default=YES) as first:
        configured(model(first))
        Path("e.jsonl").write_text('{"who": 0, "text": "t0"}\n', "utf-8")
        assert results(capsys)[0] == exits.CLEAN
        Path("e.jsonl").write_text(RECORDS, "utf-8")
        first.kill()
        code, rows = results(capsys)
        calls = 2

        assert code == exits.PROVIDER
        status = {row["subject"]["who"]: row["status"] for row in rows}
        assert {who: "scored" if who % TEXTS == 0 else "failed" for who in status} == status
        errors = {each["code"] for row in rows for each in row["errors"]}
        assert errors == {"R540"}

        with running(default=YES, port=first.port) as again:
            code, rows = results(capsys)
            calls += again.calls

    assert (code, {row["score"] for row in rows}) == (exits.CLEAN, {1.0})
    assert calls == 2 * TEXTS


def test_a_plan_asks_nothing(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """What is asked at the least and at the most, before and after a run; nobody is asked for it."""
    configured(model(server))
    plans = []
    for _ in range(2):
        assert run(["plan", "r.rubric", "e.jsonl", "--format", "json"]) == exits.CLEAN
        plans.append(json.loads(capsys.readouterr().out))
        before = server.calls
        results(capsys)

    assert before == 2 * TEXTS
    assert [
        {row["ask"]: (row["at_least"], row["at_most"], row["known"]) for row in each["questions"]}
        for each in plans
    ] == [
        {"short": (TEXTS, TEXTS, 0), "kind": (0, TEXTS, 0)},
        {"short": (0, 0, TEXTS), "kind": (0, 0, TEXTS)},
    ]
    assert float(plans[0]["cost"]["at_least"]) < float(plans[0]["cost"]["at_most"])


def test_what_was_said_explains_a_score(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """`explain` takes the answers from the ledger and asks nobody."""
    configured(model(server))
    assert results(capsys, "-o", "out.jsonl")[0] == exits.CLEAN
    before = server.calls

    assert run(["explain", "out.jsonl", "who=1"]) == exits.CLEAN

    assert "short, kind = yes (judge)" in capsys.readouterr().out
    assert server.calls == before


def test_a_panel_needs_its_quorum(capsys: pytest.CaptureFixture[str]) -> None:
    """Judges that part leave a tie, which is no score; each is asked by itself and kept by itself."""
    with running(default=YES) as one, running(default={"do": "answer", "verdict": False}) as other:
        configured(
            model(one, "one", "m-1"),
            model(other, "other", "m-2"),
            '[judges.jury]\nkind = "panel"\nmembers = ["one", "other"]\n',
            judge="jury",
        )

        code, rows = results(capsys)

        assert (code, {row["status"] for row in rows}) == (exits.CLEAN, {"unscored"})
        assert {each["code"] for row in rows for each in row["unscored"]} == {"R543"}
        # A tie is not settled by itself: a no to the second question would settle both, so that is asked too.
        assert (one.calls, other.calls) == (2 * TEXTS, 2 * TEXTS)


def test_a_cap_stops_before_it_is_passed(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """With nothing to spend nobody is asked, and the subjects fail with the cap as the reason."""
    configured(model(server))

    code, rows = results(capsys, "--budget", "0")

    assert (code, server.calls) == (exits.PROVIDER, 0)
    assert {row["status"] for row in rows} == {"failed"}


def test_a_key_is_never_written(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes from the environment, and stands in no file that a run leaves."""
    secret = "sk-test-0123456789abcdef"
    monkeypatch.setenv("SMALL_KEY", secret)
    configured(model(server, more='key_from = "SMALL_KEY"'))

    assert results(capsys, "-o", "out.jsonl")[0] == exits.CLEAN

    written = [path for path in Path().rglob("*") if path.is_file()]
    assert any(path.suffix == ".sqlite" for path in written)
    assert not [path for path in written if secret.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[judges.small]\nkind = "openai"\nmodle = "m"\n', "modle"),
        ('[judges.small]\nkind = "robot"\n', "robot"),
        ('[judges.small]\nkind = "openai"\n', "needs `model`"),
        ('[judges.smal]\nkind = "openai"\nmodel = "m"\n', "did you mean `smal`?"),
        ('[judges.small]\nkind = "panel"\nmembers = ["small"]\n', "a member of itself"),
        ('[judges.small]\nkind = "panel"\n', "a panel has judges"),
        ('[judges.small]\nkind = "openai"\nmodel = "m"\nkey_from = "NO_SUCH_KEY"\n', "NO_SUCH_KEY"),
        ("[judges\n", "is no TOML"),
    ],
)
def test_a_configuration_that_means_nothing_is_told(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Faults E1, E2: a misspelt name is never passed over; nothing is scored."""
    Path("rubric.toml").write_text(text, "utf-8")

    code = run(["score", "r.rubric", "e.jsonl", "--judge", "small"])

    assert (code, said in capsys.readouterr().err) == (exits.USAGE, True)
