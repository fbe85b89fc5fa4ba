"""`rubric score`: score evidence with a rubric."""

from __future__ import annotations

import csv
import sys
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

import click

from rulesengine.diagnostics import Diagnostic
from rulesengine.diagnostics.codes import BAD_ANSWER, NO_ANSWER
from rulesengine.evidence.schema import Rejected
from rulesengine.report.run import Run, run
from rulesengine.report.to_json import diagnostics_json, dumps, result_json
from rulesengine.report.to_table import table_rows
from rulesengine.rubric import Rubric
from rulesengine.values import Plain, show, show_number
from rulesengine_cli import exits
from rulesengine_cli.config import read_config
from rulesengine_cli.evidence_files import evidence_files, hash_of, read_records, size_of
from rulesengine_cli.providers import Opened, opened
from rulesengine_cli.rubric_files import named_file, rubric_to_run
from rulesengine_cli.streams import counted, say, tell
from rulesengine_cli.writing import written_whole

MOST_LINES = 5  # of one kind of finding
FORMATS = ("jsonl", "json", "csv")
MOST_TOLD = 20  # rejected records shown one by one; all of them go to the rejects file


@click.command()
@click.argument("rubric", metavar="RUBRIC")
@click.argument("evidence", nargs=-1, required=True, metavar="EVIDENCE…")
@click.option("-o", "output", type=click.Path(dir_okay=False), help="Write the results to a file.")
@click.option(
    "--format",
    "format_",
    type=click.Choice([*FORMATS, "table"]),
    help="Default: by the ending of -o; without -o, a table on a terminal and JSON lines in a pipe.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a param of the rubric."
)
@click.option(
    "--judge", metavar="NAME|FILE", help="A judge of rubric.toml, or answers as JSON lines."
)
@click.option("--embedder", metavar="FILE", help="Vectors of texts, as JSON lines.")
@click.option("--config", metavar="FILE", help="Judges and limits; default: rubric.toml, if there.")
@click.option("--ledger", metavar="FILE", help="Where answers are kept.")
@click.option("--budget", metavar="AMOUNT", help="What judges may spend, at the most.")
@click.option("--trace", is_flag=True, help="Put the fired rules into each result.")
@click.option(
    "--rejects", type=click.Path(dir_okay=False), help="Write rejected records to a file."
)
@click.option("--allow-rejects", is_flag=True, help="Score a subject without the records it lost.")
@click.option("--allow-unknown", is_flag=True, help="Let pass fields that look misspelt.")
@click.pass_context
def command(
    ctx: click.Context,
    rubric: str,
    evidence: tuple[str, ...],
    output: str | None,
    format_: str | None,
    settings: tuple[str, ...],
    judge: str | None,
    embedder: str | None,
    config: str | None,
    ledger: str | None,
    budget: str | None,
    trace: bool,
    rejects: str | None,
    allow_rejects: bool,
    allow_unknown: bool,
) -> int:
    """Score evidence with a rubric.

    RUBRIC is a file or the name of a shipped rubric. EVIDENCE is files (.jsonl, .json, .csv, each also with .gz),
    folders, patterns, or - for JSON lines on standard input.
    """
    path = named_file(rubric)
    loaded = rubric_to_run(rubric, settings)
    if loaded is None:
        return exits.UNSOUND
    configured = read_config(config)
    judge, embedder = judge or configured.run.judge, embedder or configured.run.embedder
    files = evidence_files(evidence)
    if output == "":
        raise click.UsageError("-o needs the name of a file")
    shown = format_ or _format_of(output)
    _keep_apart(output, rejects, [path, *files])
    with (
        opened(configured, judge, embedder, ledger=ledger, budget=budget) as asked_of,
        _progress() as bar,
    ):
        task = bar.add_task("reading", total=size_of(files)) if bar else None

        def advance(size: int) -> None:
            if bar is not None and task is not None:
                bar.advance(task, size)

        done = run(
            loaded.graph,
            read_records(files, loaded.graph.schema, allow_unknown=allow_unknown, progress=advance),
            allow_rejects=allow_rejects,
            providers=asked_of.providers,
        )
    if asked_of.ledger is not None and asked_of.ledger.fault:
        say(f"the ledger could not be written: {asked_of.ledger.fault}", style="error")
    identity = {
        "name": loaded.name,
        "version": loaded.version,
        "fingerprint": loaded.fingerprint,
    }
    beside = f"{output}.rejects.jsonl" if output and not rejects else None
    if beside and not done.rejected:
        Path(beside).unlink(
            missing_ok=True
        )  # of an earlier run: it would tell of faults that are mended
    rejects = rejects or (beside if done.rejected else None)
    if rejects:
        with written_whole(rejects) as stream:
            stream.writelines(f"{dumps(each)}\n" for each in map(_reject_json, done.rejected))
    _write(done, output, shown, identity, trace)
    if output:
        allowed = {"rejects": allow_rejects, "unknown": allow_unknown}
        asked = {
            kind: {"path": name, "hash": hash_of(name)}
            if Path(name).is_file() and name not in configured.judges
            else {
                "name": name,
                "config": configured.path,
                "ledger": ledger,
                "is": _called(asked_of),
            }
            for kind, name in (("judge", judge), ("embedder", embedder))
            if name is not None
        }
        summary = _summary(done, path, files, loaded, rejects, allowed, asked)
        with written_whole(f"{output}.summary.json") as stream:
            stream.write(dumps(summary) + "\n")
    _tell(done, rejects)
    clean = done.read and not done.rejected and not done.incomplete and not done.statuses["failed"]
    codes = {because.code for each in done.results for because in each.errors}
    if codes & {NO_ANSWER, BAD_ANSWER}:
        return exits.PROVIDER
    return exits.CLEAN if clean else exits.FINDINGS


def _called(opened_: Opened) -> str:
    """Who the judge of a run is: its model and settings."""
    return opened_.providers.judge.name if opened_.providers.judge is not None else ""


def _keep_apart(output: str | None, rejects: str | None, read: list[str]) -> None:
    """Refuse to write over what is read, or two things into one file."""
    written = [Path(each).resolve() for each in (output, rejects) if each]
    if len(set(written)) < len(written):
        raise click.UsageError("-o and --rejects name the same file")
    for each in read:
        if Path(each).resolve() in written:
            raise click.UsageError(f"`{each}` is read by this run: write the results elsewhere")


def _open(output: str | None) -> AbstractContextManager[IO[str]]:
    return written_whole(output) if output else nullcontext(sys.stdout)


def _progress() -> Any:
    """A progress bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)


def _format_of(output: str | None) -> str:
    if output is None:
        return "table" if sys.stdout.isatty() else "jsonl"
    ending = output.rpartition(".")[2]
    if ending not in FORMATS:
        raise click.UsageError(
            f"the ending of `{output}` is none of .{', .'.join(FORMATS)}: say --format as well"
        )
    return ending


def _write(
    done: Run, output: str | None, format_: str, identity: dict[str, Any], trace: bool
) -> None:
    if format_ == "table":
        from rulesengine_cli.table import write_table

        with _open(output) as stream:
            write_table(done, stream)
        return
    if format_ == "csv":
        with _open(output) as stream:
            csv.writer(stream, lineterminator="\n").writerows(table_rows(done.results))
        return
    rows = (dumps(result_json(each, identity, trace=trace)) for each in done.results)
    with _open(output) as stream:
        if format_ == "json":
            stream.write("[\n" + ",\n".join(rows) + "\n]\n" if done.results else "[]\n")
        else:
            stream.writelines(f"{row}\n" for row in rows)


def _reject_json(rejected: Rejected) -> dict[str, Any]:
    first = rejected.diagnostics[0]
    return {
        "file": rejected.place.name,
        "line": rejected.place.line,
        "code": first.code.id,
        "message": first.message,
        "findings": diagnostics_json(rejected.diagnostics),
        "record": rejected.raw,
    }


def _said(value: Plain) -> str:
    """A param as `--set` takes it."""
    return show_number(value, places=60) if isinstance(value, Fraction) else show(value)


def _summary(
    done: Run,
    path: str,
    files: list[str],
    rubric: Rubric,
    rejects: str | None,
    allowed: dict[str, bool],
    providers: dict[str, Any],
) -> dict[str, Any]:
    return {
        "read": done.read,
        "scored": done.scored,
        "rejected": len(done.rejected),
        "ignored": done.ignored,
        "incomplete": done.incomplete,
        "subjects": done.statuses,
        "providers": providers,
        "rubric": {
            "name": rubric.name,
            "version": rubric.version,
            "fingerprint": rubric.fingerprint,
            "params": {name: _said(value) for name, value in rubric.params.items()},
            "path": path,
            "hash": hash_of(path),
        },
        "evidence": [{"path": name, "hash": hash_of(name)} for name in files],
        "rejects": rejects,
        "allowed": allowed,
    }


def _tell_rejected(done: Run) -> None:
    """Each kind of fault once, by the first record that has it, with how many more do."""
    kinds: dict[tuple[str, str], list[Diagnostic]] = {}
    for rejected in done.rejected:
        for each in rejected.diagnostics:
            kinds.setdefault((each.code.id, each.message), []).append(each)
    for first, *others in list(kinds.values())[:MOST_TOLD]:
        tell([first], err=True)
        if others:
            places = "place" if len(others) == 1 else "places"
            say(f"  the same in {len(others):,} other {places}: {_lines(others)}\n")
    if len(kinds) > MOST_TOLD:
        more = counted(len(kinds) - MOST_TOLD, "more kind of finding", "more kinds of findings")
        say(f"… and {more}", style="error")


def _lines(findings: list[Diagnostic]) -> str:
    """The first few lines that findings are on."""
    lines = ", ".join(f"{each.span.name}:{each.span.line}" for each in findings[:MOST_LINES])
    return lines + (", …" if len(findings) > MOST_LINES else "")


def _tell(done: Run, rejects: str | None) -> None:
    """The account of the run, on standard error."""
    tell(done.warnings, err=True)
    _tell_rejected(done)
    for result in done.results:
        if result.status == "failed" and result.trace is not None:
            subject = " ".join(show(value) for value in result.subject.values())
            for because in result.errors:
                keys = " ".join(f"{name} {show(value)}" for name, value in because.keys)
                where = " ".join(part for part in (because.path, keys) if part)
                say(
                    f"{subject} failed: {where}{': ' if where else ''}{because.reason} ({because.code.id})",
                    style="error",
                )
    if not done.read:
        say("the evidence holds no record", style="error")
        return
    if done.by_default:
        fields = ", ".join(f"`{name}`" for name in done.by_default)
        say(f"no record has {fields}: the default holds throughout")
    statuses = ", ".join(f"{number:,} {name}" for name, number in done.statuses.items() if number)
    say(
        f"read {counted(done.read, 'record')} = {done.scored:,} scored + {len(done.rejected):,} rejected "
        f"+ {done.ignored:,} ignored; {counted(len(done.results), 'subject')}"
        f"{f': {statuses}' if statuses else ''}"
    )
    if done.rejected:
        say(
            f"the rejected records are in {rejects}"
            if rejects
            else "`--rejects FILE` keeps the rejected records",
        )
    if done.incomplete:
        say(
            "incomplete: a rejected record does not say whose it is, so any subject may lack it",
            style="error",
        )
