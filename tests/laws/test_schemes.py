"""Laws of aggregates, weights, steps, requirements, figures and rankings."""

from fractions import Fraction
from typing import Any

from attrs import evolve, frozen
from engine import by_subject, checked, essences, score, sound
from hypothesis import assume, given
from hypothesis import strategies as st
from scheme_oracle import SchemeOracle, Standing
from schemes import Scheme, SchemePart, records_of, schemes, schemes_and_records

from rulesengine.check.reach import reach_of_score
from rulesengine.graph.invariants import broken
from rulesengine.report.result import Result
from rulesengine.rubric import Rubric
from rulesengine.runtime.statistics import STATISTICS
from rulesengine.syntax.table import parser

Records = list[dict[str, Any]]
Both = tuple[Scheme, Records]


@given(schemes())
def test_schemes_are_sound(scheme: Scheme) -> None:
    """What the strategies build, the checks accept; and the graph keeps its promises."""
    assert broken(sound(scheme.text()).graph) == []


def _standing(result: Result, like: Standing) -> Standing:
    """What the engine says of a subject, in the oracle's words."""
    values = {
        path: value if isinstance(value, Fraction | str) else None
        for path, value in result.values.items()
    }
    return Standing(
        status=result.status,
        score=result.score,
        interval=result.interval,
        shown={name: values[name] for name in like.shown},  # type: ignore[misc]
        parts={path: values[path] for path in like.parts},  # type: ignore[misc]
        kept={path: value for path, value in values.items() if path in like.kept},
        excused=len([why for why in result.degraded if why.startswith("message")]),
    )


@given(schemes_and_records())
def test_a_result_is_what_the_oracle_says(both: Both) -> None:
    """Scores, intervals, parts, figures and statistics are those worked out naively."""
    scheme, records = both
    oracle = SchemeOracle(scheme, records)

    run = score(scheme.text(), records)

    for (who,), result in by_subject(run).items():
        expected = oracle.standing(who)
        assert expected == _standing(result, expected)


@given(schemes_and_records(), st.randoms(use_true_random=False))
def test_the_order_of_records_never_matters(both: Both, random: Any) -> None:
    """Shuffled records give the same results, places in rankings too."""
    scheme, records = both
    shuffled = random.sample(records, len(records))

    one, other = score(scheme.text(), records), score(scheme.text(), shuffled)

    assert essences(one) == essences(other)
    assert [each.places for each in one.results] == [each.places for each in other.results]


@given(schemes_and_records())
def test_a_total_can_come_out(both: Both) -> None:
    """Every total is one that the checks thought possible."""
    scheme, records = both
    scope = checked(scheme.text()).scope
    assert scope is not None
    reach = reach_of_score(scope)

    for each in score(scheme.text(), records).results:
        if each.score is not None:
            found = reach.first_between(each.score, each.score, with_low=True, with_high=True)
            assert each.score == found


@given(schemes_and_records())
def test_the_interval_is_the_score_where_nothing_is_unscored(both: Both) -> None:
    """What is known in full can come to nothing else."""
    scheme, records = both

    for each in score(scheme.text(), records).results:
        if each.status == "scored" and not each.unscored:
            assert (each.score, each.score) == each.interval


@given(schemes_and_records())
def test_rankings_are_sorted(both: Both) -> None:
    """Places go by value, then by key; a rank counts those before; without a value one is last and not kept."""
    scheme, records = both
    oracle = SchemeOracle(scheme, records)

    run = score(scheme.text(), records)

    standings = {who: oracle.standing(who) for (who,) in by_subject(run)}
    for name, expr, descending, keep in scheme.ranks:
        values = {
            who: oracle.value(expr, {"who": who}) if standing.status != "failed" else None
            for who, standing in standings.items()
        }
        known = {who: v for who, v in values.items() if isinstance(v, Fraction)}
        sign = -1 if descending else 1
        order = sorted(known, key=lambda who: (sign * known[who], who))
        order += sorted(set(values) - set(known))
        expected = {
            who: (
                known.get(who),
                1 + sum(sign * other < sign * known[who] for other in known.values())
                if who in known
                else None,
                number,
                who in known and (not keep or number <= keep),
                {other for other in known if other != who and known[other] == known.get(who)},
            )
            for number, who in enumerate(order, start=1)
        }
        actual = {
            who: (
                place.value,
                place.place,
                place.position,
                place.kept,
                {str(dict(keys)["who"]) for keys in place.tied_with},
            )
            for (who,), result in by_subject(run).items()
            for place in (result.places[name],)
        }
        assert expected == actual


@given(schemes(), st.data())
def test_a_condition_and_its_opposite_share_everything(scheme: Scheme, data: Any) -> None:
    """Of what is decided, those that hold and those that do not are all; `none` is the opposite of `any`."""
    name = data.draw(st.sampled_from(["y", "w > 1", "w >= 2.5", "x = 2 and y", "x < w or y"]))
    cond, key = f"({name})", scheme.keys[0]
    figures = {
        "holds": f"count of {cond} over {key}",
        "fails": f"count of (not {cond}) over {key}",
        "all": f"count of {key} over {key} per who",
        "share": f"share of {cond} over {key}",
        "rest": f"share of (not {cond}) over {key}",
    }
    flags = {
        "none": f"none of {cond} over {key}",
        "any": f"any of {cond} over {key}",
        "every": f"all of {cond} over {key}",
        "some_not": f"any of (not {cond}) over {key}",
    }
    plain = Scheme(keys=(key,), parts=scheme.parts[:1], out_of=scheme.out_of)
    lets = [f"let {name} = {value}" for name, value in figures.items()]
    lets += [f"let {name} {{ when {value} -> 1 otherwise -> 0 }}" for name, value in flags.items()]
    kinds = {"run": "integer", "task": "one of t1, t2, t3"}
    text = "\n".join(
        [
            'rubric generated version "1" language 1',
            f"evidence {{ key who : text key {key} : {kinds[key]} x : number? y : yes/no? w : number }}",
            *(
                each.replace("let all ", "let all_ ").replace("let any ", "let any_ ")
                for each in lets
            ),
            "score each who out of 1 {",
            *(
                f"  show s_{each} = {each}{'_' if each in ('all', 'any') else ''}"
                for each in (*figures, *flags)
            ),
            "  criterion a worth 1 { when all_ > 0 -> 1 otherwise -> 0 } }",
        ]
    )
    records = data.draw(records_of(plain))

    for result in score(text, records).results:
        got = {each: result.values[f"s_{each}"] for each in (*figures, *flags)}
        assert (got["holds"] is None) == (got["fails"] is None)
        if got["holds"] is not None:
            assert got["holds"] + got["fails"] == got["all"]  # type: ignore[operator]
            assert got["share"] + got["rest"] == 1  # type: ignore[operator]
        for one, other in (("none", "any"), ("every", "some_not")):
            assert {got[one], got[other]} in ({0, 1}, {None})


@given(schemes(), st.data())
def test_no_figure_reads_what_is_missing_as_a_value(scheme: Scheme, data: Any) -> None:
    """A figure that has a value without a field has the same one whatever the field holds.

    But for those that ask whether it is there: `is given`, `else`, and a count of what is given.
    """
    asks = {
        name
        for name, value in scheme.shows
        if asks_for_presence(value, dict(scheme.lets)) or "part" in str(value)
    }
    records = data.draw(records_of(scheme))
    gaps = [(number, name) for number, r in enumerate(records) for name in "xy" if name not in r]
    assume(gaps)
    number, name = data.draw(st.sampled_from(gaps))
    value = data.draw(st.sampled_from([0, 2, 5]) if name == "x" else st.booleans())
    filled = [dict(record) for record in records]
    filled[number][name] = value

    before, after = score(scheme.text(), records), score(scheme.text(), filled)

    for who, old in by_subject(before).items():
        new = by_subject(after)[who]
        if "failed" in (old.status, new.status):
            continue
        known = {
            each: old.values[each]
            for each, _ in scheme.shows
            if each not in asks and old.values[each] is not None
        }
        assert known == {each: new.values[each] for each in known}


def asks_for_presence(expr: Any, lets: dict[str, Any]) -> bool:
    """Whether an expression asks if a value is there."""
    match expr:
        case ("given" | "else", *_) | ("aggregate", "count", *_):
            return True
        case ("let", name):
            return asks_for_presence(lets[name], lets)
        case tuple():
            return any(asks_for_presence(each, lets) for each in expr)
        case _:
            return False


WORDS = {
    "ascending": ["descending"],
    "descending": ["ascending"],
    "median": ["min"],
    "mean": ["median", "max"],
    "min": ["max"],
    "max": ["sum"],
    "each": ["min"],
    "half_up": ["half_even", "down"],
    "down": ["up", "floor"],
    "up": ["ceiling"],
    "floor": ["down"],
    "ceiling": ["half_up"],
    "half_even": ["half_up"],
    "mean of": ["median of", "min of"],
    "median of": ["mean of"],
    "share of": ["count of"],
    "count of": ["share of"],
    "sum of": ["mean of"],
    "any of": ["none of"],
    "all of": ["any of"],
    "none of": ["all of"],
    "and": ["or"],
    "or": ["and"],
    "<": ["<="],
    ">": [">="],
    "=": ["!="],
}


@given(schemes(), st.data())
def test_any_change_of_meaning_changes_the_fingerprint(scheme: Scheme, data: Any) -> None:
    """Another weight, point, end, step, quorum, statistic, operation, order or number kept is another rubric."""
    text = scheme.text()
    tokens = list(parser().lex(text))
    begin = next(i for i, token in enumerate(tokens) if token.type == "EVIDENCE")
    places: list[tuple[Any, str]] = []
    for before, token in zip(tokens[begin:], tokens[begin + 1 :], strict=False):
        if before.type in ("LET", "CRITERION", "PENALTY", "SHOW", "AS", "COMBINE", "OVER"):
            continue
        word = " ".join(str(token).split())
        if token.type in ("NUMBER", "PERCENT"):
            places += [(token, each) for each in another(str(token))]
        elif word in WORDS and not (token.type == "EQUALS" and before.type in ("NAME", "LABEL")):
            places += [(token, each) for each in WORDS[word]]
    for step in ("renormalise", "unless excused"):
        at = text.find(step)
        if at >= 0:
            places.append((Stretch(at, at + len(step)), ""))
    assume(places)
    token, instead = data.draw(st.sampled_from(places))
    changed = checked(f"{text[: token.start_pos]} {instead} {text[token.end_pos :]}")
    assume(changed.is_sound)

    assert sound(text).fingerprint != Rubric(changed).fingerprint


@frozen
class Stretch:
    """A part of a text."""

    start_pos: int
    end_pos: int


def another(number: str) -> list[str]:
    """Other numbers than one as written."""
    digits = number.removesuffix("%")
    mark = "%" if number.endswith("%") else ""
    return [f"{Fraction(digits) + 1}{mark}"] if "." not in digits else [f"{digits}1{mark}"]


@given(schemes(), st.sampled_from(["a word", "ü"]))
def test_labels_and_messages_leave_the_fingerprint(scheme: Scheme, word: str) -> None:
    """Words for people do not count: labels of parts and figures, and what a breach says."""

    def labelled(part: SchemePart) -> SchemePart:
        return evolve(part, label=word, parts=tuple(map(labelled, part.parts)))

    other = evolve(scheme, label=word, parts=tuple(map(labelled, scheme.parts)))

    assert sound(scheme.text()).fingerprint == sound(other.text()).fingerprint


def test_params_are_part_of_the_fingerprint() -> None:
    """A weight, an edge or an excuse that is set otherwise is another rubric; set to what it is, it is the same."""
    rubric = sound(
        """rubric a version "1" language 1
    param share : number default 70%
    param lenient : yes/no default no
    param kind : one of one, other default one
    evidence { key who : text  x : number 0 to 1  is : one of one, other }
    score each who out of 100 {
      require x > 0 "nothing" unless lenient
      criterion a weight share = x
      criterion b weight 1 - share { when is = kind -> 1  otherwise -> 0 }
    }""".replace(" is ", " sort ").replace("when is", "when sort")
    )

    others = [
        rubric.with_params(share=Fraction(6, 10)),
        rubric.with_params(lenient=True),
        rubric.with_params(kind="other"),
    ]

    assert len({each.fingerprint for each in (rubric, *others)}) == 4
    assert rubric.fingerprint == rubric.with_params(share=0.7, lenient=False).fingerprint


@given(
    st.lists(st.fractions(min_value=-20, max_value=20, max_denominator=50), min_size=2, max_size=8)
)
def test_a_deviation_squared_is_the_variance(numbers: list[Fraction]) -> None:
    """To 45 digits: with n below the line for a population, with n - 1 for a sample."""
    centre = sum(numbers, Fraction(0)) / len(numbers)
    squares = sum(((number - centre) ** 2 for number in numbers), Fraction(0))

    for name, below in (("stdev_population", len(numbers)), ("stdev_sample", len(numbers) - 1)):
        variance = squares / below
        assert abs(STATISTICS[name](numbers) ** 2 - variance) <= variance / 10**45
