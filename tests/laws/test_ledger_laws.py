"""The ledger: whoever looks and whoever answers, in whatever order, the first answer is the one."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st
from ledgers import Says, question, replies

from rulesengine.providers.protocols import Answer, NoAnswer, Question, Reply, Undecided
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered import Remembered
from rulesengine.types import NUMBER

REPLIES: st.SearchStrategy[Reply] = st.one_of(
    st.integers(0, 3).map(Answer),
    st.sampled_from([Undecided("a tie"), NoAnswer("503"), Answer("no number"), Answer(True)]),
)
STEPS = st.tuples(
    st.integers(0, 1),  # which of two openings of the file
    st.lists(st.integers(0, 3), min_size=1, max_size=4),  # what is asked
    REPLIES,  # what the judge would say now
)


@given(st.lists(STEPS, min_size=1, max_size=5))
def test_what_was_answered_first_stands(steps: list[tuple[int, list[int], Reply]]) -> None:
    """Any interleaving gives what a table of first answers gives; what is no answer leaves no trace in it."""
    first: dict[int, Reply] = {}
    expected: list[list[Reply]] = []
    actual: list[list[Reply]] = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        with Ledger(path) as one, Ledger(path) as two:
            for which, numbers, reply in steps:
                is_answer = isinstance(reply, Undecided) or reply in map(Answer, range(2, 4))
                is_answer = is_answer or (isinstance(reply, Answer) and type(reply.value) is int)
                if is_answer:
                    for number in numbers:
                        first.setdefault(number, reply)
                expected.append([first.get(number, reply) for number in numbers])

                def says(_: Question, reply: Reply = reply) -> Reply:
                    return reply

                judge = Remembered(Says(says), (one, two)[which])
                actual.append(
                    replies(judge, [question(number, type_=NUMBER) for number in numbers])
                )

    assert expected == actual
