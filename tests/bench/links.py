"""How fast `cited` reads ordinary answers: `python tests/bench/links.py`.

Prints megabytes a second, and the time as a multiple of two yardsticks taken in the same run: one
search for `://`, and `json.loads` of the same text.
"""

import json
import random
import timeit
from collections.abc import Callable

from rulesengine.links import cited

PAGE = "https://example.com/data/page/"
PROSE = "the table lists each value, with its unit; see *notes* for how (and when) it was taken."
WORDS = PROSE.split(" ")
LINKS = [
    "[source](https://example.org/a_(b))",
    "https://example.com/data/other.",
    "<https://example.net/>",
]


def answers(characters: int, between: int) -> str:
    """Return about that many characters of prose, with one link in each `between` of them."""
    draw = random.Random(0)
    parts: list[str] = []
    size = linked = 0
    while size < characters:
        due = size >= linked + between
        linked = size if due else linked
        parts.append(draw.choice(LINKS if due else WORDS))
        size += len(parts[-1]) + 1
    return " ".join(parts)


def seconds(run: Callable[[], object]) -> float:
    """Return the best of five runs."""
    return min(timeit.repeat(run, number=1, repeat=5))


def main() -> None:
    """Print one line for each density of links."""
    for between in (500, 2_000, 10_000):
        text = answers(4_000_000, between)
        written = json.dumps(text)
        cite = seconds(lambda text=text: cited(text, PAGE))  # type: ignore[misc]
        scan = seconds(lambda text=text: text.count("://"))  # type: ignore[misc]
        load = seconds(lambda written=written: json.loads(written))  # type: ignore[misc]
        print(
            f"a link in {between:6} characters: {len(text) / cite / 1e6:7.1f} MB/s, "
            f"{cite / scan:5.1f} x the scan, {cite / load:5.2f} x json.loads"
        )


if __name__ == "__main__":
    main()
