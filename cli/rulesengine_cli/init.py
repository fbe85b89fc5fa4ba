"""`rubric init`: start a project with a rubric to change line by line."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from shlex import quote

import click
import tomli_w

from rulesengine_cli import exits
from rulesengine_cli.streams import say

_STARTER = Path(__file__).parent / "starter"
_VERSION = "{version}"  # stands in a template for the version of this command

# The files of a project, and the templates that they are made from.
FILES = {
    "protocol.rubric": "protocol.rubric",
    "protocol.test.rubric": "protocol.test.rubric",
    "evidence.csv": "evidence.csv",
    ".github/workflows/rubric.yml": "workflow.yml",
    ".pre-commit-config.yaml": "pre-commit.yaml",
}
CONFIGURATION = "rubric.toml"


@click.command()
@click.argument("folder", metavar="DIR")
@click.pass_context
def command(ctx: click.Context, folder: str) -> int:
    """Start a project: a rubric to change line by line, its cases, evidence, and checks in CI.

    DIR is the folder to write to; it is made where there is none. A file that is there already is never written to:
    nothing is written then, exit code 2.
    """
    target = Path(folder)
    contents = {
        name: (_STARTER / template).read_text("utf-8").replace(_VERSION, version("rubriclang"))
        for name, template in FILES.items()
    }
    contents[CONFIGURATION] = _configuration(target)
    there = [name for name in contents if os.path.lexists(target / name)]
    if there:
        raise click.UsageError(f"`{folder}` has {', '.join(there)} already; nothing was written")
    for name, text in contents.items():
        _write(target / name, text)
        click.echo(target / name)
    rubric, evidence = (quote(str(target / name)) for name in ("protocol.rubric", "evidence.csv"))
    say(
        f"next: rubric check {quote(folder)}\n"
        f"      rubric test {quote(folder)}\n"
        f"      rubric score {rubric} {evidence} --format table"
    )
    return exits.CLEAN


def _configuration(target: Path) -> str:
    """Which rubric and evidence the project is about."""
    return tomli_w.dumps(
        {
            "project": {
                "name": target.absolute().name,
                "rubric": "protocol.rubric",
                "evidence": ["evidence.csv"],
            }
        }
    )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(f"cannot write `{path}`: {error.strerror}") from None
