"""Reading a verdict: one, in its slot, of its type; all spellings of one reply are read alike, or refused."""

import json
from fractions import Fraction
from typing import Any

import pytest

from rulesengine.providers.verdict import LONGEST, NoVerdict, read_verdict
from rulesengine.types import YES_NO, NumberType, OneOfType, Type

GRADES = OneOfType(("C", "I"))
SHARE = NumberType(low=Fraction(0), high=Fraction(1))
TEN = NumberType(integer=True, low=Fraction(0), high=Fraction(10))


@pytest.mark.parametrize(
    ("reply", "type_", "verdict"),
    [
        ('{"reason": "so", "verdict": true}', YES_NO, True),
        ('{"verdict": false}', YES_NO, False),
        ('{"verdict": " YES "}', YES_NO, True),
        ('{"reason": null, "verdict": "no"}', YES_NO, False),
        ('{"verdict": "c"}', GRADES, "C"),
        ('{"VERDICT": "\\u200bC"}', GRADES, "C"),
        ('{"verdict": "Ｃ"}', GRADES, "C"),
        ('\ufeff\n```json\n{"verdict": "C"}\n```\n', GRADES, "C"),
        ('~~~\n{"verdict": "C"}~~~', GRADES, "C"),
        ('```JSON\r\n{"verdict": "C"}\r\n```', GRADES, "C"),
        ('<think>Is it {"verdict": "I"}?</think>\n{"verdict": "C"}', GRADES, "C"),
        ('so it is </think> {"verdict": "C"}', GRADES, "C"),
        ('{\u200b"verdict"\u00a0:\u3000"C"}', GRADES, "C"),
        ('{"verdict": 0.9}', SHARE, 0.9),
        ('{"verdict": 1.0}', SHARE, 1),
        ('{"verdict": 7e0}', TEN, 7),
        ('{"verdict": -0}', TEN, 0),
    ],
)
def test_one_verdict_in_its_slot_is_read(reply: str, type_: Type, verdict: object) -> None:
    """What only looks different is one verdict: white space, case, invisible signs, a fence, thoughts (J10)."""
    found = read_verdict(reply, type_)

    assert (verdict, type(verdict)) == (found, type(found))


@pytest.mark.parametrize(
    ("reply", "type_", "why"),
    [
        ("", YES_NO, "is empty"),
        ("\u200b\n", YES_NO, "is empty"),
        ("yes", YES_NO, "is no object of JSON"),
        ("true", YES_NO, "is no object of JSON"),
        ('{"score": 0, "reason": "bad"}', YES_NO, "has no `verdict`"),  # J1
        ('{"reason": "bad"}', YES_NO, "has no `verdict`"),  # J2
        ('{"verdict": null}', YES_NO, "has null for its `verdict`"),
        ('{"verdict": 1}', YES_NO, "says `1`, which is not yes or no"),
        ('{"verdict": "maybe"}', YES_NO, "says `maybe`, which is not yes or no"),
        ('{"verdict": [true]}', YES_NO, "says a list, which is not yes or no"),
        ('{"verdict": {"verdict": true}}', YES_NO, "says an object, which is not yes or no"),
        ('{"verdict": true, "verdict": false}', YES_NO, "says `verdict` twice"),
        ('{"verdict": true, "Verdict": true}', YES_NO, "says `verdict` twice"),
        ('{"verdict": true, "score": 0}', YES_NO, "has `score` beside its `verdict`"),
        ('{"verdict": true} {"verdict": true}', YES_NO, "holds more than one object"),
        ('[{"verdict": true}]', YES_NO, "is no object of JSON"),
        ('Here it is: {"verdict": true}', YES_NO, "is no object of JSON"),
        ('{"verdict": true', YES_NO, "is no object of JSON"),
        ('{"verdict": true, "reason": 3}', YES_NO, "has a `reason` that is no text"),
        ("<think></think></think>{}", YES_NO, "ends its thoughts more than once"),
        ("GRADE: C. No reason to downgrade: insufficient", GRADES, "is no object of JSON"),  # J10
        ("GRADE: \u200bC", GRADES, "is no object of JSON"),
        ("grade: c", GRADES, "is no object of JSON"),
        ('{"verdict": "C."}', GRADES, "says `C.`, which is not one of C, I"),
        ('{"verdict": "C or I"}', GRADES, "says `C or I`, which is not one of C, I"),
        ('{"verdict": "a"}', OneOfType(("A", "Ａ")), "says `a`, which may be A or Ａ"),
        ('{"verdict": NaN}', SHARE, "holds `NaN`, which is no number"),  # J21
        ('{"verdict": Infinity}', SHARE, "holds `Infinity`, which is no number"),
        ('{"verdict": 9}', SHARE, "says `9`, which is not a number from 0 to 1"),  # J29
        ('{"verdict": -0.1}', SHARE, "says `-0.1`, which is not a number from 0 to 1"),
        ('{"verdict": "0.9"}', SHARE, "says `0.9`, which is not a number from 0 to 1"),
        ('{"verdict": true}', SHARE, "says `true`, which is not a number from 0 to 1"),
        ('{"verdict": 0.9}', TEN, "says `0.9`, which is not an integer from 0 to 10"),
        ('{"verdict": 1e999}', TEN, "holds a number beyond 1e400 or 1e-400"),
        ('{"verdict": ' + "1" * 700 + "}", TEN, "holds a number longer than 600 digits"),
        ("[" * 100_000, YES_NO, "is nested too deeply"),
        ("x" * (LONGEST + 1), YES_NO, f"is longer than {LONGEST} signs"),
    ],
)
def test_anything_else_is_refused(reply: str, type_: Type, why: str) -> None:
    """Missing, doubled, contradictory, malformed, unknown, out of scale: never a score, always a reason."""
    assert NoVerdict(why) == read_verdict(reply, type_)


def test_a_number_is_read_as_it_was_written() -> None:
    """A verdict keeps all of its digits, or is refused: 0.1 + 0.2 at a threshold is not 0.3."""
    share = '{"verdict": 0.3000000000000000000001}'

    assert isinstance(read_verdict(share, SHARE), NoVerdict)
    assert read_verdict('{"verdict": 0.30000000000000004}', SHARE) == 0.1 + 0.2


def test_options_that_differ_in_case_alone_are_told_apart() -> None:
    """An option that is spelt as the rubric spells it is that one."""
    cases = OneOfType(("a", "A"))

    assert [read_verdict(json.dumps({"verdict": each}), cases) for each in ("a", "A")] == ["a", "A"]


@pytest.mark.parametrize("type_", [YES_NO, GRADES, SHARE, TEN])
@pytest.mark.parametrize("value", [True, "C", 0.5, 3, None, [], {}, "3", "yes"])
def test_a_verdict_is_of_the_declared_type(type_: Type, value: Any) -> None:
    """Of all that JSON can say, what comes out is of the type, and nothing is turned into it."""
    found = read_verdict(json.dumps({"verdict": value}), type_)

    match type_:
        case _ if isinstance(found, NoVerdict):
            assert found.why
        case OneOfType(options=options):
            assert found in options
        case NumberType():
            assert type(found) in (int, float)
            assert type_.holds(Fraction(str(found)))
        case _:
            assert type(found) is bool
