"""Laws of plans: whatever is answered, a run asks all that is planned at the least, and nothing beyond the most."""

from typing import Any

from engine import sound
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Record
from rulesengine.providers.protocols import Answer, NoAnswer, Question, Reply, Undecided
from rulesengine.report.run import plan
from rulesengine.source import Place

ATOMS = st.sampled_from(
    [
        "short(a)",
        "short(b)",
        "kind(a)",
        "not kind(b)",
        'a = "x"',
        "length(b) > 1",
        "(short(a) else no)",
        "same(a, b) = 1",
        "(similarity(a, b) else 0) > 0.5",
    ]
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("any of [{}, {}]".format, inner, inner),
    ),
    max_leaves=4,
)
ROWS = st.lists(CONDITIONS, min_size=1, max_size=3)
HEADER = """rubric sample version "1" language 1
evidence { key who : integer  a : text  b : text }
ask short(t) -> yes/no { prompt "Is {t} short?" }
ask kind(t) -> yes/no { prompt "Is {t} kind?" }
ladder same(candidate, reference) {
  rung exact { when candidate = reference -> 1 }
  rung near  { when similarity(candidate, reference) > 0.5 -> 1 }
  rung judge { when short(candidate) -> 1  when kind(reference) -> 0.5 }
}
"""
TEXTS = st.sampled_from(["x", "y", "long"])


class Judge:
    """Answers as it is told to, by question, and notes what it was asked."""

    name = "told"

    def __init__(self, answers: list[Reply]) -> None:
        self.answers = answers
        self.asked: set[Question] = set()

    def ask(self, questions: Any, heard: Any) -> None:
        """Answer by the text of the question."""
        self.asked |= set(questions)
        for index, question in enumerate(questions):
            heard(index, self.answers[sum(map(ord, question.prompt)) % len(self.answers)])


@given(
    st.lists(ROWS, min_size=1, max_size=3),
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3),
    st.lists(
        st.sampled_from(
            [Answer(value=True), Answer(value=False), Undecided("a tie"), NoAnswer("down")]
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([0.1, 0.9]),
)
def test_a_run_asks_no_less_and_no_more(
    parts: list[list[str]], texts: list[tuple[str, str]], answers: list[Reply], cosine: float
) -> None:
    """The law, and that what is planned at the least is planned at the most."""
    criteria = "\n".join(
        f"criterion c{number} worth 1 {{ {' '.join(f'when {each} -> 1' for each in dict.fromkeys(rows))}"
        " otherwise -> 0 }"
        for number, rows in enumerate(parts)
    )
    rubric = sound(f"{HEADER}score each who out of {len(parts)} {{\n{criteria}\n}}")
    raw = [{"who": number, "a": a, "b": b} for number, (a, b) in enumerate(texts)]
    records = [conform(each, rubric.graph.schema, Place("r", n)) for n, each in enumerate(raw)]
    judge = Judge(answers)

    planned = plan(
        rubric.graph, [each for each in records if isinstance(each, Record)], lambda _: {}
    )
    rubric.score(raw, judge=judge, measure=lambda _, __: cosine)

    assert set(planned.least) <= judge.asked <= set(planned.most)
    assert not planned.unformed


def test_what_is_answered_already_is_asked_no_more() -> None:
    """A question that was answered leads on to those behind it."""
    text = (
        HEADER
        + "score each who out of 1 {\ncriterion c worth 1 { when short(a) and kind(b) -> 1 otherwise -> 0 } }"
    )
    rubric = sound(text)
    record = conform({"who": 1, "a": "x", "b": "y"}, rubric.graph.schema, Place("r", 1))
    assert isinstance(record, Record)

    def peek(questions: Any) -> dict[Question, Reply]:
        return {each: Answer(value=True) for each in questions if each.ask == "short"}

    plans = [plan(rubric.graph, [record], each) for each in (lambda _: {}, peek)]

    assert [
        ([each.said for each in p.known], [each.said for each in p.least], len(p.most))
        for p in plans
    ] == [([], ["short(x)"], 2), (["short(x)"], ["kind(y)"], 1)]
