"""The family of a model, by its name: a judge that is kin to what it judges favours it."""

from __future__ import annotations

import re

# What a name has as a word of its own, whatever maker or host stands in front of it.
_FAMILIES: tuple[tuple[str, str], ...] = (
    ("claude", r"claude"),
    # Before Qwen and Llama: models that were taught by another are named after both.
    ("deepseek", r"deepseek"),
    ("gpt", r"(?:chat)?gpt|o[1-9]|davinci|codex"),
    ("gemini", r"gemini|gemma|palm|medgemma|learnlm"),
    ("llama", r"(?:code|tiny|open)?llama|vicuna|alpaca"),
    ("mistral", r"(?:mi|mini|magi|code|dev)stral|(?:mi|pi)xtral"),
    ("qwen", r"qwen|qwq|qvq"),
    ("grok", r"grok"),
    ("command", r"command|c4ai|aya"),
    ("phi", r"phi"),
    ("nova", r"nova"),
    ("glm", r"(?:chat)?glm"),
    ("kimi", r"kimi|moonshot"),
    ("olmo", r"olmo"),
    ("granite", r"granite"),
    ("nemotron", r"nemotron"),
    ("minimax", r"minimax|abab"),
    ("jamba", r"jamba"),
    ("falcon", r"falcon"),
    ("yi", r"yi"),
    ("smollm", r"smollm"),
    ("ernie", r"ernie"),
    ("hunyuan", r"hunyuan"),
    ("solar", r"solar"),
)
_PATTERNS = tuple(
    (family, re.compile(rf"(?<![a-z0-9])(?:{names})(?![a-z])")) for family, names in _FAMILIES
)


def family(model_name: str) -> str | None:
    """Return the family that a model is of, None where its name does not tell.

    `openai/gpt-4o`, `ft:gpt-4.1:acme` and `o3-mini` are one family; so are `gemini-2.5-pro` and `gemma3:27b`.
    """
    name = model_name.casefold()
    return next((family for family, pattern in _PATTERNS if pattern.search(name)), None)
