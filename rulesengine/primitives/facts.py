"""Facts in texts: the numbers, dates, units and negations that two wordings of one thing have in common.

Two texts may read alike and yet say different things: 12 patients and 15 patients, 5 mg and 5 µg, active and
inactive. What is read here guards the judgement that they are the same. So it errs to one side: where it cannot tell
that two facts are one, they differ. It reads no meaning: `1000 mg` and `1 g` differ, and so do `25` and `twenty-five`.

Every pattern takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias
from unicodedata import normalize, numeric

from rulesengine.primitives.primitive import Seen
from rulesengine.primitives.signs import HIDDEN
from rulesengine.primitives.units import unit_at
from rulesengine.struct import Struct
from rulesengine.values import show_number

Found: TypeAlias = "Counter[str]"  # facts as they are compared, and how often each occurs

MOST_DIGITS = 100  # of a number by its value; a longer one is compared as it is written
MOST_SHOWN = 5  # facts, in what is said of a difference


class Facts(Struct, frozen=True):
    """What a text states.

    Attributes:
        numbers: each by its value; what belongs to a name (`IL-6`, `v1.10`, `007`) as it is written.
        dates: days and months, as `2024-03-14` and `2024-03`; one that can be read in two ways, as it is written.
        units: of each number that has one, alone.
        measures: numbers with their units.
        negations: words that deny, by what they are.
        words: all words, in lower case.
    """

    numbers: Found
    dates: Found
    units: Found
    measures: Found
    negations: Found
    words: frozenset[str]


# Several things are asked of the same two texts.
@lru_cache(maxsize=1024)
def facts(text: str) -> Facts:
    """Return what a text states."""
    plain = _plain(text)
    dates: Found = Counter()
    numbers: Found = Counter()
    units: Found = Counter()
    measures: Found = Counter()
    rest = _DATE.sub(lambda match: _dated(match, dates), plain)
    for number, unit in _measured(rest):
        numbers[number] += 1
        if unit:
            units[unit] += 1
            measures[f"{number} {unit}"] += 1
    words = _WORD.findall(plain.casefold())
    return Facts(
        numbers=numbers,
        dates=dates,
        units=units,
        measures=measures,
        negations=_negations(words, plain),
        words=frozenset(words),
    )


# ------------------------------------------------------------------------------------------ what differs


def numbers_differ(one: str, other: str) -> Seen:
    """Whether two texts hold other numbers, or one of them another time."""
    return _differ(facts(one).numbers, facts(other).numbers)


def dates_differ(one: str, other: str) -> Seen:
    """Whether two texts hold other dates."""
    return _differ(facts(one).dates, facts(other).dates)


def units_differ(one: str, other: str) -> Seen:
    """Whether two texts hold other units, or the same ones at other numbers."""
    left, right = facts(one), facts(other)
    if left.units == right.units and left.numbers == right.numbers:
        return _differ(left.measures, right.measures)
    return _differ(left.units, right.units)


def negations_differ(one: str, other: str) -> Seen:
    """Whether one of two texts denies what the other does not: by a word, or within one (`active`, `inactive`)."""
    left, right = facts(one), facts(other)
    pair = next(_opposites(left.words, right.words), None) or next(
        _opposites(right.words, left.words), None
    )
    if pair is not None:
        return Seen(True, f"{pair[0]} against {pair[1]}")
    count, others = left.negations.total(), right.negations.total()
    if count == others:
        return Seen(False)
    return Seen(True, f"{_shown(left.negations)} against {_shown(right.negations)}")


def _differ(one: Found, other: Found) -> Seen:
    if one == other:
        return Seen(False)
    return Seen(True, f"{_shown(one - other)} against {_shown(other - one)}")


def _shown(found: Found) -> str:
    each = sorted(found.elements())
    more = ", …" if len(each) > MOST_SHOWN else ""
    return f"{', '.join(each[:MOST_SHOWN])}{more}" or "none"


# ------------------------------------------------------------------------------------------- plain text

_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_PART = re.compile("[¼-¾⅐-⅞↉]")
_NO_WIDTH = dict.fromkeys(map(ord, HIDDEN | {"\u200b"}))
_SIGNS = str.maketrans({"−": "-", "’": "'", "μ": "µ", "Ω": "Ω", "\u00a0": " ", "\u202f": " "})


def _plain(text: str) -> str:
    """A text in compatibility form, in which raised figures and fractions stay apart from what they stand at."""
    text = text.translate(_NO_WIDTH)
    text = _RAISED.sub(lambda match: "^" + normalize("NFKC", match[0]), text)
    text = _PART.sub(lambda match: f" {_as_part(match[0])} ", text)
    return normalize("NFKC", text).translate(_SIGNS)


def _as_part(sign: str) -> str:
    part = Fraction(numeric(sign)).limit_denominator(10)
    return f"{part.numerator}\u2044{part.denominator}"


# ------------------------------------------------------------------------------------------------- dates

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_MONTH_OF = {name: number for number, name in enumerate(_MONTHS, start=1)} | {
    name[:3]: number for number, name in enumerate(_MONTHS, start=1)
}
_MONTH_OF["sept"] = 9
_NAMED = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_DATE = re.compile(
    r"(?<![\w./-])(?:"
    r"(?P<y1>\d{4})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})(?!\d|[./-]\d)"
    r"|(?P<a2>\d{1,2})(?P<s2>[-/.])(?P<b2>\d{1,2})(?P=s2)(?P<y2>\d{4})(?!\d|[./-]\d)"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?(?P<m3>{_NAMED})\.?,? (?P<y3>\d{{4}})\b"
    rf"|(?P<m4>{_NAMED})\.? (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y4>\d{{4}})\b"
    rf"|(?P<m5>{_NAMED})\.?,? (?P<y5>\d{{4}})\b"
    r")"
    r"|(?<!\d)(?P<y6>\d{4}) ?年 ?(?P<m6>\d{1,2}) ?月(?: ?(?P<d6>\d{1,2}) ?日)?",
    re.IGNORECASE,
)


def _dated(match: re.Match[str], dates: Found) -> str:
    """Note a date, and return what stands in its place when numbers are looked for."""
    part = match.groupdict()
    if part["a2"] is not None:
        named = _of_two_readings(part["a2"], part["b2"], part["y2"])
    else:
        form = next(form for form in "13456" if part[f"y{form}"] is not None)
        month = part[f"m{form}"]
        number = _MONTH_OF.get(month.casefold()) or int(month)
        named = _day(part[f"y{form}"], number, part.get(f"d{form}"))
    if named is None:  # no calendar has it, so it is numbers
        return match[0]
    dates[named] += 1
    return " \u2022 "


def _of_two_readings(first: str, second: str, year: str) -> str | None:
    """Day and month, or month and day: where both are possible, as they are written."""
    if first == second or int(second) > 12:
        return _day(year, int(first), second)
    if int(first) > 12:
        return _day(year, int(second), first)
    return f"{int(first)}/{int(second)}/{year}"


def _day(year: str, month: int, day: str | None) -> str | None:
    try:
        found = date(int(year), month, int(day or 1))
    except ValueError:
        return None
    return f"{found:%Y-%m-%d}" if day else f"{found:%Y-%m}"


# ------------------------------------------------------------------------------------- numbers and units

_CARDINALS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "tenth",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH_FACTORS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_FACTORS = _ENGLISH_FACTORS | {"万": 4, "億": 8, "亿": 8, "兆": 12}
_WORTH = (
    {word: Fraction(number) for number, word in enumerate(_CARDINALS)}
    | {word: Fraction(number) for number, word in enumerate(_ORDINALS, start=1)}
    | {word: Fraction(number * 10) for number, word in enumerate(_TENS, start=2)}
    | {"half": Fraction(1, 2), "dozen": Fraction(12), "hundred": Fraction(100)}
    | {name: Fraction(10**zeros) for name, zeros in _ENGLISH_FACTORS.items()}
)
_ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "XI": 11, "XII": 12}


def _measured(text: str) -> Iterator[tuple[str, str]]:
    """Yield each number of a text as it is compared, with its unit or ``""``."""
    place = 0
    while (match := _FIGURES.search(text, place)) is not None:
        unit, place = unit_at(text, match.end())
        money = _MONEY.search(text, max(0, match.start() - 4), match.start())
        if money is not None:
            unit = "USD" if money[0].startswith("US") else money[0].strip()
        yield _number(match, text), unit


_MONEY = re.compile(r"(?:US)?[$€£¥] ?$")
_FIGURES = re.compile(
    r"(?P<sign>(?<![\w)\]])[-+]|(?<=[(\[ ])[-+])?"
    r"(?:"
    r"(?:(?P<whole>\d{1,6}) {1,2})?(?P<top>\d{1,6})\u2044(?P<bottom>\d{1,6})"
    r"|(?P<figures>\d+(?:[.,'\u2009]\d+)*)(?P<exponent>[eE][-+]?\d{1,3}(?![\w.]))?"
    r")"
    r"(?:\^(?P<power>-?\d{1,3}))?"
    r"(?: ?(?P<factor>(?i:thousand|million|billion|trillion)\b|[万億亿兆]))?"
    rf"|\b(?P<word>(?i:{'|'.join(_WORTH)}))\b(?: (?P<times>(?i:thousand|million|billion|trillion)\b))?"
    rf"|\b(?P<roman>{'|'.join(sorted(_ROMAN, key=len, reverse=True))})\b"
)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:([,'\u2009])\d{3})(?:\1\d{3})*(?:\.\d+)?")


def _number(match: re.Match[str], text: str) -> str:
    if match["roman"]:
        return str(_ROMAN[match["roman"]])
    if match["word"]:
        value = _WORTH[match["word"].casefold()]
        return show_number(value * 10 ** _FACTORS.get((match["times"] or "").casefold(), 0))
    sign = -1 if match["sign"] == "-" else 1
    factor = 10 ** _FACTORS.get((match["factor"] or "").casefold(), 0)
    if match["top"]:
        if int(match["bottom"]) == 0:
            return match[0]
        part = int(match["whole"] or 0) + Fraction(int(match["top"]), int(match["bottom"]))
        return show_number(sign * factor * part)
    written = match["figures"]
    value_of = _value(written)
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    if before.isalpha() and before.isascii():
        return f"{before}{written}"
    if value_of is None:
        return written
    if match["exponent"]:
        value_of *= Fraction(10) ** int(match["exponent"][1:])
    if match["power"]:
        power = int(match["power"])
        if len(written) * abs(power) > MOST_DIGITS * 3 or (value_of == 0 and power < 0):
            return f"{written}^{power}"
        value_of **= power
    return show_number(sign * factor * value_of)


def _value(written: str) -> Fraction | None:
    """The value of figures; None where they are a name or too long to be a number."""
    if len(written) > MOST_DIGITS:
        return None
    if _GROUPED.fullmatch(written):
        return Fraction(re.sub("[,'\u2009]", "", written))
    points = sum(written.count(sign) for sign in ".,'\u2009")
    if points > 1 or (points and written[0] == "0" and written[1] not in ".,"):
        return None
    if not points and len(written) > 1 and written[0] == "0":
        return None  # 007 is a name, and 7 is not
    return Fraction(re.sub("[,'\u2009]", ".", written))


# --------------------------------------------------------------------------------------------- negations

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_DENYING = frozenset(
    [
        *("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor"),
        *("without", "cannot", "lack", "lacks", "lacked", "lacking", "absent", "absence", "non"),
        *("nicht", "kein", "keine", "keinen", "keiner", "keinem", "keines", "nie", "ohne"),
        *("pas", "jamais", "sans", "aucun", "aucune"),
        *("nunca", "sin", "ningún", "ninguna", "ninguno", "não", "sem", "nenhum", "nenhuma"),
        *("không", "chưa", "chẳng", "đừng"),
    ]
)
_DENYING_SIGNS = re.compile("ない|なかっ|なく|ません|なし|無|无|不|非|未|没")
_FREE = re.compile(r"(?<=[^\W\d_])-free\b", re.IGNORECASE)
_PREFIX = re.compile("(?:un|in|im|il|ir|non|dis|a)(?=[^\\W\\d_]{4})")


def _negations(words: list[str], text: str) -> Found:
    found: Found = Counter(
        word for word in words if word in _DENYING or word.endswith(("n't", "less"))
    )
    found.update(_DENYING_SIGNS.findall(text))
    found.update(match.casefold() for match in _FREE.findall(text))
    return found


def _opposites(words: frozenset[str], others: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield a word of the one and its denial of the other, each of them on one side only."""
    for word in sorted(others - words):
        match = _PREFIX.match(word)
        rest = word[match.end() :] if match is not None else ""
        if rest in words and rest not in others:
            yield rest, word
