"""What can be wrong with a ledger, each with a class of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulesengine.errors import RubricError


class LedgerError(RubricError):
    """A ledger cannot be opened, read or written. What it holds is as it was."""


class LedgerNotFoundError(LedgerError):
    """There is no file of that name, or no folder to put it in."""


class NotALedgerError(LedgerError):
    """The file is something else; nothing was written to it."""


class NewerLedgerError(LedgerError):
    """The file was written by a later version, and this one does not know what it holds."""


class ReadOnlyLedgerError(LedgerError):
    """The file or its folder does not let itself be written."""


class NoRoomError(LedgerError):
    """The disk takes no more: it is full, over a limit, or broken."""


class CorruptLedgerError(LedgerError):
    """The file is damaged."""


class BusyLedgerError(LedgerError):
    """Another process kept the file to itself for longer than was to be waited."""


_KINDS: dict[int, tuple[type[LedgerError], str]] = {
    sqlite3.SQLITE_NOTADB: (NotALedgerError, "is no ledger: it is not a database of SQLite"),
    sqlite3.SQLITE_CORRUPT: (
        CorruptLedgerError,
        "is damaged: keep it, and take a copy of it from before, or start another",
    ),
    sqlite3.SQLITE_FULL: (NoRoomError, "cannot be written: the disk is full"),
    sqlite3.SQLITE_IOERR: (NoRoomError, "cannot be written or read: the disk refuses it"),
    sqlite3.SQLITE_READONLY: (ReadOnlyLedgerError, "cannot be written: it is read-only"),
    sqlite3.SQLITE_PERM: (ReadOnlyLedgerError, "cannot be written: access is denied"),
    sqlite3.SQLITE_CANTOPEN: (
        ReadOnlyLedgerError,
        "cannot be opened: access to it or its folder is denied",
    ),
    sqlite3.SQLITE_BUSY: (BusyLedgerError, "is kept busy by another process"),
    sqlite3.SQLITE_LOCKED: (BusyLedgerError, "is kept busy by another process"),
}


def primary_code(error: sqlite3.Error) -> int:
    """Return the kind of an error of SQLite, without its finer shade."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn errors of SQLite about a ledger into those above.

    Raises:
        LedgerError: SQLite said that something is wrong.
    """
    try:
        yield
    except sqlite3.Error as error:
        kind, words = _KINDS.get(primary_code(error), (LedgerError, f"failed: {error}"))
        name = getattr(error, "sqlite_errorname", "")
        raise kind(f"`{path}` {words}{f' ({name})' if name else ''}") from error
