"""The rubric files that arguments name: files, folders, or names of shipped rubrics."""

from __future__ import annotations

import os

import click

from rulesengine.errors import RubricNotFoundError
from rulesengine.files import ENDING, check_file, find
from rulesengine.pipeline import Checked


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
