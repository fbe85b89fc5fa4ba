"""What the engine has to say to an author, as data."""

from __future__ import annotations

from rulesengine.diagnostics.diagnostic import Code, Diagnostic, Label, Severity

__all__ = ["Code", "Diagnostic", "Label", "Severity"]
