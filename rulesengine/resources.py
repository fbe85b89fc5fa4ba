"""Where the shipped text lives: the repository in a checkout, `_data/` in an install. No other module knows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent


@cache
def _root() -> Path:
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def grammar_text() -> str:
    """Return the text of grammar/rubric.lark."""
    return (_root() / "grammar" / "rubric.lark").read_text("utf-8")


def parser_table() -> Path:
    """Return the path of the saved parser table, which belongs to the package in both places."""
    return _PACKAGE / "syntax" / "rubric.table"


def code_page(code: str) -> str | None:
    """Return the page about a diagnostic code, in Markdown, or None."""
    page = _PACKAGE / "diagnostics" / "pages" / f"{code}.md"
    return page.read_text("utf-8") if page.is_file() else None


def library_path(name: str) -> Path | None:
    """Return the file of a module of the standard library, such as `url`, or None."""
    path = _root() / "stdlib" / f"{name}.rubric"
    return path if path.is_file() else None


def library_names() -> list[str]:
    """Return the names of the standard library's modules, as `use` takes them, sorted."""
    paths = (_root() / "stdlib").glob("*.rubric")
    return sorted(f"std.{path.stem}" for path in paths if "." not in path.stem)


def shipped_rubric(name: str) -> Path | None:
    """Return the file of a shipped rubric: `bigaiarena`, or `ai_score/selection` for a second one in a folder."""
    folder, _, second = name.partition("/")
    path = _root() / "rubrics" / folder / f"{second or folder}.rubric"
    return path if folder.isidentifier() and path.is_file() else None


def shipped_rubrics() -> list[str]:
    """Return the names of all shipped rubrics, sorted."""
    return sorted(
        path.parent.name
        for path in (_root() / "rubrics").glob("*/*.rubric")
        if path.stem == path.parent.name
    )
