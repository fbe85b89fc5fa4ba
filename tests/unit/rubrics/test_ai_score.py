"""AI Score's samples, their results worked out a second time from the words of the protocol."""

import json
import statistics
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulesengine.report.result import Result
from rulesengine.report.to_json import dumps, result_json
from rulesengine.rubric import Rubric, load
from rulesengine_cli import exits
from rulesengine_cli.main import run

FOLDER = Path(__file__).parents[3] / "rubrics" / "ai_score"
WEIGHTS = (70, 20, 10, 25)
Records = list[dict[str, Any]]


def read(name: str) -> Records:
    """The lines of a file, each as plain JSON."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return load("ai_score")


@pytest.fixture(scope="module")
def selection() -> Rubric:
    return load("ai_score/selection")


@pytest.fixture(scope="module")
def sample() -> Records:
    return read("sample.jsonl")


@pytest.fixture(scope="module")
def scored(rubric: Rubric, sample: Records) -> tuple[Result, ...]:
    return rubric.score(sample).results


@pytest.fixture(scope="module")
def answers() -> Records:
    return read("selection.sample.jsonl")


@pytest.fixture(scope="module")
def selected(selection: Rubric, answers: Records) -> tuple[Result, ...]:
    return selection.score(answers).results


# ---------------------------------------------------------------------------- the protocol, by hand


def marks(record: dict[str, Any]) -> tuple[int, int, int, int]:
    """IP, C, SCA and LR of one answer."""
    right, first, second = (
        record.get(name, "").strip().casefold() for name in ("key", "first", "second")
    )
    if record.get("forgot"):
        return int(first == right), 0, 0, 1
    row = {
        (True, True): (1, 1, 1, 0),
        (True, False): (1, 0, 0, 0),
        (False, True): (0, 0, 1, 0),
        (False, False): (0, 0, 0, int(first != second)),
    }
    return row[first == right, second == right]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def by_run(records: Records, chatbot: str) -> dict[int, list[Fraction]]:
    """The four means of each run."""
    runs = defaultdict(list)
    for record in records:
        if record["chatbot"] == chatbot:
            runs[record["run"]].append(marks(record))
    return {
        number: [mean(list(map(Fraction, column))) for column in zip(*each, strict=True)]
        for number, each in sorted(runs.items())
    }


def percent(means: list[Fraction], weights: tuple[int, ...] = WEIGHTS) -> Fraction:
    ip, c, sca, lr = weights
    return means[0] * ip + means[1] * c + means[2] * sca - means[3] * lr


def letter(score: Fraction) -> str:
    return next(
        (name for end, name in zip((91, 81, 71, 61), "ABCD", strict=True) if score >= end), "E"
    )


def rates(records: Records, question: str) -> tuple[Fraction | None, Fraction | None]:
    """PropSup and PropInf of a question; None without anybody."""
    strong = [r["correct"] for r in records if r["item"] == question and r["average"] >= 12]
    weak = [r["correct"] for r in records if r["item"] == question and r["average"] < 7]
    return tuple(Fraction(sum(each), len(each)) if each else None for each in (strong, weak))  # type: ignore[return-value]


# --------------------------------------------------------------------------------------- the sample


def test_sample_is_a_whole_design(sample: Records) -> None:
    """Five chatbots, five runs, ten questions."""
    places = {(each["chatbot"], each["run"], each["item"]) for each in sample}

    assert (
        len(sample),
        len(places),
        *(len({place[index] for place in places}) for index in range(3)),
    ) == (250, 250, 5, 5, 10)


@pytest.mark.parametrize(
    ("name", "evidence", "results"),
    [
        ("ai_score", "sample.jsonl", "expected.jsonl"),
        ("ai_score/selection", "selection.sample.jsonl", "selection.expected.jsonl"),
    ],
)
def test_samples_give_the_results_beside_them(name: str, evidence: str, results: str) -> None:
    """What `rubric score` wrote is what comes out, but for the fingerprint."""
    rubric = load(name)
    expected = read(results)
    identity = {"name": rubric.name, "version": rubric.version}

    actual = [
        json.loads(dumps(result_json(each, identity)))
        for each in rubric.score(read(evidence)).results
    ]

    for row in expected:
        del row["rubric"]["fingerprint"]
    assert expected == actual


def test_every_criterion_is_the_mean_by_hand(sample: Records, scored: tuple[Result, ...]) -> None:
    """Over the questions of a run, then over the runs."""
    for result in scored:
        runs = by_run(sample, str(result.subject["chatbot"]))
        expected = [mean(list(column)) for column in zip(*runs.values(), strict=True)]

        actual = [result.values[name] for name in ("ip", "c", "sca", "lr")]

        assert expected == actual


def test_every_total_and_letter_is_the_one_by_hand(
    sample: Records, scored: tuple[Result, ...]
) -> None:
    """70 IP + 20 C + 10 SCA - 25 LR, exact, and the letter that follows."""
    for result in scored:
        runs = by_run(sample, str(result.subject["chatbot"]))
        score = mean([percent(means) for means in runs.values()])

        assert (score, letter(score)) == (result.score, result.bands["letter"])


def test_runs_are_told_as_by_hand(sample: Records, scored: tuple[Result, ...]) -> None:
    """Each run's score, the least and the greatest are exact; the deviation is that of n - 1."""
    for result in scored:
        runs = {
            number: percent(means)
            for number, means in by_run(sample, str(result.subject["chatbot"])).items()
        }
        expected = {f"score.run.{number}": value for number, value in runs.items()} | {
            "score.min": min(runs.values()),
            "score.max": max(runs.values()),
        }
        deviation = result.values["score.stdev_sample"]
        assert isinstance(deviation, Fraction)

        actual = {name: value for name, value in result.values.items() if name in expected}

        assert expected == actual
        assert float(deviation) == pytest.approx(statistics.stdev(map(float, runs.values())))


def test_sample_shows_every_letter(scored: tuple[Result, ...]) -> None:
    """No two chatbots have one letter."""
    assert sorted("ABCDE") == sorted(str(result.bands["letter"]) for result in scored)


def test_advice_is_part_of_every_result(scored: tuple[Result, ...]) -> None:
    """A and B are recommended, no other is, and each result says what the rule is."""
    expected = {
        each: f"{'' if each in 'AB' else 'not '}recommended: A (or B) only" for each in "ABCDE"
    }

    assert expected == {result.bands["letter"]: result.bands["advice"] for result in scored}


# -------------------------------------------------------------------------------------- its weights


def test_other_weights_give_the_total_by_hand(rubric: Rubric, sample: Records) -> None:
    """Weights are params, and weigh as set."""
    weights = (55, 25, 20, 40)
    changed = rubric.with_params(ip_weight=0.55, c_weight=0.25, sca_weight=0.2, lr_weight=0.4)

    actual = {each.subject["chatbot"]: each.score for each in changed.score(sample).results}

    assert {
        name: mean([percent(means, weights) for means in by_run(sample, str(name)).values()])
        for name in actual
    } == actual


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("ip_weight=0.6",), "add up to 60% + 20% + 10% = 90%, not to 100%"),
        (("ip_weight=80%",), "add up to 80% + 20% + 10% = 110%, not to 100%"),
        (("sca_weight=0",), "add up to 70% + 20% + 0% = 90%, not to 100%"),
        (("ip_weight=-0.1", "c_weight=1"), "`ip_weight` has to be a number from 0 to 1"),
    ],
)
def test_weights_that_make_no_whole_are_refused(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any record is read: exit 2, naming the sum, and nothing on standard output."""
    given = [part for option in options for part in ("--set", option)]

    code = run(["score", "ai_score", str(FOLDER / "sample.jsonl"), *given])

    out, err = capsys.readouterr()
    assert (code, out) == (exits.USAGE, "")
    assert message in err


def test_the_penalty_stands_apart_from_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Its weight may be any, the others make 100 % without it."""
    code = run(["score", "ai_score", str(FOLDER / "sample.jsonl"), "--set", "lr_weight=50%"])

    assert code == exits.CLEAN


# -------------------------------------------------------------------------------- incomplete designs


def test_incomplete_designs_are_scored_only_when_asked(
    sample: Records, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the option they fail with what is missing; with it they are scored, and say so."""
    short = [each for each in sample if (each["chatbot"], each["run"]) != ("lumen-2", 3)]
    short = [
        each
        for each in short
        if (each["chatbot"], each["run"], each["item"]) != ("atlas-edu", 5, "alkane naming")
    ]
    path = tmp_path / "short.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in short), "utf-8")
    reasons = {
        "atlas-edu": ["a question is missing in a run"],
        "lumen-2": ["fewer than five runs"],
    }

    def rows(*options: str) -> tuple[int, dict[str, Any]]:
        code = run(["score", "ai_score", str(path), *options])
        lines = capsys.readouterr().out.splitlines()
        return code, {row["subject"]["chatbot"]: row for row in map(json.loads, lines)}

    refused, without = rows()
    code, asked = rows("--set", "incomplete=yes")

    assert (refused, code) == (exits.FINDINGS, exits.CLEAN)
    for name, row in without.items():
        wanted = reasons.get(name, [])
        told = [each["reason"] for each in row["errors"]]
        assert ("failed" if wanted else "scored", wanted) == (row["status"], told)
        assert ("scored", wanted) == (asked[name]["status"], asked[name]["degraded"])
    for name, row in asked.items():
        score = mean([percent(means) for means in by_run(short, name).values()])
        assert str(score) == row["score_exact"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"second": None}, "has no second answer, and did not forget the question"),
        ({"key": " "}, "the right option is empty"),
        ({"run": 6}, "`run` has to be an integer from 1 to 5"),
        ({"run": 0}, "`run` has to be an integer from 1 to 5"),
        ({"first": None}, "`first` is null"),
    ],
)
def test_records_that_cannot_be_judged_are_rejected(
    rubric: Rubric, sample: Records, change: dict[str, object], reason: str
) -> None:
    """They are never a wrong answer: the record is rejected, and its chatbot fails."""
    spoilt = [sample[0] | change, *sample[1:]]

    done = rubric.score(spoilt)

    (rejected,) = done.rejected
    assert reason in rejected.diagnostics[0].message
    assert {"tutor-max 4"} == {
        each.subject["chatbot"] for each in done.results if each.status == "failed"
    }


# ------------------------------------------------------------------------------- choosing questions


def test_every_delta_is_the_one_by_hand(answers: Records, selected: tuple[Result, ...]) -> None:
    """PropSup less PropInf; without anybody in a group, none, and never 0."""
    for result in selected:
        strong, weak = rates(answers, str(result.subject["item"]))
        delta = strong - weak if strong is not None and weak is not None else None

        actual = (
            result.values["prop_sup"],
            result.values["prop_inf"],
            result.values["delta"],
            result.score,
        )

        assert (strong, weak, delta, delta) == actual


def test_the_ten_questions_are_those_by_hand(
    answers: Records, sample: Records, selected: tuple[Result, ...]
) -> None:
    """The ten of highest Δ, ties in the order of names; they are the test of the other sample."""
    deltas = {}
    for question in {each["item"] for each in answers}:
        strong, weak = rates(answers, question)
        if strong is not None and weak is not None:
            deltas[question] = strong - weak
    expected = sorted(deltas, key=lambda name: (-deltas[name], name))[:10]

    kept = [each for each in selected if each.places["selection"].kept]

    assert expected == [
        each.subject["item"] for each in sorted(kept, key=lambda e: e.places["selection"].position)
    ]
    assert {each["item"] for each in sample} == set(expected)


def test_ties_are_told(answers: Records, selected: tuple[Result, ...]) -> None:
    """Each question names all others of the same Δ, also across the cut; an unscored one names none."""
    deltas = {each.subject["item"]: each.score for each in selected}

    actual = {
        each.subject["item"]: sorted(
            str(value) for keys in each.places["selection"].tied_with for _, value in keys
        )
        for each in selected
    }

    assert {
        one: sorted(
            str(other)
            for other, value in deltas.items()
            if other != one and value is not None and value == deltas[one]
        )
        for one in deltas
    } == actual
    assert actual["alkane naming"] == ["electronegativity"]


def test_questions_without_a_group_are_unscored(selected: tuple[Result, ...]) -> None:
    """The sample has one without strong students and one without weak ones."""
    actual = {
        each.subject["item"]: [why.reason for why in each.unscored]
        for each in selected
        if each.status == "unscored"
    }

    assert actual == {
        "half-life": ["no student who averages 12 to 20 answered it"],
        "spectrum reading": ["no student who averages below 7 answered it"],
    }


def test_two_averages_of_one_student_are_refused(selection: Rubric, answers: Records) -> None:
    """An average is one for each student: all that this one answered fails, and nothing else."""
    spoilt = [answers[0] | {"average": 3}, *answers[1:]]
    student = answers[0]["student"]
    expected = {each["item"] for each in answers if each["student"] == student}

    done = selection.score(spoilt)

    assert expected == {each.subject["item"] for each in done.results if each.status == "failed"}
