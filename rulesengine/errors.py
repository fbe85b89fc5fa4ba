"""The exceptions of the package. A user's mistake is a diagnostic; these are for the edges and for our own bugs."""

from __future__ import annotations

from rulesengine.diagnostics.diagnostic import Diagnostic


class RubricError(Exception):
    """Base of every exception that the package raises on purpose."""


class UnsoundRubricError(RubricError):
    """A rubric with at least one error was to be loaded or run.

    `diagnostics` holds every finding, errors and others, in order of place.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        from rulesengine.diagnostics.render import render  # only where there is something to show

        super().__init__("\n".join(render(d) for d in diagnostics))
        self.diagnostics = diagnostics


class RubricNotFoundError(RubricError):
    """Neither a file nor a shipped rubric has the name asked for."""


class InternalError(RubricError):
    """A bug of ours: something that checks had ruled out happened all the same."""
