"""`rubric.toml`: which judges and models there are, how fast they are asked, and what may be spent.

Keys of services are never written in it: it names the variable of the environment that holds one.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.services.limits import Limits

DEFAULT = "rubric.toml"
LEDGER = ".rubric/ledger.sqlite"  # beside the configuration, where it names none


class LimitsTable(Limits, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[judges.NAME.limits]`."""


class JudgeTable(msgspec.Struct, forbid_unknown_fields=True):
    """`[judges.NAME]`. A price is for a million tokens, and is the decimal that is written.

    `openai` (any server that speaks as OpenAI's does) and `anthropic` need `model`; `recorded` needs `file`; `panel`
    needs `members`, names of other judges.
    """

    kind: Literal["openai", "anthropic", "recorded", "panel"]
    model: str | None = None
    base_url: str | None = None
    key_from: str | None = None
    revision: str = ""
    structured: bool | None = None
    settings: dict[str, Any] = {}
    limits: LimitsTable | None = None
    input_price: float | None = None
    output_price: float | None = None
    file: str | None = None
    members: list[str] = []
    by: Literal["majority", "unanimous", "median"] = "majority"
    quorum: int | None = None


class RunTable(msgspec.Struct, forbid_unknown_fields=True):
    """`[run]`: what `rubric score` takes where its arguments do not say it."""

    judge: str | None = None
    embedder: str | None = None
    ledger: str | None = None
    budget: float | None = None


class ProjectTable(msgspec.Struct, forbid_unknown_fields=True):
    """`[project]`: what `rubric init` wrote."""

    name: str = ""
    rubric: str | None = None
    evidence: list[str] = []


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file; `path` is where it was read, or empty."""

    project: ProjectTable = msgspec.field(default_factory=ProjectTable)
    run: RunTable = msgspec.field(default_factory=RunTable)
    judges: dict[str, JudgeTable] = {}
    path: str = ""

    def beside(self, name: str) -> str:
        """Return the path of a file that the configuration names: it begins where that stands."""
        return str(Path(self.path).parent / name)


def read_config(path: str | None) -> Config:
    """Return a configuration; without a name that of this folder, or an empty one.

    Raises:
        click.UsageError: the file is not there, is no TOML, or says what means nothing.
    """
    name = DEFAULT if path is None else path
    if path is None and not Path(name).is_file():
        return Config()
    try:
        data = tomllib.loads(Path(name).read_bytes().decode())
    except OSError as error:
        raise click.UsageError(f"cannot read `{name}`: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.UsageError(f"`{name}` is no TOML: {error}") from None
    try:
        config = msgspec.convert(data, Config)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"`{name}`: {error}") from None
    config.path = name
    return config


def judge_table(config: Config, name: str) -> JudgeTable:
    """Return the judge of a name.

    Raises:
        click.UsageError: there is none.
    """
    if name not in config.judges:
        where = f"`{config.path}`" if config.path else "no rubric.toml"
        hint = did_you_mean(name, config.judges) or (
            f"its judges are {', '.join(config.judges)}" if config.judges else "it has no judges"
        )
        raise click.UsageError(f"there is no judge `{name}` in {where}, and no such file; {hint}")
    return config.judges[name]
