"""Laws of bands: what the checks report is what a grid of scores shows, and nothing else.

Bounds are halves and the grid quarters, so every stretch between two bounds has a score of the grid
in it.
"""

import re
from fractions import Fraction
from typing import Any

from engine import checked, sound
from hypothesis import given
from hypothesis import strategies as st
from strategies import decimal

WORTH = 6
STEP = Fraction(1, 4)
GRID = [n * STEP for n in range(-8, (WORTH + 2) * 4 + 1)]  # 2 beyond each end stand for all beyond
SCORES = [score for score in GRID if 0 <= score <= WORTH]

Band = tuple[Fraction | None, Fraction | None, bool]


def bands() -> Any:
    """Bands of every form; none of them is empty."""
    bound = st.integers(-2, WORTH * 2 + 2).map(lambda n: Fraction(n, 2))
    pair = st.tuples(bound, bound).map(sorted)
    return st.lists(
        st.one_of(
            bound.map(lambda low: (low, None, False)),
            bound.map(lambda high: (None, high, False)),
            pair.filter(lambda ends: ends[0] < ends[1]).map(lambda ends: (*ends, False)),
            pair.map(lambda ends: (*ends, True)),
        ),
        min_size=1,
        max_size=5,
    )


def holds(band: Band, score: Fraction) -> bool:
    """Whether a score lies in a band."""
    low, high, inclusive = band
    above = low is None or score >= low
    return above and (high is None or score < high or (inclusive and score == high))


def written(band: Band, name: str, condition: str | None = None) -> str:
    """A band as a line of its own."""
    low, high, inclusive = band
    when = f" when {condition}" if condition else ""
    if inclusive and low is not None and high is not None:
        return f'{decimal(low)} to {decimal(high)}{when} -> "{name}"'
    words = [f"from {decimal(low)}"] if low is not None else []
    words += [f"below {decimal(high)}"] if high is not None else []
    return f'{" ".join(words)}{when} -> "{name}"'


def rubric(score: str, listed: list[Band], conditions: list[str | None] | None = None) -> str:
    """A rubric whose bands stand one a line, the first on line 5."""
    conditions = conditions or [None] * len(listed)
    lines = "\n".join(
        written(band, f"b{number}", condition)
        for number, (band, condition) in enumerate(zip(listed, conditions, strict=True))
    )
    return (
        "rubric a language 1\nevidence { key who : text  x : number  y : integer per who }\n"
        f"score each who {{ criterion c worth {WORTH} {score} }}\nbands status {{\n{lines}\n}}\n"
    )


def reported(text: str, code: str) -> list[Any]:
    """The findings of one code; an error of any other kind is a fault of this test."""
    found = checked(text).diagnostics
    assert not [d for d in found if d.severity == "error" and not d.code.id.startswith("R40")]
    return [d for d in found if d.code.id == code]


def gap_of(message: str) -> set[Fraction]:
    """The scores of the grid that a message about a gap names."""
    number = r"(-?[0-9.]+)"
    single = re.search(rf"a score of {number}", message)
    if single:
        return {Fraction(single[1])}
    between = re.search(rf"a score between {number} and {number}", message)
    if between:
        low, high = Fraction(between[1]), Fraction(between[2])
        return {score for score in GRID if low < score < high}
    words = re.search(rf"a score (above|from) {number} (below|up to) {number}", message)
    assert words is not None, message
    low, high = Fraction(words[2]), Fraction(words[4])
    return {
        score
        for score in GRID
        if (score > low or (words[1] == "from" and score == low))
        and (score < high or (words[3] == "up to" and score == high))
    }


@given(bands())
def test_gaps_are_what_no_band_holds(listed: list[Band]) -> None:
    """Where any score can come out, the gaps told are just the scores without a band."""
    found = reported(rubric("= x", listed), "R405")

    told = set().union(*(gap_of(d.message) for d in found))
    expected = {score for score in SCORES if not any(holds(band, score) for band in listed)}
    assert expected == told


@given(bands(), st.sets(st.sampled_from(SCORES), max_size=4))
def test_a_gap_counts_where_a_score_falls_into_it(listed: list[Band], more: set[Fraction]) -> None:
    """With few possible scores, a gap is an error where one falls in and a note elsewhere."""
    scores = sorted({Fraction(0), Fraction(WORTH), *more})
    rows = " ".join(f"when x = {n} -> {decimal(score)}" for n, score in enumerate(scores))
    text = rubric(f"{{ {rows} otherwise -> 0 }}", listed)

    errors, notes = reported(text, "R405"), reported(text, "R409")

    reachable = [gap_of(d.message) for d in errors]
    assert all(not gap.isdisjoint(scores) for gap in reachable)
    unreachable = [gap_of(d.message) for d in notes]
    assert all(gap.isdisjoint(scores) for gap in unreachable)
    expected = {score for score in SCORES if not any(holds(band, score) for band in listed)}
    assert expected == set().union(*reachable, *unreachable)


@given(bands())
def test_hidden_bands_and_overlaps(listed: list[Band]) -> None:
    """Earlier bands hide one if they take all of it; two bounded ones overlap in a shared score."""
    hidden, overlaps, unreached = set(), set(), set()
    for number, band in enumerate(listed):
        left = {score for score in GRID if holds(band, score)}
        for before, earlier in enumerate(listed[:number]):
            shared = {s for s in GRID if holds(band, s) and holds(earlier, s)}
            left -= {score for score in GRID if holds(earlier, score)}
            if not left:
                hidden.add(number)
                break
            if None not in (*band[:2], *earlier[:2]) and shared:
                overlaps.add((before, number))
        if left.isdisjoint(SCORES) and left:
            unreached.add(number)
    text = rubric("= x", listed)

    def line(span: Any) -> int:
        return int(span.line) - 5

    told = {(line(d.labels[0].span), line(d.span)) for d in reported(text, "R406")}
    assert hidden == {line(d.span) for d in reported(text, "R408")}
    assert overlaps == told
    assert unreached == {line(d.span) for d in reported(text, "R407")}


@given(bands(), st.data())
def test_a_condition_takes_nothing_for_certain(listed: list[Band], data: Any) -> None:
    """The gaps are those that the bands without a condition leave."""
    conditions = [data.draw(st.sampled_from([None, "y = 1"])) for _ in listed]

    found = reported(rubric("= x", listed, conditions), "R405")

    certain = [band for band, when in zip(listed, conditions, strict=True) if when is None]
    told = set().union(*(gap_of(d.message) for d in found))
    expected = {score for score in SCORES if not any(holds(band, score) for band in certain)}
    assert expected == told


@given(bands(), st.sampled_from(SCORES), st.integers(0, 3))
def test_the_first_band_whose_condition_holds(listed: list[Band], score: Fraction, y: int) -> None:
    """Of the bands that reach a score, the first that has its condition fulfilled names it."""
    conditions: list[str | None] = [f"y = {number % 3}" for number in range(len(listed))]
    text = rubric("= x", [*listed, (Fraction(0), None, False)], [*conditions, None])

    (result,) = sound(text).score([{"who": "a", "x": score, "y": y}]).results

    taken = [n for n, band in enumerate(listed) if holds(band, score) and n % 3 == y]
    assert {"status": f"b{[*taken, len(listed)][0]}"} == result.bands
