"""Units of measurement in texts, by their symbols and by their English words; some of Chinese and Japanese."""

from __future__ import annotations

import re

# Of each line the first word is a unit, and all are ways to write it; `_` is a space. Of English words neither case
# nor the plural counts, of all others both do.
_PREFIXES = """
P peta
T tera
G giga
M mega
k kilo
h hecto
d deci
c centi
m milli
µ micro u
n nano
p pico
f femto
"""
_PREFIXED = """
g gram gramme
m metre meter
L litre liter l
s second sec
mol mole
M molar
W watt
V volt
A ampere
J joule
Hz hertz
Pa pascal
N newton
Ω ohm
bit
B byte b
cal calorie
Bq becquerel
Sv sievert
Gy gray
Da dalton
eV electronvolt
F farad
T tesla
U unit
"""
_OTHERS = """
t ton tonne
h hr hrs hour 時間
min minute 分
秒
day d 日
week wk wks 週間
month か月 ヶ月 个月
year yr yrs 年 歳 岁
decade
a.m. am AM
p.m. PM
inch inches
foot feet ft
yard
mile
lb lbs
pound
oz ounce
acre
ha hectare
% percent per_cent パーセント
percentage_point
‰
ppm
ppb
°C celsius degree_celsius degrees_celsius
°F fahrenheit degree_fahrenheit degrees_fahrenheit
° degree 度
K kelvin
mmHg
bar
atm
psi
dB decibel
rpm
mph
knot
IU
$ dollar
USD
€ euro EUR
£ GBP
¥ yen JPY 円
元
cent
"""


def _written(table: str) -> dict[str, str]:
    lines = (line.split() for line in table.splitlines() if line)
    return {name.replace("_", " "): names[0] for names in lines for name in names}


def _is_english(name: str) -> bool:
    return len(name) > 2 and name.replace(" ", "").isalpha() and name.isascii() and name.islower()


def _units() -> dict[str, str]:
    """Every way to write a unit; English words in lower case, with their plurals."""
    known = _written(_PREFIXED) | _written(_OTHERS)
    for before, prefix in _written(_PREFIXES).items():
        for name, unit in _written(_PREFIXED).items():
            if name == unit or _is_english(before) == _is_english(name):
                known[before + name] = prefix + unit
    return known | {f"{name}s": unit for name, unit in known.items() if _is_english(name)}


_UNITS = _units()
_OTHER_SIGNS = sorted(
    (name for name in _UNITS if not name[0].isalpha() or name[0] > "\u3000"), key=len
)
_UNIT = re.compile(
    rf"(?P<sign>{'|'.join(map(re.escape, reversed(_OTHER_SIGNS)))})"
    r"|(?P<dotted>[ap]\.m\.)"
    r"|(?P<word>[A-Za-zÀ-ɏµΩ]+)(?P<second> [A-Za-z]+)?(?![A-Za-zÀ-ɏ])"
)
_POWER = re.compile(r"\^(-?\d{1,2})")
_BESIDE = re.compile(r" ?([/·*]) ?| (per) ")
_MOST_BESIDE = 4  # units in one, as in mg/kg


def unit_at(text: str, place: int) -> tuple[str, int]:
    """The unit behind a number by its signs, `milligrams per litre` as `mg/L`, and where it ends."""
    start = place + 1 if text[place : place + 1] in ("-", " ") else place
    unit = ""
    for _ in range(_MOST_BESIDE):
        found = _one_unit(text, start)
        if found is None:
            break
        sign, place = found
        unit += sign
        beside = _BESIDE.match(text, place)
        if beside is None or _one_unit(text, beside.end()) is None:
            break
        unit += "/" if beside[2] or beside[1] == "/" else "·"
        start = beside.end()
    return unit, place


def _one_unit(text: str, place: int) -> tuple[str, int] | None:
    match = _UNIT.match(text, place)
    if match is None:
        return None
    end = match.end("word") if match["word"] else match.end()
    unit = _known(match[0]) if match["second"] else None
    if unit is not None:
        end = match.end()
    else:
        unit = _known(match["word"] or match[0])
    if unit is None:
        return None
    power = _POWER.match(text, end)
    return (unit, end) if power is None else (f"{unit}^{power[1]}", power.end())


def _known(written: str) -> str | None:
    lower = written.lower()
    return _UNITS.get(written) or (_UNITS.get(lower) if _is_english(lower) else None)
