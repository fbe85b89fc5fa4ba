"""`rubric audit`: what a ledger of judges and models holds, what it cost, and what failed."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from fractions import Fraction
from typing import IO, Any, TextIO, cast

import click

from rulesengine.diagnostics.render import visible
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.report.to_json import dumps
from rulesengine.report.to_table import defused
from rulesengine.services.audit import Audit, CallLine, Line, Selected, open_audit, total
from rulesengine.services.ledger_errors import LedgerError
from rulesengine.values import plain_text
from rulesengine_cli import exits
from rulesengine_cli.streams import coloured, say
from rulesengine_cli.writing import written_whole

FORMATS = ("json", "csv", "parquet")
LONGEST = 60  # characters of a prompt, a reply or an error in a table
WIDTH = 160  # columns of a table that goes into a pipe or a file
BLOCK = 10_000  # rows of Parquet that stand in memory at once

Row = dict[str, Any]


@click.command()
@click.argument("ledger", metavar="LEDGER")
@click.option("--calls", is_flag=True, help="List every call, in the order they were written.")
@click.option("--ask", "asks", multiple=True, metavar="NAME", help="Only this ask.")
@click.option(
    "--judge", "judges", multiple=True, metavar="NAME", help="Only judges whose name holds this."
)
@click.option("--errors", is_flag=True, help="Only where a call failed.")
@click.option("-o", "output", type=click.Path(dir_okay=False), help="Write to a file.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", *FORMATS]),
    help="Default: by the ending of -o; without -o a table.",
)
@click.pass_context
def command(
    ctx: click.Context,
    ledger: str,
    calls: bool,
    asks: tuple[str, ...],
    judges: tuple[str, ...],
    errors: bool,
    output: str | None,
    format_: str | None,
) -> int:
    """Show what a ledger holds: calls, answers, tokens, cost, time, failures, and answers that were there already.

    A line for each ask of each judge, and for each embedding model. The ledger is only read, also while others write.
    """
    if output == "":
        raise click.UsageError("-o needs the name of a file")
    shown = format_ or _format_of(output)
    if shown == "parquet":
        _parquet()
        if output is None:
            raise click.UsageError("Parquet is not for a terminal: name a file with -o")
    selected = Selected(asks=asks, judges=judges, failures=errors)
    try:
        with open_audit(ledger) as audit:
            _check_names(audit, selected)
            if output is not None:
                _keep_apart(ledger, output)
            with _open(output) as stream:
                _write(audit, selected, calls, shown, stream)
    except LedgerError as error:
        raise click.UsageError(visible(str(error))) from None
    return exits.CLEAN


def _format_of(output: str | None) -> str:
    if output is None:
        return "table"
    ending = output.rpartition(".")[2]
    if ending not in FORMATS:
        raise click.UsageError(
            f"the ending of `{output}` is none of .{', .'.join(FORMATS)}: say --format as well"
        )
    return ending


def _check_names(audit: Audit, selected: Selected) -> None:
    """Refuse a name that the ledger has not: an empty answer to a slip would read as good news."""
    asks, judges = audit.names()
    for name in selected.asks:
        if name not in asks:
            raise click.UsageError(_unknown("ask", name, asks))
    for name in selected.judges:
        if not any(name in each for each in judges):
            raise click.UsageError(_unknown("judge or model", name, judges))


def _unknown(kind: str, name: str, known: list[str]) -> str:
    hint = did_you_mean(name, known) or (f"it has {', '.join(known)}" if known else "it has none")
    return visible(f"the ledger has no {kind} `{name}`; {hint}")


def _keep_apart(ledger: str, output: str) -> None:
    from pathlib import Path

    beside = [Path(f"{ledger}{ending}").resolve() for ending in ("", "-wal", "-shm")]
    if Path(output).resolve() in beside:
        raise click.UsageError(f"`{output}` belongs to the ledger: write elsewhere")


def _open(output: str | None) -> AbstractContextManager[IO[str]]:
    return written_whole(output) if output else nullcontext(sys.stdout)


def _write(audit: Audit, selected: Selected, calls: bool, format_: str, stream: IO[str]) -> None:
    match format_, calls:
        case "table", False:
            _write_lines(audit.lines(selected), stream)
        case "table", True:
            _write_calls(list(audit.calls(selected)), stream)
        case "json", False:
            lines = audit.lines(selected)
            account = {
                "ledger": str(audit.path),
                "total": {
                    name: value
                    for name, value in line_row(total(lines)).items()
                    if name not in ("kind", "judge", "ask")
                },
                "lines": [line_row(each) for each in lines],
            }
            stream.write(f"{_json(account, stream)}\n")
        case "json", True:
            start = "[\n"
            for each in audit.calls(selected):
                stream.write(f"{start}{_json(call_row(each), stream)}")
                start = ",\n"
            stream.write("[]\n" if start == "[\n" else "\n]\n")
        case "csv", False:
            rows = map(line_row, audit.lines(selected))
            _write_csv(Line.__struct_fields__, rows, stream)
        case "csv", True:
            rows = map(call_row, audit.calls(selected))
            _write_csv(CallLine.__struct_fields__, rows, stream)
        case _:
            _write_parquet(audit, selected, calls, stream)


def line_row(line: Line) -> Row:
    """Return a line as JSON has it; the cost as an exact text."""
    return {name: getattr(line, name) for name in line.__struct_fields__} | {
        "cost": _cost(line.cost)
    }


def call_row(call: CallLine) -> Row:
    """Return a call as JSON has it; the cost as an exact text, the time in UTC."""
    return {name: getattr(call, name) for name in call.__struct_fields__} | {
        "cost": _cost(call.cost),
        "started": _time(call.started),
    }


def _cost(cost: Fraction | None) -> str | None:
    return None if cost is None else plain_text(cost)


def _time(started: float | None) -> str | None:
    if started is None:
        return None
    try:
        return datetime.fromtimestamp(started, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):  # of a clock that has gone wild
        return None


def _json(value: object, stream: IO[str]) -> str:
    # A terminal obeys signs that JSON does not escape.
    return json.dumps(value, ensure_ascii=True) if stream.isatty() else dumps(value)


def _write_csv(names: Sequence[str], rows: Any, stream: IO[str]) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    terminal = stream.isatty()
    for row in rows:
        writer.writerow([_field(row[name], terminal) for name in names])


def _field(value: object, terminal: bool) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            return visible(defused(value)) if terminal else defused(value)
        case _:
            return str(value)


def _parquet() -> Any:
    """The library that writes Parquet."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise click.UsageError(
            "Parquet needs pyarrow, which is not installed: pip install 'rubriclang[parquet]'"
        ) from None
    return pyarrow


def _write_parquet(audit: Audit, selected: Selected, calls: bool, stream: IO[str]) -> None:
    pa = _parquet()
    kinds = {
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "Fraction": pa.string(),  # exact; `1/3` is no decimal
    }
    of = CallLine if calls else Line
    fields = [
        (name, kinds.get(str(kind).removesuffix(" | None"), pa.string()))
        for name, kind in of.__annotations__.items()
    ]
    if calls:
        fields = [(n, pa.timestamp("us", tz="UTC") if n == "started" else k) for n, k in fields]
    schema = pa.schema(fields)
    with pa.parquet.ParquetWriter(cast("TextIO", stream).buffer, schema) as writer:
        block: list[Row] = []
        rows = (
            map(call_row, audit.calls(selected)) if calls else map(line_row, audit.lines(selected))
        )
        for row in rows:
            if row.get("started"):
                row["started"] = datetime.fromisoformat(row["started"])
            block.append(row)
            if len(block) == BLOCK:
                writer.write_table(pa.Table.from_pylist(block, schema))
                block.clear()
        writer.write_table(pa.Table.from_pylist(block, schema))


def _write_lines(lines: list[Line], stream: IO[str]) -> None:
    if not lines:
        say("the ledger holds nothing of that kind")
        return
    both = total(lines)
    header = {
        "judge or model": "left",
        "ask": "left",
        "calls": "right",
        "answers": "right",
        "undecided": "right",
        "failed": "right",
        "open": "right",
        "from ledger": "right",
        "tokens in": "right",
        "tokens out": "right",
        "cost": "right",
        "seconds": "right",
    }
    asked = [each for each in lines if each.kind == "judge"]
    rows = [_line_cells(each) for each in asked]
    if len(asked) > 1:
        rows.append(_line_cells(both))
    rows += [_line_cells(each) for each in lines if each.kind == "embedder"]
    _print(header, rows, stream)
    if both.unpriced:
        say(f"of {both.calls:,} calls {both.unpriced:,} have no price: they are not in the cost")


def _line_cells(line: Line) -> list[str]:
    if line.kind == "embedder":
        vectors = [f"{line.answers:,} vectors", "", "", "", f"{line.from_ledger:,}"]
        return [line.judge, "", "", *vectors, "", "", "", ""]
    return [
        "all judges" if line.kind == "total" else line.judge,
        line.ask,
        *(
            f"{count:,}"
            for count in (
                line.calls,
                line.answers,
                line.undecided,
                line.failures,
                line.unanswered,
                line.from_ledger,
                line.input_tokens,
                line.output_tokens,
            )
        ),
        _shown_cost(line.cost),
        f"{line.seconds:,.1f}",
    ]


def _shown_cost(cost: Fraction | None) -> str:
    """Four decimals, for people; the other formats have all."""
    return "–" if cost is None else f"{float(cost):,.4f}"


def _write_calls(calls: list[CallLine], stream: IO[str]) -> None:
    if not calls:
        say("the ledger holds no call of that kind")
        return
    header = {
        "call": "right",
        "started": "left",
        "ask": "left",
        "model": "left",
        "prompt": "left",
        "reply or error": "left",
        "tokens": "right",
        "cost": "right",
        "seconds": "right",
    }
    rows = [
        [
            str(each.id),
            (_time(each.started) or "")[:19].replace("T", " "),
            each.ask,
            each.model,
            _cut(each.prompt),
            _cut(f"failed: {each.error}" if each.error is not None else each.reply or ""),
            f"{each.input_tokens or 0:,}/{each.output_tokens or 0:,}",
            _shown_cost(each.cost),
            "" if each.seconds is None else f"{each.seconds:,.1f}",
        ]
        for each in calls
    ]
    _print(header, rows, stream)


def _cut(text: str) -> str:
    text = " ".join(text[: 10 * LONGEST].split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _print(header: dict[str, Any], rows: list[list[str]], stream: IO[str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = None if stream.isatty() else WIDTH
    console = Console(file=stream, no_color=not coloured(stream), width=width)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name, side in header.items():
        table.add_column(name, justify=side, overflow="fold", no_wrap=side == "right")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    console.print(table)
