"""The rubric files that arguments name: files, folders, or names of shipped rubrics."""

from __future__ import annotations

from pathlib import Path

import click

from rulesengine.errors import RubricNotFoundError
from rulesengine.files import ENDING, check_file, find
from rulesengine.pipeline import Checked


def named_files(names: tuple[str, ...]) -> list[Path]:
    """Return the files named, each once, those of a folder in order of their paths."""
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if name and path.is_dir():
            inside = sorted(each for each in path.rglob(f"*{ENDING}") if each.is_file())
            if not inside:
                raise click.UsageError(f"there is no {ENDING} file in `{name}`")
            found.update(dict.fromkeys(inside))
        else:
            found[named_file(name)] = None
    return list(found)


def named_file(name: str) -> Path:
    """Return the file that a path or the name of a shipped rubric means."""
    try:
        return find(name)
    except RubricNotFoundError as error:
        raise click.UsageError(str(error)) from None


def checked_file(path: Path) -> Checked:
    """Read and check a file."""
    try:
        return check_file(path)
    except OSError as error:
        raise click.UsageError(f"cannot read `{path}`: {error.strerror}") from None
