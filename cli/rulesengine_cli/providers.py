"""The providers that arguments and `rubric.toml` name: recorded answers and vectors, judges behind servers, panels."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from attrs import define

from rulesengine.providers.callables import EachAsked
from rulesengine.providers.likeness import Likeness
from rulesengine.providers.protocols import Heard, Judge, NoAnswer, Providers, Question
from rulesengine.providers.recorded import PrecomputedVectors, RecordedJudge
from rulesengine_cli.config import LEDGER, Config, JudgeTable, judge_table

if TYPE_CHECKING:
    from rulesengine.services.budget import Price
    from rulesengine.services.ledger import Ledger
    from rulesengine.services.remembered import Remembered

NOT_ASKED = NoAnswer("not asked yet")


@define
class Opened:
    """The providers of a run; `ledger` is there where a judge is asked anew."""

    providers: Providers
    ledger: Ledger | None = None


@contextmanager
def opened(
    config: Config,
    judge: str | None,
    embedder: str | None,
    *,
    ledger: str | None = None,
    budget: str | None = None,
    is_planned: bool = False,
) -> Iterator[Opened]:
    """Open the providers of a run.

    Args:
        config: what `rubric.toml` says.
        judge: the name of a judge there, or a file of recorded answers.
        embedder: a file of vectors.
        ledger: the file that keeps answers.
        budget: what may be spent, in the currency of the prices.
        is_planned: whether nobody is to be asked: answers come from the ledger alone.
    """
    measure = None if embedder is None else Likeness(_vectors(embedder))
    if judge is None or (judge not in config.judges and Path(judge).is_file()):
        recorded = None if judge is None else _recorded(judge)
        yield Opened(Providers(judge=recorded, measure=measure))
        return
    with ExitStack() as stack:
        made = _Making(config, stack, ledger, budget, is_planned=is_planned)
        found = made.judge(judge)
        yield Opened(Providers(judge=found, measure=measure), made.ledger)


class _Making:
    """Makes judges, which share a ledger and a budget."""

    def __init__(
        self,
        config: Config,
        stack: ExitStack,
        ledger: str | None,
        budget: str | None,
        *,
        is_planned: bool = False,
    ) -> None:
        self.config = config
        self.stack = stack
        self.is_planned = is_planned  # whether nobody is to be asked
        self.path = ledger or config.beside(config.run.ledger or LEDGER)
        cap = budget if budget is not None else config.run.budget
        self.budget = None
        if cap is not None and not is_planned:
            from rulesengine.services.budget import Budget

            try:
                self.budget = Budget(cap)
            except ValueError as error:
                raise click.UsageError(f"--budget: {error}") from None
        self.ledger: Ledger | None = None

    def judge(self, name: str, above: tuple[str, ...] = ()) -> Judge:
        """Return the judge of a name."""
        if name in above:
            raise click.UsageError(f"the panel `{name}` is a member of itself")
        table = judge_table(self.config, name)
        try:
            match table.kind:
                case "recorded":
                    return _recorded(self.config.beside(_needed(table.file, name, "file")))
                case "panel":
                    from rulesengine.providers.panel import Panel

                    members = [self.judge(each, (*above, name)) for each in table.members]
                    return Panel(members, table.by, table.quorum)
                case _:
                    return self.remembered(self.model(table, name))
        except ValueError as error:
            raise click.UsageError(f"`{self.config.path}`: the judge `{name}`: {error}") from None

    def model(self, table: JudgeTable, name: str) -> Judge:
        """Return a judge that is a model behind a server."""
        model = _needed(table.model, name, "model")
        price = price_of(table)
        told: dict[str, Any] = {
            "base_url": table.base_url,
            "api_key": self.key(table, name),
            "settings": table.settings,
            "limits": table.limits,
            "prices": None if price is None else {model: price},
            "budget": self.budget,
            "structured": table.structured,
            "revision": table.revision,
        }
        if table.kind == "anthropic":
            from rulesengine.services.anthropic_judge import AnthropicJudge

            return AnthropicJudge(model, **told)
        from rulesengine.services.openai_judge import OpenAIJudge

        return OpenAIJudge(model, **told)

    def key(self, table: JudgeTable, name: str) -> str | None:
        """Return the key of a service; only the environment holds it."""
        if table.key_from is None or self.is_planned:
            return None
        key = os.environ.get(table.key_from)
        if not key:
            raise click.UsageError(
                f"the judge `{name}` needs its key: the variable `{table.key_from}` is not set"
            )
        return key

    def remembered(self, judge: Judge) -> Judge:
        """Return a judge that asks in a hidden order, and nothing twice."""
        from rulesengine.providers.blind import Blind
        from rulesengine.services.ledger import Ledger
        from rulesengine.services.remembered import Remembered

        if self.is_planned and not Path(self.path).is_file():
            return EachAsked(lambda _: NOT_ASKED, judge.name)
        if self.ledger is None:
            keys = [os.environ.get(t.key_from or "", "") for t in self.config.judges.values()]
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self.ledger = self.stack.enter_context(
                Ledger(self.path, secrets=[k for k in keys if k])
            )
        remembered = Remembered(judge, self.ledger)
        return Blind(_OnRecord(remembered) if self.is_planned else remembered)


class _OnRecord:
    """What the ledger has of a judge's answers, and nothing else."""

    def __init__(self, judge: Remembered) -> None:
        self.judge = judge
        self.name = judge.name

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Hand on what is there."""
        keys = [self.judge.key(each) for each in questions]
        found = self.judge.ledger.find(keys)
        for index, key in enumerate(keys):
            heard(index, found.get(key, NOT_ASKED))


def price_of(table: JudgeTable) -> Price | None:
    """Return what a model costs, None where the configuration does not say it.

    Raises:
        ValueError: one of the prices is no amount of money.
    """
    if table.input_price is None or table.output_price is None:
        return None
    from rulesengine.services.budget import price

    return price(table.input_price, table.output_price)


def _needed(value: str | None, name: str, what: str) -> str:
    if value is None:
        raise click.UsageError(f"the judge `{name}` needs `{what}`")
    return value


def _recorded(name: str) -> RecordedJudge:
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
