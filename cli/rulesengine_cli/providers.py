"""The providers that arguments name: files of recorded answers and of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from rulesengine.providers.likeness import Likeness
from rulesengine.providers.protocols import Providers
from rulesengine.providers.recorded import PrecomputedVectors, RecordedJudge


def providers_of(judge: str | None, embedder: str | None) -> Providers:
    """Return the judge and the embedder that files hold."""
    return Providers(
        judge=None if judge is None else _judge(judge),
        measure=None if embedder is None else Likeness(_vectors(embedder)),
    )


def _judge(name: str) -> RecordedJudge:
    try:
        return RecordedJudge(row for _, row in _rows(name))
    except ValueError as error:
        raise click.UsageError(f"`{name}`: {error}") from None


def _vectors(name: str) -> PrecomputedVectors:
    vectors: dict[str, list[float]] = {}
    for line, row in _rows(name):
        text, vector = row.get("text"), row.get("vector")
        is_vector = isinstance(vector, list) and all(
            isinstance(each, int | float) and not isinstance(each, bool) for each in vector
        )
        if not isinstance(text, str) or not is_vector:
            raise click.UsageError(f"`{name}:{line}` is no vector: it has no `text` and `vector`")
        assert isinstance(vector, list)
        vectors[text] = vector
    try:
        return PrecomputedVectors(vectors)
    except ValueError as error:
        raise click.UsageError(f"`{name}`: {error}") from None


def _rows(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise click.UsageError(f"cannot read `{name}`: {error.strerror}") from None
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                row = msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
                raise click.UsageError(f"`{name}:{number}` is no object of JSON: {error}") from None
            yield number, row
