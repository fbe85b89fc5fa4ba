"""Texts of evidence, as a message shows them."""

from __future__ import annotations

LONGEST = 40  # signs; what is longer is cut


def short(text: str) -> str:
    """Return `text` on one line for a message, cut where it is long."""
    line = text.encode("utf-8", "backslashreplace").decode("utf-8")
    line = line.replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
