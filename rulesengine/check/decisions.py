"""Decision tables: every combination of inputs has one outcome, and no two rows say different things of one.

A last row with `any` in each cell is for what the others leave, and contradicts none of them.

Each input is looked at by values that stand for all: its options; yes and no; the numbers that cells name, those
between and those beyond; the texts that cells name and one that none names; and missing where it may be.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import TypeAlias

import msgspec

from rulesengine.check.missing import may_be_missing
from rulesengine.check.scope import ROWS, Scope
from rulesengine.check.types import Checker
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.short import short
from rulesengine.source import Source, Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.decisions import ANY, takes_all
from rulesengine.types import NAMED, DateType, NumberType, OneOfType, Type, UnknownType, YesNoType
from rulesengine.values import Missing, show

MOST_COMBINATIONS = 200_000
MOST_ROWS = 2_000
MOST_TOLD = 20  # contradictions of one table
Stand: TypeAlias = Fraction | bool | str | date | Missing
COMPARED = re.compile(r"(<=|>=|!=|=|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?)")  # a cell of a file
OTHER = "\0"  # a text or a date that no cell names


def check_decisions(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each gap, contradiction and misfit of a decision table."""
    found: list[Diagnostic] = []
    for statement in scope.module.statements:
        if isinstance(statement, n.Decide):
            decide = scope.decisions[statement.name.text]
            misfits = list(_misfits(decide))
            found.extend(misfits or _combinations(decide, scope))
    return found


def _misfits(decide: n.Decide) -> Iterator[Diagnostic]:
    if not decide.rows and decide.source is None:
        yield Diagnostic(
            codes.BAD_DECISION,
            f"the table `{decide.name.text}` has no row",
            decide.span,
            help="add `…, … -> …`, a cell for each input",
        )
    for row in decide.rows:
        if len(row.cells) != len(decide.inputs):
            yield Diagnostic(
                codes.BAD_DECISION,
                f"this row has {len(row.cells)} cells, the table {len(decide.inputs)} inputs",
                row.span,
                help="write `any` where an input does not matter",
            )

        for cell in row.cells:
            for choice in cell.choices:
                if isinstance(choice, n.ListLiteral | n.ObjectLiteral):
                    yield Diagnostic(
                        codes.BAD_DECISION,
                        "a cell holds single values",
                        choice.span,
                        help="write `a or b` where both are meant",
                    )


def _combinations(decide: n.Decide, scope: Scope) -> Iterator[Diagnostic]:
    if len(decide.rows) > MOST_ROWS:
        yield _too_long(decide.name.span)
        return
    stands = [_stands(number, decide, scope) for number in range(len(decide.inputs))]
    if prod(map(len, stands)) > MOST_COMBINATIONS:
        yield Diagnostic(
            codes.TOO_COSTLY,
            f"this table has more than {MOST_COMBINATIONS:,} combinations of inputs",
            decide.name.span,
            help="decide in two steps",
        )
        return
    takers = [_takers(number, decide, values) for number, values in enumerate(stands)]
    alike = _alike(decide)
    # A last row that takes all is for what the others leave.
    rest = (
        1 << len(decide.rows) - 1
        if decide.rows and all(map(takes_all, decide.rows[-1].cells))
        else 0
    )
    used = 0
    told: set[int] = set()
    for places in product(*(range(len(values)) for values in stands)):
        hits = (1 << len(decide.rows)) - 1
        for taker, place in zip(takers, places, strict=True):
            hits &= taker[place]
        if not hits:
            values = tuple(each[place] for each, place in zip(stands, places, strict=True))
            yield Diagnostic(
                codes.FALLS_THROUGH,
                f"no row of `{decide.name.text}` is for {_said(decide, values)}",
                decide.name.span,
                help="add a row for it, or one that ends with `any` in each cell",
            )
            return
        first = (hits & -hits).bit_length() - 1
        used |= 1 << first
        others = hits & ~alike[first] & ~rest
        if others and len(told) < MOST_TOLD:
            other = (others & -others).bit_length() - 1
            if other not in told:
                told.add(other)
                values = tuple(each[place] for each, place in zip(stands, places, strict=True))
                yield Diagnostic(
                    codes.BAD_DECISION,
                    f"two rows decide differently for {_said(decide, values)}",
                    decide.rows[other].span,
                    labels=(Label(decide.rows[first].span, "the other row"),),
                    help="let each combination have one outcome",
                )
    for number, row in enumerate(decide.rows):
        if not used >> number & 1 and number not in told:
            yield Diagnostic(
                codes.NEVER_FIRES,
                "this row decides nothing: rows above take all that it takes",
                row.span,
                help="delete it",
            )


def _too_long(span: Span) -> Diagnostic:
    return Diagnostic(
        codes.TOO_COSTLY,
        f"this table has more than {MOST_ROWS:,} rows",
        span,
        help="decide in two steps",
    )


def _takers(number: int, decide: n.Decide, stands: list[Stand]) -> list[int]:
    """For each value that an input can have, the rows that take it, a bit each."""
    found = [0] * len(stands)
    everywhere = 0
    # The places of the values that a choice takes. Yes equals 1 in Python, so the kind goes along.
    known: dict[object, list[int]] = {}
    places: dict[tuple[type, Stand], list[int]] = {}
    for at, value in enumerate(stands):
        places.setdefault((type(value), value), []).append(at)
    for row, decision in enumerate(decide.rows):
        cell = decision.cells[number]
        if takes_all(cell):
            everywhere |= 1 << row
            continue
        for choice in cell.choices:
            if choice not in known:
                number_asked = _equals(choice)
                known[choice] = (
                    places.get((Fraction, number_asked), [])
                    if number_asked is not None
                    else [at for at, value in enumerate(stands) if _is(choice, value)]
                )
            for at in known[choice]:
                found[at] |= 1 << row
    return [each | everywhere for each in found]


def _equals(choice: object) -> Fraction | None:
    """The one number that a choice takes, if it is of that kind."""
    match choice:
        case n.Number(value=value) | n.CellComparison(op="=", number=n.Number(value=value)):
            return value
        case _:
            return None


def _alike(decide: n.Decide) -> list[int]:
    """For each row, those with its outcome, a bit each."""
    masks: dict[object, int] = {}
    for number, row in enumerate(decide.rows):
        masks[row.result] = masks.get(row.result, 0) | 1 << number
    return [masks[row.result] for row in decide.rows]


def _said(decide: n.Decide, values: tuple[Stand, ...]) -> str:
    return ", ".join(
        f"{asked.span.text} = {'any other' if value == OTHER else show(value)}"
        for asked, value in zip(decide.inputs, values, strict=True)
    )


def _stands(number: int, decide: n.Decide, scope: Scope) -> list[Stand]:
    """Values that stand for all that an input can be."""
    asked = decide.inputs[number]
    type_ = Checker(scope).type_of(asked, ROWS)
    choices = [choice for row in decide.rows for choice in row.cells[number].choices]
    found: list[Stand]
    match type_:
        case OneOfType(options=options):
            found = list(options)
        case YesNoType():
            found = [True, False]
        case NumberType():
            found = list(_numbers(choices, type_))
        case DateType():
            days = [choice.value for choice in choices if isinstance(choice, n.Date)]
            found = [*dict.fromkeys(days), OTHER]
        case _:
            texts = [choice.value for choice in choices if isinstance(choice, n.Text)]
            found = [*dict.fromkeys(texts), OTHER]
    if may_be_missing(asked, scope):
        found.append(Missing())
    return found


def _numbers(choices: Sequence[object], type_: NumberType) -> Iterator[Fraction]:
    cuts = {choice.value for choice in choices if isinstance(choice, n.Number)}
    cuts |= {choice.number.value for choice in choices if isinstance(choice, n.CellComparison)}
    cuts |= {end for end in (type_.low, type_.high) if end is not None}
    ordered = sorted(cuts) or [Fraction(0)]
    between = [(one + other) / 2 for one, other in pairwise(ordered)]
    whole = [Fraction(int(one) + 1) for one in ordered] if type_.integer else []
    for value in (ordered[0] - 1, *ordered, *between, *whole, ordered[-1] + 1):
        if type_.holds(value):
            yield value


def _is(choice: object, value: Stand) -> bool:
    match choice:
        case n.Missing():
            return isinstance(value, Missing)
        case n.Reference(path=path):
            return value == path.text
        case n.Text(value=text):
            return value == text
        case n.Date(value=day):
            return value == day
        case n.Truth(value=truth):
            return value is truth
        case n.Number(value=number):
            return isinstance(value, Fraction) and value == number
        case n.CellComparison(op=op, number=n.Number(value=number)):
            if not isinstance(value, Fraction):
                return False
            return {
                "=": value == number,
                "!=": value != number,
                "<": value < number,
                "<=": value <= number,
                ">": value > number,
                ">=": value >= number,
            }[op]
        case _:
            return False


# --------------------------------------------------------------------------------------------- tables in files


def with_rows(
    decide: n.Decide, table: Source | None, scope: Scope
) -> tuple[n.Decide, list[Diagnostic]]:
    """Return a decision table with the rows that its file holds.

    The file is CSV. Columns named like the inputs hold their cells, the one named like the table its outcome; case,
    spaces and underscores make no difference, and other columns are not looked at. An empty cell, `any` and `-` take
    all; `a|b` takes both; `missing` and `>= 5` mean what they mean in a rubric.

    Args:
        decide: the table as the rubric has it.
        table: the file that it names, or None where there is no such text.
        scope: what the rubric declares; it tells the types of the inputs.
    """
    assert decide.source is not None
    if table is None:
        return decide, [
            Diagnostic(
                codes.UNKNOWN_MODULE,
                f"there is no table `{short(decide.source.text)}`",
                decide.source.span,
                help="a path begins at the file that names it, stays in its folder, and leads to a text in UTF-8 "
                "whose name ends with `.csv`",
            )
        ]
    lines = list(_lines(table))
    reader = csv.reader([line for line, _ in lines], strict=True, skipinitialspace=True)
    rows: list[tuple[list[str], Span]] = []
    begin = 0
    try:
        for cells in reader:
            rows.append((cells, lines[begin][1]))
            begin = reader.line_num
    except csv.Error as error:
        return decide, [
            Diagnostic(codes.BAD_DECISION, f"the table is no CSV: {error}", decide.source.span)
        ]
    if len(rows) > MOST_ROWS + 1:
        return decide, [_too_long(decide.source.span)]
    header = [_plain(name) for name in (rows[0][0] if rows else [])]
    wanted = [*(asked.span.text for asked in decide.inputs), decide.name.text]
    for name in wanted:
        if (count := header.count(_plain(name))) != 1:
            said = f"{count} columns" if count else "no column"
            return decide, [
                Diagnostic(
                    codes.BAD_DECISION,
                    f"the table has {said} `{name}`",
                    decide.source.span,
                    help=_columns(rows[0][0] if rows else []),
                )
            ]
    places = [header.index(_plain(name)) for name in wanted]
    types = [Checker(scope).type_of(asked, ROWS) for asked in decide.inputs]
    decisions: list[n.Decision] = []
    found: list[Diagnostic] = []
    for cells, span in rows[1:]:
        if not any(cells):
            continue
        if len(cells) != len(header):
            found.append(
                Diagnostic(
                    codes.BAD_DECISION,
                    f"this row has {len(cells)} cells, the header {len(header)}",
                    span,
                    help="a cell that holds a comma stands in quotes",
                )
            )
            continue
        *inputs, outcome = [cells[place].strip() for place in places]
        if not outcome:
            found.append(
                Diagnostic(
                    codes.BAD_DECISION, "this row has no outcome", span, help="say what it decides"
                )
            )
            continue
        decisions.append(
            n.Decision(
                span=span,
                cells=tuple(
                    _cell(text, span, type_) for text, type_ in zip(inputs, types, strict=True)
                ),
                result=_literal(outcome, span, _outcome(decide)),
            )
        )
    return msgspec.structs.replace(decide, rows=tuple(decisions)), found


def _columns(names: list[str]) -> str:
    if not names:
        return "it is empty"
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        return "its cells are to stand between commas"
    return f"its columns are {short(', '.join(names))}"


def _outcome(decide: n.Decide) -> Type | None:
    """The type that the table is declared to give, as far as it tells how an outcome is read."""
    match decide.type:
        case n.OneOfType(options=options):
            return OneOfType(tuple(option.text for option in options))
        case n.NamedType(name=name):
            return NAMED.get(name)
        case _:
            return None


def _lines(table: Source) -> Iterator[tuple[str, Span]]:
    # Only line ends of a file are ends here: a cell may hold signs that end a line elsewhere.
    start = len(table.text) - len(table.text.removeprefix("\ufeff"))
    for line in re.findall(r"[^\n]*\n|[^\n]+", table.text[start:]):
        yield line, Span(table, start, start + len(line.rstrip("\n")))
        start += len(line)


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _cell(text: str, span: Span, type_: Type) -> n.Cell:
    is_option = isinstance(type_, OneOfType) and text in type_.options
    if not is_option and (text in ("", "-", "*") or text.casefold() == ANY):
        name = n.Name(span=span, text=ANY)
        everything = n.Reference(span=span, path=n.Path(span=span, names=(name,)))
        return n.Cell(span=span, choices=(everything,))
    parts = tuple(_choice(part.strip(), span, type_) for part in text.split("|"))
    return n.Cell(span=span, choices=parts)


def _choice(text: str, span: Span, type_: Type) -> n.Literal_ | n.CellComparison:
    if text.casefold() == "missing" and not (
        isinstance(type_, OneOfType) and text in type_.options
    ):
        return n.Missing(span=span)
    compared = COMPARED.fullmatch(text)
    if compared is not None and isinstance(type_, NumberType):
        number = n.Number(span=span, value=Fraction(compared[2]))
        return n.CellComparison(
            span=span,
            op=compared[1],  # type: ignore[arg-type]  # the pattern has no other
            number=number,
        )
    return _literal(text, span, type_)


def _literal(text: str, span: Span, type_: Type | None) -> n.Number | n.Text | n.Truth | n.Date:
    is_number = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) is not None
    match type_:
        case YesNoType() if text.casefold() in ("yes", "no", "true", "false"):
            return n.Truth(span=span, value=text.casefold() in ("yes", "true"))
        case OneOfType(options=options):
            # Options are found whatever their case, as people write tables.
            same = [option for option in options if _plain(option) == _plain(text)]
            return n.Text(span=span, value=same[0] if len(same) == 1 else text)
        case DateType() if (day := _day(text)) is not None:
            return n.Date(span=span, value=day)
        case NumberType() | UnknownType() | None if is_number:
            return n.Number(span=span, value=Fraction(text))
        case _:
            return n.Text(span=span, value=text)


def _day(text: str) -> date | None:
    try:
        return (
            date.fromisoformat(text) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
        )
    except ValueError:  # a day that no calendar has
        return None
