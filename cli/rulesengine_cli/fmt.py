"""`rubric fmt`: lay rubric files out in the one way that all have."""

from __future__ import annotations

import sys
from difflib import unified_diff

import click

from rulesengine.diagnostics.render import visible
from rulesengine.errors import InternalError
from rulesengine.files import decoded
from rulesengine.formatting.format import Formatted, format_source
from rulesengine.source import Source
from rulesengine_cli import exits
from rulesengine_cli.rubric_files import own_files
from rulesengine_cli.streams import counted, painter, say, tell
from rulesengine_cli.writing import written_whole

STANDARD_INPUT = "-"


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file would change.")
@click.option(
    "--diff", is_flag=True, help="Write nothing; show what would change, and exit as --check does."
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Lay rubric files out in the one way that all have.

    PATH is a file or a folder (all rubric files in it), which are changed in place; or `-`, which lays out what comes
    on standard input and writes it to standard output.

    Comments, texts and meaning stay as they are. A file with errors of syntax is left as it is: exit code 1.
    """
    if STANDARD_INPUT in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` stands alone: standard input and files are not mixed")
        return _standard_input(check=check, diff=diff)
    codes = []
    counts = {"changed": 0, "as it was": 0, "unread": 0}
    for path in own_files(paths):
        before = _content(path)
        text, code = _laid_out(before, path)
        codes.append(code)
        if text is None:
            counts["unread"] += 1
        elif text.encode() == before:
            counts["as it was"] += 1
        else:
            counts["changed"] += 1
            if check or diff:
                codes.append(exits.FINDINGS)
            if diff:
                _show(before, text, path)
            else:
                click.echo(f"{path}: {'would be laid out anew' if check else 'laid out anew'}")
            if not check and not diff:
                with written_whole(path) as stream:
                    stream.write(text)
    would = "would be " if check or diff else ""
    summary = [f"{counted(counts['changed'], 'file')} {would}changed"]
    same = counts["as it was"]
    summary += [f"{same:,} left as {'it was' if same == 1 else 'they were'}"] if same else []
    summary += [f"{counts['unread']:,} could not be read"] if counts["unread"] else []
    say(", ".join(summary))
    return max(codes, default=exits.CLEAN)


def _standard_input(*, check: bool, diff: bool) -> int:
    before = sys.stdin.buffer.read()
    text, code = _laid_out(before, STANDARD_INPUT)
    if text is None:
        return code
    changes = text.encode() != before
    if diff:
        _show(before, text, STANDARD_INPUT)
    elif not check:
        click.echo(text, nl=False)
    elif changes:
        say("it would be laid out anew")
    return exits.FINDINGS if changes and (check or diff) else exits.CLEAN


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise click.UsageError(f"cannot read `{path}`: {error.strerror}") from None


def _laid_out(content: bytes, path: str) -> tuple[str | None, int]:
    """Return the text of a file laid out, and an exit code; or None, and tell why not."""
    source = decoded(content, path)
    try:
        done = format_source(source) if isinstance(source, Source) else Formatted(None, (source,))
    except InternalError as error:
        say(f"{path}: left as it was; this is a bug of rubric, and not of your file: {error}")
        return None, exits.INTERNAL
    if done.text is None:
        tell((each for each in done.diagnostics if each.severity == "error"), err=True)
        say(f"{path}: left as it was, since it cannot be read", style="error")
        return None, exits.FINDINGS
    return done.text, exits.CLEAN


def _show(before: bytes, text: str, path: str) -> None:
    """Show what changes, as the tools for versions do."""
    paint = painter(sys.stdout)
    old, new = _lines(before.decode("utf-8")), _lines(text)
    for line in unified_diff(old, new, path, f"{path} (laid out)", lineterm=""):
        style = {"+": "good", "-": "error", "@": "place"}.get(line[:1])
        if not paint.colour:  # as it is: another program may apply it
            click.echo(line)
        else:
            shown = visible(line)
            click.echo(paint(shown, style) if style else shown, color=True)


def _lines(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines
