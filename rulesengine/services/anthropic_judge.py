"""A model behind Anthropic's messages, at its own servers or any that speak alike. Needs the extra `anthropic`."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rulesengine.providers.prompt import FORMAT, Message
from rulesengine.providers.protocols import Heard, Question
from rulesengine.services.asking import Asking
from rulesengine.services.budget import Budget, Price
from rulesengine.services.exchange import (
    Lost,
    Received,
    at,
    connection_lost,
    count_at,
    message_in,
    read_body,
    status_lost,
)
from rulesengine.services.limits import Limits
from rulesengine.services.settings import judge_name, most_tokens, settled

HOSTED = "https://api.anthropic.com"
NO_KEY = "none"


class AnthropicJudge:
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
        self.settings = settled({"temperature": 0, "max_tokens": 1000}, settings)
        self.model = model
        self.name = judge_name("anthropic", model, self.settings, FORMAT, structured, revision)
        self.base_url = base_url or HOSTED
        self.limits = limits or Limits()
        self._api_key = api_key
        self._client: Any = None
        self._making = threading.Lock()
        self._asking = Asking(
            model=model,
            send=self._send,
            most_tokens=most_tokens(self.settings, "max_tokens"),
            limits=self.limits,
            price=(prices or {}).get(model),
            budget=budget,
            structured=structured,
            secret=[api_key or ""],
        )

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask all questions, as many at once as the limits let, and hand on each reply as it comes."""
        self._connected()  # loads the client, which takes a while and is no part of a call
        self._asking.ask(questions, heard)

    def _connected(self) -> Any:
        """Return what sends messages, made by the first question."""
        from anthropic import Anthropic

        with self._making:
            if self._client is None:
                # Tries are counted and recorded one by one, which the client's own would not be.
                self._client = Anthropic(
                    api_key=self._api_key or NO_KEY,
                    base_url=self.base_url,
                    timeout=self.limits.seconds,
                    max_retries=0,
                )
            return self._client.messages

    def _send(self, message: Message, structured: bool) -> Received:
        import anthropic
        import httpx2

        body: dict[str, Any] = dict(self.settings)
        if structured:
            body["output_config"] = {"format": {"type": "json_schema", "schema": message.schema}}
        until = time.monotonic() + self.limits.seconds
        try:
            with self._connected().with_streaming_response.create(
                model=self.model,
                max_tokens=body.pop("max_tokens"),
                messages=[{"role": "user", "content": message.text}],
                extra_body=body,
            ) as response:
                return _received(read_body(response.iter_bytes(), lambda: time.monotonic() > until))
        except anthropic.APIStatusError as error:
            raise status_lost(
                error.status_code, error.body, error.response.headers, time.time()
            ) from None
        except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
            raise connection_lost(error, httpx2) from None


def _received(body: object) -> Received:
    """Read a message, however far it keeps to the form."""
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
