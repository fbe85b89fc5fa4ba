"""Rubric files on disk: the edge where paths become sources."""

from __future__ import annotations

from pathlib import Path

from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.errors import RubricNotFoundError
from rulesengine.pipeline import Checked, check
from rulesengine.resources import library_path, shipped_rubric, shipped_rubrics
from rulesengine.source import Place, Source

ENDING = ".rubric"


def find(path_or_name: str | Path) -> Path:
    """Return the file that a path, or the name of a shipped rubric, means.

    Raises:
        RubricNotFoundError: there is no such file and no such shipped rubric.
    """
    path = Path(path_or_name)
    name = str(path_or_name)
    try:
        if name and path.exists() and not path.is_dir():
            return path
        shipped = shipped_rubric(name)
    except (OSError, ValueError):  # a name that no file can have
        shipped = None
    if shipped is not None:
        return shipped
    known = shipped_rubrics()
    hint = did_you_mean(name, known) or f"the shipped rubrics are {', '.join(known)}"
    raise RubricNotFoundError(
        f"there is no file `{name}` and no shipped rubric of that name; {hint}"
    )


def check_file(path: Path) -> Checked:
    """Read and check a file, and all that it uses.

    Raises:
        OSError: the file itself cannot be read. One that it uses and that cannot be read is a finding.
    """
    root = path.resolve().parent

    def load(target: str, user: Source) -> Source | None:
        if target.startswith("."):
            beside = Path(user.name).parent / (target + ENDING)
            is_ours = beside.resolve().is_relative_to(root) and beside.is_file()
            found, shown = (beside if is_ours else None), str(beside)
        else:
            library, _, name = target.partition(".")
            found, shown = (library_path(name) if library == "std" else None), target
        text = _text(found) if found is not None else None
        return Source(shown, text) if isinstance(text, str) else None

    text = _text(path)
    if isinstance(text, str):
        return check(Source(str(path), text), load)
    not_utf8 = Diagnostic(
        codes.NOT_UTF8,
        f"this file is not UTF-8 text: byte {text.start + 1} does not fit",
        _place_of(text, str(path)),
        help="save it as UTF-8",
    )
    return Checked(source=Source(str(path), ""), scope=None, diagnostics=(not_utf8,))


def _place_of(error: UnicodeDecodeError, name: str) -> Place:
    before = error.object[: error.start]
    line_start = before.rfind(b"\n") + 1
    column = len(before[line_start:].decode("utf-8", "replace")) + 1
    return Place(name, before.count(b"\n") + 1, column)


def _text(path: Path) -> str | UnicodeDecodeError:
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        return error
