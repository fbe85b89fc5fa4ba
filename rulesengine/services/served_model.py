"""A model behind a server: what its judges share, whichever client speaks to it."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any, ClassVar

from rulesengine.providers.prompt import FORMAT, Message
from rulesengine.providers.protocols import Heard, Question
from rulesengine.services.asking import Asking
from rulesengine.services.budget import Budget, Price
from rulesengine.services.exchange import Received, connection_lost, read_body, status_lost
from rulesengine.services.limits import Limits
from rulesengine.services.settings import judge_name, most_tokens

NO_KEY = "none"  # servers of one's own ask for none, and clients want one


class ServedModel(ABC):
    """A judge that is a model behind a server. Clients are made by one generator, and name their errors alike.

    Args:
        model: as the server calls it.
        base_url: of the server.
        api_key: kept by the client alone.
        settings: of each request.
        token_limits: the names of the settings that may limit a reply's tokens.
        limits: how fast and how often it is asked.
        prices: by model, in any one currency.
        budget: what may be spent, shared with whoever else is given it.
        structured: whether the server holds replies to a schema; None to find out by the first call.
        revision: what the model's name does not say of it. A part of the judge's name.

    Raises:
        ValueError: there is a budget and no price for the model, or no limit of a reply's tokens.
    """

    package: ClassVar[str]
    client: ClassVar[str]

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None,
        settings: Mapping[str, Any],
        token_limits: Sequence[str],
        limits: Limits | None,
        prices: Mapping[str, Price] | None,
        budget: Budget | None,
        structured: bool | None,
        revision: str,
    ) -> None:
        self.settings = settings
        self.model = model
        self.name = judge_name(self.package, model, settings, FORMAT, structured, revision)
        self.base_url = base_url
        self.limits = limits or Limits()
        self._api_key = api_key
        self._client: Any = None
        self._making = threading.Lock()
        self._asking = Asking(
            model=model,
            send=self._send,
            most_tokens=most_tokens(settings, *token_limits),
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
        """Return the client, made by the first question."""
        make = getattr(import_module(self.package), self.client)
        with self._making:
            if self._client is None:
                # Tries are counted and recorded one by one, which the client's own would not be.
                self._client = make(
                    api_key=self._api_key or NO_KEY,
                    base_url=self.base_url,
                    timeout=self.limits.seconds,
                    max_retries=0,
                )
            return self._client

    def _send(self, message: Message, structured: bool) -> Received:
        import httpx2

        package = import_module(self.package)
        until = time.monotonic() + self.limits.seconds
        try:
            with self._request(self._connected(), message, structured) as response:
                return self._received(
                    read_body(response.iter_bytes(), lambda: time.monotonic() > until)
                )
        except package.APIStatusError as error:
            raise status_lost(
                error.status_code, error.body, error.response.headers, time.time()
            ) from None
        except (package.APIConnectionError, httpx2.HTTPError) as error:
            raise connection_lost(error, httpx2) from None

    @abstractmethod
    def _request(
        self, client: Any, message: Message, structured: bool
    ) -> AbstractContextManager[Any]:
        """Return a request under way."""

    @abstractmethod
    def _received(self, body: object) -> Received:
        """Read the body of a reply, however far it keeps to the form."""
