"""A model behind any server that speaks as OpenAI's does: hosted, vLLM, llama.cpp, Ollama. Needs the extra `openai`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from rulesengine.providers.prompt import Message
from rulesengine.services.budget import Budget, Price
from rulesengine.services.exchange import Lost, Received, at, count_at, message_in
from rulesengine.services.limits import Limits
from rulesengine.services.served_model import ServedModel
from rulesengine.services.settings import settled

HOSTED = "https://api.openai.com/v1"


class OpenAIJudge(ServedModel):
    """Asks a model by chat completions.

    Args:
        model: as the server calls it.
        base_url: of the server, up to `/v1`; OpenAI's own where left out.
        api_key: kept by the client alone.
        settings: of the request, over the default ones: temperature 0, seed 1, and 1000 tokens a reply
            (`max_completion_tokens` at OpenAI, `max_tokens` elsewhere). None leaves one out.
        limits: how fast and how often it is asked.
        prices: by model, in any one currency.
        budget: what may be spent, shared with whoever else is given it.
        structured: whether the server holds replies to a schema; left out, the first call finds out.
        revision: what the model's name does not say of it: a file's hash, a quantisation. A part of the judge's name.

    Raises:
        ValueError: there is a budget and no price for the model, or no limit of a reply's tokens.
    """

    package = "openai"
    client = "OpenAI"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        settings: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        prices: Mapping[str, Price] | None = None,
        budget: Budget | None = None,
        structured: bool | None = None,
        revision: str = "",
    ) -> None:
        tokens = "max_completion_tokens" if base_url is None else "max_tokens"
        defaults = {"temperature": 0, "seed": 1, tokens: 1000}
        if {"max_tokens", "max_completion_tokens"} & (settings or {}).keys():
            del defaults[tokens]
        super().__init__(
            model,
            base_url=base_url or HOSTED,
            api_key=api_key,
            settings=settled(defaults, settings),
            token_limits=("max_completion_tokens", "max_tokens"),
            limits=limits,
            prices=prices,
            budget=budget,
            structured=structured,
            revision=revision,
        )

    def _request(
        self, client: Any, message: Message, structured: bool
    ) -> AbstractContextManager[Any]:
        body: dict[str, Any] = dict(self.settings)
        if structured:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": message.schema},
            }
        request: AbstractContextManager[Any] = (
            client.chat.completions.with_streaming_response.create(
                model=self.model,
                messages=[{"role": "user", "content": message.text}],
                extra_body=body,
            )
        )
        return request

    def _received(self, body: object) -> Received:
        if at(body, "error"):
            raise Lost(f"the server said: {message_in(body)}", "passing")
        choices = at(body, "choices")
        model = at(body, "model")
        known: dict[str, Any] = {
            "model": model if isinstance(model, str) else "",
            "input_tokens": count_at(body, "usage", "prompt_tokens"),
            "output_tokens": count_at(body, "usage", "completion_tokens"),
        }
        if not isinstance(choices, list) or len(choices) != 1:
            return Received(text=None, fault="is no chat completion with one choice", **known)
        text = _text(at(choices, 0, "message", "content"))
        refusal = at(choices, 0, "message", "refusal")
        if isinstance(refusal, str) and refusal:
            fault = f"is a refusal: {message_in(refusal)}"
            return Received(text=refusal, fault=fault, is_final=True, **known)
        match at(choices, 0, "finish_reason"):
            case "length":
                return Received(text=text, fault="was cut off at its most tokens", **known)
            case "content_filter":
                fault = "was stopped by the server's content filter"
                return Received(text=text, fault=fault, is_final=True, **known)
            case _:
                return Received(text=text, **known)


def _text(content: object) -> str | None:
    """The text of a message, which some servers give in parts."""
    if isinstance(content, list):
        parts = [at(part, "text") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None
