"""Results as rows of a table for spreadsheets: a header, then one row a subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from rulesengine.report.result import Place, Result
from rulesengine.values import Plain, show

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table_rows(results: Iterable[Result]) -> Iterator[list[str]]:
    """Yield the header and the rows. Points are decimals (`score_exact` has them as they are); none is an empty cell.

    A text that a spreadsheet would take for a formula gets a `'` in front.
    """
    results = list(results)
    if not results:
        return
    first = results[0]
    paths = list(dict.fromkeys(path for result in results for path in result.values))
    places = [f"{name}.{what}" for name in first.places for what in ("place", "kept")]
    begin = [*first.subject, "status", "score", "score_exact", "out_of", "rank"]
    end = ["records", "excluded", "why", "degraded"]
    # The rubric chose these names, and may have chosen one of ours, or one of them twice: `bands.status`.
    chosen = [("bands", list(first.bands)), ("values", paths), ("places", places)]
    taken = Counter([*begin, *end, *(name for _, names in chosen for name in names)])
    yield [
        *map(defused, begin),
        *(
            defused(name if taken[name] == 1 else f"{group}.{name}")
            for group, names in chosen
            for name in names
        ),
        *end,
    ]
    for result in results:
        because = (*result.errors, *result.unscored)
        yield [
            *(defused(show(value)) for value in result.subject.values()),
            result.status,
            "" if result.score is None else str(float(result.score)),
            "" if result.score is None else str(result.score),
            show(result.out_of),
            "" if result.rank is None else str(result.rank),
            *(defused(band or "") for band in result.bands.values()),
            *(_figure(result.values.get(path)) for path in paths),
            *(cell for place in result.places.values() for cell in _place(place)),
            str(result.records),
            str(len(result.excluded)),
            defused("; ".join(f"{each.path}: {each.reason}".lstrip(": ") for each in because)),
            defused("; ".join(result.degraded)),
        ]


def _figure(value: Plain | None) -> str:
    if value is None:
        return ""
    return str(float(value)) if isinstance(value, Fraction) else defused(show(value))


def _place(place: Place) -> tuple[str, str]:
    return "" if place.place is None else str(place.place), show(place.kept)


def defused(text: str) -> str:
    """Return a text with a `'` in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
