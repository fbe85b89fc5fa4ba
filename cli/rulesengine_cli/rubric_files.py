"""The rubric files that arguments name: files, folders, or names of shipped rubrics."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from rulesengine.errors import RubricNotFoundError
from rulesengine.files import ENDING, check_file, find
from rulesengine.pipeline import Checked

if TYPE_CHECKING:
    from rulesengine.rubric import Rubric


def named_files(names: tuple[str, ...]) -> list[str]:
    """Return the files named, each once, those of a folder in order of their paths."""
    found: dict[str, None] = {}
    for name in names:
        if name and os.path.isdir(name):
            inside = _inside(name)
            if not inside:
                raise click.UsageError(f"there is no {ENDING} file in `{name}`")
            found.update(dict.fromkeys(inside))
        else:
            found[named_file(name)] = None
    return list(found)


def own_files(names: tuple[str, ...]) -> list[str]:
    """Return the files named, as `named_files` does, but never those of a shipped rubric: to be written to."""
    for name in names:
        if not os.path.exists(name):
            raise click.UsageError(f"there is no file `{name}`")
    return named_files(names)


def _inside(folder: str) -> list[str]:
    # Imported here: a check of a single file does without.
    from pathlib import Path

    return [str(path) for path in sorted(Path(folder).rglob(f"*{ENDING}")) if path.is_file()]


def named_file(name: str) -> str:
    """Return the file that a path or the name of a shipped rubric means."""
    try:
        return find(name)
    except RubricNotFoundError as error:
        raise click.UsageError(str(error)) from None


def checked_file(path: str) -> Checked:
    """Read and check a file."""
    try:
        return check_file(path)
    except OSError as error:
        raise click.UsageError(f"cannot read `{path}`: {error.strerror}") from None


def rubric_to_run(name: str, settings: tuple[str, ...]) -> Rubric | None:
    """Return a sound rubric with its params set; of an unsound one tell the errors, and return None."""
    from rulesengine_cli.streams import say, tell

    checked = checked_file(named_file(name))
    if not checked.is_sound:
        tell((d for d in checked.diagnostics if d.severity == "error"), err=True)
        say(f"{checked.source.name} is unsound and scores nothing", style="error")
        return None
    if not checked.is_rubric:
        raise click.UsageError(f"`{name}` scores nothing: it is a library or a file of cases")
    return rubric_with_params(checked, settings)


def rubric_with_params(checked: Checked, settings: tuple[str, ...]) -> Rubric:
    """Return a sound rubric with its params set as `--set NAME=VALUE` says."""
    texts: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise click.UsageError(f"`--set {setting}` is no NAME=VALUE")
        if name in texts:
            raise click.UsageError(f"`--set {name}` is given twice")
        texts[name] = value
    # Imported here, since a check needs neither.
    from rulesengine.rubric import Rubric

    if not texts:
        return Rubric(checked)
    from rulesengine.check.params import from_texts
    from rulesengine.diagnostics.render import visible

    assert checked.scope is not None
    changed = checked.with_params(from_texts(checked.scope, texts))
    if not changed.is_sound:
        lines = [
            f"{each.message}{f'; {each.help}' if each.help else ''}" for each in changed.diagnostics
        ]
        raise click.UsageError(visible(f"--set: {'; '.join(lines)}"))
    return Rubric(changed)
