"""Results as JSON values, in the shape that other programs rely on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from rulesengine.diagnostics import Diagnostic
from rulesengine.graph import nodes as g
from rulesengine.report.result import Compared, Excluded, Place, Result
from rulesengine.runtime.outcome import Because, Failed, Scored, Unscored
from rulesengine.runtime.trace import (
    CombineTrace,
    ComputedTrace,
    FixTrace,
    Member,
    Read,
    RowsTrace,
    StepTrace,
    SumTrace,
    Trace,
)
from rulesengine.values import (
    LONGEST_SHOWN,
    Entries,
    Error,
    Json,
    Missing,
    Plain,
    Value,
    exact_text,
)


def result_json(
    result: Result, rubric: Mapping[str, Any], *, trace: bool = False
) -> dict[str, Any]:
    """Return one subject's result; numbers as JSON numbers, and exact ones as text beside them.

    Args:
        result: the result.
        rubric: what stands under `rubric`: name, version and fingerprint.
        trace: whether the fired rules go in.
    """
    row: dict[str, Any] = {
        "subject": {name: plain(value) for name, value in result.subject.items()},
        "status": result.status,
        "score": _float(result.score),
        "score_exact": _exact(result.score),
        "out_of": plain(result.out_of),
        "bands": dict(result.bands),
        "values": {path: _figure(value) for path, value in result.values.items()},
        "excluded": [_excluded(each) for each in result.excluded],
        "unscored": [_because(each) for each in result.unscored],
        "errors": [_because(each) for each in result.errors],
        "rubric": dict(rubric),
        "records": result.records,
        "degraded": list(result.degraded),
        "rank": result.rank,
        "interval": [float(end) for end in result.interval] if result.interval else None,
        "counts": {
            path: {"used": count.used, "left_out": count.left_out}
            for path, count in result.counts.items()
        },
        "values_exact": {
            path: _exact(value) if isinstance(value, Fraction) else plain_or_none(value)
            for path, value in result.values.items()
        },
    }
    if result.inexact:
        row["inexact"] = list(result.inexact)
    if result.places:
        row["places"] = {name: _place_in(place) for name, place in result.places.items()}
    if trace and result.comparisons:
        row["comparisons"] = [_comparison(each) for each in result.comparisons]
    if trace:
        row["trace"] = trace_json(result.trace) if result.trace is not None else None
    return row


def diagnostics_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return findings for programs, in their order."""
    return [
        {
            "code": each.code.id,
            "severity": each.severity,
            "message": each.message,
            "file": each.span.name,
            "line": each.span.line,
            "column": each.span.column,
            "labels": [
                {
                    "file": label.span.name,
                    "line": label.span.line,
                    "column": label.span.column,
                    "text": label.text,
                }
                for label in each.labels
            ],
            "help": each.help,
        }
        for each in diagnostics
    ]


def dumps(value: Any) -> str:
    """Return a JSON value as one line; what UTF-8 cannot hold (in a file's name) is written as an escape."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True)


def plain(value: Value) -> Any:
    """Return a value as JSON has it: a whole number as an integer, a missing value as null."""
    match value:
        case bool() | str():
            return value
        case Fraction(numerator=numerator, denominator=denominator):
            # Past what floats and readers of JSON can hold, a number stands as text.
            if numerator.bit_length() > LONGEST_SHOWN:
                return exact_text(value)
            if denominator == 1:
                return numerator
            if abs(value) >= 10**300:
                return exact_text(value)
            as_float = float(value)
            # A decimal that a float would blur is a text, so that two keys never look the same.
            exact = Fraction(repr(as_float)) == value
            return as_float if exact or not _is_decimal(value) else exact_text(value)
        case tuple():
            return [plain(item) for item in value]
        case Json(value=inner):
            return _json(inner)
        case Entries(rows=rows):
            return [{name: plain(inner) for name, inner in row} for row in rows]
        case Missing():
            return None
        case Error(diagnostic=diagnostic):
            return {"error": diagnostic.code.id, "message": diagnostic.message}
        case _:
            return value.isoformat()


def _json(value: object) -> Any:
    """A value of JSON that evidence holds, for writing."""
    match value:
        case Mapping():
            return {str(name): _json(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_json(inner) for inner in value]
        case Decimal():
            return plain(Fraction(value))
        case Fraction():
            return plain(value)
        case date():
            return value.isoformat()
        case _:
            return value


def _is_decimal(value: Fraction) -> bool:
    """Whether a number can be written with finitely many decimals."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _comparison(compared: Compared) -> dict[str, Any]:
    comparison = compared.comparison
    return {
        "name": compared.name,
        "keys": _keys(compared.keys),
        "rows": [
            {
                "row": row.row,
                "path": row.path,
                "kind": row.kind,
                "type": row.type,
                "reference": _json(row.reference),
                "candidate": _json(row.candidate),
                "rung": row.rung,
                "credit": plain(row.credit),
                "cosine": None if row.cosine is None else plain(row.cosine),
            }
            for row in comparison.rows
        ],
        "lists": [
            {
                "row": each.row,
                "ref_count": each.ref_count,
                "cand_count": each.cand_count,
                "matched": each.matched,
                "missed": list(each.missed),
                "hallucinated": list(each.hallucinated),
                "precision": plain(each.precision),
                "recall": plain(each.recall),
                "f1": plain(each.f1),
            }
            for each in comparison.lists
        ],
    }


def _place_in(place: Place) -> dict[str, Any]:
    return {
        "value": _float(place.value),
        "value_exact": _exact(place.value),
        "place": place.place,
        "position": place.position,
        "kept": place.kept,
        "tied_with": [_keys(keys) for keys in place.tied_with],
    }


def _figure(value: Plain | None) -> Any:
    """Points as a number; the value of a key, such as that of the median record, as it is."""
    return float(value) if isinstance(value, Fraction) else plain_or_none(value)


def plain_or_none(value: Plain | None) -> Any:
    """Return a value as JSON has it, None as null."""
    return None if value is None else plain(value)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else exact_text(value)


def _keys(keys: tuple[tuple[str, Plain], ...]) -> dict[str, Any]:
    return {name: plain(value) for name, value in keys}


def _because(because: Because) -> dict[str, Any]:
    return {
        "path": because.path,
        "keys": _keys(because.keys),
        "code": because.code.id,
        "reason": because.reason,
    }


def _excluded(excluded: Excluded) -> dict[str, Any]:
    return {"path": excluded.path, "keys": _keys(excluded.keys), "reason": excluded.reason}


# ------------------------------------------------------------------------------------------------------ traces


def trace_json(trace: Trace) -> dict[str, Any]:
    """Return a trace: for each rule its path, keys, outcome, place, and what it was worked out from."""
    head: dict[str, Any] = {
        "path": trace.node.path,
        "label": trace.node.label,
        "keys": _keys(trace.at),
        "at": _place(trace.node.span),
        **_outcome(trace),
    }
    match trace:
        case RowsTrace():
            return head | {
                "rule": "rows",
                "tried": [
                    {
                        **_row(each.row),
                        "held": None if each.held is None else plain(each.held),
                        "reads": [_read(read) for read in each.reads],
                    }
                    for each in trace.tried
                ],
                "fired": _row(trace.fired) if trace.fired is not None else None,
                "reads": [_read(read) for read in trace.reads],
            }
        case ComputedTrace():
            return head | {
                "rule": "computed",
                "fired": _row(trace.fired) if trace.fired is not None else None,
                "reads": [_read(read) for read in trace.reads],
            }
        case CombineTrace():
            return head | {
                "rule": "combine",
                "over": trace.node.key,
                "by": trace.node.op,
                "members": [_member(member) for member in trace.members],
            }
        case StepTrace():
            return head | _step(trace.node) | {"of": trace_json(trace.inner)}
        case FixTrace():
            return head | {
                "rule": "item",
                "fixes": {trace.node.key: trace.node.option},
                "of": trace_json(trace.inner),
            }
        case SumTrace():
            return head | {
                "rule": "sum",
                "factors": [plain(factor) for factor in trace.node.factors],
                "parts": [trace_json(part) for part in trace.parts],
            }


def _step(node: g.Clamp | g.Round) -> dict[str, Any]:
    match node:
        case g.Clamp(low=low, high=high):
            return {"rule": "clamp", "low": plain(low), "high": plain(high)}
        case g.Round(mode=mode, step=step):
            return {"rule": "round", "mode": mode, "step": plain(step)}


def _outcome(trace: Trace) -> dict[str, Any]:
    match trace.outcome:
        case Scored(value=value):
            known = {"status": "scored", "points": float(value), "points_exact": exact_text(value)}
        case Unscored():
            known = {"status": "unscored"}
        case Failed():
            known = {"status": "failed"}
    return known | {"because": [_because(each) for each in trace.because]}


def _row(row: g.Row) -> dict[str, Any]:
    return {"row": row.span.text, "gate": row.gate, "label": row.label, "at": _place(row.span)}


def _member(member: Member) -> dict[str, Any]:
    excluded = member.excluded
    return {
        "excluded": excluded.reason if excluded is not None else None,
        "reads": [_read(read) for read in member.reads],
        "of": trace_json(member.trace),
    }


def _read(read: Read) -> dict[str, Any]:
    row: dict[str, Any] = {"name": read.name, "value": plain(read.value)}
    if read.is_default:
        row["default"] = True
    if read.what:
        row["saw"] = read.what
    if read.inside:
        row["from"] = [_read(inner) for inner in read.inside]
    return row


def _place(span: Any) -> str:
    return f"{span.name}:{span.line}:{span.column}"
