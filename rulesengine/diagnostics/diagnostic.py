"""A diagnostic: what is wrong, where, in the author's words, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from rulesengine.source import Place, Span
from rulesengine.struct import Struct

Severity: TypeAlias = Literal["error", "warning", "note"]


class Code(Struct, frozen=True):
    """A kind of diagnostic. The id is printed, searched for and suppressed by; it is never used again."""

    id: str
    title: str
    severity: Severity = "error"


class Label(Struct, frozen=True):
    """Another place that the reader has to see."""

    span: Span | Place
    text: str


class Diagnostic(Struct, frozen=True):
    """One finding.

    `message` is one lower-case line without a full stop, the author's own words in backquotes.
    """

    code: Code
    message: str
    span: Span | Place
    labels: tuple[Label, ...] = ()
    help: str | None = None

    @property
    def severity(self) -> Severity:
        """How grave it is; only an error makes a rubric unsound."""
        return self.code.severity


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics sorted by place, then code, each said once."""
    unique = dict.fromkeys(diagnostics)
    return sorted(
        unique, key=lambda d: (d.span.name, d.span.line, d.span.column, d.code.id, d.message)
    )


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Tell whether any of them is an error."""
    return any(d.severity == "error" for d in diagnostics)
