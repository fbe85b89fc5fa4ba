"""The ledger: one SQLite file that every exchange with a judge, every answer and every vector is written to.

What was paid for is written as it comes, in a transaction of its own, before anyone works with it. So a process may be
killed at any moment: the file opens clean and holds every answer that came. Nothing in it is changed or taken away. Of
two processes that answer one question the first to write is right, and both go on with its answer.

Keys are told to the ledger so that it can keep them out, see `secrets`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from uuid import uuid4

from rulesengine.providers.protocols import Answer, Call, NoAnswer, Question, Reply, Undecided
from rulesengine.providers.question_key import type_text
from rulesengine.services.kept_answers import read, written
from rulesengine.services.ledger_errors import CorruptLedgerError, LedgerError, told
from rulesengine.services.ledger_file import open_to_write, patient
from rulesengine.services.secrets import Blotter
from rulesengine.struct import Struct
from rulesengine.values import plain_text

WAIT = 30.0  # seconds for other processes
LEASE = 300.0  # seconds for which a question is left to the one who asks it, without word of it
RETRY = 1.0  # seconds between two tries to write what could not be written
_MOST = 2**63  # past the integers of SQLite


class Exchange(Struct, frozen=True, kw_only=True):
    """What came of one question, to be written.

    Attributes:
        key: of the question, see `question_key`.
        question: what was asked.
        judge: the judge's name.
        scope: in which the answer holds.
        reply: what came; NoAnswer is written as a call that failed.
        owner: whose lease on the question ends with it; empty for nobody's.
    """

    key: str
    question: Question
    judge: str
    scope: str
    reply: Reply
    owner: str = ""


class _Waiting:
    """An exchange on its way to the disk; `stands` is what `write` returns of it, once it is there."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.stands: Reply | None = None

    @property
    def reply(self) -> Reply:
        """What stands, or what came where that could not be written."""
        return self.exchange.reply if self.stands is None else self.stands


class Ledger:
    """An open ledger; safe to use from several threads, and beside other processes.

    Args:
        path: of the file, which is made where there is none. Beside it stand `-wal` and `-shm` while it is in use.
        secrets: keys of providers; in what is written `[secret]` stands in their place.
        wait: seconds to wait for other processes that write.

    Attributes:
        run: names this opening in all that it writes.
        fault: why what was heard could not be written; None where all is. It is kept, and tried again with the next
            writing and by `close`.

    Raises:
        LedgerError: the file is no ledger, newer, damaged, or cannot be written. It is as it was.
    """

    def __init__(
        self, path: str | Path, *, secrets: Iterable[str] = (), wait: float = WAIT
    ) -> None:
        self.path = Path(path)
        self.wait = wait
        self.blotter = Blotter(secrets)
        self.run = uuid4().hex
        self.fault: LedgerError | None = None
        self._unwritten: list[_Waiting] = []
        self._again = 0.0  # when what could not be written is tried again
        self._lock = threading.RLock()  # one thread at a time uses the connection
        self._gathered = threading.Condition()
        self._is_writing = False  # guarded by `_gathered`
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = open_to_write(self.path, wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what could not be written before, and close the file.

        Raises:
            LedgerError: it still cannot be.
        """
        try:
            self.write_rest()
        finally:
            with self._lock:
                if self._connection is not None:
                    self._connection.close()
                self._connection = None

    def find(self, keys: Iterable[str]) -> dict[str, Answer | Undecided]:
        """Return the answers to questions, by their keys, as far as there are any; in one query.

        Raises:
            LedgerError: it cannot be read.
        """
        with self._reading() as connection:
            return self._found(connection, keys)

    def write(self, exchange: Exchange) -> Reply:
        """Write what came of a question; it is on the disk when this returns.

        It raises nothing: what cannot be written is kept for later, and `fault` says why.

        Returns:
            The answer that stands, with the calls of this one: the first that was written. NoAnswer as it came.
        """
        if self._process != os.getpid():
            self._adopt()
        # In the queue first: an interrupt may come between. And while one thread waits for the disk, those of others
        # gather and go into the next transaction: a disk takes some hundred a second, however large they are.
        mine = _Waiting(exchange)
        self._unwritten.append(mine)
        with self._gathered:
            while mine.stands is None and self._is_writing:
                self._gathered.wait()
            if mine.stands is not None or time.monotonic() < self._again:
                return mine.reply
            self._is_writing = True
        try:
            self._write_all()
        except LedgerError as error:
            self.fault = error
            self._again = time.monotonic() + RETRY
        finally:
            with self._gathered:
                self._is_writing = False
                self._gathered.notify_all()
        return mine.reply

    def write_rest(self) -> None:
        """Write what could not be written before.

        Raises:
            LedgerError: it still cannot be.
        """
        with self._lock:
            if self._unwritten:
                try:
                    self._write_all()
                except LedgerError as error:
                    self.fault = error
                    raise

    def count_hits(
        self, kind: Literal["answers", "vectors"], name: str, counts: Mapping[str, int]
    ) -> None:
        """Write how much was answered from here; no answer depends on it, so where it fails only `fault` says so.

        Args:
            kind: of what.
            name: of the judge or the model.
            counts: for each ask; of vectors, under the empty name.
        """
        rows = [
            (self.run, kind, self.blotter.text(name), self.blotter.text(ask), count, time.time())
            for ask, count in counts.items()
            if count
        ]
        try:
            with self.transaction() as connection:
                connection.executemany(
                    "INSERT INTO hits (run, kind, name, ask, count, written) VALUES (?, ?, ?, ?, ?, ?)",
                    rows,
                )
        except LedgerError as error:
            self.fault = error

    def vectors(self, model: str, texts: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors of texts, given by their hashes, as far as there are any.

        Raises:
            LedgerError: it cannot be read.
        """
        with self._reading() as connection:
            return dict(
                connection.execute(
                    "SELECT text, vector FROM vectors WHERE model = ?"
                    " AND text IN (SELECT value FROM json_each(?))",
                    (self.blotter.text(model), json.dumps(list(texts))),
                )
            )

    def write_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Write vectors of texts, given by their hashes; of two for a text the first stays.

        Raises:
            LedgerError: they cannot be written.
        """
        rows = [(self.blotter.text(model), text, self.run, each) for text, each in vectors.items()]
        with self.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO vectors (model, text, run, vector) VALUES (?, ?, ?, ?)", rows
            )

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all of something or nothing.

        Raises:
            LedgerError: it cannot be written.
        """
        with self._lock, told(self.path):
            connection = self._here()
            patient(lambda: connection.execute("BEGIN IMMEDIATE"), self.wait)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, told(self.path):
            yield self._here()

    def _here(self) -> sqlite3.Connection:
        if self._process != os.getpid():
            self._adopt()
        if self._connection is None:
            raise LedgerError(f"`{self.path}` is closed")
        return self._connection

    def _adopt(self) -> None:
        """Give a process that was forked a connection of its own; it may not use its parent's."""
        with self._lock:
            # Neither closed nor freed: that would take away its parent's locks on the file.
            self._parents = self._connection
            self._unwritten = []  # they are the parent's to write
            self._gathered, self._is_writing = threading.Condition(), False
            self._connection = open_to_write(self.path, self.wait)
            self._process = os.getpid()

    def _found(
        self, connection: sqlite3.Connection, keys: Iterable[str]
    ) -> dict[str, Answer | Undecided]:
        rows = connection.execute(
            "SELECT question, kind, value, note FROM answers"
            " WHERE question IN (SELECT value FROM json_each(?))",
            (json.dumps(list(keys)),),
        )
        try:
            return {key: read(kind, value, note) for key, kind, value, note in rows}
        except ValueError as error:
            raise CorruptLedgerError(f"`{self.path}` is damaged: {error}") from None

    def _write_all(self) -> None:
        with self.transaction() as connection:
            part = list(self._unwritten)
            stands = [self._write_one(connection, each.exchange) for each in part]
        del self._unwritten[: len(part)]  # others may have come behind them
        self._again, self.fault = 0.0, None
        for waiting, reply in zip(part, stands, strict=True):
            waiting.stands = reply

    def _write_one(self, connection: sqlite3.Connection, exchange: Exchange) -> Reply:
        reply, key = exchange.reply, exchange.key
        calls = [self._write_call(connection, exchange, call) for call in _calls(exchange)]
        if exchange.owner:
            connection.execute(
                "DELETE FROM leases WHERE question = ? AND owner = ?", (key, exchange.owner)
            )
            connection.execute(
                "UPDATE owners SET until = ? WHERE id = ?", (time.time() + LEASE, exchange.owner)
            )
        if isinstance(reply, NoAnswer):
            return reply
        self._write_answer(connection, exchange, reply, calls)
        stands = self._found(connection, [key])[key]
        if isinstance(stands, Answer):
            return Answer(stands.value, stands.note, reply.calls)
        return Undecided(stands.why, reply.calls)

    def _write_call(
        self, connection: sqlite3.Connection, exchange: Exchange, call: Call
    ) -> int | None:
        blot = self.blotter.text
        return connection.execute(
            "INSERT INTO calls (run, question, judge, ask, scope, model, prompt, reply, error,"
            " input_tokens, output_tokens, cost, seconds, started)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.run,
                exchange.key,
                blot(exchange.judge),
                blot(exchange.question.ask),
                blot(exchange.scope),
                blot(call.model),
                blot(call.prompt),
                blot(call.reply),
                blot(call.error),
                _count(call.input_tokens),
                _count(call.output_tokens),
                None if call.cost is None else plain_text(call.cost),
                call.seconds if isfinite(call.seconds) else None,
                call.started if isfinite(call.started) else None,
            ),
        ).lastrowid

    def _write_answer(
        self,
        connection: sqlite3.Connection,
        exchange: Exchange,
        reply: Answer | Undecided,
        calls: list[int | None],
    ) -> None:
        blot = self.blotter.text
        question = exchange.question
        kind, value, note = "undecided", None, ""
        if isinstance(reply, Answer):
            kind, value = written(self.blotter.value(reply.value))
            note = reply.note
        else:
            note = reply.why
        connection.execute(
            "INSERT OR IGNORE INTO answers (question, run, judge, ask, scope, inputs, given, type, kind,"
            " value, note, calls, written) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                exchange.key,
                self.run,
                blot(exchange.judge),
                blot(question.ask),
                blot(exchange.scope),
                _pairs(question.inputs, self.blotter),
                _pairs(question.given, self.blotter),
                blot(type_text(question.type)),
                kind,
                value,
                blot(note),
                json.dumps(calls),
                time.time(),
            ),
        )


def _calls(exchange: Exchange) -> list[Call]:
    """The calls to write; of no answer at least one says why."""
    reply = exchange.reply
    calls = list(reply.calls)
    if isinstance(reply, NoAnswer) and not any(call.error for call in calls):
        if not calls:
            prompt = exchange.question.prompt
            calls.append(Call(model=exchange.judge, prompt=prompt, started=time.time()))
        calls[-1] = _with_error(calls[-1], reply.why)
    return calls


def _with_error(call: Call, error: str) -> Call:
    fields = {name: getattr(call, name) for name in call.__struct_fields__}
    return Call(**(fields | {"error": error}))


def _count(tokens: int | None) -> int | None:
    return None if tokens is None or not -_MOST <= tokens < _MOST else tokens


def _pairs(pairs: tuple[tuple[str, str], ...], blotter: Blotter) -> str:
    return json.dumps([[name, blotter.text(text)] for name, text in pairs], ensure_ascii=False)
