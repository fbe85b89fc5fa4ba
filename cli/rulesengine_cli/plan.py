"""`rubric plan`: what a run would ask, at the least and at the most, before anything is paid for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import click

from rulesengine.providers.protocols import Judge, NoAnswer, Question, Reply
from rulesengine.report.run import plan
from rulesengine.report.to_json import dumps
from rulesengine.values import show_number
from rulesengine_cli import exits
from rulesengine_cli.config import Config, read_config
from rulesengine_cli.evidence_files import evidence_files, read_records
from rulesengine_cli.providers import opened, price_of
from rulesengine_cli.rubric_files import rubric_to_run
from rulesengine_cli.streams import say

SIGNS_A_TOKEN = 4  # of English text; other scripts take more tokens
REPLY_TOKENS = 100  # of a verdict with its reason, roughly
FRAME_TOKENS = 150  # of what stands round a question, roughly


@click.command()
@click.argument("rubric", metavar="RUBRIC")
@click.argument("evidence", nargs=-1, required=True, metavar="EVIDENCE…")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a param.")
@click.option("--judge", metavar="NAME", help="The judge of rubric.toml that would be asked.")
@click.option("--no-embedder", is_flag=True, help="Plan for a run without an embedding model.")
@click.option("--config", metavar="FILE", help="Default: rubric.toml, if it is there.")
@click.option("--ledger", metavar="FILE", help="Where answers are kept.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text")
@click.option("--allow-rejects", is_flag=True, help="As for `rubric score`.")
@click.option("--allow-unknown", is_flag=True, help="As for `rubric score`.")
@click.pass_context
def command(
    ctx: click.Context,
    rubric: str,
    evidence: tuple[str, ...],
    settings: tuple[str, ...],
    judge: str | None,
    no_embedder: bool,
    config: str | None,
    ledger: str | None,
    format_: str,
    allow_rejects: bool,
    allow_unknown: bool,
) -> int:
    """Tell what scoring EVIDENCE with RUBRIC would ask of judges and models, and ask nothing.

    At the least are the questions that are asked whatever is answered; at the most those that answers may lead to. What
    the ledger has is not asked again.
    """
    loaded = rubric_to_run(rubric, settings)
    if loaded is None:
        return exits.UNSOUND
    configured = read_config(config)
    name = judge or configured.run.judge
    schema = loaded.graph.schema
    records = read_records(evidence_files(evidence), schema, allow_unknown=allow_unknown)
    with opened(configured, name, None, ledger=ledger, is_planned=True) as answering:
        found = plan(
            loaded.graph,
            records,
            partial(_known, answering.providers.judge),
            allow_rejects=allow_rejects,
            has_measure=not no_embedder,
        )
    asks = dict.fromkeys([*(q.ask for q in (*found.known, *found.most)), *found.unformed])
    rows = [
        {
            "ask": ask,
            "known": _count(found.known, ask),
            "at_least": _count(found.least, ask),
            "at_most": _count(found.most, ask) + found.unformed[ask],
        }
        for ask in asks
    ]
    costs = _costs(configured, name, found.least, found.most, found.unformed)
    texts = {"at_least": len(found.least_texts), "at_most": len(found.most_texts)}
    if format_ == "json":
        click.echo(dumps({"questions": rows, "texts": texts, "cost": costs}))
        return exits.CLEAN
    for row in rows:
        click.echo(
            f"{row['ask']}: {row['at_least']:,} to {row['at_most']:,} questions, {row['known']:,} known"
        )
    if not rows:
        click.echo("no questions")
    if texts["at_most"]:
        click.echo(f"{texts['at_least']:,} to {texts['at_most']:,} texts to embed")
    if costs is not None:
        click.echo(f"cost, roughly: {costs['at_least']} to {costs['at_most']}")
    elif rows:
        say("no cost: the judge has no prices in rubric.toml")
    return exits.CLEAN


def _count(questions: Sequence[Question], ask: str) -> int:
    return sum(question.ask == ask for question in questions)


def _known(judge: Judge | None, questions: Sequence[Question]) -> dict[Question, Reply]:
    """The answers that are there already; the judge asks nobody."""
    found: dict[Question, Reply] = {}

    def hear(index: int, reply: Reply) -> None:
        if not isinstance(reply, NoAnswer):
            found[questions[index]] = reply

    if judge is not None:
        judge.ask(questions, hear)
    return found


def _costs(
    config: Config,
    judge: str | None,
    least: Sequence[Question],
    most: Sequence[Question],
    unformed: Counter[str],
) -> dict[str, Any] | None:
    """What the questions would cost, by the length of their prompts; those without a text as the longest."""
    table = config.judges.get(judge or "")
    price = None if table is None else price_of(table)
    if price is None:
        return None

    def cost(questions: Sequence[Question], more: int = 0) -> str:
        sizes = [len(each.prompt) for each in questions]
        sizes += [max(sizes, default=0)] * more
        tokens = sum(size // SIGNS_A_TOKEN + FRAME_TOKENS for size in sizes)
        paid = price.of(tokens, len(sizes) * REPLY_TOKENS)
        return show_number(Fraction(round(paid * 10**4), 10**4))

    return {"at_least": cost(least), "at_most": cost(most, unformed.total())}
