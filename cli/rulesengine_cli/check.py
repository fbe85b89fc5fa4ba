"""`rubric check`: prove rubric files sound."""

from __future__ import annotations

import sys

import click

from rulesengine.diagnostics import Diagnostic
from rulesengine.pipeline import Checked
from rulesengine_cli import exits
from rulesengine_cli.rubric_files import checked_file, named_files
from rulesengine_cli.streams import counted, painter, tell


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], format_: str) -> int:
    """Prove rubric files sound, without running anything.

    PATH is a file, a folder (all rubric files in it), or the name of a shipped rubric. Exit code 1 if any file has
    an error; warnings and notes do not count.
    """
    checked = [checked_file(path) for path in named_files(paths)]
    if format_ == "json":
        from rulesengine.report.to_json import diagnostics_json, dumps

        files = [
            {
                "file": each.source.name,
                "sound": each.is_sound,
                "findings": diagnostics_json(each.diagnostics),
            }
            for each in checked
        ]
        click.echo(dumps({"files": files}))
    else:
        _text(checked)
    return exits.CLEAN if all(each.is_sound for each in checked) else exits.FINDINGS


def _text(checked: list[Checked]) -> None:
    paint = painter(sys.stdout)
    told: set[Diagnostic] = set()
    for each in checked:
        tell((d for d in each.diagnostics if d not in told), err=False)
        told.update(each.diagnostics)
        counts = {"error": 0, "warning": 0, "note": 0}
        for diagnostic in each.diagnostics:
            counts[diagnostic.severity] += 1
        notes = ", ".join(counted(number, name) for name, number in counts.items() if number)
        verdict = paint("sound", "good") if each.is_sound else paint("unsound", "error")
        click.echo(f"{each.source.name}: {verdict}{f' ({notes})' if notes else ''}", color=True)
