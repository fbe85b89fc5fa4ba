"""What judges may spend, exactly."""

from __future__ import annotations

import threading
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

import msgspec

from rulesengine.evidence.numbers import exact
from rulesengine.struct import Struct
from rulesengine.values import show_number

Amount: TypeAlias = Fraction | Decimal | int | float | str
MILLION = 10**6


def amount(given: Amount) -> Fraction:
    """Return an amount of money, exactly as it is written: `0.15` is fifteen hundredths.

    Raises:
        ValueError: it is no amount, or below 0.
    """
    number = Fraction(given) if isinstance(given, str) else exact(given)
    if number is None or number < 0:
        raise ValueError(f"`{given}` is no amount of money")
    return number


class Price(Struct, frozen=True):
    """What a model costs, for a million tokens each."""

    input: Fraction
    output: Fraction

    def of(self, input_tokens: int, output_tokens: int) -> Fraction:
        """Return the cost of a call."""
        return (self.input * input_tokens + self.output * output_tokens) / MILLION


def price(input: Amount, output: Amount) -> Price:  # noqa: A002  # the words of every price list
    """Return a price for a million tokens of prompts, and of replies.

    Raises:
        ValueError: one of them is no amount.
    """
    return Price(amount(input), amount(output))


class Held(msgspec.Struct, eq=False):
    """What is set aside for a call under way: the most that it can cost."""

    most: Fraction


class Budget:
    """A cap on what is spent, shared by all judges that are given it, from whatever threads they ask.

    A call is begun only where the most that it can cost still fits. So the cap is never passed, whatever the replies
    turn out to be.

    Args:
        cap: the most to spend, in the currency of the prices.

    Attributes:
        spent: what calls have cost.
        unsure: the most that calls can have cost of which nobody said it, such as those that were cut off. It counts
            towards the cap.
    """

    def __init__(self, cap: Amount) -> None:
        self.cap = amount(cap)
        self.spent = Fraction(0)
        self.unsure = Fraction(0)
        self._held: list[Held] = []
        self._changed = threading.Condition()

    def fits(self, most: Fraction) -> bool:
        """Tell whether a call that can cost so much may still be begun, once those under way cost nothing."""
        with self._changed:
            return self.spent + self.unsure + most <= self.cap

    def hold(self, most: Fraction, stopped: threading.Event) -> Held | None:
        """Set aside the most that a call can cost; None where it can no longer fit, or all was stopped.

        Where it may fit once calls under way turn out cheaper than feared, this waits for them: what is refused does
        not depend on how many are asked at once.
        """
        with self._changed:
            while not stopped.is_set():
                gone = self.spent + self.unsure + most
                if gone > self.cap:
                    return None
                if gone + sum(held.most for held in self._held) <= self.cap:
                    held = Held(most)
                    self._held.append(held)
                    return held
                self._changed.wait(0.2)
        return None

    def settle(self, held: Held, cost: Fraction | None) -> None:
        """Count what a call has cost; None where nobody says."""
        with self._changed:
            self._held = [each for each in self._held if each is not held]
            if cost is None:
                self.unsure += held.most
            else:
                self.spent += cost
            self._changed.notify_all()

    @property
    def said(self) -> str:
        """What a message says of it."""
        unsure = f", and up to {show_number(self.unsure)} nobody can tell" if self.unsure else ""
        return f"of a cap of {show_number(self.cap)}, {show_number(self.spent)} is spent{unsure}"
