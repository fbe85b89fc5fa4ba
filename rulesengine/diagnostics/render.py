"""Diagnostics as text for a terminal or a log: place, message, the line with a caret, other places, help."""

from __future__ import annotations

from collections.abc import Callable

from rulesengine.diagnostics.diagnostic import Diagnostic
from rulesengine.source import Place, Span

Style = Callable[[str, str], str]
LONGEST_LINE = 160


def plain(text: str, style: str) -> str:
    """Return `text` as it is: the style of a pipe."""
    return text


def render(diagnostic: Diagnostic, style: Style = plain) -> str:
    """Return a diagnostic as lines of text, without a newline at the end.

    Args:
        diagnostic: what to show.
        style: called with a piece of text and one of `error`, `warning`, `note`, `place`, `dim`; returns
            the text with whatever codes the output needs.
    """
    severity = diagnostic.severity
    head = (
        f"{style(place(diagnostic.span), 'place')}: "
        f"{style(f'{severity} {diagnostic.code.id}', severity)}: {visible(diagnostic.message)}"
    )
    lines = [head, *_excerpt(diagnostic.span, style, severity)]
    for label in diagnostic.labels:
        lines.append(f"  {style(place(label.span), 'place')}: {visible(label.text)}")
        lines.extend(_excerpt(label.span, style, "note"))
    if diagnostic.help is not None:
        lines.extend(
            f"  {style('help', 'note')}: {visible(line)}" for line in diagnostic.help.split("\n")
        )
    return "\n".join(lines)


def place(span: Span | Place) -> str:
    """Return `file:line:column`, as far as each is known."""
    parts = [span.name]
    if span.line:
        parts.append(str(span.line))
        if span.column:
            parts.append(str(span.column))
    return visible(":".join(parts))


def cells(text: str) -> int:
    """Return how many columns a terminal shows a text in."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # only for other scripts: most lines need no table of widths

    return cell_len(text)


def _excerpt(span: Span | Place, style: Style, severity: str) -> list[str]:
    text = span.line_text
    if not text or not span.column or span.column > len(text) + 1:
        return []
    start = span.column - 1
    cut = max(0, start - LONGEST_LINE // 2) if len(text) > LONGEST_LINE else 0
    shown = visible(text[cut : cut + LONGEST_LINE])
    before = visible(text[cut:start])
    marked = visible(text[start : start + span.width])[: LONGEST_LINE - len(before)]
    gutter = f"{span.line:>5} | "
    caret = "^" * max(1, cells(marked))
    return [
        style(gutter, "dim") + shown,
        style("      | ", "dim") + " " * cells(before) + style(caret, severity),
    ]


def visible(text: str) -> str:
    """Return `text` with tabs as four spaces and every other control character as its code.

    Text of a rubric or of evidence must not be able to move a terminal's cursor or to hide.
    """
    return "".join(
        "    " if char == "\t" else char if char.isprintable() else f"\\u{{{ord(char):x}}}"
        for char in text
    )
