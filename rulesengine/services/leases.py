"""Leases: what one process is asking, another waits for in place of paying for it again.

A lease is a row in the ledger. It ends with the reply; and if its owner is gone or has not been heard of for LEASE
seconds, it holds no longer. A lease that ends too soon costs a second call, never a wrong answer.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from uuid import uuid4

from rulesengine.services.ledger import LEASE, Ledger
from rulesengine.services.ledger_errors import LedgerError


class Leases:
    """The leases of one asker. `owner` names it."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.owner = uuid4().hex
        self.host = socket.gethostname()

    def claim(self, keys: Iterable[str]) -> set[str]:
        """Take those questions that have no answer and that nobody else is asking.

        Returns:
            The keys of what is to be asked now.

        Raises:
            LedgerError: the ledger cannot be written, so that no answer could be kept.
        """
        with self.ledger.transaction() as connection:
            for owner, host, process, until in connection.execute(
                "SELECT id, host, process, until FROM owners"
            ).fetchall():
                gone = host == self.host and not is_alive(process)
                if owner != self.owner and (gone or not time.time() < until <= time.time() + LEASE):
                    connection.execute("DELETE FROM leases WHERE owner = ?", (owner,))
                    connection.execute("DELETE FROM owners WHERE id = ?", (owner,))
            connection.execute(
                "INSERT OR REPLACE INTO owners (id, host, process, until) VALUES (?, ?, ?, ?)",
                (self.owner, self.host, os.getpid(), time.time() + LEASE),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO leases (question, owner) SELECT ?1, ?2"
                " WHERE NOT EXISTS (SELECT 1 FROM answers WHERE question = ?1)",
                [(key, self.owner) for key in keys],
            )
            rows = connection.execute("SELECT question FROM leases WHERE owner = ?", (self.owner,))
            return {key for (key,) in rows}

    def release(self) -> None:
        """Give up all of them."""
        with suppress(LedgerError), self.ledger.transaction() as connection:
            connection.execute("DELETE FROM leases WHERE owner = ?", (self.owner,))
            connection.execute("DELETE FROM owners WHERE id = ?", (self.owner,))


def is_alive(process: int) -> bool:
    """Whether a process of this machine runs, as far as can be told."""
    if os.name != "posix":  # elsewhere the same call would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return True
