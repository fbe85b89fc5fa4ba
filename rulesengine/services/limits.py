"""How fast, how often and how long a model is asked."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

import msgspec

from rulesengine.struct import Struct


class Limits(Struct, frozen=True, kw_only=True):
    """What a judge keeps to.

    Attributes:
        concurrency: requests under way at once.
        requests_per_minute: those that are begun in any one minute; None for as many as come.
        tokens_per_minute: of prompts and replies together, likewise.
        seconds: for one request, from sending it to the last of its reply.
        tries: of one request that is refused for a while (429), fails at the server (5xx), or gets no reply.
        readings: replies to one question, until one of them holds a verdict.
        longest_wait: seconds; a server that wants a longer pause is not asked again.
        gives_up_after: questions in a row that a server left without any reply; then the rest is not asked.
    """

    concurrency: int = 8
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    seconds: float = 120.0
    tries: int = 5
    readings: int = 3
    longest_wait: float = 60.0
    gives_up_after: int = 16

    def __post_init__(self) -> None:
        """Refuse what nothing could be asked with.

        Raises:
            ValueError: a limit is below what one request takes.
        """
        for name in ("concurrency", "tries", "readings", "gives_up_after"):
            if getattr(self, name) < 1:
                raise ValueError(f"`{name}` is at least 1")
        for name in ("requests_per_minute", "tokens_per_minute"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"`{name}` is at least 1, or left out")
        # Written so that what is no number fails too.
        if not self.seconds > 0 or not self.longest_wait >= 0:
            raise ValueError("`seconds` is above 0, and `longest_wait` not below")


class Spent(msgspec.Struct, eq=False):
    """What was taken from an allowance, and when."""

    at: float
    amount: int
    counts: bool = True


class Allowance:
    """An amount that may be taken within any stretch of time; it counts, and does not wait.

    Args:
        most: in any one stretch. What is more by itself is let pass alone.
        stretch: seconds.
    """

    def __init__(self, most: int, stretch: float = 60.0) -> None:
        self.most = most
        self.stretch = stretch
        self.taken: deque[Spent] = deque()
        self.sum = 0

    def wait_for(self, amount: int, now: float) -> float:
        """Return the seconds until `amount` may be taken, 0 for at once."""
        while self.taken and self.taken[0].at <= now - self.stretch:
            spent = self.taken.popleft()
            spent.counts = False
            self.sum -= spent.amount
        over = self.sum + min(amount, self.most) - self.most
        wait = 0.0
        for spent in self.taken:
            if over <= 0:
                break
            over -= spent.amount
            wait = spent.at + self.stretch - now
        return wait

    def take(self, amount: int, now: float) -> Spent:
        """Count `amount`, and return the entry for `correct`."""
        spent = Spent(now, amount)
        self.taken.append(spent)
        self.sum += amount
        return spent

    def correct(self, spent: Spent, amount: int) -> None:
        """Count `amount` in place of what was thought to be taken."""
        if spent.counts:
            self.sum += amount - spent.amount
        spent.amount = amount


class Pace:
    """Keeps the requests of all threads within the requests and tokens of a minute, and in a server's pauses.

    Args:
        limits: what to keep to.
        stretch: seconds that stand for a minute.
        clock: seconds that only go up.
    """

    def __init__(
        self, limits: Limits, stretch: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.requests = _allowance(limits.requests_per_minute, stretch)
        self.tokens = _allowance(limits.tokens_per_minute, stretch)
        self.clock = clock
        self.paused_until = clock()
        self.lock = threading.Lock()

    def begin(self, tokens: int, stopped: threading.Event) -> Spent | None:
        """Wait until a request of about so many tokens may be sent; None where all was stopped meanwhile.

        The entry goes to `end` with the tokens that it took.
        """
        while not stopped.is_set():
            with self.lock:
                now = self.clock()
                wait = max(
                    self.paused_until - now,
                    self.requests.wait_for(1, now) if self.requests else 0.0,
                    self.tokens.wait_for(tokens, now) if self.tokens else 0.0,
                )
                if wait <= 0:
                    if self.requests:
                        self.requests.take(1, now)
                    return self.tokens.take(tokens, now) if self.tokens else Spent(now, tokens)
            stopped.wait(wait)
        return None

    def end(self, spent: Spent, tokens: int | None) -> None:
        """Count the tokens that a request took; where nobody says how many, those that were thought."""
        if tokens is not None and self.tokens:
            with self.lock:
                self.tokens.correct(spent, tokens)

    def pause(self, seconds: float) -> None:
        """Begin no request for so long."""
        with self.lock:
            self.paused_until = max(self.paused_until, self.clock() + seconds)


def _allowance(most: int | None, stretch: float) -> Allowance | None:
    return None if most is None else Allowance(most, stretch)
