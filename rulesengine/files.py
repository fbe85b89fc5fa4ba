"""Rubric files on disk: the edge where paths become sources.

Paths are plain texts here, since to import `pathlib` takes longer than to read a rubric.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.errors import RubricNotFoundError
from rulesengine.pipeline import Checked, check
from rulesengine.resources import library_file, shipped_rubric_file, shipped_rubrics
from rulesengine.source import Place, Source

if TYPE_CHECKING:
    from pathlib import Path

ENDING = ".rubric"
TABLE = ".csv"  # of a decision table


def tidy(path: str) -> str:
    """Return a path as messages show it, as `Path` does: without `.` and doubled slashes, but with every `..`."""
    if os.sep != "/":  # paths of other systems have more to them
        from pathlib import Path

        return str(Path(path))
    parts = [part for part in path.split("/") if part not in ("", ".")]
    slashes = len(path) - len(path.lstrip("/"))
    root = "//" if slashes == 2 else "/" if slashes else ""
    return root + "/".join(parts) or "."


def find(path_or_name: str | Path) -> str:
    """Return the file that a path, or the name of a shipped rubric, means.

    Raises:
        RubricNotFoundError: there is no such file and no such shipped rubric.
    """
    name = str(path_or_name)
    if name and os.path.exists(name) and not os.path.isdir(name):
        return tidy(name)
    shipped = shipped_rubric_file(name)
    if shipped is not None:
        return shipped
    known = shipped_rubrics()
    hint = did_you_mean(name, known) or f"the shipped rubrics are {', '.join(known)}"
    raise RubricNotFoundError(
        f"there is no file `{name}` and no shipped rubric of that name; {hint}"
    )


def check_file(path: str | Path) -> Checked:
    """Read and check a file, and all that it uses.

    Raises:
        OSError: the file itself cannot be read. One that it uses and that cannot be read is a finding.
    """
    name = tidy(str(path))
    root = os.path.join(os.path.dirname(os.path.realpath(name)), "")

    def load(target: str, user: Source) -> Source | None:
        if target.startswith("."):
            ending = "" if target.endswith(TABLE) else ENDING
            beside = tidy(os.path.join(os.path.dirname(user.name), target + ending))
            is_ours = (
                "\0" not in beside
                and os.path.realpath(beside).startswith(root)
                and os.path.isfile(beside)
            )
            found, shown = (beside if is_ours else None), beside
        else:
            library, _, module = target.partition(".")
            found, shown = (library_file(module) if library == "std" else None), target
        text = _text(found) if found is not None else None
        return Source(shown, text) if isinstance(text, str) else None

    with open(name, "rb") as file:
        source = decoded(file.read(), name)
    if isinstance(source, Source):
        return check(source, load)
    return Checked(source=Source(name, ""), scope=None, diagnostics=(source,))


def decoded(content: bytes, name: str) -> Source | Diagnostic:
    """Return the source that the content of a file is, or why it is none; all lines end with a line feed in it."""
    text = _decoded(content)
    if isinstance(text, str):
        return Source(name, text)
    return Diagnostic(
        codes.NOT_UTF8,
        f"this file is not UTF-8 text: byte {text.start + 1} does not fit",
        _place_of(text, name),
        help="save it as UTF-8",
    )


def _place_of(error: UnicodeDecodeError, name: str) -> Place:
    before = error.object[: error.start]
    line_start = before.rfind(b"\n") + 1
    column = len(before[line_start:].decode("utf-8", "replace")) + 1
    return Place(name, before.count(b"\n") + 1, column)


def _text(path: str) -> str | UnicodeDecodeError:
    with open(path, "rb") as file:
        return _decoded(file.read())


def _decoded(content: bytes) -> str | UnicodeDecodeError:
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        return error
