"""Laws of scoring: what a sound rubric comes to on any conforming records."""

from fractions import Fraction
from typing import Any

import pytest
from engine import averages_sums, by_subject, checked, essences, score, sound, traces
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import FAILED, UNSCORED, Oracle
from scaling import scaled
from strategies import Plan, Style, plans, records_for, rubrics_and_records, values_of

from rulesengine.check.reach import reach_of_score
from rulesengine.graph import nodes as g
from rulesengine.report.to_json import dumps, result_json
from rulesengine.runtime.outcome import Failed, Scored, Unscored
from rulesengine.runtime.trace import CombineTrace, FixTrace, SumTrace, Trace

Records = list[dict[str, Any]]


@given(plans())
def test_plans_are_sound(plan: Plan) -> None:
    """What the strategies build, the checks accept; else the laws below would test nothing."""
    sound(plan.text())


@given(rubrics_and_records())
def test_a_sound_rubric_never_raises(both: tuple[Plan, Records]) -> None:
    """Every conforming record is scored without an exception, and the result can be written."""
    plan, records = both

    run = score(plan.text(), records)

    subjects = {tuple(str(record[key]) for key in plan.subject) for record in records}
    assert len(subjects) == len(run.results)
    for result in run.results:
        dumps(result_json(result, {}, trace=True))


@given(rubrics_and_records())
def test_a_score_is_what_the_oracle_says(both: tuple[Plan, Records]) -> None:
    """Fault L5: Rows, means and sums worked out naively come to the same number, or to none alike."""
    plan, records = both

    run = score(plan.text(), records)

    words = {"unscored": UNSCORED, "failed": FAILED}
    actual = {
        subject: words.get(result.status, result.score)
        for subject, result in by_subject(run).items()
    }
    oracle = Oracle(plan, records)
    expected = oracle.results()
    assert expected == actual
    if not averages_sums(plan):  # else a part has a result for each sum that is averaged
        parts = {
            # A subject that failed has no figures, whatever of it could be worked out.
            subject: {
                p: v if isinstance(v, Fraction) and expected[subject] is not FAILED else None
                for p, v in values.items()
            }
            for subject, values in oracle.values.items()
        }
        assert parts == {subject: dict(r.values) for subject, r in by_subject(run).items()}


@given(rubrics_and_records(), st.randoms(use_true_random=False))
def test_the_order_of_records_never_matters(both: tuple[Plan, Records], random: Any) -> None:
    """Shuffled records give the same results, down to reasons and counts."""
    plan, records = both
    shuffled = random.sample(records, len(records))

    one, other = score(plan.text(), records), score(plan.text(), shuffled)

    assert essences(one) == essences(other)


@given(rubrics_and_records(), st.randoms(use_true_random=False))
def test_the_order_of_fields_never_matters(both: tuple[Plan, Records], random: Any) -> None:
    """Records whose fields are written in another order give the same results."""
    plan, records = both
    shuffled = [dict(random.sample(list(record.items()), len(record))) for record in records]

    one, other = score(plan.text(), records), score(plan.text(), shuffled)

    assert essences(one) == essences(other)


@given(rubrics_and_records(), st.data())
def test_another_subject_changes_nothing(both: tuple[Plan, Records], data: Any) -> None:
    """Records of one more subject leave every other result as it was."""
    plan, records = both
    more = data.draw(records_for(plan))
    strangers = [record | {"who": "somebody else"} for record in more]
    strangers = list({tuple(str(r[k.name]) for k in plan.keys): r for r in strangers}.values())

    alone, together = score(plan.text(), records), score(plan.text(), [*records, *strangers])

    kept = {
        subject: result
        for subject, result in essences(together).items()
        if result["subject"]["who"] != "somebody else"
    }
    assert essences(alone) == kept


def _bounds(node: g.AnyNode, graph: g.Graph) -> tuple[Fraction, Fraction]:
    """The interval that a node promises: its scale's ends, or from 0 to what it is worth."""
    match node:
        case g.Rows(scale=scale, out_of=out_of):
            return (min(scale), max(scale)) if scale else (Fraction(0), out_of)
        case g.Computed(out_of=out_of) | g.Sum(out_of=out_of):
            return Fraction(0), out_of
        case g.Combine(source=source) | g.Fix(source=source):
            return _bounds(graph.nodes[source], graph)
    raise AssertionError(node)


@given(rubrics_and_records())
def test_a_result_lies_within_what_its_part_is_worth(both: tuple[Plan, Records]) -> None:
    """Both ends of the interval of every result that counts lie from 0 to its worth."""
    plan, records = both
    rubric = sound(plan.text())

    run = rubric.score(records)

    for result in run.results:
        assert result.trace is not None
        for trace in _settled(result.trace):
            if isinstance(trace.outcome, Failed):
                continue
            low, high = _bounds(trace.node, rubric.graph)
            assert low <= trace.outcome.low <= trace.outcome.high <= high


def _settled(trace: Trace) -> list[Trace]:
    """A trace and all below it that count."""
    match trace:
        case SumTrace(parts=parts):
            return [trace, *(each for part in parts for each in _settled(part))]
        case FixTrace(inner=inner):
            return [trace, *_settled(inner)]
        case CombineTrace(members=members):
            kept = [member.trace for member in members if member.excluded is None]
            return [trace, *(each for member in kept for each in _settled(member))]
        case _:
            return [trace]


@given(rubrics_and_records())
def test_a_score_lies_in_its_interval(both: tuple[Plan, Records]) -> None:
    """A result lies between its worst and its best, where only single results are averaged.

    An average of sums is another matter: see test_an_average_of_sums_can_leave_its_interval.
    """
    plan, records = both
    assume(not averages_sums(plan))

    run = score(plan.text(), records)

    for result in run.results:
        assert result.trace is not None
        for trace in _settled(result.trace):
            if isinstance(trace.outcome, Scored):
                assert trace.outcome.low <= trace.outcome.value <= trace.outcome.high


@given(rubrics_and_records())
def test_contributions_add_up_again(both: tuple[Plan, Records]) -> None:
    """Every sum is that of its parts, every mean that of its members that count, exactly."""
    plan, records = both

    for trace in traces(score(plan.text(), records)):
        if not isinstance(trace.outcome, Scored):
            continue
        match trace:
            case SumTrace(parts=parts):
                values = [_value(part) for part in parts]
                assert sum(values) == trace.outcome.value
            case CombineTrace(members=members):
                kept = [m.trace.outcome for m in members if m.excluded is None]
                values = [each.value for each in kept if isinstance(each, Scored)]
                assert sum(values) / len(values) == trace.outcome.value
            case FixTrace(inner=inner):
                assert _value(inner) == trace.outcome.value
            case _:
                pass


def _value(trace: Trace) -> Fraction:
    assert isinstance(trace.outcome, Scored)
    return trace.outcome.value


@given(rubrics_and_records())
def test_a_total_can_come_out_and_has_a_band(both: tuple[Plan, Records]) -> None:
    """Every total is one that the checks thought possible, and some band holds it."""
    plan, records = both
    result = checked(plan.text())
    assert result.scope is not None
    reach = reach_of_score(result.scope)

    run = score(plan.text(), records)

    for each in run.results:
        if each.score is not None:
            found = reach.first_between(each.score, each.score, with_low=True, with_high=True)
            assert each.score == found
            assert None not in each.bands.values()


@given(
    rubrics_and_records(Style(), tame=True), st.sampled_from(["2", "3", "0.5", "0.1", "7", "1.5"])
)
def test_scaling_all_points_scales_the_score(both: tuple[Plan, Records], factor: str) -> None:
    """Every worth and constant of the score times r leaves the share of the points as it is."""
    plan, records = both
    larger = scaled(plan, Fraction(factor))

    one, other = score(plan.text(), records), score(larger.text(), records)

    def share(run: Any) -> dict[Any, Any]:
        return {
            subject: (each.status, each.score / each.out_of if each.score is not None else None)
            for subject, each in by_subject(run).items()
        }

    assert share(one) == share(other)
    assert sound(plan.text()).fingerprint != sound(larger.text()).fingerprint


MONOTONE = Style(states=False, off_scale=False, simple_key=True)


@given(plans(MONOTONE), st.data())
def test_missing_is_never_read_as_a_value(plan: Plan, data: Any) -> None:
    """What is scored without a field is scored the same whatever the field holds.

    The rubrics have no `else`, `is missing` or `is given`, and say `when missing -> unscored`. A
    missing value that were read as 0, no or "" anywhere would give a score that another value
    changes.
    """
    optional = [each for each in plan.fields if each.optional and each.default is None]
    assume(optional)
    record = data.draw(records_for(plan, tame=True, most=1))[0]
    field = data.draw(st.sampled_from(optional))
    without = {name: value for name, value in record.items() if name != field.name}
    given_ = record | {field.name: data.draw(values_of(field, tame=True))}

    (lacking,), (having,) = (
        score(plan.text(), [without]).results,
        score(plan.text(), [given_]).results,
    )

    known = {path: value for path, value in lacking.values.items() if value is not None}
    assert known == {path: having.values[path] for path in known}


@given(
    rubrics_and_records(Style(states=False, off_scale=False, excludes=False), tame=True), st.data()
)
def test_filling_in_what_is_missing_stays_in_the_interval(
    both: tuple[Plan, Records], data: Any
) -> None:
    """A value for a missing field narrows the interval, so the score then lies in the old one."""
    plan, records = both
    gaps = [
        (number, each)
        for number, record in enumerate(records)
        for each in plan.fields
        if each.optional and each.default is None and record.get(each.name) is None
    ]
    assume(gaps)
    number, field = data.draw(st.sampled_from(gaps))
    filled = [dict(record) for record in records]
    filled[number][field.name] = data.draw(values_of(field, tame=True))

    before, after = by_subject(score(plan.text(), records)), by_subject(score(plan.text(), filled))

    for subject, old in before.items():
        new = after[subject]
        if new.interval is None:  # a division by the 0 that was filled in
            assert new.status == "failed"
            continue
        if old.interval is None:  # another record fails, and went on failing or is read no more
            continue
        assert old.interval[0] <= new.interval[0] <= new.interval[1] <= old.interval[1]


# ------------------------------------------------------------------------- what the laws have found


def test_an_average_of_sums_can_leave_its_interval() -> None:
    """An average leaves out runs without a total; the interval counts what is known of them.

    Run r1 has 10; r2 has 0 on the first part and nothing on the second, so from 0 to 5. The score
    is the 10 of the one run that has a total; were all runs to have one, it would lie from 5 to
    7.5.
    """
    text = """rubric a language 1
    evidence { key who : text  key run : one of r1, r2  right : yes/no  seen : yes/no? }
    score each who {
      combine run by mean
      criterion first worth 5 { when right -> 5 otherwise -> 0 }
      criterion second worth 5 { when missing -> unscored "not seen" when seen -> 5 otherwise -> 0 }
    }"""
    records = [
        {"who": "m", "run": "r1", "right": True, "seen": True},
        {"who": "m", "run": "r2", "right": False},
    ]

    (result,) = score(text, records).results

    assert (10, (5, Fraction("7.5"))) == (result.score, result.interval)


def test_unscored_is_the_word_for_no_result() -> None:
    """An outcome without a value still has its interval."""
    assert not hasattr(Unscored(Fraction(0), Fraction(1)), "value")


if __name__ == "__main__":
    pytest.main([__file__])
