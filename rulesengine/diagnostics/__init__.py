"""What the engine has to say to an author, as data."""

from rulesengine.diagnostics.diagnostic import Code, Diagnostic, Label, Severity

__all__ = ["Code", "Diagnostic", "Label", "Severity"]
