"""Facts in texts: two wordings differ in a fact however they are asked, and however they are written."""

import time
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulesengine.primitives.facts import (
    dates_differ,
    facts,
    negations_differ,
    numbers_differ,
    units_differ,
)
from rulesengine.values import show_number

ASKED = (numbers_differ, dates_differ, units_differ, negations_differ)
PIECES = (
    *("5", "12", "1,234.5", "-3", "1e3", "10²", "½", "007", "v1.10", "1.2.3", "²", "٣", "五"),
    *("five", "twenty", "II", "third", "million", "mg", "µg", "MW", "mg/kg", "per", "day", "%"),
    *("°C", "$", "€", "日", "年", "a.m.", "2024-03-14", "14 March 2024", "03/04/2024", "May"),
    *("2024年3月", "not", "no", "n't", "un", "inactive", "active", "-free", "ない", "less", "é"),
    *("/", "^", "-", ".", ",", "'", "(", ")", "\u2044", "\u00a0", "\u200b", "\n"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).flatmap(
    lambda pieces: st.sampled_from(["", " "]).map(lambda space: space.join(pieces))
)
ANY = TEXTS | st.text(max_size=20)


@given(text=ANY)
def test_a_text_states_what_it_states(text: str) -> None:
    """No text differs from itself."""
    assert [asked(text, text).value for asked in ASKED] == [False] * 4


@given(one=ANY, other=ANY)
def test_it_matters_not_which_text_is_first(one: str, other: str) -> None:
    """What differs from one text to the other does so the other way round."""
    assert [asked(one, other).value for asked in ASKED] == [
        asked(other, one).value for asked in ASKED
    ]


@given(one=ANY, other=ANY, third=ANY)
def test_numbers_and_dates_that_are_one_are_one_throughout(
    one: str, other: str, third: str
) -> None:
    """Where two texts have the facts of a third, they have each other's."""
    for asked in (numbers_differ, dates_differ):
        if not asked(one, other).value and not asked(other, third).value:
            assert asked(one, third).value is False


@given(text=ANY)
@example(text="10²")
def test_signs_without_width_change_nothing(text: str) -> None:
    """A joiner between any two signs is not seen."""
    joined = "\u200b".join(text)

    assert [asked(text, joined).value for asked in ASKED] == [False] * 4


@given(
    number=st.fractions(min_value=0, max_value=10**9, max_denominator=1000).filter(
        lambda value: "/" not in show_number(value)
    ),
    step=st.integers(min_value=1, max_value=10**6),
)
def test_numbers_differ_by_value_alone(number: Fraction, step: int) -> None:
    """Zeros at the end and commas change no number; anything added does."""
    written = show_number(number)
    whole, _, rest = written.partition(".")
    grouped = f"{int(whole):,}" + (f".{rest}" if rest else "")
    zeros = f"{written}00" if rest else f"{written}.00"
    more = show_number(number + step)

    assert [
        numbers_differ(f"about {written} of them", f"{each}, or so").value
        for each in (grouped, zeros, more)
    ] == [False, False, True]


@given(day=st.dates(), other=st.dates())
def test_days_are_one_in_every_spelling(day: date, other: date) -> None:
    """Each spelling of a day is that day, and none is another day."""
    months = (
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December"),
    )
    year, month, number = f"{day.year:04}", months[day.month - 1], day.day
    spellings = [
        f"on {day.isoformat()}",
        f"{number} {month} {year}",
        f"{number}. {month} {year}",
        f"{month} {number}, {year}",
        f"{month[:3]}. {number}th, {year}",
        f"{year}年{day.month}月{number}日",
        f"{year}/{day.month}/{number}",
    ]

    assert {False} == {dates_differ(spellings[0], each).value for each in spellings}
    assert {day != other} == {dates_differ(other.isoformat(), each).value for each in spellings}


@pytest.mark.parametrize(
    "piece",
    ["1 ", "5 mg/kg ", "1,1", "9", "-", "a", "1⁄", "2024-03-", "march ", "½", "not ", "5 a", "1^"],
)
def test_reading_takes_time_in_proportion(piece: str) -> None:
    """Eight times the text takes well below the 64 times of a square."""

    def seconds(times: int) -> float:
        text = piece * times
        best = 10.0
        for attempt in range(3):
            facts.cache_clear()
            start = time.process_time()
            facts(text + " " * attempt)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(16_000) < 40 * max(seconds(2_000), 0.0005)
