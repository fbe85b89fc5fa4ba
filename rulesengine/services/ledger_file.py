"""The file of a ledger: opened, made where there is none, and never written over."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from rulesengine.services.ledger_errors import (
    CorruptLedgerError,
    LedgerError,
    LedgerNotFoundError,
    NewerLedgerError,
    NotALedgerError,
    primary_code,
    told,
)
from rulesengine.services.ledger_schema import APPLICATION, KEPT, STATEMENTS, VERSION

T = TypeVar("T")
_PAUSE = 0.02  # seconds between two tries


def open_to_write(path: Path, wait: float) -> sqlite3.Connection:
    """Open a ledger, or make one where no file is or an empty one.

    Args:
        path: of the file.
        wait: seconds to wait for other processes.

    Raises:
        LedgerError: it cannot be opened or written, or is no ledger.
    """
    _look_at(path, is_needed=False)
    with told(path):
        connection = _connected(path, "rwc", wait)
        try:
            patient(lambda: _made(connection, path), wait)
            _known(connection, path)
            # Power may fail: a commit is on the disk, not on its way there.
            patient(lambda: connection.execute("PRAGMA journal_mode = WAL").fetchone(), wait)
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(path: Path, wait: float = 10.0) -> sqlite3.Connection:
    """Open a ledger that is there, to read only; also where its folder cannot be written.

    Raises:
        LedgerError: it cannot be opened, or is no ledger.
    """
    _look_at(path, is_needed=True)
    with told(path):
        connection = _connected(path, "ro", wait)
        try:
            try:
                patient(lambda: connection.execute("SELECT 1 FROM sqlite_schema").fetchone(), wait)
            except sqlite3.OperationalError as error:
                beside = path.with_name(f"{path.name}-wal")
                refused = primary_code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
                if not refused or _size(beside):
                    raise
                # Nothing is on its way into the file, and nobody can put anything beside it.
                connection.close()
                connection = _connected(path, "ro&immutable=1", wait)
            if _is_empty(connection):
                raise NotALedgerError(f"`{path}` is no ledger: it is empty")
            _known(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def check_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Look through the whole file for damage.

    Raises:
        CorruptLedgerError: there is some.
    """
    with told(path):
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise CorruptLedgerError(f"`{path}` is damaged: {said}")


def patient(action: Callable[[], T], wait: float) -> T:
    """Do what another process may be in the way of, again and again for `wait` seconds.

    SQLite waits by itself, but not where it fears that two wait for each other, as when a file is made by both.
    """
    end = time.monotonic() + wait
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            busy = primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() >= end:
                raise
            time.sleep(_PAUSE)


def _look_at(path: Path, *, is_needed: bool) -> None:
    try:
        if path.exists() and not path.is_file():
            raise NotALedgerError(f"`{path}` is no ledger: it is no file")
        if is_needed and not path.exists():
            raise LedgerNotFoundError(f"there is no file `{path}`")
        if not path.parent.is_dir():
            raise LedgerNotFoundError(f"there is no folder `{path.parent}` for `{path.name}`")
    except (OSError, ValueError) as error:
        raise LedgerError(f"`{path}` cannot be looked at: {error}") from None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _connected(path: Path, mode: str, wait: float) -> sqlite3.Connection:
    # The lock of `Ledger` sees to it that one thread uses it at a time.
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,
    )


def _made(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables where the file is empty; in one piece, so that nobody ever sees half of them."""
    connection.execute("PRAGMA trusted_schema = OFF")
    if not _is_empty(connection):
        _known(connection, path)  # before anything is locked or written in what may be another's
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(connection):
            for statement in STATEMENTS:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _is_empty(connection: sqlite3.Connection) -> bool:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return not tables and not _pragma(connection, "application_id")


def _known(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no ledger of this version."""
    version = _pragma(connection, "user_version")
    if _pragma(connection, "application_id") != APPLICATION:
        raise NotALedgerError(f"`{path}` is no ledger: it is a database of another program")
    if version > VERSION:
        raise NewerLedgerError(
            f"`{path}` is a ledger of version {version}, and this program knows version {VERSION}: "
            "install a later one"
        )
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if version < 1 or not names.issuperset(KEPT):
        raise CorruptLedgerError(f"`{path}` is damaged: it lacks tables that a ledger has")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)
