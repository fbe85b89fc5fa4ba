"""Operators: `not` is a complement, `between` two comparisons, days added are days between."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from engine import sound
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Record
from rulesengine.runtime.reference import Here, Run
from rulesengine.source import Place
from rulesengine.values import Error, Missing

OPERATORS = ("contains", "starts with", "ends with")
LETS = {
    **{f"{op} held": f"a {op} b" for op in OPERATORS},
    **{f"{op} not": f"not (a {op} b)" for op in OPERATORS},
    **{f"{op} inner": f"a not {op} b" for op in OPERATORS},
    "matches held": 'a matches "(?i)[ab]+.*"',
    "matches not": 'not (a matches "(?i)[ab]+.*")',
    "matches inner": 'a not matches "(?i)[ab]+.*"',
    "between held": "x between y and (z / w)",
    "between not": "not (x between y and (z / w))",
    "between inner": "x not between y and (z / w)",
    "between two": "x >= y and x <= (z / w)",
    "days later": "day + n - day",
    "days back": "day + n - n",
}
TEXT = f"""rubric sample version "1" language 1
evidence {{
  key who : text
  a : text?
  b : text?
  x : number?
  y : number?
  z : number?
  w : number?
  day : date default 2024-03-14
  n : integer default 0
}}
{"".join(f"let `{name}` = {value}{chr(10)}" for name, value in LETS.items())}
score each who out of 1 {{ criterion c worth 1 {{ otherwise -> 1 }} }}
"""
RUBRIC = sound(TEXT)
ANY_TEXT = st.none() | st.text(alphabet="abA \u00e9\u0301-1我", max_size=6)
SMALL = st.none() | st.integers(-3, 3) | st.fractions(-3, 3, max_denominator=4)


def values(**fields: Any) -> dict[str, Any]:
    """Every definition for one record, an error or a missing value by its word."""
    record = conform({"who": "m", **fields}, RUBRIC.graph.schema, Place("", 0, 0))
    assert isinstance(record, Record)
    run, here = Run(RUBRIC.graph, (record,)), Here(at=(("who", "m"),))
    found = {name: run.definition(f"let `{name}`", here) for name in LETS}
    return {
        name: "missing"
        if isinstance(value, Missing)
        else "error"
        if isinstance(value, Error)
        else value
        for name, value in found.items()
    }


def opposite(value: Any) -> Any:
    """Yes for no; what is neither stays."""
    return not value if isinstance(value, bool) else value


@given(a=ANY_TEXT, b=ANY_TEXT, x=SMALL, y=SMALL, z=SMALL, w=SMALL)
def test_not_is_the_complement_wherever_it_stands(**fields: Any) -> None:
    """`a not op b` and `not (a op b)` are the opposite of `a op b`; missing stays missing, an error an error."""
    found = values(**fields)

    for op in (*OPERATORS, "matches", "between"):
        expected = opposite(found[f"{op} held"])

        assert [expected, expected] == [found[f"{op} not"], found[f"{op} inner"]]


@given(x=SMALL, y=SMALL, z=SMALL, w=SMALL)
def test_between_is_two_comparisons(**fields: Any) -> None:
    """Also where a bound is missing or an error: what one comparison settles is settled."""
    found = values(**fields)

    assert found["between two"] == found["between held"]


@given(day=st.dates(date(1000, 1, 1), date(3000, 1, 1)), n=st.integers(-300_000, 300_000))
def test_days_added_are_days_between(day: date, n: int) -> None:
    """A date some days later is so many days away, and back again the same; the calendar is Python's."""
    found = values(day=day, n=n)

    assert (Fraction(n), day) == (found["days later"], found["days back"])
    assert (day + timedelta(n) - day).days == found["days later"]
