"""Files written whole: to a temporary file beside, then renamed; an interrupted run leaves the old one as it was."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click


@contextmanager
def written_whole(path: str) -> Iterator[IO[str]]:
    """Open a file to write text into; it gets its name when all is written."""
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    if target.exists() and not target.is_file():  # a pipe or device: there is nothing to replace
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise click.UsageError(f"cannot write `{path}`: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except OSError as error:
        raise click.UsageError(f"cannot write `{path}`: {error.strerror}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """The mode of the file that is replaced, or what a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
