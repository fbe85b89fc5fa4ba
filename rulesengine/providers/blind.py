"""A judge that does not see which of two sides came first.

Judges favour what they read first, or last. So the two values of a blind question are shown in an order that neither
the rubric nor the evidence chose: it is drawn from a hash of the question, the same on every machine. It is drawn from
the two values whichever way round they were asked about, so that `better(x, y)` and `better(y, x)` are one question to
the judge, and their answers always fit each other.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence

import msgspec

from rulesengine.providers.protocols import (
    Answer,
    Heard,
    Judge,
    NoAnswer,
    Question,
    Reply,
    Undecided,
)
from rulesengine.providers.recorded import as_text
from rulesengine.struct import Struct


class Blind:
    """Asks a judge the questions of a rubric, their blind sides in an order that is drawn, or in both.

    The judge is asked plain questions: `blind`, `mirrored`, `both_orders` and `panel` are left out of them.

    Args:
        judge: who is asked.
    """

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.name = f"blind {judge.name}"

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask each plain question once, and turn the answers back."""
        plans = [orders(question) for question in questions]
        users: dict[Question, list[int]] = {}
        for index, plan in enumerate(plans):
            for order in plan:
                users.setdefault(order.plain, []).append(index)
        plain = list(users)
        replies: dict[Question, Reply] = {}
        missing = [len({order.plain for order in plan}) for plan in plans]
        lock = threading.Lock()  # a judge may answer from several threads

        def hear(place: int, reply: Reply) -> None:
            with lock:
                if plain[place] in replies:
                    return
                replies[plain[place]] = reply
                complete = []
                for index in dict.fromkeys(users[plain[place]]):
                    missing[index] -= 1
                    if missing[index] == 0:
                        complete.append(index)
            for index in complete:
                heard(
                    index, joined([turned(replies[order.plain], order) for order in plans[index]])
                )

        self.judge.ask(plain, hear)


class Order(Struct, frozen=True):
    """A plain question, and how its options are turned back where its sides were exchanged."""

    plain: Question
    back: tuple[tuple[str, str], ...] = ()


def orders(question: Question) -> tuple[Order, ...]:
    """Return the plain questions that are asked in place of one: one, or one for each order."""
    plain = msgspec.structs.replace(question, blind=(), mirrored=(), both_orders=False, panel=None)
    if len(question.blind) != 2:
        return (Order(plain),)
    one, other = question.blind
    values = dict(plain.inputs)
    exchange = {one: values[other], other: values[one]}
    exchanged = Order(
        msgspec.structs.replace(
            plain, inputs=tuple((name, exchange.get(name, text)) for name, text in plain.inputs)
        ),
        question.mirrored + tuple((b, a) for a, b in question.mirrored),
    )
    as_asked = Order(plain)
    if question.both_orders:
        return (as_asked, exchanged)
    rest = [each for each in plain.inputs if each[0] not in question.blind]
    # Each value's hash is one of the whole pair: a text that stands in many pairs is not first in all of them.
    pair = [plain.template, rest, plain.given, sorted(exchange.values())]
    first, second = (_drawn([*pair, values[name]]) for name in question.blind)
    return (as_asked,) if first <= second else (exchanged,)


def _drawn(content: object) -> bytes:
    return hashlib.sha256(json.dumps(content).encode()).digest()


def turned(reply: Reply, order: Order) -> Reply:
    """Return a reply as the question meant it, before its sides were exchanged."""
    if not isinstance(reply, Answer) or not isinstance(reply.value, str):
        return reply
    value = dict(order.back).get(reply.value, reply.value)
    return msgspec.structs.replace(reply, value=value)


def joined(replies: Sequence[Reply]) -> Reply:
    """Return what comes of the replies in both orders: an answer where they agree.

    An order without an answer leaves the question without one; an order that is undecided, undecided.
    """
    if len(replies) == 1:
        return replies[0]
    # Both orders are one question where both sides hold the same; its calls are told once.
    calls = tuple({id(call): call for reply in replies for call in reply.calls}.values())
    for reply in replies:
        if isinstance(reply, NoAnswer):
            return NoAnswer(f"asked in one of both orders: {reply.why}", calls)
    for reply in replies:
        if isinstance(reply, Undecided):
            return Undecided(f"asked in one of both orders: {reply.why}", calls)
    answers = [reply for reply in replies if isinstance(reply, Answer)]
    said = [as_text(answer.value) for answer in answers]
    kinds = {type(answer.value) is bool for answer in answers}
    if len(set(said)) > 1 or len(kinds) > 1:
        return Undecided(f"asked in both orders, the judge said {said[0]} and {said[1]}", calls)
    notes = dict.fromkeys(answer.note for answer in answers if answer.note)
    return Answer(answers[0].value, "; ".join(notes), calls)
