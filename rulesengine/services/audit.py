"""The account of a ledger: what was asked, what it cost, what failed, and what was answered from the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

from rulesengine.services.ledger_errors import CorruptLedgerError, told
from rulesengine.services.ledger_file import check_whole, open_to_read
from rulesengine.services.secrets import Blotter
from rulesengine.struct import Struct


class Selected(Struct, frozen=True, kw_only=True):
    """Which part of a ledger is looked at.

    Attributes:
        asks: the names of asks; empty for all.
        judges: the names of judges or models, or parts of them; empty for all.
        failures: only those where something failed.
    """

    asks: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    failures: bool = False

    def holds(self, ask: str, judge: str) -> bool:
        """Whether an ask of a judge is among it."""
        return (not self.asks or ask in self.asks) and (
            not self.judges or any(part in judge for part in self.judges)
        )


EVERYTHING = Selected()


class Line(Struct, frozen=True, kw_only=True):
    """One ask of one judge, or one embedding model.

    Attributes:
        kind: `judge` or `embedder`.
        judge: the name of the judge or the model.
        ask: what the rubric calls it; empty for an embedder.
        calls: exchanges, those that failed too.
        answers: kept ones that say something; of an embedder its vectors.
        undecided: kept ones that judges did not agree on.
        failures: calls that no answer came of.
        unanswered: questions that were asked and have no answer still.
        from_ledger: how often an answer or a vector was there already.
        input_tokens: of all calls, as far as providers counted them.
        output_tokens: likewise.
        cost: exact, of the calls with a price; None where none has one.
        unpriced: calls without a price.
        seconds: spent waiting, calls beside each other added up.
    """

    kind: str
    judge: str
    ask: str = ""
    calls: int = 0
    answers: int = 0
    undecided: int = 0
    failures: int = 0
    unanswered: int = 0
    from_ledger: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Fraction | None = None
    unpriced: int = 0
    seconds: float = 0.0


class CallLine(Struct, frozen=True, kw_only=True):
    """One call; see `Call`. `question` is the key, `answered` whether the question has an answer by now."""

    id: int
    started: float | None
    run: str
    judge: str
    ask: str
    scope: str
    model: str
    question: str
    prompt: str
    reply: str | None
    error: str | None
    input_tokens: int | None
    output_tokens: int | None
    cost: Fraction | None
    seconds: float | None
    answered: bool


class Audit:
    """A ledger opened to be read; made by `open_audit`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path
        # The ledger keeps keys out; one that its writer was not told of is not shown if it looks like one.
        self.blotter = Blotter()

    def lines(self, selected: Selected = EVERYTHING) -> list[Line]:
        """Return a line for each ask of each judge, then one for each model, by name."""
        with told(self.path):
            lines = _judges(self.connection, self.path) + _embedders(self.connection)
        return [
            each
            for each in lines
            if selected.holds(each.ask, each.judge) and (each.failures or not selected.failures)
        ]

    def calls(self, selected: Selected = EVERYTHING) -> Iterator[CallLine]:
        """Yield the calls in the order they were written."""
        with told(self.path):
            for row in self.connection.execute(
                "SELECT id, started, run, judge, ask, scope, model, question, prompt, reply, error,"
                " input_tokens, output_tokens, cost, seconds,"
                " EXISTS (SELECT 1 FROM answers WHERE answers.question = calls.question)"
                " FROM calls WHERE error IS NOT NULL OR ? ORDER BY id",
                (not selected.failures,),
            ):
                names = CallLine.__struct_fields__
                fields = dict(zip(names, row, strict=True))
                if selected.holds(fields["ask"], fields["judge"]):
                    for name in ("prompt", "reply", "error"):
                        fields[name] = self.blotter.text(fields[name])
                    cost = _cost(fields["cost"], self.path)
                    yield CallLine(
                        **(fields | {"cost": cost, "answered": bool(fields["answered"])})
                    )

    def names(self) -> tuple[list[str], list[str]]:
        """Return the names of all asks and of all judges and models."""
        lines = self.lines()
        asks = {each.ask for each in lines if each.kind == "judge"}
        return sorted(asks), sorted({each.judge for each in lines})


@contextmanager
def open_audit(path: str | Path) -> Iterator[Audit]:
    """Open a ledger as it is at this moment, whoever writes to it meanwhile; nothing is written.

    Raises:
        LedgerError: it is none, or damaged, or cannot be read.
    """
    path = Path(path)
    connection = open_to_read(path)
    try:
        check_whole(connection, path)
        with told(path):
            connection.execute("BEGIN")
        yield Audit(connection, path)
    finally:
        connection.close()


def total(lines: list[Line]) -> Line:
    """Return the sum of lines about judges."""
    asked = [each for each in lines if each.kind == "judge"]
    costs = [each.cost for each in asked if each.cost is not None]
    return Line(
        kind="total",
        judge="",
        calls=sum(each.calls for each in asked),
        answers=sum(each.answers for each in asked),
        undecided=sum(each.undecided for each in asked),
        failures=sum(each.failures for each in asked),
        unanswered=sum(each.unanswered for each in asked),
        from_ledger=sum(each.from_ledger for each in asked),
        input_tokens=sum(each.input_tokens for each in asked),
        output_tokens=sum(each.output_tokens for each in asked),
        cost=sum(costs, Fraction()) if costs else None,
        unpriced=sum(each.unpriced for each in asked),
        seconds=sum(each.seconds for each in asked),
    )


_OF_CALLS = """
SELECT judge, ask, count(*) AS calls, count(error) AS failures,
    count(*) - count(cost) AS unpriced, coalesce(sum(input_tokens), 0) AS input_tokens,
    coalesce(sum(output_tokens), 0) AS output_tokens, coalesce(sum(seconds), 0.0) AS seconds
FROM calls GROUP BY judge, ask
"""
_OF_ANSWERS = """
SELECT judge, ask, sum(kind != 'undecided') AS answers, sum(kind = 'undecided') AS undecided
FROM answers GROUP BY judge, ask
"""
_UNANSWERED = """
SELECT judge, ask, count(DISTINCT question) AS unanswered FROM calls
WHERE NOT EXISTS (SELECT 1 FROM answers WHERE answers.question = calls.question) GROUP BY judge, ask
"""
_OF_HITS = """
SELECT name AS judge, ask, sum(count) AS from_ledger FROM hits WHERE kind = 'answers' GROUP BY name, ask
"""


def _judges(connection: sqlite3.Connection, path: Path) -> list[Line]:
    fields: dict[tuple[str, str], dict[str, object]] = {}
    for query in (_OF_CALLS, _OF_ANSWERS, _UNANSWERED, _OF_HITS):
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description][2:]
        for judge, ask, *figures in cursor:
            fields.setdefault((judge, ask), {}).update(zip(names, figures, strict=True))
    # Added up as fractions: as floats, a million calls at a tenth of a cent are not a thousand.
    costs: dict[tuple[str, str], Fraction] = {}
    for judge, ask, cost, count in connection.execute(
        "SELECT judge, ask, cost, count(*) FROM calls WHERE cost IS NOT NULL GROUP BY judge, ask, cost"
    ):
        price = _cost(cost, path) or Fraction()
        costs[judge, ask] = costs.get((judge, ask), Fraction()) + price * count
    return [
        Line(kind="judge", judge=judge, ask=ask, cost=costs.get((judge, ask)), **fields[judge, ask])  # type: ignore[arg-type]
        for judge, ask in sorted(fields)
    ]


def _embedders(connection: sqlite3.Connection) -> list[Line]:
    kept = dict(connection.execute("SELECT model, count(*) FROM vectors GROUP BY model"))
    hits = dict(
        connection.execute("SELECT name, sum(count) FROM hits WHERE kind = 'vectors' GROUP BY name")
    )
    return [
        Line(kind="embedder", judge=name, answers=kept.get(name, 0), from_ledger=hits.get(name, 0))
        for name in sorted(kept.keys() | hits.keys())
    ]


def _cost(text: str | None, path: Path) -> Fraction | None:
    try:
        return None if text is None else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise CorruptLedgerError(f"`{path}` is damaged: a call costs `{text}`") from None
