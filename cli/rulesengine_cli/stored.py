"""Stored results and the summary beside them: read back with care, since anyone may have edited them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from rulesengine.report.result import Result
from rulesengine.report.to_json import dumps, result_json


class RubricOf(msgspec.Struct):
    """What stands under `rubric`, in a result and in a summary."""

    fingerprint: str
    path: str | None = None
    params: dict[str, str] = msgspec.field(default_factory=dict)


class Allowed(msgspec.Struct):
    """What the run let pass."""

    rejects: bool = False
    unknown: bool = False


class Evidence(msgspec.Struct):
    """One evidence file of the run; standard input has no hash."""

    path: str
    hash: str | None


class Provider(msgspec.Struct):
    """Who answered: a file of answers or vectors, or a judge of a configuration and the ledger of its answers."""

    path: str | None = None
    hash: str | None = None
    name: str | None = None
    config: str | None = None
    ledger: str | None = None


class Summary(msgspec.Struct):
    """As much of FILE.summary.json as is needed to work the results out again."""

    rubric: RubricOf
    evidence: list[Evidence]
    allowed: Allowed = msgspec.field(default_factory=Allowed)
    providers: dict[str, Provider] = msgspec.field(default_factory=dict)


class _Row(msgspec.Struct):
    subject: dict[str, str | int | float | bool]
    rubric: RubricOf


def read_results(name: str) -> dict[str, dict[str, Any]]:
    """Return the results of a file, JSON lines or one JSON list, each by its subject as JSON."""
    path = Path(name)
    if not path.is_file():
        raise click.UsageError(f"there is no file `{name}`, and no code of that name")
    try:
        data = path.read_bytes()
        rows = msgspec.json.decode(data) if data.startswith(b"[") else _lines(data)
        msgspec.convert(rows, list[_Row])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise click.UsageError(
            f"`{name}` holds no results: `rubric score … -o FILE` writes them, as .jsonl or .json"
        ) from None
    if not rows:
        raise click.UsageError(f"`{name}` holds no result")
    return {dumps(row["subject"]): row for row in rows}


def _lines(data: bytes) -> list[Any]:
    return [msgspec.json.decode(line) for line in data.split(b"\n") if line.strip()]


def read_summary(results: str) -> Summary | None:
    """Return what stands beside results, or None."""
    path = Path(f"{results}.summary.json")
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise click.UsageError(f"`{path}` is no summary of a run: {error}") from None


def differs(row: dict[str, Any], result: Result) -> str | None:
    """Return the name of the first thing in a stored result that is not what was worked out again, or None."""
    again: dict[str, Any] = msgspec.json.decode(dumps(result_json(result, {})))
    names = (name for name in again if name != "rubric" and row.get(name) != again[name])
    return next(names, None)
