"""The functions that are written in Python: those of the language, and what the standard library needs besides.

Each is a pure function of plain values, never called with a missing one. registry.py lists them all.
"""

from rulesengine.primitives.primitive import NoValue, Primitive, Seen
from rulesengine.primitives.registry import BUILT_INS, CORE, PRIMITIVES, SIGNATURES

__all__ = ["BUILT_INS", "CORE", "PRIMITIVES", "SIGNATURES", "NoValue", "Primitive", "Seen"]
