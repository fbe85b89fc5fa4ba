"""Rubrics: scoring protocols that are written once, proved sound, and executed so that a score can be trusted."""

from rulesengine.diagnostics import Code, Diagnostic, Label
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
