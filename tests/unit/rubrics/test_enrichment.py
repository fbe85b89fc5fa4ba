"""The enrichment sample, its results worked out a second time from the words of the protocol."""

import json
import math
import random
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulesengine.providers.recorded import PrecomputedVectors, RecordedJudge
from rulesengine.report.result import Result
from rulesengine.report.to_json import dumps, result_json
from rulesengine.rubric import Rubric, load
from rulesengine_cli import exits
from rulesengine_cli.main import run

FOLDER = Path(__file__).parents[3] / "rubrics" / "enrichment"
Records = list[dict[str, Any]]
Outcome = tuple[str, Fraction]  # the rung and the credit
Leaf = tuple[str, Any, Any, Outcome]  # path, candidate, reference, outcome


def read(name: str) -> Records:
    """The lines of a file, each as plain JSON, decimals as they are written."""
    return [
        json.loads(line, parse_float=Fraction)
        for line in (FOLDER / name).read_text("utf-8").splitlines()
    ]


SAMPLE = read("sample.jsonl")
ANSWERS = read("sample.answers.jsonl")
VECTORS = {row["text"]: row["vector"] for row in read("sample.vectors.jsonl")}


def judge(answers: Records = ANSWERS) -> RecordedJudge:
    return RecordedJudge(answers)


def measure() -> PrecomputedVectors:
    return PrecomputedVectors(
        {text: [float(each) for each in vector] for text, vector in VECTORS.items()}
    )


def shuffled(value: Any, chance: random.Random) -> Any:
    """JSON with the items of its lists and the fields of its objects in another order."""
    match value:
        case list():
            return chance.sample([shuffled(each, chance) for each in value], len(value))
        case dict():
            fields = [(name, shuffled(each, chance)) for name, each in value.items()]
            return dict(chance.sample(fields, len(fields)))
        case _:
            return value


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return load("enrichment")


@pytest.fixture(scope="module")
def scored(rubric: Rubric) -> dict[tuple[str, str], Result]:
    return results(rubric, SAMPLE)


def results(rubric: Rubric, records: Records, **providers: Any) -> dict[tuple[str, str], Result]:
    """The results by model and scenario; with the recorded answers and vectors if nothing is said."""
    done = rubric.score(records, **(providers or {"judge": judge(), "measure": measure()}))
    return {
        (str(each.subject["model"]), str(each.subject["scenario"])): each for each in done.results
    }


# ---------------------------------------------------------------------------- the protocol, by hand

PROSE = {"plot", "indication", "概要"}
EXACT = {"year", "genres[]", "formula", "製品[].発売年"}
IDENTIFYING = {"cast[].actor", "approvals[].country", "製品[].名前"}
EMPTY: tuple[Any, ...] = (None, "", [], {})


def folded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def is_day(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value))


def written(value: Any) -> str:
    return str(float(value)) if isinstance(value, Fraction) else str(value)


def cosine(one: str, other: str) -> float:
    left, right = VECTORS[one], VECTORS[other]
    sizes = [math.sqrt(sum(float(x) ** 2 for x in each)) for each in (left, right)]
    return sum(float(x) * float(y) for x, y in zip(left, right, strict=True)) / math.prod(sizes)


def places(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every filled leaf with its path."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from places(each, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for each in value:
            yield from places(each, f"{path}[]")
    elif value not in EMPTY or value is False:
        yield path, value


class Scenario:
    """What one scenario's records say together."""

    def __init__(self, name: str) -> None:
        self.records = [each for each in SAMPLE if each["scenario"] == name]
        self.documents = next(each["documents"] for each in self.records if "documents" in each)
        self.given: dict[str, list[set[tuple[str, Any]]]] = defaultdict(list)
        for each in self.records:
            if "candidate" in each:
                leaves = {(path, folded(leaf)) for path, leaf in places(each["candidate"])}
                self.given[each["model"]].append(leaves)

    def backed(self, path: str, value: Any, model: str) -> bool:
        """Whether a document holds the value, or most of the other models give it in most of their runs."""
        part = re.escape(folded(written(value)))
        bounded = part if re.search(r"[\u3040-\u9fff]", part) else rf"(?<!\w){part}(?!\w)"
        if any(re.search(bounded, folded(text)) for text in self.documents):
            return True
        others = [runs for name, runs in self.given.items() if name != model]
        giving = [
            sum((path, folded(value)) in run for run in runs) * 2 > len(runs) for runs in others
        ]
        return sum(giving) * 2 > len(giving)


def verdict(ask: str, **inputs: str) -> Any:
    (answer,) = {
        row["answer"]
        for row in ANSWERS
        if row["ask"] == ask and inputs.items() <= row["inputs"].items()
    }
    return answer


def settle(path: str, candidate: Any, reference: Any, scenario: Scenario, model: str) -> Outcome:
    """The ladder without its judge."""
    if type(candidate) is type(reference) or not {bool, str} & {type(candidate), type(reference)}:
        if candidate == reference:
            return "exact", Fraction(1)
        if folded(candidate) == folded(reference):
            return "normalised", Fraction(1)
    if is_day(candidate) and is_day(reference):
        return "date", Fraction(date.fromisoformat(candidate) == date.fromisoformat(reference))
    if isinstance(reference, bool):
        return "boolean", Fraction(0)
    text = isinstance(reference, str) and path not in PROSE | EXACT
    one_fact = text and re.findall(r"\d+", candidate) == re.findall(r"\d+", reference)
    if one_fact and cosine(candidate, reference) >= 0.86:
        return "embedding", Fraction(1)
    if path in EXACT or (text and not scenario.backed(path, candidate, model)):
        return "unsettled", Fraction(0)
    return "judge", Fraction(0)


def judged(leaf: Leaf) -> Leaf:
    """A leaf whose outcome is the judge's, if it came to that."""
    path, candidate, reference, (rung, credit) = leaf
    if reference in EMPTY and reference is not False:
        sure = verdict("supported", candidate=written(candidate), path=path)
        return path, candidate, reference, ("judge", Fraction(sure))
    if rung == "judge":
        said = verdict("fit", candidate=written(candidate), reference=written(reference), path=path)
        worth = {"worse": Fraction(1, 2), "wrong": Fraction(0)}
        return path, candidate, reference, (rung, worth.get(said, Fraction(1)))
    return path, candidate, reference, (rung, credit)


def compared(
    path: str, candidate: Any, reference: Any, scenario: Scenario, model: str
) -> list[Leaf]:
    """The leaves of two values, list items paired by the best of all assignments."""
    if isinstance(candidate, dict) or isinstance(reference, dict):
        one, other = candidate or {}, reference or {}
        return [
            leaf
            for name in {**other, **one}
            for leaf in compared(
                f"{path}.{name}".lstrip("."), one.get(name), other.get(name), scenario, model
            )
        ]
    if isinstance(candidate, list) or isinstance(reference, list):
        return paired(f"{path}[]", candidate or [], reference or [], scenario, model)
    found = [value in EMPTY and value is not False for value in (candidate, reference)]
    if all(found):
        return []
    if found[0]:
        return [(path, None, reference, ("miss", Fraction(0)))]
    if found[1]:
        return [(path, candidate, None, ("extra", Fraction(0)))]
    return [(path, candidate, reference, settle(path, candidate, reference, scenario, model))]


def paired(
    path: str, mine: list[Any], theirs: list[Any], scenario: Scenario, model: str
) -> list[Leaf]:
    """The leaves of two lists of a few items."""
    worth = {
        (i, j): (leaves, sum(w * c for w, c in parts) / sum(w for w, _ in parts))
        for i, one in enumerate(mine)
        for j, other in enumerate(theirs)
        for leaves in [compared(path, one, other, scenario, model)]
        for parts in [[(2 if leaf[0] in IDENTIFYING else 1, leaf[3][1]) for leaf in leaves]]
    }

    def best(i: int, free: frozenset[int]) -> tuple[Fraction, tuple[tuple[int, int], ...]]:
        if i == len(mine):
            return Fraction(0), ()
        choices = [best(i + 1, free)]
        for j in free:
            if worth[i, j][1] >= Fraction(1, 2):
                rest, pairs = best(i + 1, free - {j})
                choices.append((rest + worth[i, j][1], ((i, j), *pairs)))
        return max(choices, key=lambda choice: choice[0])

    pairs = best(0, frozenset(range(len(theirs))))[1]
    alone = [
        *(
            compared(path, one, None, scenario, model)
            for i, one in enumerate(mine)
            if i not in {i for i, _ in pairs}
        ),
        *(
            compared(path, None, one, scenario, model)
            for j, one in enumerate(theirs)
            if j not in {j for _, j in pairs}
        ),
    ]
    return [leaf for leaves in [*(worth[pair][0] for pair in pairs), *alone] for leaf in leaves]


def share(part: Any, whole: int, of_nothing: int) -> Fraction:
    return Fraction(part, 1) / whole if whole else Fraction(of_nothing)


def by_hand(record: dict[str, Any], scenario: Scenario) -> tuple[Fraction, Fraction, Fraction]:
    """Completeness, correctness and hallucination of one run."""
    leaves = [
        judged(leaf) if leaf[1] is not None else leaf
        for leaf in compared(
            "", record["candidate"], record["reference"], scenario, record["model"]
        )
    ]
    due = [leaf for leaf in leaves if leaf[2] is not None or leaf[3][1] > 0]
    found = [leaf for leaf in due if leaf[1] is not None]
    filled = [leaf for leaf in leaves if leaf[1] is not None]
    return (
        share(len(found), len(due), 1),
        share(sum(leaf[3][1] for leaf in found), len(found), 1),
        share(len(filled) - len(found), len(filled), 0),
    )


def runs_of(model: str, scenario: str) -> list[tuple[Fraction, Fraction, Fraction]]:
    told = Scenario(scenario)
    return [
        by_hand(each, told)
        for each in told.records
        if each["model"] == model and "candidate" in each
    ]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


SUBJECTS = sorted({(each["model"], each["scenario"]) for each in SAMPLE})


# --------------------------------------------------------------------------------------- the sample


def test_sample_is_a_whole_design() -> None:
    """Four models, three scenarios, three runs, one of which failed."""
    places = {(each["model"], each["scenario"], each["run"]) for each in SAMPLE}
    failed = [each for each in SAMPLE if each.get("failed")]

    assert (
        *(len(places), len({m for m, _, _ in places}), len({s for _, s, _ in places})),
        *(len({r for _, _, r in places}), len(failed)),
    ) == (36, 4, 3, 3, 1)


def test_sample_gives_the_results_beside_it(rubric: Rubric, scored: dict[Any, Result]) -> None:
    """What `rubric score` wrote is what comes out, but for the fingerprint."""
    expected = [
        json.loads(line) for line in (FOLDER / "expected.jsonl").read_text("utf-8").splitlines()
    ]
    identity = {"name": rubric.name, "version": rubric.version}

    actual = [json.loads(dumps(result_json(each, identity))) for each in scored.values()]

    for row in expected:
        del row["rubric"]["fingerprint"]
    assert expected == actual


@pytest.mark.parametrize(("model", "scenario"), SUBJECTS)
def test_every_sub_score_is_the_one_by_hand(
    model: str, scenario: str, scored: dict[Any, Result]
) -> None:
    """Completeness, correctness and hallucination, and with them mean, least and greatest quality."""
    runs = runs_of(model, scenario)
    qualities = [(complete + correct + 1 - made_up) / 3 for complete, correct, made_up in runs]
    values = scored[model, scenario].values

    actual = (
        *(values[name] for name in ("completeness", "correctness", "grounded")),
        *(scored[model, scenario].score, values["score.min"], values["score.max"]),
    )

    assert (
        mean([run[0] for run in runs]),
        mean([run[1] for run in runs]),
        1 - mean([run[2] for run in runs]),
        *(mean(qualities), min(qualities), max(qualities)),
    ) == actual


@pytest.mark.parametrize("scenario", sorted({each["scenario"] for each in SAMPLE}))
def test_every_place_is_the_one_by_hand(scenario: str, scored: dict[Any, Result]) -> None:
    """The blend of quality, speed and cost, the latter two by their logarithms beside the best."""
    ran = [each for each in SAMPLE if each["scenario"] == scenario and "candidate" in each]
    models = sorted({each["model"] for each in ran})

    def relative(figure: str) -> dict[str, float]:
        means = {
            model: float(mean([Fraction(each[figure]) for each in ran if each["model"] == model]))
            for model in models
        }
        best = min(value for value in means.values() if value)
        return {
            model: 100 * min(1.0, max(0.0, 1 - math.log10(value / best))) if value else 100.0
            for model, value in means.items()
        }

    speed, cost = relative("seconds"), relative("cost")
    blends = {
        model: float(scored[model, scenario].score or 0) * 34
        + speed[model] * 0.33
        + cost[model] * 0.33
        for model in models
    }
    order = sorted(models, key=lambda model: -blends[model])

    assert order == sorted(models, key=lambda model: scored[model, scenario].places["blend"].place)
    assert blends == pytest.approx(
        {model: float(scored[model, scenario].values["blend"] or 0) for model in models}
    )


def test_sample_climbs_every_rung(scored: dict[Any, Result]) -> None:
    """Each way to settle a leaf occurs."""
    rungs = {
        row.rung
        for result in scored.values()
        for compared in result.comparisons
        for row in compared.comparison.rows
    }

    assert rungs == {
        *("exact", "normalised", "date", "boolean", "embedding", "judge", "miss", "unsettled")
    }


def test_order_never_matters(rubric: Rubric, scored: dict[Any, Result]) -> None:
    """Neither that of records, nor that of fields and list items in them."""
    chance = random.Random(1)
    turned = [
        {
            name: shuffled(value, chance) if name in ("candidate", "reference") else value
            for name, value in record.items()
        }
        for record in SAMPLE
    ]
    for record in turned:  # one reference a scenario, in one order
        record["reference"] = next(
            each["reference"] for each in turned if each["scenario"] == record["scenario"]
        )

    again = results(rubric, chance.sample(turned, len(turned)))

    assert {key: (each.score, each.values) for key, each in scored.items()} == {
        key: (each.score, each.values) for key, each in again.items()
    }


@pytest.mark.parametrize(("quality", "place"), [(34, 1), (90, 4)])
def test_shares_turn_the_ranking(rubric: Rubric, quality: int, place: int) -> None:
    """The fast and free model is first in every scenario, and last where quality has nearly all of the weight."""
    rest = {"speed_share": (100 - quality) // 2, "cost_share": (100 - quality) // 2}
    done = results(rubric.with_params(quality_share=quality, **rest), SAMPLE)

    assert {
        each.places["blend"].place for (model, _), each in done.items() if model == "cinder"
    } == {place}


# ------------------------------------------------------------------------------- providers and refusals


def test_without_providers_it_is_worked_out_and_degraded(rubric: Rubric) -> None:
    """No judge and no embedding model: every subject is scored, none higher than with them, and each says so."""
    done = results(rubric, SAMPLE, judge=None, measure=None)

    assert {each.status for each in done.values()} == {"scored"}
    assert all(
        set(each.degraded)
        == {
            "no judge: rungs that ask one settled nothing",
            "no embedding model: other wordings count as different",
        }
        for each in done.values()
    )


def test_a_judge_that_is_silent_fails_only_whom_it_is_asked_about(
    rubric: Rubric, scored: dict[Any, Result]
) -> None:
    """All or nothing: no partial score where one answer is missing, and the others as before."""
    silent = [row for row in ANSWERS if row["inputs"]["candidate"] != "273.35"]

    done = results(rubric, SAMPLE, judge=judge(silent), measure=measure())

    assert {("aurora", "medicine")} == {
        key for key, each in done.items() if each.status == "failed"
    }
    assert done["aurora", "medicine"].score is None
    assert all(
        each.score == scored[key].score for key, each in done.items() if each.status != "failed"
    )


def test_an_unverified_reference_is_refused(rubric: Rubric) -> None:
    """Nothing is scored against a reference that nobody vouches for."""
    records = [each | {"verified": each["scenario"] != "film"} for each in SAMPLE]

    done = results(rubric, records)

    assert {
        scenario: [] if scenario != "film" else ["the reference is not verified"]
        for _, scenario in done
    } == {scenario: [why.reason for why in each.errors] for (_, scenario), each in done.items()}


def test_the_command_tells_of_a_failed_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the answers that it needs, `score` leaves with the code for a failed provider."""
    answers = tmp_path / "answers.jsonl"
    answers.write_text((FOLDER / "sample.answers.jsonl").read_text("utf-8").split("\n")[0], "utf-8")

    code = run(
        [
            *("score", "enrichment", str(FOLDER / "sample.jsonl"), "--judge", str(answers)),
            *("--embedder", str(FOLDER / "sample.vectors.jsonl")),
        ]
    )

    assert code == exits.PROVIDER
    assert "no answer is on record" in capsys.readouterr().out


def test_what_a_guard_settles_is_not_measured(rubric: Rubric) -> None:
    """Texts with other numbers are never sent to the embedding model, which costs."""
    sent = []

    def cosine(left: str, right: str) -> Fraction:
        """Note what was sent."""
        sent.append((left, right))
        return Fraction(0)

    pairs = {"dose": ("20 mg", "25 mg"), "seat": ("Girona", "Lyon")}
    record = {
        "model": "m",
        "scenario": "s",
        "run": 1,
        "verified": True,
        "candidate": {name: mine for name, (mine, _) in pairs.items()},
        "reference": {name: theirs for name, (_, theirs) in pairs.items()},
    }

    rubric.score([record], measure=cosine)

    assert sent == [("Girona", "Lyon")]
