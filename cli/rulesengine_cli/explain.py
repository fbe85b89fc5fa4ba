"""`rubric explain`: which rules gave a score; or a code's page."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from rulesengine.diagnostics.codes import all_codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.report.explain import explain
from rulesengine.report.result import Result
from rulesengine.report.run import run
from rulesengine.report.to_json import plain
from rulesengine.resources import code_page
from rulesengine.rubric import Rubric
from rulesengine.types import OneOfType
from rulesengine_cli import exits
from rulesengine_cli.evidence_files import STANDARD_INPUT, evidence_files, hash_of, read_records
from rulesengine_cli.rubric_files import checked_file, named_file
from rulesengine_cli.streams import painter, say


@click.command()
@click.argument("results", metavar="RESULTS|CODE")
@click.argument("wanted", nargs=-1, metavar="[KEY=VALUE…]")
@click.option("--rubric", help="The rubric, where RESULTS has no summary beside it.")
@click.option(
    "--evidence", multiple=True, help="The evidence, likewise; may be given more than once."
)
@click.option(
    "--tried", is_flag=True, help="Show every row that was tried, not only those that fired."
)
@click.pass_context
def command(
    ctx: click.Context,
    results: str,
    wanted: tuple[str, ...],
    rubric: str | None,
    evidence: tuple[str, ...],
    tried: bool,
) -> int:
    """Show which rules gave a score, on which values; or, given a code such as R201, its page.

    RESULTS is a file that `rubric score -o` wrote. KEY=VALUE picks what is shown, by a key of the
    evidence: respondent=model-a, question=Q5.
    """
    if re.fullmatch(r"[Rr][0-9]{3}", results) and not Path(results).exists():
        return _page(results.upper())
    rows = _rows(results)
    summary = _summary(results)
    path = rubric or (summary or {}).get("rubric", {}).get("path")
    files = evidence or tuple(each["path"] for each in (summary or {}).get("evidence", ()))
    if path is None or not files:
        raise click.UsageError(
            f"`{results}.summary.json` is not there to say what was scored: "
            "name it by --rubric and --evidence"
        )
    if STANDARD_INPUT in files and not evidence:
        raise click.UsageError("the evidence came from standard input: name a file by --evidence")
    loaded = _loaded(str(path))
    stale = _stale(rows, summary if not evidence else None, loaded)
    if stale is not None:
        say(stale, style="error")
        return exits.FINDINGS
    allowed = (summary or {}).get("allowed", {})
    records = read_records(
        evidence_files(files),
        loaded.graph.schema,
        allow_unknown=allowed.get("unknown", False),
    )
    done = run(loaded.graph, records, allow_rejects=allowed.get("rejects", False))
    scored = {_key(result): result for result in done.results}
    only = _only(wanted, loaded)
    picked = [row for row in rows if _matches(row, only)]
    if not picked:
        raise click.UsageError(f"no result has {' '.join(wanted)}")
    paint = painter(sys.stdout)
    for number, row in enumerate(picked):
        result = scored.get(json.dumps(row["subject"], sort_keys=True))
        if result is None or not _agree(row, result):
            say("this evidence does not give these results (R602): score again", style="error")
            return exits.FINDINGS
        click.echo(
            "\n" * bool(number) + explain(result, paint, tried=tried, only=only),
            nl=False,
            color=True,
        )
    return exits.CLEAN


def _page(code: str) -> int:
    page = code_page(code)
    known = all_codes()
    if page is None and code in known:
        page = f"{code}: {known[code].title}\n"
    if page is None:
        hint = did_you_mean(code, known) or "`rubric check` prints the codes it finds"
        raise click.UsageError(f"there is no code {code}; {hint}")
    click.echo(page, nl=False)
    return exits.CLEAN


def _rows(results: str) -> list[dict[str, Any]]:
    """Return the results of a file, JSON lines or one JSON list."""
    path = Path(results)
    if not path.is_file():
        raise click.UsageError(f"there is no file `{results}`, and no code of that name")
    try:
        text = path.read_text("utf-8")
        rows = (
            json.loads(text)
            if text.startswith("[")
            else [json.loads(line) for line in text.splitlines()]
        )
    except ValueError:
        rows = None
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and "subject" in row for row in rows
    ):
        raise click.UsageError(
            f"`{results}` holds no results: `rubric score … -o FILE` writes them"
        )
    return rows


def _summary(results: str) -> dict[str, Any] | None:
    path = Path(f"{results}.summary.json")
    if not path.is_file():
        return None
    try:
        summary = json.loads(path.read_text("utf-8"))
    except ValueError:
        raise click.UsageError(f"`{path}` cannot be read: it is no JSON") from None
    return summary if isinstance(summary, dict) else None


def _loaded(name: str) -> Rubric:
    checked = checked_file(named_file(name))
    if not checked.is_sound or not checked.is_rubric:
        raise click.UsageError(f"`{name}` is unsound: see `rubric check {name}`")
    return Rubric(checked)


def _stale(
    rows: list[dict[str, Any]], summary: dict[str, Any] | None, rubric: Rubric
) -> str | None:
    """Say why these results cannot be explained any more, or None."""
    if any(row.get("rubric", {}).get("fingerprint") != rubric.fingerprint for row in rows):
        return f"these results are of another rubric than {rubric.checked.source.name} now is (R601): score again"
    for each in (summary or {}).get("evidence", ()):
        if not Path(each["path"]).is_file() or hash_of(each["path"]) != each["hash"]:
            return f"{each['path']} has changed since (R602): score again"
    return None


def _only(wanted: tuple[str, ...], rubric: Rubric) -> dict[str, str]:
    """Return the keys asked for, with their values as text."""
    only = {}
    for pair in wanted:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"`{pair}` is no KEY=VALUE")
        keys = rubric.graph.schema.keys
        if name not in keys:
            raise click.UsageError(
                f"`{name}` is no key of the evidence; its keys are {', '.join(keys)}"
            )
        type_ = rubric.graph.schema.by_name[name].type
        if isinstance(type_, OneOfType) and value not in type_.options:
            raise click.UsageError(
                f"`{name}` is never `{value}`; "
                + (did_you_mean(value, type_.options) or f"it is one of {', '.join(type_.options)}")
            )
        only[name] = value
    return only


def _matches(row: dict[str, Any], only: dict[str, str]) -> bool:
    return all(str(row["subject"].get(name, value)) == value for name, value in only.items())


def _agree(row: dict[str, Any], result: Result) -> bool:
    """Tell whether a stored result is the one that was worked out again."""
    exact = None if result.score is None else str(result.score)
    return (row.get("status"), row.get("score_exact")) == (result.status, exact)


def _key(result: Result) -> str:
    return json.dumps(
        {name: plain(value) for name, value in result.subject.items()}, sort_keys=True
    )
