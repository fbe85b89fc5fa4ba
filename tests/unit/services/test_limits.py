"""Pace, budget and threads: what is kept to, by a clock of the test's own where one is needed."""

import threading
import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.services.budget import Budget, price
from rulesengine.services.exchange import retry_after, status_lost
from rulesengine.services.limits import Allowance, Limits, Pace
from rulesengine.services.workers import in_threads

# Eighths of a second, which floats add without rounding.
AMOUNTS = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 240).map(lambda n: n / 8)))


@given(st.integers(1, 10), AMOUNTS)
def test_no_minute_holds_more_than_is_allowed(most: int, asked: list[tuple[int, float]]) -> None:
    """Waiting as long as is said, and no longer, all that any minute holds is allowed."""
    allowance = Allowance(most)
    now = 0.0
    taken: list[tuple[float, int]] = []

    def within(end: float) -> int:
        return sum(amount for at, amount in taken if end - 60 < at <= end)

    for given_amount, later in asked:
        amount = min(given_amount, most)
        now += later
        wait = allowance.wait_for(amount, now)
        assert wait == 0 or within(now + wait - 1 / 8) + amount > most
        now += wait
        allowance.take(amount, now)
        taken.append((now, amount))
        assert within(now) <= most


def test_what_is_too_large_by_itself_stands_alone() -> None:
    """A request of more tokens than a minute has is sent once the minute before it is empty."""
    allowance = Allowance(10)

    assert allowance.wait_for(25, 0.0) == 0
    allowance.take(25, 0.0)
    assert allowance.wait_for(1, 1.0) == 59.0
    assert allowance.wait_for(25, 60.0) == 0


def test_what_was_taken_is_corrected() -> None:
    """An estimate gives way to the count; one that is past its minute changes nothing."""
    allowance = Allowance(100)
    early = allowance.take(90, 0.0)
    allowance.correct(early, 10)

    assert allowance.wait_for(90, 1.0) == 0
    assert allowance.wait_for(91, 1.0) == 59.0
    assert allowance.wait_for(100, 60.0) == 0
    allowance.correct(early, 1000)
    assert allowance.wait_for(100, 60.0) == 0


def test_a_pause_holds_for_everybody() -> None:
    """After a server asked for a pause, nobody begins until it is over; what is stopped meanwhile begins never."""
    pace = Pace(Limits(), clock=time.monotonic)
    pace.pause(0.2)
    stopped = threading.Event()
    before = time.monotonic()

    assert pace.begin(1, stopped) is not None
    assert time.monotonic() - before >= 0.19
    stopped.set()
    assert pace.begin(1, stopped) is None


@pytest.mark.parametrize(
    "limits",
    [
        {"concurrency": 0},
        {"tries": 0},
        {"readings": 0},
        {"requests_per_minute": 0},
        {"tokens_per_minute": -1},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"longest_wait": -1},
    ],
)
def test_limits_that_let_nothing_through_are_refused(limits: dict[str, Any]) -> None:
    """A limit below what one request takes is told at once."""
    with pytest.raises(ValueError, match="is"):
        Limits(**limits)


def test_costs_are_exact() -> None:
    """A cost is a rational number: ten million calls of a tenth of a cent are ten thousand."""
    rate = price("0.15", 0.6)

    assert rate.of(1, 0) == Fraction(15, 100_000_000)
    assert rate.of(1_000_000, 500_000) == Fraction(45, 100)


@pytest.mark.parametrize("given", ["-1", "nan", "a lot", float("inf"), -0.5, True, None])
def test_what_is_no_amount_is_refused(given: Any) -> None:
    """A cap or a price is a number, 0 or more."""
    with pytest.raises(ValueError, match=r"amount|Fraction"):
        Budget(given)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=30), st.integers(0, 40))
def test_a_cap_is_never_passed(calls: list[tuple[int, int]], cap: int) -> None:
    """Whatever calls turn out to cost, up to the most that they can, the sum stays within the cap."""
    budget = Budget(cap)
    stopped = threading.Event()

    for most, cost in calls:
        held = budget.hold(Fraction(most), stopped)
        assert (held is not None) == (budget.spent + budget.unsure + most <= cap)
        if held is not None:
            budget.settle(held, None if cost == 9 else Fraction(min(cost, most)))

    assert budget.spent + budget.unsure <= cap


def test_a_call_waits_for_those_under_way() -> None:
    """What may still fit waits until it is known; so a cap does not stop earlier where many are asked at once."""
    budget = Budget(10)
    stopped = threading.Event()
    first = budget.hold(Fraction(8), stopped)
    assert first is not None
    threading.Timer(0.1, budget.settle, (first, Fraction(1))).start()

    assert budget.hold(Fraction(8), stopped) is not None
    assert budget.hold(Fraction(10), stopped) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:02:00 GMT"}, 20.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
    ],
)
def test_how_long_a_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds and dates are read; what cannot be read is as if nothing was said."""
    assert seconds == retry_after(headers, 100.0)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *((status, "passing") for status in (408, 409, 429, 500, 503, 529)),
        *((status, "refused") for status in (400, 413, 422)),
        *((status, "barred") for status in (401, 402, 403, 404)),
    ],
)
def test_what_a_status_means(status: int, kind: str) -> None:
    """Another try, another message, or nothing may help."""
    lost = status_lost(status, {"error": {"message": "why\nso"}}, {}, 0.0)

    assert (lost.kind, lost.why) == (kind, f"the server said {status}: why so")


def test_threads_stop_at_the_first_exception() -> None:
    """What one task raises is raised to the caller, and no more are begun."""
    stopped = threading.Event()
    done: list[int] = []

    def work(task: int) -> None:
        if task == 3:
            raise OSError("full")
        done.append(task)
        time.sleep(0.01)

    with pytest.raises(OSError, match="full"):
        in_threads(2, range(1000), work, stopped)
    assert len(done) < 10
