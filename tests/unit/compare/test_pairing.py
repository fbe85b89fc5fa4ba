"""Pairs of highest total credit: exact, whatever the order, by either method."""

from fractions import Fraction
from itertools import permutations

import pytest

from rulesengine.compare.pairing import TooManyItems, Worth, grouped, pairs

Table = list[list[str]]


def paired(table: Table, *, small: int = 250_000) -> list[tuple[int, int]]:
    """Return the pairs of a table of credits as texts; `-` is no pair. Contents are positions."""
    worths: dict[Worth, int] = {}
    grid = [
        [
            -1 if cell == "-" else worths.setdefault(Worth(Fraction(cell)), len(worths))
            for cell in row
        ]
        for row in table
    ]
    left = grouped([(i, f"l{i}") for i in range(len(table))])
    right = grouped([(j, f"r{j}") for j in range(len(table[0]))])
    found = pairs(left, right, grid, list(worths), small=small)
    assert not isinstance(found, TooManyItems)
    return found


def total(table: Table, found: list[tuple[int, int]]) -> Fraction:
    """Return the credit of some pairs of a table."""
    return sum((Fraction(table[i][j]) for i, j in found), Fraction(0))


def best(table: Table) -> Fraction:
    """Return the highest credit, by trying every assignment."""
    width = max(len(table), len(table[0]))
    wide = [[*row, *["-"] * (width - len(row))] for row in table]
    wide += [["-"] * width] * (width - len(table))
    return max(
        sum((Fraction(wide[i][j]) for i, j in enumerate(order) if wide[i][j] != "-"), Fraction(0))
        for order in permutations(range(width))
    )


TABLES: list[Table] = [
    [["1"]],
    [["-"]],
    [["9/10", "8/10"], ["8/10", "1/2"]],  # taking the best pair first loses
    [["1", "1"], ["1", "-"]],
    [["1/3", "2/3", "-"], ["2/3", "1/3", "1/2"]],
    [["1/3", "2/3"], ["2/3", "1/3"], ["1", "1"], ["1/7", "-"]],
    [["1/2", "1/2", "1"], ["1", "-", "1/2"], ["-", "1/2", "-"]],
    # a sum of three tenths against three tenths at once: doubles call the first greater
    [["1/10", "3/10", "-"], ["-", "1/10", "-"], ["-", "-", "1/10"]],
]


@pytest.mark.parametrize("small", [0, 250_000], ids=["scipy", "by hand"])
@pytest.mark.parametrize("table", TABLES)
def test_the_total_credit_is_the_highest(table: Table, small: int) -> None:
    """No other assignment has more."""
    found = paired(table, small=small)

    assert best(table) == total(table, found)
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)


@pytest.mark.parametrize("table", TABLES)
def test_both_methods_choose_the_same(table: Table) -> None:
    """How long a list is does not change what belongs together."""
    assert paired(table) == paired(table, small=0)


def test_the_least_difference_counts() -> None:
    """A credit that is greater by less than a double can tell is still greater."""
    little = Fraction(1, 10**30)
    worths = [Worth(Fraction(1, 2)), Worth(Fraction(1, 2) + little)]
    left, right = grouped([(0, "a"), (1, "b")]), grouped([(0, "c"), (1, "d")])

    found = [
        pairs(left, right, grid, worths, small=0) for grid in ([[0, 1], [0, 0]], [[1, 0], [0, 0]])
    ]

    assert found == [[(0, 1), (1, 0)], [(0, 0), (1, 1)]]


@pytest.mark.parametrize("small", [0, 250_000], ids=["scipy", "by hand"])
def test_ties_go_by_identifying_credit_and_then_by_leaves(small: int) -> None:
    """Equal credits are decided by what identifies items, and then by how many leaves agree."""
    left, right = grouped([(0, "a"), (1, "b")]), grouped([(0, "c"), (1, "d")])
    same = Worth(Fraction(1, 2), Fraction(0), Fraction(1))
    named = Worth(Fraction(1, 2), Fraction(1), Fraction(1))
    many = Worth(Fraction(1, 2), Fraction(0), Fraction(5))

    found = [
        pairs(left, right, [[0, 1], [0, 0]], [same, better], small=small)
        for better in (named, many)
    ]
    against = pairs(left, right, [[0, 1], [0, 2]], [same, named, many], small=small)

    assert found == [[(0, 1), (1, 0)]] * 2
    assert against == [(0, 1), (1, 0)]


@pytest.mark.parametrize("small", [0, 250_000], ids=["scipy", "by hand"])
def test_of_equal_items_as_many_are_paired_as_there_are(small: int) -> None:
    """Three of one and two of the other make two pairs."""
    left = grouped([(0, "a"), (1, "b"), (2, "a"), (3, "a")])
    right = grouped([(0, "a"), (1, "a"), (2, "b")])
    worths = [Worth(Fraction(1)), Worth(Fraction(1, 2))]

    found = pairs(left, right, [[0, 1], [1, 0]], worths, small=small)

    assert found == [(0, 0), (1, 2), (2, 1)]


def test_what_cannot_be_paired_exactly_is_told() -> None:
    """Hundreds of items whose credits no double can hold are an error value, not a guess."""
    size = 400
    left = grouped([(i, f"l{i:03}") for i in range(size)])
    right = grouped([(i, f"r{i:03}") for i in range(size)])
    worths = [Worth(Fraction(1, prime**9)) for prime in (101, 103, 107)]
    grid = [[(i * j) % 3 for j in range(size)] for i in range(size)]

    found = pairs(left, right, grid, worths)

    assert isinstance(found, TooManyItems)


def test_more_pairs_than_memory_is_for_are_told() -> None:
    """Items that all may be paired with all others, by the thousand, are an error value."""
    size = 2_300
    left = [*grouped([(i, "a") for i in range(size)]), *grouped([(size, "b")])]
    right = grouped([(i, "c") for i in range(size)])

    found = pairs(left, right, [[0], [0]], [Worth(Fraction(1))])

    assert isinstance(found, TooManyItems)
