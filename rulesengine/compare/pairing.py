"""Which items of two lists belong together: the pairs of highest total credit, exactly.

Lists are sets here, so no order of theirs may show in the result. Four sums decide, each only where
those before it are equal: the credits of the pairs, their identifying credits, the credits of their
leaves, and numbers drawn from a digest of the two contents. The last leaves practically one
assignment; pairs that it cannot tell apart either have equal contents or are taken in the order of
the contents, the lesser list first, so that swapping the lists changes nothing.

Items fall apart into groups between which there is no pair; each group is solved by itself, which
also keeps what is in one from touching another. A small group is solved here in whole numbers of any
size, by the Hungarian method with potentials [Kuhn 1955; Munkres 1957]: most lists are short, and
loading arrays takes longer than pairing them. A large group goes to scipy's `linear_sum_assignment`,
which counts in doubles. So it gets whole numbers, one sum at a time, small enough that doubles are
exact (below 2^53). Between two sums only what is still open is kept: by linear programming duality
an assignment is optimal if and only if it uses only pairs whose value is the sum of the prices of
their two items, and uses every item that has a price. Those prices are worked out from scipy's
solution, and the next sum is maximised over the pairs that are left.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulesengine.errors import InternalError
from rulesengine.struct import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Mask = NDArray[np.bool_]

# Steps of the method in plain Python, in its worst case; about a tenth of a second.
SMALL = 250_000
# The same where numbers are too long for doubles: some ten seconds.
MOST_STEPS = 30_000_000
# Possible pairs of a group: 2,000 by 2,000 items and some more.
MOST_PAIRS = 5_000_000
_EXACT = 2**53
_DIGEST_BITS = 28


class Worth(Struct, frozen=True):
    """What speaks for a pair, in the order in which it counts; none is negative."""

    credit: Fraction
    identifying: Fraction = Fraction(0)
    leaves: Fraction = Fraction(0)


class Group(Struct, frozen=True):
    """Items of equal content: where they stand in their list."""

    content: str
    positions: tuple[int, ...]


class TooManyItems(Struct, frozen=True):
    """Why items were not paired."""

    message: str


def grouped(contents: Sequence[tuple[int, str]]) -> list[Group]:
    """Return items, given as position and content, by content in its order."""
    positions: dict[str, list[int]] = {}
    for position, content in contents:
        positions.setdefault(content, []).append(position)
    return [Group(content, tuple(positions[content])) for content in sorted(positions)]


def pairs(
    left: Sequence[Group],
    right: Sequence[Group],
    grid: Sequence[Sequence[int]],
    worths: Sequence[Worth],
    *,
    small: int = SMALL,
) -> list[tuple[int, int]] | TooManyItems:
    """Return the pairs of highest worth, as positions, in the order of the left ones.

    Args:
        left: the items of one list, in the order of their contents.
        right: those of the other.
        grid: for each left group and each right one the number of a worth, or -1 where the two
            may not be paired.
        worths: what the numbers stand for; each credit is above 0.
        small: up to how many steps a group is solved without scipy.
    """
    found: list[tuple[int, int]] = []
    for lefts, rights in _components(grid, len(right)):
        one, other = [left[i] for i in lefts], [right[j] for j in rights]
        part = [[grid[i][j] for j in rights] for i in lefts]
        swapped = _contents(one) > _contents(other)
        if swapped:
            one, other, part = other, one, [list(column) for column in zip(*part, strict=True)]
        solved = _solve(one, other, part, worths, small)
        if isinstance(solved, TooManyItems):
            return solved
        found.extend((j, i) if swapped else (i, j) for i, j in solved)
    return sorted(found)


def _contents(groups: Sequence[Group]) -> list[tuple[str, int]]:
    return [(group.content, len(group.positions)) for group in groups]


def _components(grid: Sequence[Sequence[int]], width: int) -> list[tuple[list[int], list[int]]]:
    """Return the groups that hang together by pairs, as left and right numbers; no lone ones."""
    owner = list(range(len(grid) + width))

    def find(item: int) -> int:
        while owner[item] != item:
            owner[item] = owner[owner[item]]
            item = owner[item]
        return item

    for i, row in enumerate(grid):
        for j, worth in enumerate(row):
            if worth >= 0:
                one, other = find(i), find(len(grid) + j)
                if one != other:
                    owner[max(one, other)] = min(one, other)
    members: dict[int, tuple[list[int], list[int]]] = {}
    for item in range(len(owner)):
        lefts, rights = members.setdefault(find(item), ([], []))
        if item < len(grid):
            lefts.append(item)
        else:
            rights.append(item - len(grid))
    return [(lefts, rights) for lefts, rights in members.values() if lefts and rights]


def _solve(
    left: Sequence[Group],
    right: Sequence[Group],
    grid: Sequence[Sequence[int]],
    worths: Sequence[Worth],
    small: int,
) -> list[tuple[int, int]] | TooManyItems:
    sizes = (sum(len(each.positions) for each in left), sum(len(each.positions) for each in right))
    if len(left) == len(right) == 1:  # whichever of them are paired, nothing else comes out
        return list(zip(left[0].positions, right[0].positions, strict=False))
    if sizes[0] * sizes[1] > MOST_PAIRS:
        return TooManyItems(f"lists of {sizes[0]} and {sizes[1]} items are too long to be paired")
    steps = min(sizes) ** 2 * max(sizes)
    used = sorted({number for row in grid for number in row if number >= 0})
    sums = _whole_numbers([worths[number] for number in used])
    index = {number: at for at, number in enumerate(used)}
    part = [[index.get(number, -1) for number in row] for row in grid]
    digests = [_digest(each.content) for each in left], [_digest(each.content) for each in right]
    if steps > small:
        solved = _by_scipy(left, right, part, sums, digests)
        if solved is not None:
            return solved
        if steps > MOST_STEPS:
            return TooManyItems(
                f"lists of {sizes[0]} and {sizes[1]} items whose credits are fractions too fine to "
                "be compared exactly"
            )
    return _by_hand(left, right, part, sums, digests)


def _whole_numbers(worths: Sequence[Worth]) -> list[list[int]]:
    """Return the credits, identifying credits and leaf credits, each scaled to whole numbers."""
    return [
        _scaled([worth.credit for worth in worths]),
        _scaled([worth.identifying for worth in worths]),
        _scaled([worth.leaves for worth in worths]),
    ]


def _scaled(numbers: Sequence[Fraction]) -> list[int]:
    factor = math.lcm(*(number.denominator for number in numbers))
    whole = [number.numerator * (factor // number.denominator) for number in numbers]
    divisor = math.gcd(*whole) or 1
    return [number // divisor for number in whole]


def _digest(content: str) -> int:
    return int.from_bytes(hashlib.sha256(content.encode()).digest()[:8], "big")


# An odd number whose bits look like chance: 2^64 over the golden ratio.
_SPREAD = 0x9E3779B97F4A7C15


def _draw(one: int, other: int) -> int:
    """Return the number of a pair, from 1 to 2^28, the same for both of its orders."""
    return (((one ^ other) * _SPREAD & 0xFFFFFFFFFFFFFFFF) >> (64 - _DIGEST_BITS)) + 1


def _by_hand(
    left: Sequence[Group],
    right: Sequence[Group],
    grid: Sequence[Sequence[int]],
    sums: Sequence[Sequence[int]],
    digests: tuple[list[int], list[int]],
) -> list[tuple[int, int]]:
    """Solve one group in whole numbers; the four sums are digits of one number."""
    rows = [(at, position) for at, group in enumerate(left) for position in group.positions]
    columns = [(at, position) for at, group in enumerate(right) for position in group.positions]
    most = min(len(rows), len(columns))
    worths = [0] * len(sums[0])
    for numbers in sums:
        base = most * max(numbers) + 1
        worths = [worth * base + number for worth, number in zip(worths, numbers, strict=True)]
    base = most * (2**_DIGEST_BITS) + 1
    values = [
        [
            0 if at < 0 else worths[at] * base + _draw(digests[0][i], digests[1][j])
            for j, at in enumerate(row)
        ]
        for i, row in enumerate(grid)
    ]
    turned = len(rows) > len(columns)
    if turned:
        values = [list(column) for column in zip(*values, strict=True)]
        rows, columns = columns, rows
    matrix = [[values[i][j] for j, _ in columns] for i, _ in rows]
    found = []
    for row, column in enumerate(_hungarian(matrix)):
        if matrix[row][column] > 0:
            one, other = rows[row][1], columns[column][1]
            found.append((other, one) if turned else (one, other))
    return found


def _hungarian(matrix: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row its column in an assignment of greatest sum; no more rows than columns.

    Rows are added one by one along the cheapest way to a free column; `row_price` and
    `column_price` keep every value minus its two prices from being positive.
    """
    width = len(matrix[0])
    row_price = [max(row) for row in matrix]
    column_price = [0] * width
    row_of: list[int] = [-1] * width
    for start in range(len(matrix)):
        slack: list[int | None] = [None] * width
        came_from = [-1] * width
        done = [False] * width
        visited: list[int] = []
        row, column = start, -1
        while True:
            best: int | None = None
            best_column = -1
            values, price = matrix[row], row_price[row]
            for j in range(width):
                if done[j]:
                    continue
                gap = price + column_price[j] - values[j]
                known = slack[j]
                if known is None or gap < known:
                    slack[j] = known = gap
                    came_from[j] = column
                if best is None or known < best:
                    best, best_column = known, j
            if best is None:
                raise InternalError("no column is left for a row")
            row_price[start] -= best
            for j in visited:
                column_price[j] += best
                row_price[row_of[j]] -= best
            for j in range(width):
                rest = slack[j]
                if not done[j] and rest is not None:
                    slack[j] = rest - best
            column = best_column
            done[column] = True
            visited.append(column)
            if row_of[column] < 0:
                break
            row = row_of[column]
        while column >= 0:
            previous = came_from[column]
            row_of[column] = row_of[previous] if previous >= 0 else start
            column = previous
    assigned = [-1] * len(matrix)
    for j, row in enumerate(row_of):
        if row >= 0:
            assigned[row] = j
    return assigned


def _by_scipy(
    left: Sequence[Group],
    right: Sequence[Group],
    grid: Sequence[Sequence[int]],
    sums: Sequence[Sequence[int]],
    digests: tuple[list[int], list[int]],
) -> list[tuple[int, int]] | None:
    """Solve one group sum by sum; None where a double cannot hold the numbers exactly."""
    import numpy as np

    row_group = np.repeat(np.arange(len(left)), [len(each.positions) for each in left])
    column_group = np.repeat(np.arange(len(right)), [len(each.positions) for each in right])
    spread = np.ix_(row_group, column_group)
    numbers = np.array(grid, dtype=np.int64)
    allowed: Mask = (numbers >= 0)[spread]
    must: tuple[Mask, Mask] = (np.zeros(len(row_group), bool), np.zeros(len(column_group), bool))
    mixed = np.bitwise_xor.outer(
        np.array(digests[0], dtype=np.uint64), np.array(digests[1], dtype=np.uint64)
    ) * np.uint64(_SPREAD)
    drawn: Whole = (mixed >> np.uint64(64 - _DIGEST_BITS)).astype(np.int64) + 1
    for values in sums:
        if max(values) >= _EXACT:
            return None
        if not any(values):
            continue
        weights = _weights(np.array(values, dtype=np.int64)[numbers][spread], allowed, must)
        if weights is None:
            return None
        row_price, column_price = _prices(weights, *_best(weights))
        allowed &= row_price[:, None] + column_price[None, :] == weights
        must = row_price > 0, column_price > 0
    weights = _weights(drawn[spread], allowed, must)
    if weights is None:
        return None
    one = [position for each in left for position in each.positions]
    other = [position for each in right for position in each.positions]
    return [(one[i], other[j]) for i, j in zip(*_best(weights), strict=True)]


def _weights(values: Whole, allowed: Mask, must: tuple[Mask, Mask]) -> Whole | None:
    """Return what each pair counts for the solver, 0 for none; None where doubles are too short.

    Args:
        values: what each pair counts, not negative.
        allowed: the pairs that may be used.
        must: the rows and the columns that have to be used; it is known that they can.
    """
    import numpy as np

    size, most = min(values.shape), int(values.max(initial=0))
    # Large enough that no sum of values outweighs one item that has to be used.
    reward = size * most + 1 if must[0].any() or must[1].any() else 0
    if 2 * size * (most + 2 * reward) >= _EXACT:
        return None
    wanted = must[0].astype(np.int64)[:, None] + must[1].astype(np.int64)[None, :]
    weights: Whole = np.where(allowed, values + reward * wanted, 0)
    return weights


def _best(weights: Whole) -> tuple[Any, Any]:
    """Return the rows and columns of the pairs of an assignment of greatest sum, those worth 0 left out."""
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    rows, columns = linear_sum_assignment(weights, maximize=True)
    used = weights[rows, columns] > 0
    return rows[used], columns[used]


def _prices(weights: Whole, rows: Any, columns: Any) -> tuple[Whole, Whole]:
    """Return prices that prove an assignment to be of greatest sum.

    No pair is worth more than the prices of its two items, a used pair is worth just that, and an
    unused item has the price 0. The least such prices of the columns are a fixed point.
    """
    import numpy as np

    free = np.ones(weights.shape[0], bool)
    free[rows] = False
    column_price: Whole = weights[free].max(axis=0, initial=0)
    taken, worth = weights[rows], weights[rows, columns]
    for _ in range(weights.shape[1] + 1):
        offered = (taken + (column_price[columns] - worth)[:, None]).max(axis=0, initial=0)
        raised = np.maximum(column_price, offered)
        if (raised == column_price).all():
            break
        column_price = raised
    else:
        raise InternalError("an assignment is not of greatest sum")
    row_price = np.zeros(weights.shape[0], np.int64)
    row_price[rows] = worth - column_price[columns]
    unused = np.ones(weights.shape[1], bool)
    unused[columns] = False
    if (row_price < 0).any() or column_price[unused].any():
        raise InternalError("an assignment is not of greatest sum")
    return row_price, column_price
