"""Samples of sample and schema generation, their results worked out a second time from the protocol's words."""

import json
import math
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from rulesengine.providers.recorded import PrecomputedVectors, RecordedJudge
from rulesengine.report.result import Result
from rulesengine.report.to_json import dumps, result_json
from rulesengine.rubric import Rubric, load

FOLDER = Path(__file__).parents[3] / "rubrics" / "enrichment"
Records = list[dict[str, Any]]
Results = dict[tuple[str, str], Result]


def read(name: str) -> Records:
    """The lines of a file, each as plain JSON."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


SAMPLES, ANSWERS = read("sample.sample.jsonl"), read("sample.sample.answers.jsonl")
SCHEMAS = read("schema.sample.jsonl")
VECTORS = {row["text"]: row["vector"] for row in read("schema.sample.vectors.jsonl")}
SUBJECTS = sorted({(each["model"], each["scenario"]) for each in SAMPLES})
SCHEMA_SUBJECTS = sorted({(each["model"], each["scenario"]) for each in SCHEMAS})


def by_subject(rubric: Rubric, records: Records, **providers: Any) -> Results:
    done = rubric.score(records, **providers)
    return {
        (str(each.subject["model"]), str(each.subject["scenario"])): each for each in done.results
    }


@pytest.fixture(scope="module")
def samples() -> Results:
    return by_subject(load("enrichment/sample"), SAMPLES, judge=RecordedJudge(ANSWERS))


@pytest.fixture(scope="module")
def schemas() -> Results:
    return by_subject(load("enrichment/schema"), SCHEMAS, measure=PrecomputedVectors(VECTORS))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def ran(records: Records, model: str, scenario: str) -> Records:
    """The runs of a model that gave something."""
    return [
        each
        for each in records
        if (each["model"], each["scenario"]) == (model, scenario) and not each.get("failed")
    ]


def relative(records: Records, scenario: str, figure: str) -> dict[str, float | None]:
    """Speed or cost of each model, by its logarithm beside the best; None where it is not known."""
    models = sorted({each["model"] for each in records})
    known = {
        model: [each[figure] for each in ran(records, model, scenario) if figure in each]
        for model in models
    }
    means = {model: mean(values) for model, values in known.items() if values}
    best = min(value for value in means.values() if value > 0)
    return {
        model: None
        if model not in means
        else 100 * min(1.0, max(0.0, 1 - math.log10(means[model] / best)))
        if means[model]
        else 100.0
        for model in models
    }


def check_places(records: Records, scenario: str, results: Results) -> None:
    """Blends and places are those by hand, from the qualities that were scored."""
    speed, cost = relative(records, scenario, "seconds"), relative(records, scenario, "cost")
    blends = {
        model: None
        if quick is None or (cheap := cost[model]) is None
        else 34 * float(results[model, scenario].score or 0) + 0.33 * quick + 0.33 * cheap
        for model, quick in speed.items()
    }
    order = sorted(blends, key=lambda model: -math.inf if (b := blends[model]) is None else -b)
    last = [model for model in order if blends[model] is None]
    order = [model for model in order if blends[model] is not None] + last

    assert order == sorted(
        blends, key=lambda model: results[model, scenario].places["blend"].place or len(blends)
    )
    for model, blend in blends.items():
        assert (None if blend is None else pytest.approx(blend)) == (
            None
            if results[model, scenario].values["blend"] is None
            else float(results[model, scenario].values["blend"] or 0)
        )


# -------------------------------------------------------------------------------- sample generation


def leaf_places(value: Any, path: str = "") -> Iterator[str]:
    """The path of every filled leaf, positions left out."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaf_places(each, f"{path}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from leaf_places(each, f"{path}[]")
    elif value is not None and value != "":
        yield path


def mark(record: dict[str, Any], field: str, ask: str) -> float:
    """The record's own mark, else the judge's."""
    if field in record:
        return float(record[field])
    (answer,) = [
        row["answer"]
        for row in ANSWERS
        if row["ask"] == ask and row["inputs"]["sample"] == record["sample"]
    ]
    return float(answer)


class Marked:
    """A sample with its marks."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.naming = mark(record, "naming_structure", "naming")
        self.realism = mark(record, "value_realism", "realism")
        self.determinism = mark(record, "determinism", "same_each_time")
        self.count = len(set(leaf_places(record["sample"])))
        good = mean([self.naming, self.realism])
        self.trusted = self.count * mark(record, "on_topic", "about_the_request") * good


def sample_by_hand(model: str, scenario: str) -> tuple[float, float, float]:
    """Overall, completeness and properties of a model in a scenario, means over its runs."""
    others = {each["model"] for each in SAMPLES} - {model}
    peers = [
        mean([Marked(each).trusted for each in ran(SAMPLES, other, scenario)]) for other in others
    ]
    overall, ratios, counts = [], [], []
    for record in ran(SAMPLES, model, scenario):
        marked = Marked(record)
        ratio = min(1.0, marked.trusted / max(peers))
        good = mean([marked.naming, marked.realism])
        all_marks = mean([marked.naming, marked.realism, marked.determinism])
        overall.append(0.5 * math.sqrt(ratio) * good + 0.5 * all_marks)
        ratios.append(ratio)
        counts.append(marked.count)
    return mean(overall), mean(ratios), mean(counts)


def test_samples_are_a_whole_design() -> None:
    """Four models, three scenarios in three languages, two runs, one of which failed."""
    places = {(each["model"], each["scenario"], each["run"]) for each in SAMPLES}
    failed = [each for each in SAMPLES if each.get("failed")]

    assert (
        *(len(places), len({m for m, _, _ in places}), len({s for _, s, _ in places})),
        len(failed),
    ) == (24, 4, 3, 1)


@pytest.mark.parametrize(("model", "scenario"), SUBJECTS)
def test_every_sample_is_scored_as_by_hand(model: str, scenario: str, samples: Results) -> None:
    """Overall, completeness and the number of properties."""
    result = samples[model, scenario]
    values = result.values

    actual = (result.score, values["completeness"], values["properties_mean"])

    assert pytest.approx(sample_by_hand(model, scenario)) == tuple(
        float(value or 0) for value in actual
    )


@pytest.mark.parametrize("scenario", sorted({scenario for _, scenario in SUBJECTS}))
def test_every_sample_has_its_place(scenario: str, samples: Results) -> None:
    """What has no cost has no blend, and comes last."""
    check_places(SAMPLES, scenario, samples)


# -------------------------------------------------------------------------------- schema generation

Property = dict[str, Any]


def cosine(one: str, other: str) -> float:
    if one == other:
        return 1.0
    left, right = VECTORS[one], VECTORS[other]
    lengths = [math.sqrt(sum(x * x for x in each)) for each in (left, right)]
    return float(
        max(0.0, sum(x * y for x, y in zip(left, right, strict=True)) / math.prod(lengths))
    )


def alike(one: Property, other: Property, names: Sequence[str]) -> list[float]:
    """How alike two properties are in each of some fields that at least one of them has."""
    return [
        cosine(one[name], other[name]) if name in one and name in other else 0.0
        for name in names
        if name in one or name in other
    ]


def paired(mine: list[Property], theirs: list[Property]) -> list[tuple[Property, Property]]:
    """Equal paths first; of the rest the best of all assignments of enough likeness."""
    ours = {each["path"]: each for each in mine}
    first = [(ours[each["path"]], each) for each in theirs if each["path"] in ours]
    left = [each for each in mine if each["path"] not in {other["path"] for _, other in first}]
    right = [each for each in theirs if each["path"] not in ours]
    wide: list[Property | None] = [*left, *([None] * max(0, len(right) - len(left)))]
    best: tuple[float, list[tuple[Property, Property]]] = (0.0, [])
    for order in permutations(wide, len(right)):
        chosen, total = [], 0.0
        for one, other in zip(order, right, strict=True):
            credit = 0.0 if one is None else mean(alike(one, other, ("name", "description")))
            if one is not None and credit >= 0.5:
                chosen.append((one, other))
                total += credit
        if total > best[0]:
            best = (total, chosen)
    return first + best[1]


def pair_score(one: Property, other: Property) -> float:
    """The mean of type, description and the share of flags that agree; what neither says agrees."""
    ours, theirs = one.get("flags", {}), other.get("flags", {})
    flags = [ours.get(name) == theirs.get(name) for name in {*ours, *theirs}]
    described = alike(one, other, ("description",))
    return mean(
        [
            float(one.get("type") == other.get("type")),
            mean(described) if described else 1.0,
            mean(flags) if flags else 1.0,
        ]
    )


def schema_by_hand(record: dict[str, Any]) -> tuple[float, float, float]:
    """Pairing F1, pair score and partition of one run."""
    mine, theirs = record["candidate"], record["reference"]
    pairs = paired(mine, theirs)
    read_back = {one["path"]: other["path"] for one, other in pairs}
    domains = [
        {read_back.get(path, f"own {path}") for path in each["members"]}
        for each in record["domains"]
    ]
    partition = 0.0
    for each in record["reference_domains"]:
        members = set(each["members"])
        found = [
            2 * len(members & other) / (len(members) + len(other)) for other in domains if other
        ]
        partition += max(found, default=0.0) * len(members)
    whole = sum(len(each["members"]) for each in record["reference_domains"])
    return (
        2 * len(pairs) / (len(mine) + len(theirs)),
        mean([pair_score(*pair) for pair in pairs]) if pairs else 0.0,
        partition / whole,
    )


def test_schemas_are_a_whole_design() -> None:
    """Four models, three scenarios in three languages, two runs, two of which failed."""
    places = {(each["model"], each["scenario"], each["run"]) for each in SCHEMAS}
    failed = [each for each in SCHEMAS if each.get("failed")]

    assert (
        *(len(places), len({m for m, _, _ in places}), len({s for _, s, _ in places})),
        len(failed),
    ) == (24, 4, 3, 2)


@pytest.mark.parametrize(("model", "scenario"), SCHEMA_SUBJECTS)
def test_every_schema_is_scored_as_by_hand(model: str, scenario: str, schemas: Results) -> None:
    """The three parts and their mean, each the mean over runs."""
    runs = [schema_by_hand(each) for each in ran(SCHEMAS, model, scenario)]
    parts = [mean([run[part] for run in runs]) for part in range(3)]
    result = schemas[model, scenario]

    actual = [
        *(float(result.values[name] or 0) for name in ("pairing_f1", "pairs_alike", "partition")),
        float(result.score or 0),
    ]

    assert pytest.approx([*parts, mean(parts)]) == actual


@pytest.mark.parametrize("scenario", sorted({scenario for _, scenario in SCHEMA_SUBJECTS}))
def test_every_schema_has_its_place(scenario: str, schemas: Results) -> None:
    """Blends and places are those by hand."""
    check_places(SCHEMAS, scenario, schemas)


def test_the_samples_meet_both_stages_of_pairing(schemas: Results) -> None:
    """There are pairs of one path, pairs of two paths, and properties without a partner on either side."""
    kinds = {
        (row.kind, row.paired, row.candidate == row.reference)
        for result in schemas.values()
        for compared in result.comparisons
        for row in compared.comparison.rows
        if row.path == "[].path"
    }

    assert {
        ("both", True, True),
        ("both", True, False),
        ("miss", False, False),
        ("extra", False, False),
    } == kinds


@pytest.mark.parametrize("kind", ["sample", "schema"])
def test_results_are_those_beside_the_evidence(
    kind: str, samples: Results, schemas: Results
) -> None:
    """What `rubric score` wrote is what comes out, but for the fingerprint."""
    rubric = load(f"enrichment/{kind}")
    expected = read(f"{kind}.expected.jsonl")
    identity = {"name": rubric.name, "version": rubric.version}
    results = samples if kind == "sample" else schemas

    actual = [json.loads(dumps(result_json(each, identity))) for each in results.values()]

    for row in expected:
        del row["rubric"]["fingerprint"]
    assert expected == actual
