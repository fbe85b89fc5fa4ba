"""An embedder with a memory: what the ledger knows is not worked out again."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

from rulesengine.providers.protocols import Embedder, NoAnswer, Vector
from rulesengine.providers.question_key import digest
from rulesengine.services.ledger import Ledger

BATCH = 1024  # texts; what is lost at the most when the process is killed


class RememberedVectors:
    """An embedder whose vectors are kept in a ledger, as float32.

    Vectors come as they were written, in the run that worked them out and in all later ones. What is no vector (it
    holds what is no number, or has no direction) is handed on as it came, and not kept.

    Args:
        embedder: asked for what the ledger does not know. `name` is its name, by which vectors are kept.
        ledger: where vectors are looked up and written.
        batch: how many texts are worked out before they are written.
    """

    def __init__(self, embedder: Embedder, ledger: Ledger, batch: int = BATCH) -> None:
        self.embedder = embedder
        self.ledger = ledger
        self.batch = batch
        self.name = embedder.name

    def embed(self, texts: Sequence[str]) -> Sequence[Vector | NoAnswer]:
        """Return the vector of each text; each text is worked out once.

        Raises:
            LedgerError: the ledger cannot be read or written.
            ValueError: the embedder gives more or fewer vectors than there are texts.
        """
        hashes = [digest(text) for text in texts]
        missing = dict(zip(hashes, texts, strict=True))
        known = {
            key: unpacked(blob) for key, blob in self.ledger.vectors(self.name, missing).items()
        }
        found: dict[str, Vector | NoAnswer] = {**known}
        if known:
            hits = sum(key in known for key in hashes)
            self.ledger.count_hits("vectors", self.name, {"": hits})
        left = [(key, text) for key, text in missing.items() if key not in known]
        for start in range(0, len(left), self.batch):
            found |= self._worked_out(left[start : start + self.batch])
        return [found[key] for key in hashes]

    def _worked_out(self, part: Sequence[tuple[str, str]]) -> dict[str, Vector | NoAnswer]:
        came = self.embedder.embed([text for _, text in part])
        if len(came) != len(part):
            raise ValueError(f"{len(came)} vectors came for {len(part)} texts")
        replies: dict[str, Vector | NoAnswer] = {
            key: vector for (key, _), vector in zip(part, came, strict=True)
        }
        blobs = {
            key: packed(each) for key, each in replies.items() if not isinstance(each, NoAnswer)
        }
        kept = {key: blob for key, blob in blobs.items() if blob is not None}
        if kept:
            self.ledger.write_vectors(self.name, kept)
            # The first that was written stands, which may be another process's.
            stand = self.ledger.vectors(self.name, kept)
            replies |= {key: unpacked(blob) for key, blob in stand.items()}
        return replies


def packed(vector: Vector) -> bytes | None:
    """Return a vector as float32, little end first; None where it is none."""
    import numpy as np

    with np.errstate(over="ignore"):
        numbers = np.asarray(vector, dtype="<f4")
    if numbers.ndim != 1 or not np.isfinite(numbers).all() or not numbers.any():
        return None
    return numbers.tobytes()


def unpacked(blob: bytes) -> Vector:
    """Return the vector that was packed."""
    numbers = array("f", blob)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
