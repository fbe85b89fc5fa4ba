"""Cases: every case can run: its records keep to the schema, and what it expects can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from math import prod

from rulesengine.check.grain import grain_of, part_grain
from rulesengine.check.missing import SIMILARITY
from rulesengine.check.scope import EXPECT, AskDecl, FunctionDecl, Part, Scope, walk_parts
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.schema import Field, Record, Schema
from rulesengine.source import Place, Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import walk
from rulesengine.types import JsonType, NumberType, RecordsType, Type
from rulesengine.values import Plain, show

MOST_RECORDS = 10_000  # in one `given`, counting what `each […]` stands for


def check_cases(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each case that cannot run. Relies on check_names having found nothing."""
    found: list[Diagnostic] = []
    titles: dict[str, n.Case] = {}
    for case in scope.module.statements:
        if not isinstance(case, n.Case):
            continue
        if titles.setdefault(case.title, case) is not case:
            found.append(
                Diagnostic(codes.DECLARED_TWICE, f'two cases are called "{case.title}"', case.span)
            )
        if not case.expects:
            found.append(
                Diagnostic(
                    codes.BAD_CASE,
                    "this case expects nothing",
                    case.span,
                    help="add `expect … = …`",
                )
            )
        too_many = list(_too_many(case))
        found.extend(too_many)
        if too_many:
            continue  # they would take long to look at
        found.extend(_params(case, scope))
        found.extend(_records(case, scope))
        found.extend(_bare_names(case, scope))
        found.extend(_answers(case, scope))
        for expect in case.expects:
            found.extend(_expect(expect, case, scope))
    return found


def raw_records(case: n.Case) -> list[tuple[dict[str, object], Span]]:
    """Return the records that a case gives, as raw values by field, each with its place."""
    shared: dict[str, tuple[object, ...]] = {}
    records: list[tuple[dict[str, object], Span]] = []
    for given in case.givens:
        values = {pair.name.text: tuple(map(raw_value, _values(pair))) for pair in given.pairs}
        if given.each:
            shared.update(values)
            continue
        each = shared | values
        combinations = islice(product(*each.values()), MOST_RECORDS)
        records += [(dict(zip(each, one, strict=True)), given.span) for one in combinations]
    return records


def raw_params(case: n.Case) -> dict[str, object]:
    """Return the params that a case sets, as raw values by name."""
    return {pair.name.text: raw_value(pair.value) for given in case.params for pair in given.pairs}


def _values(pair: n.Pair | n.PairEach) -> tuple[n.Literal_, ...]:
    match pair:
        case n.Pair(value=value):
            return (value,)
        case n.PairEach(values=values):
            return values


def _too_many(case: n.Case) -> Iterator[Diagnostic]:
    """Find each `given` that stands for too many records."""
    shared: dict[str, int] = {}
    for given in case.givens:
        counts = {pair.name.text: len(_values(pair)) for pair in given.pairs}
        if given.each:
            shared.update(counts)
        elif (count := prod((shared | counts).values())) > MOST_RECORDS:
            yield Diagnostic(
                codes.BAD_CASE,
                f"this stands for {count} records, and a case may give {MOST_RECORDS} at once",
                given.span,
            )


def _params(case: n.Case, scope: Scope) -> Iterator[Diagnostic]:
    if not case.params:
        return
    # Imported here, so that a file whose cases set no params is checked without the reader of evidence.
    from rulesengine.check.params import with_params

    set_before: set[str] = set()
    for pair in (pair for given in case.params for pair in given.pairs):
        if pair.name.text in set_before:
            yield Diagnostic(
                codes.DECLARED_TWICE, f"this case sets `{pair.name.text}` twice", pair.span
            )
        set_before.add(pair.name.text)
    _, errors = with_params(scope, raw_params(case))
    for each in errors:
        yield Diagnostic(
            codes.BAD_CASE, each.message, case.params[0].span, help=_as_written(each.help)
        )


NOT_HERE = {
    "null": "missing",
    "none": "missing",
    "true": "yes",
    "false": "no",
}  # in JSON, in a rubric


def _bare_names(case: n.Case, scope: Scope) -> Iterator[Diagnostic]:
    """Names in JSON that are words of JSON itself: they would be texts, which nobody means."""
    json_fields = {
        each.name for each in scope.schema.fields if isinstance(each.type, JsonType | RecordsType)
    }
    for given in case.givens:
        for pair in given.pairs:
            if pair.name.text not in json_fields:
                continue
            for literal in (inner for value in _values(pair) for inner in _inside(value)):
                word = literal.path.text if isinstance(literal, n.Reference) else ""
                if word.casefold() in NOT_HERE:
                    yield Diagnostic(
                        codes.BAD_CASE,
                        f"`{word}` would be a text here",
                        literal.span,
                        help=f"write `{NOT_HERE[word.casefold()]}`, or the text in quotes",
                    )


def _inside(literal: n.Literal_) -> Iterator[n.Literal_]:
    yield literal
    match literal:
        case n.ListLiteral(items=items):
            for item in items:
                yield from _inside(item)
        case n.ObjectLiteral(pairs=pairs):
            for _, value in pairs:
                yield from _inside(value)
        case _:
            pass


def _answers(case: n.Case, scope: Scope) -> Iterator[Diagnostic]:
    """Each question of a case is answered once, by as many values as it has, and as it can be answered."""
    if not case.answers:
        return
    from rulesengine.evidence.conform import conform
    from rulesengine.providers.recorded import as_text

    before: dict[tuple[str, tuple[str, ...]], Span] = {}
    for given in case.answers:
        name = given.ask.text
        wanted: Type
        if name == SIMILARITY:
            count, wanted = 2, NumberType(low=Fraction(-1), high=Fraction(1))
        else:
            decl = scope.function(given.ask)
            if not isinstance(decl, AskDecl):
                continue
            count, wanted = len(decl.node.parameters), decl.type
        if len(given.arguments) != count:
            yield Diagnostic(
                codes.BAD_CASE,
                f"`{name}` is asked about {count} values, and this names {len(given.arguments)}",
                given.span,
            )
        texts = tuple(as_text(raw_value(each)) for each in given.arguments)
        first = before.setdefault((name, texts), given.span)
        if first is not given.span:
            yield Diagnostic(
                codes.BAD_CASE,
                "this case answers a question twice",
                given.span,
                labels=(Label(first, "first here"),),
            )
        field = Field(name="answer", type=wanted, span=place_of(given.answer.span))
        record = conform(
            {"answer": raw_value(given.answer)}, Schema((field,)), place_of(given.span)
        )
        if not isinstance(record, Record):
            yield Diagnostic(
                codes.BAD_CASE,
                record.diagnostics[0].message.replace("`answer`", "the answer"),
                given.answer.span,
                help=_as_written(record.diagnostics[0].help),
            )


def place_of(span: Span) -> Place:
    """Return the place of a span in a rubric, for a record written there."""
    return Place(span.name, span.line, span.column, span.line_text, span.width)


def raw_value(literal: n.Literal_) -> object:
    """Return what a literal says, as evidence would."""
    match literal:
        case n.Number(value=number):
            return number
        case n.Text(value=text):
            return text
        case n.Date(value=day):
            return day
        case n.Truth(value=truth):
            return truth
        case n.Missing():
            return None
        case n.ListLiteral(items=items):
            return [raw_value(item) for item in items]
        case n.ObjectLiteral(pairs=pairs):
            return {name: raw_value(value) for name, value in pairs}
        case n.Reference(path=path):
            return path.text


def _records(case: n.Case, scope: Scope) -> Iterator[Diagnostic]:
    # Imported here, so that a file without cases is checked without the reader of evidence.
    from rulesengine.evidence.conform import conform

    seen: dict[tuple[object, ...], Span] = {}
    subjects: dict[tuple[Plain, ...], Span] = {}
    told: set[Span] = set()  # of the records that one `given` stands for, the first fault is told
    for raw, span in raw_records(case):
        if span in told:
            continue
        record = conform(raw, scope.schema, place_of(span))
        if not isinstance(record, Record):
            told.add(span)
            for each in record.diagnostics:
                yield Diagnostic(codes.BAD_CASE, each.message, span, help=_as_written(each.help))
            continue
        keys = record.keys(scope.schema.keys)
        if keys in seen:
            told.add(span)
            shown = ", ".join(map(show, keys))
            yield Diagnostic(codes.BAD_CASE, f"two records have the keys {shown}", span)
        seen[keys] = span
        subjects.setdefault(record.keys(scope.subject), span)
    if len(subjects) > 1:
        for expect in case.expects:
            said = {
                pair.name.text
                for pair in (expect.about if isinstance(expect, n.Expect) else expect.pairs)
            }
            if not said.issuperset(scope.subject):
                asked = ", ".join(f"{key}: …" for key in scope.subject)
                yield Diagnostic(
                    codes.BAD_CASE,
                    f"this case gives several {' and '.join(scope.subject)}: which one is meant?",
                    expect.span,
                    labels=(Label(list(subjects.values())[1], "the second one"),),
                    help=f"say it: `expect … for {{ {asked} }}`, or write a case for each",
                )
    for expect in case.expects:
        yield from _nobody(expect, list(subjects), scope)


def _nobody(
    expect: n.Expect | n.ExpectExcluded, subjects: list[tuple[Plain, ...]], scope: Scope
) -> Iterator[Diagnostic]:
    """What is expected of a subject of which the case gives no record, so that it would hold of another one."""
    pairs = expect.about if isinstance(expect, n.Expect) else expect.pairs
    asked = {
        pair.name.text: show(raw)
        for pair in pairs
        if pair.name.text in scope.subject and isinstance(raw := raw_value(pair.value), Plain)
    }
    shown = [dict(zip(scope.subject, map(show, keys), strict=True)) for keys in subjects]
    if shown and asked and not any(asked.items() <= each.items() for each in shown):
        said = " and ".join(f"{key} {value}" for key, value in asked.items())
        yield Diagnostic(
            codes.BAD_CASE,
            f"this case has no record of {said}",
            expect.span,
            help=f"there is {'; '.join(' '.join(each.values()) for each in shown[:3])}",
        )


def _as_written(advice: str | None) -> str | None:
    """Say of a record in a rubric what is said of one in JSON: there, yes and no are other words."""
    return "write yes or no" if advice and "true or false" in advice else advice


def _expect(
    expect: n.Expect | n.ExpectExcluded, case: n.Case, scope: Scope
) -> Iterator[Diagnostic]:
    records = raw_records(case)
    match expect:
        case n.ExpectExcluded(pairs=pairs):
            for pair in pairs:
                if pair.name.text not in scope.schema.keys:
                    yield Diagnostic(
                        codes.BAD_CASE,
                        f"`{pair.name.text}` is not a key of the evidence",
                        pair.span,
                        help=did_you_mean(pair.name.text, scope.schema.keys)
                        or f"the keys are {', '.join(f'`{key}`' for key in scope.schema.keys)}",
                    )
        case n.Expect(condition=condition, by=by, reason=reason, about=about):
            for pair in about:
                if pair.name.text not in scope.subject:
                    yield Diagnostic(
                        codes.BAD_CASE,
                        f"`{pair.name.text}` is not a key that the score is given for",
                        pair.span,
                        help=did_you_mean(pair.name.text, scope.subject)
                        or f"these are {', '.join(f'`{key}`' for key in scope.subject)}",
                    )
            nodes = list(walk(condition))
            parts = _parts(condition, scope)
            names = [
                node
                for node in nodes
                if isinstance(node, n.Reference) and _is_evidence(node, scope)
            ]
            varies = {key for name in names for key in grain_of(name, EXPECT, scope)}
            several = [key for key in varies if len({str(raw.get(key)) for raw, _ in records}) > 1]
            if names and (not records or set(several) - {pair.name.text for pair in about}):
                yield Diagnostic(
                    codes.BAD_CASE,
                    f"`{names[0].path.text}` is a value of one record, and this case gives "
                    f"{len(records) or 'none'}",
                    names[0].span,
                    help="ask for a part of the score, or give one record",
                )
            results = bool(parts) or any(isinstance(node, n.ScoreOf) for node in nodes)
            if results and not records:
                yield Diagnostic(
                    codes.BAD_CASE,
                    "this case gives no record",
                    expect.span,
                    help="add `given { … }`",
                )
            for part in parts:
                yield from _several(part, expect.condition.span, records, scope)
            ladders = [name for node in nodes for name in _rungs_asked(node, scope)]
            if by is not None and not parts and ladders:
                if by.text not in ladders:
                    yield Diagnostic(
                        codes.BAD_CASE,
                        f"no rung is called `{by.text}` there",
                        by.span,
                        help=did_you_mean(by.text, ladders)
                        or f"there is {', '.join(dict.fromkeys(ladders))}",
                    )
            elif by is not None:
                yield from _by(by, parts)
            if reason is not None and not any(
                isinstance(node, n.IsState) and node.state in ("unscored", "failed")
                for node in nodes
            ):
                yield Diagnostic(
                    codes.BAD_CASE,
                    "a reason goes with `is unscored` and `is failed`",
                    reason.span,
                    help='the label of the row that fired is asked for by `by "…"`',
                )


def _rungs_asked(node: n.Expr, scope: Scope) -> Iterator[str]:
    """The names of the rungs that may settle what an expression calls."""
    decl = scope.function(node.function) if isinstance(node, n.Call) else None
    if isinstance(decl, FunctionDecl) and isinstance(decl.node.value, n.Rungs):
        for rung in decl.node.value.rungs:
            if isinstance(rung, n.RungsOf):
                yield from _rungs_asked(rung.ladder, decl.scope)
            else:
                yield rung.name.text
        yield "unsettled"


def _several(
    part: Part, span: Span, records: list[tuple[dict[str, object], Span]], scope: Scope
) -> Iterator[Diagnostic]:
    """A part of which only what holds it is combined has as many results as the key has values."""
    for key in sorted(_left(part, scope) - set(scope.subject)):
        if len({str(raw.get(key)) for raw, _ in records}) > 1:
            yield Diagnostic(
                codes.BAD_CASE,
                f"`{part.path}` has a result for each `{key}`, and this case gives several",
                span,
                help=f"ask for what is combined, or give one `{key}`",
            )


def _left(part: Part, scope: Scope) -> frozenset[str]:
    """The keys that results do not roll up: what a mean goes over above a part has a mean of that part too."""
    grain = part_grain(part, scope)
    above = [each for each in scope.all_parts.values() if part.path.startswith(f"{each.path}.")]
    steps = [step for each in above for step in each.steps] + list(scope.own_steps)
    means = {c.key.text for c in n.combines_of(tuple(steps)) if c.op.text == "mean"}
    return grain - means


def _is_evidence(reference: n.Reference, scope: Scope) -> bool:
    text = reference.path.text
    meaning = scope.meaning(reference, EXPECT)
    return not isinstance(meaning, Part) and (text in scope.schema.by_name or text in scope.lets)


def _parts(condition: n.Expr, scope: Scope) -> list[Part]:
    meanings = (
        scope.meaning(node, EXPECT) for node in walk(condition) if isinstance(node, n.Reference)
    )
    return [meaning for meaning in meanings if isinstance(meaning, Part)]


def _by(by: n.Name | n.Label, parts: list[Part]) -> Iterator[Diagnostic]:
    rows = [row for part in walk_parts(parts[:1]) for row in part.node.rows]
    if isinstance(by, n.Name):
        known = [row.name.text for row in rows if isinstance(row, n.Gate)]
        what = "gate"
    else:
        known = [row.label.text for row in rows if row.label is not None]
        what = "row"
    if not parts:
        yield Diagnostic(
            codes.BAD_CASE, "`by` goes with a part of the score: `expect Q3 = 5 by …`", by.span
        )
    elif by.text not in known:
        yield Diagnostic(
            codes.BAD_CASE,
            f"`{parts[0].path}` has no {what} called `{by.text}`",
            by.span,
            help=did_you_mean(by.text, known),
        )
