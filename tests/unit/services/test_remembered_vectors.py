"""Vectors with a memory: worked out once, the same for ever."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulesengine.providers.protocols import NoAnswer
from rulesengine.services.audit import open_audit
from rulesengine.services.ledger import Ledger
from rulesengine.services.remembered_vectors import RememberedVectors


class Lengths:
    """A model that knows the length of a text; the third time it is asked, it fails where it is told to."""

    def __init__(self, name: str = "lengths", *, fails: bool = False) -> None:
        self.name = name
        self.fails = fails
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float] | NoAnswer]:
        """Return the vectors."""
        self.asked.append(list(texts))
        if self.fails and len(self.asked) == 3:
            raise OSError("gone")
        return [NoAnswer("no")] * 0 + [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float] | NoAnswer:
        """Return one vector, or what is none."""
        odd: dict[str, list[float] | NoAnswer] = {
            "none": NoAnswer("no"),
            "zero": [0.0, 0.0],
            "nan": [float("nan"), 1.0],
            "huge": [1e300, 1.0],
        }
        return odd.get(text, [len(text) / 10, 1.0])


def test_each_text_is_worked_out_once(tmp_path: Path) -> None:
    """Within a call, in a later one, and in another process; another model is another matter."""
    with Ledger(tmp_path / "file") as ledger:
        model = Lengths()
        first = RememberedVectors(model, ledger).embed(["a", "bc", "a"])
    with Ledger(tmp_path / "file") as ledger:
        again = RememberedVectors(model, ledger).embed(["bc", "d", "a"])
        other = Lengths("other")
        RememberedVectors(other, ledger).embed(["a"])
    with open_audit(tmp_path / "file") as audit:
        lines = {each.judge: (each.kind, each.answers, each.from_ledger) for each in audit.lines()}

    assert model.asked == [["a", "bc"], ["d"]]
    assert other.asked == [["a"]]
    assert [list(first[1]), list(first[0])] == [list(again[0]), list(again[2])]  # type: ignore[arg-type]
    assert list(first[0]) == [0.10000000149011612, 1.0]  # type: ignore[arg-type]  # as float32 has a tenth
    assert lines == {"lengths": ("embedder", 3, 2), "other": ("embedder", 1, 0)}


@pytest.mark.parametrize("text", ["none", "zero", "nan", "huge"])
def test_what_is_no_vector_is_not_kept(tmp_path: Path, text: str) -> None:
    """It is handed on as it came, and asked for again."""
    model = Lengths()
    with Ledger(tmp_path / "file") as ledger:
        remembered = RememberedVectors(model, ledger)
        came = [remembered.embed([text, "a"])[0] for _ in range(2)]

    assert [repr(model.vector(text))] * 2 == [repr(each) for each in came]
    assert [[text, "a"], [text]] == model.asked


def test_what_was_worked_out_before_a_failure_is_kept(tmp_path: Path) -> None:
    """Vectors are written batch by batch."""
    with Ledger(tmp_path / "file") as ledger:
        with pytest.raises(OSError, match="gone"):
            RememberedVectors(Lengths(fails=True), ledger, batch=2).embed(list("abcdefg"))
        model = Lengths()
        RememberedVectors(model, ledger).embed(list("abcdefg"))

    assert model.asked == [["e", "f", "g"]]
