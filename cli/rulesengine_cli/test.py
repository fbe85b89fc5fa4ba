"""`rubric test`: run the cases of rubric files."""

from __future__ import annotations

import os
import sys

import click

from rulesengine.diagnostics.render import visible
from rulesengine.evidence.encoding import BYTE_ORDER_MARK
from rulesengine.files import ENDING
from rulesengine.pipeline import Checked
from rulesengine.report.cases import CaseRun, run_case
from rulesengine.source import Place
from rulesengine_cli import exits
from rulesengine_cli.rubric_files import checked_file, named_files
from rulesengine_cli.streams import counted, painter, say, tell

CASES = f".test{ENDING}"
LINES = ".cases.jsonl"


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("-k", "words", metavar="WORDS", help="Run only cases whose title has these words.")
@click.option("-v", "--verbose", is_flag=True, help="Name every case.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], words: str | None, verbose: bool) -> int:
    """Run the cases of rubric files: those in the file, and those in NAME.test.rubric and NAME.cases.jsonl beside it.

    PATH is a file, a folder, or the name of a shipped rubric.
    """
    failed = total = 0
    unsound: list[str] = []
    for path in _with_cases(named_files(paths)):
        checked = checked_file(path)
        if not checked.is_sound or checked.scope is None:
            tell((d for d in checked.diagnostics if d.severity == "error"), err=False)
            unsound.append(path)
            continue
        runs = [
            run_case(case, checked.scope, checked.graph)
            for case in checked.cases
            if words is None or words.casefold() in case.title.casefold()
        ]
        told = [(path, runs)]
        lines = path.removesuffix(ENDING) + LINES
        if checked.is_rubric and os.path.isfile(lines):
            told.append((lines, _of_lines(lines, checked, words)))
        for name, each in told:
            if each:
                _tell(name, each, verbose)
            total += len(each)
            failed += sum(bool(run.failures) for run in each)
    if unsound:
        say(f"unsound, so not run: {', '.join(unsound)}", style="error")
    click.echo(f"{total - failed} passed, {failed} failed")
    if not total:
        say("no case was run", style="warning")
    return exits.FINDINGS if failed or unsound or not total else exits.CLEAN


def _of_lines(name: str, checked: Checked, words: str | None) -> list[CaseRun]:
    """Run the cases that stand as JSON lines beside a rubric."""
    from rulesengine.report.case_lines import run_line

    with open(name, "rb") as stream:
        lines = stream.read().removeprefix(BYTE_ORDER_MARK.encode()).splitlines()
    runs = [
        run_line(line, Place(name, number, 1, line.decode("utf-8", "replace")), checked)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    return [run for run in runs if words is None or words.casefold() in run.title.casefold()]


def _with_cases(paths: list[str]) -> list[str]:
    """Add the file of cases that stands beside a rubric."""
    found: dict[str, None] = {}
    for path in paths:
        found[path] = None
        beside = path.removesuffix(ENDING) + CASES
        if not path.endswith(CASES) and os.path.isfile(beside):
            found[beside] = None
    return list(found)


def _tell(path: str, runs: list[CaseRun], verbose: bool) -> None:
    paint = painter(sys.stdout)
    failed = [run for run in runs if run.failures]
    for run in runs:
        if run.failures:
            click.echo(f"{paint('failed', 'error')} {visible(run.title)}", color=True)
            tell(run.failures, err=False)
        elif verbose:
            click.echo(f"{paint('passed', 'good')} {visible(run.title)}", color=True)
    verdict = paint("failed", "error") if failed else paint("passed", "good")
    shown = (
        f"{len(failed)} of {counted(len(runs), 'case')}" if failed else counted(len(runs), "case")
    )
    click.echo(f"{path}: {shown} {verdict}", color=True)
