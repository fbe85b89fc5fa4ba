"""Many things done at once, by threads that stop cleanly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")

GRACE = 5.0
"""Seconds that what is under way may take after an interrupt: it is paid for already."""


def in_threads(
    count: int, tasks: Iterable[T], work: Callable[[T], None], stopped: threading.Event
) -> None:
    """Do `work` on each task, `count` of them at once.

    An interrupt sets `stopped`, gives what is under way GRACE seconds, and goes on to the caller; a second one does so
    at once. An exception of `work` stops the others likewise, and is raised here.

    Args:
        count: threads, at least 1.
        tasks: taken one by one, as threads are free.
        work: called from any of the threads.
        stopped: no task is begun once it is set.
    """
    left = iter(tasks)
    taking = threading.Lock()
    raised: list[BaseException] = []
    working = set(range(count))
    all_done = threading.Event()

    def run(number: int) -> None:
        try:
            while not stopped.is_set():
                with taking:
                    task = next(left, None)
                if task is None:
                    return
                work(task)
        except BaseException as error:
            raised.append(error)
            stopped.set()
        finally:
            with taking:
                working.discard(number)
                if not working:
                    all_done.set()

    # Daemons, so that a request that hangs keeps no process alive. They tell themselves when they are done: some
    # versions of Python take a thread for ended whose `join` was interrupted (bpo-45274).
    for number in range(count):
        threading.Thread(target=run, args=(number,), daemon=True).start()
    try:
        while working and not all_done.wait(
            0.5
        ):  # a wait without end cannot be interrupted everywhere
            pass
    except BaseException:
        stopped.set()
        all_done.wait(GRACE)
        raise
    if raised:
        raise raised[0]
