"""`rubric explain`: which rules gave a score; or a code's page."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import click

from rulesengine.check.params import from_texts
from rulesengine.diagnostics.codes import BAD_ANSWER, NO_ANSWER, all_codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.report.explain import explain
from rulesengine.report.result import Result
from rulesengine.report.run import run
from rulesengine.report.to_json import dumps, plain
from rulesengine.resources import code_page
from rulesengine.rubric import Rubric
from rulesengine.runtime.trace import every
from rulesengine.types import NumberType, OneOfType, Type, YesNoType
from rulesengine.values import show, show_number
from rulesengine_cli import exits
from rulesengine_cli.config import Config, read_config
from rulesengine_cli.evidence_files import STANDARD_INPUT, evidence_files, hash_of, read_records
from rulesengine_cli.providers import opened
from rulesengine_cli.rubric_files import checked_file, named_file, rubric_with_params
from rulesengine_cli.stored import Allowed, Provider, differs, read_results, read_summary
from rulesengine_cli.streams import painter, say


@click.command()
@click.argument("results", metavar="RESULTS|CODE")
@click.argument("wanted", nargs=-1, metavar="[KEY=VALUE…]")
@click.option("--rubric", help="The rubric, where RESULTS has no summary beside it.")
@click.option(
    "--evidence", multiple=True, help="The evidence, likewise; may be given more than once."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A param, likewise.")
@click.option("--judge", metavar="FILE", help="The recorded answers, likewise.")
@click.option("--embedder", metavar="FILE", help="The vectors, likewise.")
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
    settings: tuple[str, ...],
    judge: str | None,
    embedder: str | None,
    tried: bool,
) -> int:
    """Show which rules gave a score, on which values; or, given a code such as R201, its page.

    RESULTS is a file that `rubric score -o` wrote. KEY=VALUE picks what is shown, by a key of the
    evidence: respondent=model-a, question=Q5.
    """
    if re.fullmatch(r"[Rr][0-9]{3}", results) and not Path(results).exists():
        return _page(results.upper())
    rows = read_results(results)
    summary = read_summary(results)
    path = rubric or (summary.rubric.path if summary else None)
    files = evidence or tuple(each.path for each in (summary.evidence if summary else ()))
    if path is None or not files:
        raise click.UsageError(
            f"`{results}.summary.json` is not there to say what was scored: "
            "name it by --rubric and --evidence"
        )
    if STANDARD_INPUT in files and not evidence:
        raise click.UsageError("the evidence came from standard input: name a file by --evidence")
    loaded = _loaded(path, summary.rubric.params if summary else {}, settings)
    if any(row["rubric"]["fingerprint"] != loaded.fingerprint for row in rows.values()):
        params = summary.rubric.params if summary else {}
        scored_with = ", ".join(f"{name}={value}" for name, value in params.items())
        if settings and summary:
            return _refuse(f"they were scored with {scored_with or 'no params set'} (R601)")
        return _refuse(f"they are of another rubric than {path} now is (R601)")
    for each in summary.evidence if summary and not evidence else ():
        if not Path(each.path).is_file() or hash_of(each.path) != each.hash:
            return _refuse(f"{each.path} has changed since (R602)")
    allowed = summary.allowed if summary else Allowed()
    only = _only(wanted, loaded)
    schema = loaded.graph.schema
    records = read_records(evidence_files(files), schema, allow_unknown=allowed.unknown)
    asked = dict(summary.providers) if summary else {}
    for kind, provider in asked.items():
        if provider.path is None:
            continue
        if not Path(provider.path).is_file() or hash_of(provider.path) != provider.hash:
            return _refuse(f"the {kind}'s {provider.path} has changed since (R602)")
    named = {kind: provider.path or provider.name for kind, provider in asked.items()}
    told = asked.get("judge") or Provider()
    configured = read_config(told.config or None) if told.name else Config()
    judge, embedder = judge or named.get("judge"), embedder or named.get("embedder")
    # Results are explained by what was said then: nobody is asked.
    with opened(configured, judge, embedder, ledger=told.ledger, is_planned=True) as answering:
        done = run(
            loaded.graph, records, allow_rejects=allowed.rejects, providers=answering.providers
        )
    scored = {_key(result): result for result in done.results}
    if scored.keys() != rows.keys():
        return _refuse("this evidence is about other subjects (R602)")
    for key, result in scored.items():
        if rows[key]["status"] == "failed" and _lacks_an_answer(result):
            continue  # what a provider failed with is not asked for again
        name = differs(rows[key], result)
        if name is not None:
            return _refuse(f"this evidence gives another `{name}` for {key} (R602)")
    picked = [result for result in done.results if _matches(result, only)]
    if not picked:
        raise click.UsageError(f"no result has {' '.join(wanted)}")
    for name, value in only.items():
        if not any(_speaks_of(result, name, value) for result in picked):
            raise click.UsageError(f"no part of the score is about {name}={value}")
    paint = painter(sys.stdout)
    for number, result in enumerate(picked):
        text = explain(result, paint, tried=tried, only=only)
        click.echo("\n" * bool(number) + text, nl=False, color=True)
    return exits.CLEAN


def _lacks_an_answer(result: Result) -> bool:
    return any(each.code in (NO_ANSWER, BAD_ANSWER) for each in result.errors)


def _refuse(why: str) -> int:
    say(f"these results cannot be explained: {why}; score again", style="error")
    return exits.FINDINGS


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


def _loaded(name: str, params: Mapping[str, str], settings: tuple[str, ...]) -> Rubric:
    checked = checked_file(named_file(name))
    if not checked.is_sound or not checked.is_rubric:
        raise click.UsageError(f"`{name}` is unsound: see `rubric check {name}`")
    if settings or not params:
        return rubric_with_params(checked, settings)
    assert checked.scope is not None
    stored = checked.with_params(from_texts(checked.scope, params))
    # Params that the rubric does not have any more are told by its fingerprint.
    return Rubric(stored if stored.is_sound else checked)


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
        only[name] = _as_shown(value, type_)
    return only


def _as_shown(text: str, type_: Type) -> str:
    """Return a value as the engine shows it: `1e-7` as 0.0000001, `true` as yes."""
    if isinstance(type_, YesNoType):
        return {"true": "yes", "false": "no"}.get(text.lower(), text.lower())
    if isinstance(type_, NumberType):
        with suppress(ValueError, ZeroDivisionError):
            return show_number(Fraction(text))
    return text


def _matches(result: Result, only: dict[str, str]) -> bool:
    """Whether a result is asked for; keys that are not the subject's choose parts of it."""
    return all(
        show(result.subject[name]) == value
        for name, value in only.items()
        if name in result.subject
    )


def _speaks_of(result: Result, name: str, value: str) -> bool:
    """Whether a key has this value anywhere in what is shown of a result; all may be shown of one without a trace."""
    points = [trace.at for trace in every(result.trace)] if result.trace is not None else []
    points += [each.keys for each in result.comparisons]
    return result.trace is None or any(
        (known := dict(at)).keys() >= {name} and show(known[name]) == value for at in points
    )


def _key(result: Result) -> str:
    return dumps({name: plain(value) for name, value in result.subject.items()})
