"""The fingerprint: a hash of what a rubric means.

Places, comments, layout and words for people (labels, titles, reasons) do not change a score and are left out;
everything else is in it, and the meaning of the engine itself too.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import Any

import msgspec

from rulesengine.graph import nodes as g

SEMANTICS = 1  # raised when the same graph over the same evidence may give another score
_WORDS = frozenset(
    {
        "span",
        "edges",
        "inexact",
        "label",
        "title",
        "about",
        "reason",
        "message",
        "name",
        "version",
        "path",
    }
)


def fingerprint(graph: g.Graph) -> str:
    """Return `sha256:` and 64 hexadecimal digits."""
    text = repr(("rubric", SEMANTICS, _meaning(graph)))
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def _meaning(value: Any) -> Any:
    """A value as nested tuples of texts, the same for the same meaning."""
    if isinstance(value, msgspec.Struct):
        names = (
            name
            for name in value.__struct_fields__
            if name not in _WORDS or (name == "name" and not isinstance(value, g.Graph))
        )
        return (type(value).__name__, *((name, _meaning(getattr(value, name))) for name in names))
    match value:
        case dict():
            return tuple(sorted((key, _meaning(inner)) for key, inner in value.items()))
        case tuple():
            return tuple(_meaning(inner) for inner in value)
        case Fraction():
            return str(value)
        case _:
            return repr(value)
