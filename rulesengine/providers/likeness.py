"""Likeness: cosines from the vectors of an embedding model.

A model moves its vectors by some 3e-7 with the batch that a text is in, and machines add in different orders. So each
cosine is summed by itself in double precision and rounded to DIGITS digits: texts that stand at a threshold do not
change sides with their neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rulesengine.providers.protocols import Embedder, NoAnswer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 6
MOST_AT_ONCE = 10_000  # pairs whose vectors stand in memory side by side


class Likeness:
    """Cosines of the vectors that an embedder gives.

    Args:
        embedder: asked once for each text of what is measured together.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.name = embedder.name

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Fraction | NoAnswer]:
        """Return the cosine of each pair, from -1 to 1, to DIGITS digits."""
        texts = sorted({text for pair in pairs for text in pair})
        vectors = self.embedder.embed(texts)
        if len(vectors) != len(texts):
            raise ValueError(f"{len(vectors)} vectors came for {len(texts)} texts")
        lost = {t: v for t, v in zip(texts, vectors, strict=True) if isinstance(v, NoAnswer)}
        known = [t for t in texts if t not in lost]
        rows = {text: row for row, text in enumerate(known)}
        directions = _directions([v for v in vectors if not isinstance(v, NoAnswer)], known)
        found: list[Fraction | NoAnswer] = [_either(pair, lost) for pair in pairs]
        measured = [index for index, pair in enumerate(pairs) if not set(pair) & lost.keys()]
        for start in range(0, len(measured), MOST_AT_ONCE):
            part = measured[start : start + MOST_AT_ONCE]
            left = directions[[rows[pairs[index][0]] for index in part]]
            right = directions[[rows[pairs[index][1]] for index in part]]
            for index, cosine in zip(part, (left * right).sum(axis=1), strict=True):
                found[index] = Fraction(f"{min(1.0, max(-1.0, float(cosine))):.{DIGITS}f}")
        return found


def _either(pair: tuple[str, str], lost: dict[str, NoAnswer]) -> NoAnswer:
    """Why a pair has no cosine; what is measured takes the place of it."""
    return next((lost[text] for text in pair if text in lost), NoAnswer("not measured"))


def _directions(vectors: Sequence[Sequence[float]], texts: list[str]) -> NDArray[np.float64]:
    """Vectors of length 1, one a row."""
    import numpy as np

    if len({len(vector) for vector in vectors}) > 1:
        raise ValueError("the vectors differ in length")
    matrix = np.asarray(vectors, dtype=np.float64).reshape(len(vectors), -1)
    if not np.isfinite(matrix).all():
        raise ValueError("a vector holds what is no number")
    # Scaled first, since the squares of large and small numbers are none that a machine has.
    largest = np.abs(matrix).max(axis=1, initial=0.0)
    for text, size in zip(texts, largest, strict=True):
        if not size:
            raise ValueError(f"the vector of `{text}` has no direction")
    matrix = matrix / largest[:, None]
    directions: NDArray[np.float64] = matrix / np.linalg.norm(matrix, axis=1)[:, None]
    return directions
