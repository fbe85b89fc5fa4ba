"""Laws of replies: whatever a model says, it is one verdict of the type, or none; spelling never changes which."""

import json
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rulesengine.providers.verdict import NoVerdict, read_verdict
from rulesengine.types import YES_NO, NumberType, OneOfType, Type

OPTIONS = OneOfType(("better", "worse", "C", "I"))
SCALE = NumberType(low=Fraction(0), high=Fraction(10))
TYPES = st.sampled_from([YES_NO, OPTIONS, SCALE, NumberType(True, Fraction(0), Fraction(10))])
VALUES = st.sampled_from([True, False, "better", "worse", "C", "I", "yes", 0, 7, 0.25, 11, None])
PIECES = st.sampled_from(
    [
        *('{"verdict":', '"verdict"', "true", "false", "}", "{", '"reason":"x",', ",", "```json\n"),
        *(
            "```",
            "NaN",
            "-",
            "1e9",
            '"C"',
            "</think>",
            "<think>",
            "\u200b",
            "\u00a0",
            "\n",
            "[",
            "]",
        ),
    ]
)
INVISIBLE = st.sampled_from(["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\ufe0f"])


@given(st.lists(PIECES | st.text(max_size=4), max_size=14).map("".join), TYPES)
def test_a_reply_is_a_verdict_or_none(reply: str, type_: Type) -> None:
    """No text raises, and what is read is of the type."""
    found = read_verdict(reply, type_)

    if isinstance(found, NoVerdict):
        assert found.why
    elif isinstance(type_, NumberType):
        assert type_.holds(Fraction(str(found)))
    elif isinstance(type_, OneOfType):
        assert found in type_.options
    else:
        assert isinstance(found, bool)


def read(reply: str, type_: Type) -> object:
    """Return the verdict of a reply, None where it has none."""
    found = read_verdict(reply, type_)
    return None if isinstance(found, NoVerdict) else found


@given(VALUES, TYPES, st.data())
def test_spelling_never_changes_a_verdict(value: Any, type_: Type, data: st.DataObject) -> None:
    """Case, white space, invisible signs, a fence and thoughts leave a reply what it is (J10)."""
    plain = json.dumps({"verdict": value})
    spelt = value
    if isinstance(value, str):
        spelt = data.draw(st.sampled_from([value, value.upper(), value.lower(), f" {value}\t"]))
        at = data.draw(st.integers(0, len(spelt)))
        spelt = spelt[:at] + data.draw(INVISIBLE | st.just("")) + spelt[at:]
    reply = json.dumps({"verdict": spelt}, ensure_ascii=data.draw(st.booleans()), indent=1)
    around = data.draw(
        st.sampled_from(["{}", "```\n{}\n```", "<think>{{}}</think>{}", "\ufeff{}\n"])
    )

    assert read(plain, type_) == read(around.format(reply), type_)


@given(VALUES, VALUES, TYPES, st.sampled_from(["{}{}", "{}\n{}", "{},{}", "[{},{}]", "{} or {}"]))
def test_two_verdicts_are_none(one: Any, other: Any, type_: Type, joint: str) -> None:
    """A reply with two objects is refused, even where both say the same."""
    reply = joint.format(json.dumps({"verdict": one}), json.dumps({"verdict": other}))

    assert isinstance(read_verdict(reply, type_), NoVerdict)
