"""A model behind Anthropic's messages, at its own servers or any that speak alike. Needs the extra `anthropic`."""

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

HOSTED = "https://api.anthropic.com"


class AnthropicJudge(ServedModel):
    """Asks a model by messages.

    Args:
        model: as the server calls it.
        base_url: of the server; Anthropic's own where left out.
        api_key: kept by the client alone.
        settings: of the request, over the default ones: temperature 0, 1000 tokens a reply. None leaves one out.
        limits: how fast and how often it is asked.
        prices: by model, in any one currency.
        budget: what may be spent, shared with whoever else is given it.
        structured: whether the server holds replies to a schema; left out, the first call finds out.
        revision: what the model's name does not say of it. A part of the judge's name.

    Raises:
        ValueError: there is a budget and no price for the model, or no limit of a reply's tokens.
    """

    package = "anthropic"
    client = "Anthropic"

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
        super().__init__(
            model,
            base_url=base_url or HOSTED,
            api_key=api_key,
            settings=settled({"temperature": 0, "max_tokens": 1000}, settings),
            token_limits=("max_tokens",),
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
            body["output_config"] = {"format": {"type": "json_schema", "schema": message.schema}}
        request: AbstractContextManager[Any] = client.messages.with_streaming_response.create(
            model=self.model,
            max_tokens=body.pop("max_tokens"),
            messages=[{"role": "user", "content": message.text}],
            extra_body=body,
        )
        return request

    def _received(self, body: object) -> Received:
        if at(body, "error"):
            raise Lost(f"the server said: {message_in(body)}", "passing")
        blocks = at(body, "content")
        model = at(body, "model")
        read = [
            count_at(body, "usage", name)
            for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        ]
        known: dict[str, Any] = {
            "model": model if isinstance(model, str) else "",
            # What was kept from an earlier call is counted as if it were read anew: the cost is never told too low.
            "input_tokens": None if read[0] is None else sum(count or 0 for count in read),
            "output_tokens": count_at(body, "usage", "output_tokens"),
        }
        if not isinstance(blocks, list):
            return Received(text=None, fault="is no message with content", **known)
        parts = [at(block, "text") for block in blocks if at(block, "type") == "text"]
        text = "".join(part for part in parts if isinstance(part, str))
        match at(body, "stop_reason"):
            case "max_tokens" | "model_context_window_exceeded":
                return Received(text=text, fault="was cut off at its most tokens", **known)
            case "refusal":
                fault = f"is a refusal: {message_in(text)}" if text else "is a refusal"
                return Received(text=text or None, fault=fault, is_final=True, **known)
            case _:
                return Received(text=text, **known)
