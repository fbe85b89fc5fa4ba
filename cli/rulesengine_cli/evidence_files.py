"""Evidence files: opened, unpacked, read one by one. The only place that knows their endings."""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from glob import glob, has_magic
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import click

from rulesengine.evidence.conform import conform
from rulesengine.evidence.read import read_json, read_jsonl
from rulesengine.evidence.schema import Raw, Record, Rejected, Schema
from rulesengine.evidence.table import from_csv_row, read_csv

ENDINGS = (".jsonl", ".json", ".csv")
STANDARD_INPUT = "-"
LONGEST_CELL = 1 << 28  # characters
_OURS = (".summary.json", ".rejects.jsonl")  # what a run writes beside its results


def evidence_files(names: tuple[str, ...]) -> list[str]:
    """Return the files that arguments name: files, folders (all evidence in them), patterns, `-`; each once."""
    found: dict[Path | str, str] = {}  # by what it is, so that one file of two names is read once
    for name in names:
        if name == STANDARD_INPUT:
            found[name] = name
            continue
        matches = sorted(glob(name, recursive=True)) if has_magic(name) else []
        for each in matches if matches and not Path(name).exists() else [name]:
            for path in _files(each):
                found.setdefault(path.resolve(), str(path))
    return list(found.values())


def _files(name: str) -> list[Path]:
    """The evidence files that one name means: itself, or those in a folder, results of ours apart."""
    path = Path(name)
    if path.is_dir():
        inside = sorted(
            each
            for each in path.rglob("*")
            if each.is_file() and _kind(each.name) and not each.name.endswith(_OURS)
        )
        if not inside:
            raise click.UsageError(f"there is no evidence file ({_endings()}) in `{name}`")
        return inside
    if not path.exists():
        raise click.UsageError(f"there is no file `{name}`")
    if path.is_file() and _kind(name) is None:  # a pipe has no ending, and gives JSON lines
        raise click.UsageError(f"`{name}` is no evidence file: its name should end in {_endings()}")
    return [path]


def read_records(
    names: list[str],
    schema: Schema,
    *,
    allow_unknown: bool,
    progress: Callable[[int], None] = lambda size: None,
) -> Iterator[Record | Rejected]:
    """Yield every record of the files, good or rejected.

    Args:
        names: what `evidence_files` gave.
        schema: what the rubric declares.
        allow_unknown: do not reject a record for a field that looks misspelt.
        progress: called with the number of bytes read since the last call.
    """
    for name in names:
        try:
            with _open(name) as stream:
                yield from _records(stream, name, schema, allow_unknown, progress)
        except gzip.BadGzipFile as error:
            raise click.UsageError(
                f"cannot read `{name}`: it is damaged, or no gzip file ({error})"
            ) from None
        except (EOFError, zlib.error):
            raise click.UsageError(
                f"cannot read `{name}`: the gzip file is cut off or damaged"
            ) from None
        except OSError as error:
            raise click.UsageError(f"cannot read `{name}`: {error.strerror or error}") from None


def size_of(names: list[str]) -> int | None:
    """Return how many bytes the files have unpacked, or None where that is not known beforehand."""
    if any(name == STANDARD_INPUT or name.endswith(".gz") for name in names):
        return None
    return sum(Path(name).stat().st_size for name in names)


def hash_of(name: str) -> str | None:
    """Return `sha256:` and the hash of a file as it lies there; None for what is read once only: a pipe, `-`."""
    if name == STANDARD_INPUT or not Path(name).is_file():
        return None
    digest = sha256()
    with Path(name).open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return f"sha256:{digest.hexdigest()}"


def _kind(name: str) -> str | None:
    bare = name.removesuffix(".gz")
    return next((ending for ending in ENDINGS if bare.endswith(ending)), None)


def _endings() -> str:
    return f"{', '.join(ENDINGS)}, each also with .gz"


def _open(name: str) -> BinaryIO:
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise click.UsageError("standard input is closed")
        return sys.stdin.buffer
    if name.endswith(".gz"):
        return gzip.open(name)  # type: ignore[return-value]  # its stub calls it by its own class
    return Path(name).open("rb")


def _records(
    stream: BinaryIO,
    name: str,
    schema: Schema,
    allow_unknown: bool,
    progress: Callable[[int], None],
) -> Iterator[Record | Rejected]:
    kind = _kind(name) or ".jsonl"
    if kind == ".csv":
        csv.field_size_limit(LONGEST_CELL)  # of the whole process, which is this command's
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
        for row in read_csv(_counted_text(text, progress), name):
            if isinstance(row, Rejected):
                yield row
            else:
                yield from_csv_row(
                    row.header,
                    row.cells,
                    schema,
                    row.place,
                    raw_text=row.text,
                    allow_unknown=allow_unknown,
                )
        return
    if kind == ".json":
        data = stream.read()
        progress(len(data))
        raws = read_json(data, name)
    else:
        raws = read_jsonl(_counted(stream, progress), name)
    for raw in raws:
        yield conformed(raw, schema, allow_unknown=allow_unknown)


def conformed(raw: Raw | Rejected, schema: Schema, *, allow_unknown: bool) -> Record | Rejected:
    """Hold a record that was read to the schema."""
    if isinstance(raw, Rejected):
        return raw
    return conform(raw.fields, schema, raw.place, raw_text=raw.text, allow_unknown=allow_unknown)


def _counted(stream: BinaryIO, progress: Callable[[int], None]) -> Iterator[bytes]:
    for line in stream:
        progress(len(line))
        yield line


def _counted_text(stream: io.TextIOWrapper, progress: Callable[[int], None]) -> Iterator[str]:
    for line in stream:
        progress(len(line.encode("utf-8", "surrogateescape")))
        yield line
