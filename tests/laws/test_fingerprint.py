"""Laws of the fingerprint: it changes with the meaning, and with nothing else."""

from fractions import Fraction
from typing import Any

from attrs import evolve
from engine import checked, sound
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Plan, PlanPart, plans

from rulesengine.rubric import Rubric
from rulesengine.syntax.table import parser

COMPARATORS = ("EQUALS", "NOT_EQUALS", "LESS", "AT_MOST", "MORE", "AT_LEAST")
INSTEAD = {
    "AND": ["or"],
    "OR": ["and"],
    "ALL_OF": ["any of", "none of"],
    "ANY_OF": ["all of", "none of"],
    "NONE_OF": ["any of", "all of"],
    "YES": ["no"],
    "NO": ["yes"],
    "PLUS": ["-"],
    "TIMES": ["+"],
    "MISSING": ["given"],
    "GIVEN": ["missing"],
}


def _relabelled(part: PlanPart, label: str) -> PlanPart:
    return evolve(
        part,
        label=label,
        parts=tuple(_relabelled(each, label) for each in part.parts),
        rows=tuple(evolve(row, label=label if row.label else "") for row in part.rows),
        combines=tuple(
            evolve(each, excludes=tuple((condition, label) for condition, _ in each.excludes))
            for each in part.combines
        ),
    )


@given(plans(), st.sampled_from(["", "another word", "ü"]))
def test_words_for_people_leave_it(plan: Plan, word: str) -> None:
    """Comments, layout, labels, titles and reasons do not count."""
    other = evolve(
        plan,
        notes=word,
        about=word,
        space="\n\n\t " if word else " \n",
        fields=tuple(evolve(each, label=word) for each in plan.fields),
        parts=tuple(_relabelled(part, word) for part in plan.parts),
        bands=plan.bands,
    )

    assert sound(plan.text()).fingerprint == sound(other.text()).fingerprint


@given(plans(), st.booleans())
def test_saying_the_sum_leaves_it(plan: Plan, says: bool) -> None:
    """`out of` says what the parts come to anyway."""
    one, other = evolve(plan, says_out_of=says), evolve(plan, says_out_of=not says)

    assert sound(one.text()).fingerprint == sound(other.text()).fingerprint


@given(plans(), st.data())
def test_any_change_of_meaning_changes_it(plan: Plan, data: Any) -> None:
    """Another number, operator, option, default or bound gives another fingerprint."""
    text = plan.text()
    tokens = list(parser().lex(text))
    begin = next(i for i, token in enumerate(tokens) if token.type == "EVIDENCE")
    places: list[tuple[Any, str]] = []
    options = [option for each in plan.fields for option in each.options if not each.is_key]
    skip = False
    for before, token in zip(tokens[begin:], tokens[begin + 1 :], strict=False):
        if before.type == "LET":  # a function that nothing calls is no part of the meaning
            functions = {name for name, _, _ in plan.functions}
            skip = str(token) in functions and text.count(f"{token}(") < 2
        if token.type == "SCORE":
            skip = False
        if skip:
            continue
        if token.type == "NUMBER":
            places += [(token, f"{Fraction(str(token)) + 1}")] if "." not in token else []
            places.append((token, f"{token}1" if "." in token else f"{token}.5"))
        elif token.type in COMPARATORS:
            places += [(token, op) for op in ("=", "!=", "<", "<=", ">", ">=") if op != token]
        elif token.type in INSTEAD:
            places += [(token, word) for word in INSTEAD[token.type]]
        elif token.type == "NAME" and str(token) in options:
            places += [(token, option) for option in options if option != token]
        elif token.type == "QUESTION_MARK":
            places.append((token, ""))
    assume(places)
    token, instead = data.draw(st.sampled_from(places))
    changed = checked(f"{text[: token.start_pos]} {instead} {text[token.end_pos :]}")
    assume(changed.is_sound)

    assert sound(text).fingerprint != Rubric(changed).fingerprint


@given(plans())
def test_what_is_left_out_changes_it(plan: Plan) -> None:
    """Without its bands, or with one more key or field, a rubric is another."""
    whole = sound(plan.text()).fingerprint

    if plan.bands:
        assert whole != sound(evolve(plan, bands=()).text()).fingerprint
    for index, each in enumerate(plan.combines):
        if each.excludes:
            combines = (
                *plan.combines[:index],
                evolve(each, excludes=()),
                *plan.combines[index + 1 :],
            )
            assert whole != sound(evolve(plan, combines=combines).text()).fingerprint
    swapped = tuple(reversed(plan.fields))
    if len(plan.keys) > 1:
        assert whole != sound(evolve(plan, fields=swapped).text()).fingerprint
