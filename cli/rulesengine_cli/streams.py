"""What goes where: results on standard output, everything for people on standard error; colour only on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import IO

import click

from rulesengine.diagnostics import Diagnostic

_COLOURS: dict[str, dict[str, object]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan"},
    "good": {"fg": "green"},
    "place": {"bold": True},
    "title": {"bold": True},
    "dim": {"dim": True},
}


def coloured(stream: IO[str]) -> bool:
    """Whether a stream takes colour: a terminal, and nobody said otherwise (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def painter(stream: IO[str]) -> Painter:
    """Return what paints text for a stream."""
    return Painter(coloured(stream))


class Painter:
    """Paints pieces of text; called with the text and the name of a style."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, style: str) -> str:
        """Return the text in a style, or as it is."""
        return click.style(text, **_COLOURS[style]) if self.colour else text  # type: ignore[arg-type]


def say(text: str, *, style: str | None = None) -> None:
    """Write a line for people, on standard error."""
    from rulesengine.diagnostics.render import visible

    text = "\n".join(visible(line) for line in text.split("\n"))
    shown = painter(sys.stderr)(text, style) if style else text
    click.echo(shown, err=True, color=True)


def tell(diagnostics: Iterable[Diagnostic], *, err: bool) -> None:
    """Write findings, a blank line between them."""
    from rulesengine.diagnostics.render import render

    paint = painter(sys.stderr if err else sys.stdout)
    for diagnostic in diagnostics:
        click.echo(render(diagnostic, paint) + "\n", err=err, color=True)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 record`, `2 records`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
