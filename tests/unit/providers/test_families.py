"""Families of models, by the names that servers and people give them."""

import pytest

from rulesengine.providers.families import family


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt-4o", "gpt"),
        ("openai/gpt-4.1-mini", "gpt"),
        ("ft:gpt-4.1:acme", "gpt"),
        ("o3-mini", "gpt"),
        ("chatgpt-4o-latest", "gpt"),
        ("gpt-oss-20b", "gpt"),
        ("us.anthropic.claude-sonnet-4-v1:0", "claude"),
        ("gemma3:27b", "gemini"),
        ("models/gemini-2.5-pro", "gemini"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama"),
        ("codellama:7b", "llama"),
        ("mixtral-8x7b", "mistral"),
        ("mistralai/Ministral-8B", "mistral"),
        ("pixtral-12b", "mistral"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen"),
        ("deepseek-r1-distill-qwen-7b", "deepseek"),
        ("grok-4", "grok"),
        ("command-r-plus", "command"),
        ("microsoft/Phi-3.5-mini", "phi"),
        ("sophia-2", None),
        ("llava", None),
        ("model-a", None),
        ("", None),
    ],
)
def test_a_name_tells_its_family(name: str, expected: str | None) -> None:
    """Whatever host, size and version stand around it; a part of another word is no name."""
    assert family(name) == expected
