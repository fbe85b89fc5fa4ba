"""Where the shipped text lives: the repository in a checkout, `_data/` in an install. No other module knows."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# Names of files are plain texts here, and `pathlib` is imported where somebody wants a `Path`: a check does not.
_PACKAGE = os.path.dirname(__file__)
_TABLE = os.path.join(_PACKAGE, "syntax", "rubric.table")


@cache
def _root() -> str:
    installed = os.path.join(_PACKAGE, "_data")
    return installed if os.path.isdir(installed) else os.path.dirname(_PACKAGE)


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _path(file: str | None) -> Path | None:
    from pathlib import Path

    return Path(file) if file is not None else None


def grammar_text() -> str:
    """Return the text of grammar/rubric.lark."""
    return _text(os.path.join(_root(), "grammar", "rubric.lark"))


def parser_table() -> bytes:
    """Return the saved parser table, which belongs to the package in a checkout and an install.

    Raises:
        OSError: there is none.
    """
    with open(_TABLE, "rb") as file:
        return file.read()


def write_parser_table(table: bytes) -> None:
    """Save a parser table."""
    with open(_TABLE, "wb") as file:
        file.write(table)


def code_page(code: str) -> str | None:
    """Return the page about a diagnostic code, in Markdown, or None."""
    page = os.path.join(_PACKAGE, "diagnostics", "pages", f"{code}.md")
    return _text(page) if os.path.isfile(page) else None


def library_file(name: str) -> str | None:
    """Return the name of the file of a module of the standard library, such as `url`, or None."""
    file = os.path.join(_root(), "stdlib", f"{name}.rubric")
    return file if os.path.isfile(file) else None


def library_path(name: str) -> Path | None:
    """Return the same as a path."""
    return _path(library_file(name))


def library_names() -> list[str]:
    """Return the names of the standard library's modules, as `use` takes them, sorted."""
    names = os.listdir(os.path.join(_root(), "stdlib"))
    stems = (name.removesuffix(".rubric") for name in names if name.endswith(".rubric"))
    return sorted(f"std.{stem}" for stem in stems if "." not in stem)


def shipped_rubric_file(name: str) -> str | None:
    """Return the name of the file of a shipped rubric: `bigaiarena`, or `ai_score/selection` for a second one."""
    folder, _, second = name.partition("/")
    file = os.path.join(_root(), "rubrics", folder, f"{second or folder}.rubric")
    return file if folder.isidentifier() and os.path.isfile(file) else None


def shipped_rubric(name: str) -> Path | None:
    """Return the same as a path."""
    return _path(shipped_rubric_file(name))


def shipped_rubrics() -> list[str]:
    """Return the names of all shipped rubrics, sorted."""
    rubrics = os.path.join(_root(), "rubrics")
    return sorted(
        name
        for name in os.listdir(rubrics)
        if os.path.isfile(os.path.join(rubrics, name, f"{name}.rubric"))
    )
