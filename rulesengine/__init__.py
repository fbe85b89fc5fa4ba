"""Rubrics: scoring protocols that are written once, proved sound, and executed so that a score can be trusted.

A public name is imported when it is first used, so that `import rulesengine` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesengine.diagnostics.diagnostic import Code, Diagnostic, Label
    from rulesengine.errors import (
        InternalError,
        RubricError,
        RubricNotFoundError,
        UnsoundRubricError,
    )
    from rulesengine.report.result import Count, Excluded, Result
    from rulesengine.report.run import Run
    from rulesengine.rubric import Rubric, load
    from rulesengine.runtime.outcome import Because, Failed, Scored, Unscored

__all__ = [
    "Because",
    "Code",
    "Count",
    "Diagnostic",
    "Excluded",
    "Failed",
    "InternalError",
    "Label",
    "Result",
    "Rubric",
    "RubricError",
    "RubricNotFoundError",
    "Run",
    "Scored",
    "Unscored",
    "UnsoundRubricError",
    "load",
]

_HOMES = {
    "diagnostics.diagnostic": ("Code", "Diagnostic", "Label"),
    "errors": ("InternalError", "RubricError", "RubricNotFoundError", "UnsoundRubricError"),
    "report.result": ("Count", "Excluded", "Result"),
    "report.run": ("Run",),
    "rubric": ("Rubric", "load"),
    "runtime.outcome": ("Because", "Failed", "Scored", "Unscored"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"rulesengine.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
