"""Questions put to a model: sent many at once, again where that may help, and never more often than is allowed."""

from __future__ import annotations

import json
import random
import secrets
import threading
import time
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from rulesengine.providers.prompt import BadNonce, Message, imitations, message
from rulesengine.providers.protocols import Answer, Call, Heard, NoAnswer, Question, Reply
from rulesengine.providers.verdict import NoVerdict, read_verdict
from rulesengine.services.budget import Budget, Price
from rulesengine.services.exchange import Lost, Received, Send, without
from rulesengine.services.limits import Limits, Pace
from rulesengine.services.workers import in_threads
from rulesengine.values import show_number

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds between two tries, where the server names none
WRAPPING = 200  # tokens at the most that a server puts round a message
SIGNS_A_TOKEN = 3  # fewer than most texts have, so that a pace is kept rather than passed


class Asking:
    """The way from questions to replies, whatever the server.

    Args:
        model: as it is asked for.
        send: sends one message.
        most_tokens: of one reply.
        limits: what to keep to.
        price: of the model; None where nobody knows.
        budget: what may be spent; None for all that it takes.
        structured: whether the server holds a model to a schema; None to find out.
        secret: texts that are never told.

    Raises:
        ValueError: there is a budget, and no price to count with.
    """

    def __init__(
        self,
        *,
        model: str,
        send: Send,
        most_tokens: int,
        limits: Limits,
        price: Price | None,
        budget: Budget | None,
        structured: bool | None,
        secret: Sequence[str],
    ) -> None:
        if budget is not None and price is None:
            raise ValueError(
                f"there is a spending cap, and no price for the model `{model}`: name its price, "
                "which is 0 for a model of your own"
            )
        self.model = model
        self.send = send
        self.most_tokens = most_tokens
        self.limits = limits
        self.pace = Pace(limits)
        self.price = price
        self.budget = budget
        self.finds_out = structured is None
        self.structured = structured
        self.secret = secret

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask all questions, and hand on each reply as it comes; after an interrupt, no more of them."""
        run = Run(self.limits.gives_up_after)
        handing_on = threading.Lock()
        is_over = False

        def work(index: int) -> None:
            reply = self.reply(questions[index], run)
            with handing_on:
                # What was broken off has no reply: the same run again asks it.
                if not is_over and not (run.stopped.is_set() and isinstance(reply, NoAnswer)):
                    heard(index, reply)

        try:
            count = min(self.limits.concurrency, len(questions))
            in_threads(count, range(len(questions)), work, run.stopped)
        finally:
            run.stopped.set()
            with handing_on:
                is_over = True

    def reply(self, question: Question, run: Run) -> Reply:
        """Return what comes of one question: an answer, or why there is none."""
        calls: list[Call] = []
        refused = ""
        for _ in range(self.limits.readings):
            received = self.exchange(question, refused, calls, run)
            if isinstance(received, NoAnswer):
                return NoAnswer(received.why + _cost(calls), tuple(calls))
            if received.is_final:
                return NoAnswer(f"the reply {received.fault}{_cost(calls)}", tuple(calls))
            verdict = (
                NoVerdict(received.fault)
                if received.fault
                else read_verdict(received.text or "", question.type)
            )
            if not isinstance(verdict, NoVerdict):
                return Answer(verdict, imitations(question), tuple(calls))
            refused = verdict.why
            calls[-1] = _failed(calls[-1], f"the reply {refused}")
        count = "1 reply" if self.limits.readings == 1 else f"{self.limits.readings} replies"
        return NoAnswer(f"no verdict in {count}: the last {refused}{_cost(calls)}", tuple(calls))

    def exchange(
        self, question: Question, refused: str, calls: list[Call], run: Run
    ) -> Received | NoAnswer:
        """Send a question until a reply comes, each time with marks of its own, and add what was sent to `calls`."""
        tries = 0
        plainly = False
        while True:
            if run.stopped.is_set():
                return NoAnswer("it was broken off")
            if run.given_up:
                return NoAnswer(f"{'asked no more' if calls else 'not asked'}: {run.given_up}")
            structured = self.structured is not False and not plainly
            sent = self.once(_message(question, refused), structured, calls, run)
            if isinstance(sent, Received):
                if self.structured is None:
                    self.structured = structured
                run.went_well()
                return sent
            if isinstance(sent, NoAnswer):
                return sent
            if sent.kind == "refused" and structured and self.finds_out:
                # Servers say in many ways that they know no schema: the message without one tells.
                plainly = True
                continue
            tries += 1
            if sent.kind == "passing" and tries < self.limits.tries:
                if sent.wait is None:
                    run.stopped.wait(_pause(tries))
                    continue
                if sent.wait <= self.limits.longest_wait:
                    self.pace.pause(sent.wait)
                    continue
                sent.why += f"; it asks for a pause of {sent.wait:.0f} seconds"
            match sent.kind:
                case "passing":
                    run.went_badly(sent.why)
                case "barred":
                    run.give_up(sent.why)
                case "refused":
                    run.went_well()  # the server works; it is this message that does not
            return NoAnswer(sent.why + (f", {tries} times" if tries > 1 else ""))

    def once(
        self, asked: Message, structured: bool, calls: list[Call], run: Run
    ) -> Received | Lost | NoAnswer:
        """Send a message once, in its turn and where it can be paid for."""
        size = len(asked.text.encode()) + (len(json.dumps(asked.schema)) if structured else 0)
        most = self.price.of(size + WRAPPING, self.most_tokens) if self.price else Fraction(0)
        if self.budget is not None and not self.budget.fits(most):
            return NoAnswer(_no_money(self.budget, most))
        turn = self.pace.begin(size // SIGNS_A_TOKEN + self.most_tokens, run.stopped)
        if turn is None:
            return NoAnswer("it was broken off")
        held = self.budget.hold(most, run.stopped) if self.budget is not None else None
        if self.budget is not None and held is None:
            self.pace.end(turn, 0)
            return NoAnswer(_no_money(self.budget, most))
        started, begun = time.time(), time.monotonic()
        tokens: tuple[int | None, int | None] = (None, None)
        cost: Fraction | None = None
        received: Received | Lost
        try:
            received = self.told(self.send(asked, structured))
            tokens = received.input_tokens, received.output_tokens
            if self.price is not None and tokens[0] is not None and tokens[1] is not None:
                cost = self.price.of(tokens[0], tokens[1])
        except Lost as lost:
            lost.why = without(self.secret, lost.why)
            received = lost
            if not lost.may_cost:
                tokens, cost = (0, 0), Fraction(0)
        finally:
            if self.budget is not None and held is not None:
                self.budget.settle(held, cost)
        took = None if None in tokens else sum(each or 0 for each in tokens)
        self.pace.end(turn, took)
        calls.append(self._call(asked, received, cost, time.monotonic() - begun, started))
        return received

    def told(self, received: Received) -> Received:
        """Return a reply without the secrets that stand in it."""
        return msgspec.structs.replace(
            received,
            text=None if received.text is None else without(self.secret, received.text),
            fault=without(self.secret, received.fault),
        )

    def _call(
        self,
        asked: Message,
        received: Received | Lost,
        cost: Fraction | None,
        seconds: float,
        started: float,
    ) -> Call:
        """What is kept of one request."""
        call = Call(
            model=self.model,
            prompt=asked.text,
            cost=cost if self.price is not None else None,
            seconds=seconds,
            started=started,
        )
        match received:
            case Lost():
                return _failed(call, received.why)
            case Received():
                return _changed(
                    call,
                    model=received.model or self.model,
                    reply=received.text,
                    error=f"the reply {received.fault}" if received.fault else None,
                    input_tokens=received.input_tokens,
                    output_tokens=received.output_tokens,
                )


class Run:
    """What the threads of one `ask` know of each other.

    Args:
        most_failures: questions in a row without any reply, after which no more is asked.
    """

    def __init__(self, most_failures: int) -> None:
        self.stopped = threading.Event()
        self.most_failures = most_failures
        self.failures = 0
        self.given_up = ""
        self.lock = threading.Lock()

    def went_well(self) -> None:
        """A reply came."""
        with self.lock:
            self.failures = 0

    def went_badly(self, why: str) -> None:
        """A question was left without a reply."""
        with self.lock:
            self.failures += 1
            if self.failures >= self.most_failures and not self.given_up:
                self.given_up = f"{self.failures} questions in a row got no reply: {why}"

    def give_up(self, why: str) -> None:
        """No question will ever get a reply."""
        with self.lock:
            self.given_up = self.given_up or why


def _message(question: Question, refused: str) -> Message:
    while True:
        try:
            return message(question, secrets.token_hex(6), refused)
        except BadNonce:  # one of 281 million million that stands in the evidence, by chance
            continue


def _pause(tries: int) -> float:
    """Seconds until the next try: twice as long each time, and not the same for all that wait."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (tries - 1)) * random.uniform(0.75, 1.25)


def _failed(call: Call, why: str) -> Call:
    return _changed(call, error=why)


def _changed(call: Call, **changes: object) -> Call:
    return msgspec.structs.replace(call, **changes)


def _cost(calls: Sequence[Call]) -> str:
    """What calls that came to nothing have cost, for a message."""
    costs = [call.cost for call in calls if call.cost is not None]
    return f"; {show_number(sum(costs, Fraction(0)))} was spent on it" if any(costs) else ""


def _no_money(budget: Budget, most: Fraction) -> str:
    return (
        f"not asked, for the spending cap: {budget.said}, and the question can cost {show_number(most)}; "
        "raise the cap, and what is answered stays answered"
    )
