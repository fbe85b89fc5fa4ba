"""The settings of a request, and the name of a judge that has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesengine.evidence.canonical import as_json


def settled(defaults: Mapping[str, Any], settings: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the settings of each request: the default ones, and over them the caller's; None leaves one out."""
    both = {**defaults, **(settings or {})}
    return {name: value for name, value in both.items() if value is not None}


def most_tokens(settings: Mapping[str, Any], *names: str) -> int:
    """Return the most tokens that a reply can have.

    Raises:
        ValueError: none of the settings says it.
    """
    for name in names:
        value = settings.get(name)
        if type(value) is int and value > 0:
            return value
    raise ValueError(f"a reply needs a limit of tokens: set `{names[0]}`, a whole number above 0")


def judge_name(
    server: str,
    model: str,
    settings: Mapping[str, Any],
    message_format: str,
    structured: bool | None,
    revision: str,
) -> str:
    """Return the name of a judge: all of it that another answer could come of."""
    parts = [server, model, as_json(dict(settings)).text]
    if revision:
        parts.append(f"revision {revision}")
    if structured is not None:
        parts.append("with a schema" if structured else "without a schema")
    return " ".join([*parts, f"message {message_format}"])
