"""Laws of conditions: Kleene's logic, for values, for what is missing, and for errors."""

from typing import Any

from engine import score
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    Draw,
    Names,
    PlanField,
    Style,
    conditions,
    values_of,
    write,
)

FIELDS = (
    PlanField(name="flag", kind="yes/no"),
    PlanField(name="maybe", kind="yes/no", optional=True),
    PlanField(name="flagged", kind="yes/no", optional=True, default=True),
    PlanField(name="amount", kind="number", optional=True),
    PlanField(name="zero", kind="integer"),
    PlanField(name="level", kind="one of", options=("low", "high"), optional=True),
    PlanField(name="words", kind="text", optional=True),
)
EVIDENCE = (
    "evidence { key who : text flag : yes/no maybe : yes/no? flagged : yes/no? default yes "
    "amount : number? zero : integer level : one of low, high? words : text? }"
)


@st.composite
def some_conditions(draw: Draw) -> Any:
    """Conditions of any form over the fields above, covered or not."""
    return conditions(draw, Names(FIELDS), Style(covered=False))


@st.composite
def evidence(draw: Draw) -> dict[str, Any]:
    """A record for the fields above."""
    record: dict[str, Any] = {"who": "m"}
    for each in FIELDS:
        how = draw(st.sampled_from(["given", "absent", "null"]))
        if how == "null" and each.optional:
            record[each.name] = None
        elif how == "given" or not each.optional:
            record[each.name] = draw(values_of(each))
    return record


def outcomes(record: dict[str, Any], *exprs: Any) -> list[str]:
    """Return what each condition comes to: yes, no, missing or error."""
    parts = " ".join(
        f"criterion c{number} worth 2 "
        f"{{ when missing -> 2 when {write(expr)} -> 1 otherwise -> 0 }}"
        for number, expr in enumerate(exprs)
    )
    text = f"rubric a language 1 {EVIDENCE} score each who {{ {parts} }}"
    (result,) = score(text, [record]).results
    words = {0: "no", 1: "yes", 2: "missing", None: "error"}
    return [words[value if value is None else int(value)] for value in result.values.values()]


OPPOSITE = {"yes": "no", "no": "yes", "missing": "missing", "error": "error"}


@given(some_conditions(), evidence())
def test_not_is_the_complement(condition: Any, record: dict[str, Any]) -> None:
    """`not C` holds where C does not, and is missing or an error just where C is."""
    direct, negated = outcomes(record, condition, ("not", condition))

    assert OPPOSITE[direct] == negated


@given(some_conditions(), some_conditions(), evidence())
def test_de_morgan(one: Any, other: Any, record: dict[str, Any]) -> None:
    """`not (A and B)` is `not A or not B`, and the other way round; `none of` is neither."""
    both, either = ("and", (one, other)), ("or", (one, other))
    neither_one, neither_other = ("not", one), ("not", other)

    left = outcomes(record, ("not", both), ("not", either), ("none", (one, other)))
    right = outcomes(
        record,
        ("or", (neither_one, neither_other)),
        ("and", (neither_one, neither_other)),
        ("all", (neither_one, neither_other)),
    )

    assert left == right


@given(
    st.lists(some_conditions(), min_size=2, max_size=4),
    evidence(),
    st.randoms(use_true_random=False),
)
def test_the_order_of_parts_never_matters(parts: Any, record: dict[str, Any], random: Any) -> None:
    """`all of`, `any of` and `none of` give the same in any order, missing and error too."""
    shuffled = random.sample(parts, len(parts))

    one = outcomes(record, *((word, tuple(parts)) for word in ("all", "any", "none")))
    other = outcomes(record, *((word, tuple(shuffled)) for word in ("all", "any", "none")))

    assert one == other


@given(some_conditions(), evidence())
def test_a_name_changes_nothing(condition: Any, record: dict[str, Any]) -> None:
    """A definition means what its words mean in its place."""
    rows = "worth 2 { when missing -> 2 when %s -> 1 otherwise -> 0 }"
    text = (
        f"rubric a language 1 {EVIDENCE} let named = {write(condition)} score each who {{ "
        f"criterion a {rows % write(condition)} criterion b {rows % 'named'} }}"
    )

    (result,) = score(text, [record]).results

    assert result.values["a"] == result.values["b"]
