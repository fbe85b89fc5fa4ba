"""What the laws have found, each shrunk to a few lines and kept."""

import json
from fractions import Fraction
from typing import Any

import pytest
from engine import checked, score, sound

from rulesengine.errors import UnsoundRubricError
from rulesengine.report.to_json import dumps, result_json
from rulesengine.values import exact_text, show_number

HEADER = "rubric a language 1\n"
EVIDENCE = HEADER + "evidence { key who : text  x : number  y : yes/no }\n"
RECORD = {"who": "m", "x": 1, "y": True}
ROWS = "when y -> 1 otherwise -> 0"


@pytest.mark.parametrize(
    "score_text",
    [
        "let x1 = x > 0\n"
        "score each who { criterion `let x1` worth 1 { when x1 -> 1 otherwise -> 0 } }",
        f"score each who {{ criterion `score: sum` worth 1 {{ {ROWS} }} }}",
        f"score each who {{ criterion `a: rows` worth 1 {{ {ROWS} }} "
        f"criterion a worth 1 {{ {ROWS} }} }}",
        f"score each who {{ criterion `a: sum` worth 1 {{ {ROWS} }} "
        f"criterion a worth 1 {{ criterion b worth 1 {{ {ROWS} }} }} }}",
    ],
)
def test_a_part_may_have_any_name(score_text: str) -> None:
    """A name in backquotes is never taken for what the graph calls its inner nodes."""
    run = score(EVIDENCE + score_text, [RECORD])

    assert [result.status for result in run.results] == ["scored"]


ITEM_AND_CRITERION = """rubric a language 1
evidence { key who : text  key question : one of Q1, Q2  y : yes/no }
score each who {
  combine question by mean in each item { exclude when y "left out" }
  item Q1 worth 1 { when y -> 1 otherwise -> 0 }
  criterion c worth 1 { when y -> 1 otherwise -> 0 }
}"""


def test_an_item_is_not_combined_over_its_own_key() -> None:
    """A combine of the key that an item fixes passes the item by, exclusions and all."""
    records = [
        {"who": "m", "question": "Q1", "y": True},
        {"who": "m", "question": "Q2", "y": False},
    ]

    (result,) = score(ITEM_AND_CRITERION, records).results

    assert result.values == {"Q1": 1, "c": 0}
    assert [each.path for each in result.excluded] == ["c"]


def test_a_combine_that_every_item_passes_by_is_reported() -> None:
    """It has nothing to do; taken up all the same, it read a field where there is no record."""
    text = """rubric a language 1
    evidence { key who : text  key question : one of Q1  key s : one of a, b  y : yes/no }
    score each who {
      combine s by mean in each item
      combine question by mean in each item { exclude when y "r" }
      item Q1 worth 1 { when y -> 1 otherwise -> 0 }
    }"""

    errors = [(d.code.id, d.message) for d in checked(text).diagnostics]

    assert errors == [
        ("R311", "what stands below does not vary by `question`: there is nothing to combine")
    ]


def test_an_exclusion_over_the_total_is_told_of_the_total() -> None:
    """An exclusion over the total names the total and not the part seen last."""
    text = """rubric a language 1
    evidence {
      key who : text  key run : one of r1, r2  key turn : one of t1, t2  key q : one of Q1, Q2
      y : yes/no
    }
    score each who {
      combine turn by mean { exclude when turn = t1 "warming up" }
      combine run by mean
      item Q1 worth 1 { when y -> 1 otherwise -> 0 }
      item Q2 worth 1 { when y -> 1 otherwise -> 0 }
    }"""
    records = [
        {"who": "m", "run": run, "turn": turn, "q": q, "y": True}
        for run in ("r1", "r2")
        for turn in ("t1", "t2")
        for q in ("Q1", "Q2")
    ]

    (result,) = score(text, records).results

    assert [(each.path, dict(each.keys)["run"]) for each in result.excluded] == [
        ("score", "r1"),
        ("score", "r2"),
    ]


@pytest.mark.parametrize("logic", ["any of []", "all of []", "none of []"])
def test_logic_of_nothing_is_checked(logic: str) -> None:
    """`any of []` behind a name gives a rubric or a finding, not an exception."""
    text = (
        EVIDENCE
        + f"let a = {logic}\n"
        + "score each who { criterion c worth 1 { when a -> 1 otherwise -> 0 } }"
    )

    assert checked(text).scope is not None


NINES = int("9" * 599)


def test_a_long_result_can_be_told() -> None:
    """A number of thousands of digits, off its scale, fails its part in a short message."""
    text = EVIDENCE + f"score each who {{ criterion c worth 1 = {'*'.join(['x'] * 9)} }}"

    (result,) = score(text, [RECORD | {"x": NINES}]).results

    assert [each.reason for each in result.errors] == [
        "≈ 1.000e+5391 is off the scale: it should be from 0 to 1"
    ]


def test_a_long_score_can_be_written_down() -> None:
    """A score whose exact fraction has thousands of digits is written in full."""
    parts = " ".join(f"criterion c{n} worth 1 = 1 / (x + {n})" for n in range(12))
    text = EVIDENCE + f"score each who {{ {parts} }}"

    (result,) = score(text, [RECORD | {"x": NINES}]).results
    row = json.loads(dumps(result_json(result, {}, trace=True)))

    assert result.score is not None
    numerator, denominator = row["score_exact"].split("/")
    assert len(numerator) > 4300
    assert len(denominator) > 4300
    assert exact_text(result.score) == row["score_exact"]


def test_a_chain_of_squares_ends() -> None:
    """Definitions that square each other fail the part before they fill the memory."""
    lets = "let a0 = x * x\n" + "".join(f"let a{n} = a{n - 1} * a{n - 1}\n" for n in range(1, 40))
    text = (
        EVIDENCE
        + lets
        + "score each who { criterion c worth 1 { when a39 > 1 -> 1 otherwise -> 0 } }"
    )

    (result,) = score(text, [RECORD | {"x": 7}]).results
    dumps(result_json(result, {}, trace=True))

    assert [each.code.id for each in result.errors] == ["R512"]


@pytest.mark.parametrize("value", [Fraction(0), Fraction(-7, 2), Fraction(10**5000, 3)])
def test_exact_text_has_every_digit(value: Fraction) -> None:
    """It reads back as the number it was made from, however long."""
    numerator, _, denominator = exact_text(value).partition("/")

    assert value == Fraction(_read(numerator), _read(denominator or "1"))


def _read(text: str) -> int:
    """Read digits in pieces that Python is willing to read."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    value = 0
    for start in range(0, len(digits), 4000):
        piece = digits[start : start + 4000]
        value = value * 10 ** len(piece) + int(piece)
    return sign * value


def test_show_number_is_rough_only_past_all_evidence() -> None:
    """A number as long as evidence may have is shown whole."""
    longest: Any = int("9" * 600)

    assert show_number(Fraction(longest)) == "9" * 600
    assert show_number(Fraction(10**700)) == "≈ 1.000e+700"


def test_saying_it_in_other_brackets_is_the_same_rubric() -> None:
    """`a and b` and `all of [a, b]` mean the same and have one fingerprint."""
    rows = "score each who { criterion c worth 1 { when %s -> 1 otherwise -> 0 } }"

    one = sound(EVIDENCE + rows % "y and x > 1").fingerprint
    other = sound(EVIDENCE + rows % "all of [y, (x > 1)]").fingerprint

    assert one == other


def _errors(text: str) -> set[str]:
    return {each.code.id for each in checked(text).diagnostics if each.severity == "error"}


CHAIN = "".join(f"let a{i} = a{i - 1} + 1\n" for i in range(1, 400))
FUNCTIONS = "".join(f"let f{i}(a) = f{i - 1}(a) + 1\n" for i in range(1, 400))
TAIL = f"score each who {{ criterion c worth 1 {{ {ROWS} }} }}"
NESTED = "(" * 55 + "1" + (" + 1" * 150 + ")") * 55


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"let a0 = x\n{CHAIN}", {"R106"}),
        (f"let f0(a) = a\n{FUNCTIONS}", {"R106"}),
        (f"let a = {NESTED}", {"R106"}),
        (f"let a = x{' + 1' * 5000}", {"R106"}),
        (f"let a = {'1' * 5000}", {"R111"}),
        ("let a = b\nlet b = c\nlet c = a", {"R205"}),
    ],
)
def test_what_stands_too_deep_is_told(text: str, expected: set[str]) -> None:
    """Long chains, deep brackets and huge numbers are findings, whatever walks them."""
    assert _errors(f"{EVIDENCE}{text}\n{TAIL}") == expected


@pytest.mark.parametrize(
    ("definition", "condition", "expected"),
    [
        ("let f(a, b default 3) = a + b", "f(x) = 4", set()),
        ('let f(a, b default "s") = a = b', 'f("s")', set()),
        ("let f(a, b default missing) = a + b", "f(x, 1) = 4", {"R307"}),
        ("let f(a, b default 3) = a + b", 'f(x, "s") = 4', {"R306"}),
        ("let f(a : number, b) = a + b", 'f(x, "s") = 4', {"R301"}),
        ('use std.url\nlet f(a : url default "nonsense") = a', "url.same(f(), f())", {"R307"}),
        ("use std.url", 'url.same("https://example.com/", "")', {"R306"}),
    ],
)
def test_defaults_and_arguments_fit(definition: str, condition: str, expected: set[str]) -> None:
    """A default has a type like any value, and what is passed or spelt out fits it before the rubric runs."""
    uses = "use std.url\n" if "use std.url" in definition else ""
    body = definition.removeprefix("use std.url").lstrip("\n")
    text = f"{HEADER}{uses}{EVIDENCE.removeprefix(HEADER)}{body}\n"
    score_text = (
        f"score each who {{ criterion c worth 1 {{ when {condition} -> 1 otherwise -> 0 }} }}"
    )

    assert _errors(text + score_text) == expected


def test_a_field_called_awarded_is_no_fact_about_the_result() -> None:
    """Whether the result is given says nothing of a field of that name."""
    text = f"""{HEADER}evidence {{ key who : text  key run : integer  y : yes/no  `awarded` : number? }}
    score each who {{
      combine run by mean in each item {{ exclude when awarded is given and `awarded` > 3 "r" }}
      criterion c worth 1 {{ {ROWS} }}
    }}"""

    assert _errors(text) == {"R305"}


ROUNDS = """rubric a language 1
evidence { key who : text  key round : one of first, second  key reader : text  n : number }
score each who out of 20 {
  criterion p worth 20 {
    combine round by mean
    combine reader by mean in each item
    item first worth 10 { otherwise -> n }
    criterion each_round worth 10 { otherwise -> n }
  }
}"""


def test_an_item_within_a_mean_over_its_own_key() -> None:
    """An item fixes its key anew, whatever the mean around it goes over: (2 + 2 + 2 + 10) / 2."""
    records = [
        {"who": "m", "round": "first", "reader": "1", "n": 2},
        {"who": "m", "round": "second", "reader": "1", "n": 10},
    ]

    (result,) = score(ROUNDS, records).results

    assert (result.score, result.interval, result.unscored) == (8, (8, 8), ())


TWICE = """rubric a language 1
evidence { key who : text  key k : one of a, b  n : number }
score each who out of 20 {
  combine k by mean
  criterion x worth 10 { combine k by mean { exclude when k = a "no a" } otherwise -> n }
  criterion y worth 10 { otherwise -> n }
}"""


def test_a_key_combined_in_a_part_and_around_it() -> None:
    """The inner mean is one value for the whole subject, told once: x is 10, and (12 + 20) / 2 the total."""
    records = [{"who": "m", "k": "a", "n": 2}, {"who": "m", "k": "b", "n": 10}]

    (result,) = score(TWICE, records).results

    assert (result.values["x"], result.score, result.interval) == (10, 16, (16, 16))
    assert [(each.path, each.reason) for each in result.excluded] == [("x", "no a")]
    assert (result.counts["x"].used, result.counts["x"].left_out) == (1, 1)


PENALISED = """rubric a version "1" language 1
param share : number 0 to 1 default 25%
evidence { key who : text  got : number 0 to 1  wrong : number 0 to 1 }
score each who out of 100 {
  criterion got weight 100% = got
  penalty wrong weight share = wrong
}
bands sign { from 0 -> "not below 0"  -25 to 0 -> "below 0" }"""


def test_a_param_that_opens_a_gap_between_bands_is_refused() -> None:
    """A larger penalty reaches scores that no band holds, which would have come out without one."""
    rubric = sound(PENALISED)

    with pytest.raises(UnsoundRubricError) as caught:
        rubric.with_params(share=0.5)

    assert [each.code.id for each in caught.value.diagnostics] == ["R405"]
    assert rubric.with_params(share=0.2).params == {"share": Fraction(1, 5)}


def test_a_part_beside_a_median_has_its_own_result() -> None:
    """What does not vary by the key that the total is combined by has one value for the subject, and shows it."""
    text = """rubric a version "1" language 1
    evidence { key who : text  key run : integer  x : number 0 to 5  size : number 0 to 5 per who }
    score each who out of 10 {
      combine run by median
      criterion runs worth 5 = x
      criterion size worth 5 = size
    }"""
    records = [{"who": "m", "run": run, "x": x, "size": 4} for run, x in ((1, 0), (2, 5), (3, 1))]

    (result,) = score(text, records).results

    assert dict(result.values) == {"runs": None, "size": 4}
    assert 5 == result.score  # noqa: SIM300 # what is expected comes first
