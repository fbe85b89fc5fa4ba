"""Params: the values that a caller sets in place of the defaults, held to what the rubric declares and requires."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import msgspec

from rulesengine.check.bands import check_bands
from rulesengine.check.fits import check_fits
from rulesengine.check.scales import check_scales
from rulesengine.check.scope import Scope
from rulesengine.check.weights import check_weights
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.diagnostic import has_errors
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Field, Rejected, Schema
from rulesengine.evidence.table import cell_value
from rulesengine.source import Place
from rulesengine.types import NumberType, Type
from rulesengine.values import Missing

SET = Place("--set", 0)


def with_params(scope: Scope, values: Mapping[str, object]) -> tuple[Scope, tuple[Diagnostic, ...]]:
    """Return what a file declares, its params set, and what is wrong with the values.

    Args:
        scope: of a checked file.
        values: by the name of the param; numbers may be int, float (the decimal it shows), Decimal or Fraction.

    Returns:
        The scope with the values, and no findings; or the scope as it was, and the errors: a param that there is
        not, a value of another kind or out of its range, weights that do not make 100 % any more, a score without
        a band.
    """
    unknown = [name for name in values if name not in scope.params]
    if unknown:
        return scope, tuple(_unknown(name, scope) for name in unknown)
    schema = Schema(
        tuple(
            Field(name=name, type=param.type, default=param.value, span=param.node.name.span)
            for name, param in scope.params.items()
        )
    )
    record = conform(values, schema, SET)
    if isinstance(record, Rejected):
        return scope, record.diagnostics
    params = {}
    for name, param in scope.params.items():
        value = record.cells[name].value
        assert not isinstance(value, Missing | tuple)
        params[name] = msgspec.structs.replace(param, value=value)
    changed = msgspec.structs.replace(scope, params=params)
    functions = {
        name: msgspec.structs.replace(decl, scope=changed) for name, decl in scope.functions.items()
    }
    asks = {name: msgspec.structs.replace(ask, scope=changed) for name, ask in scope.asks.items()}
    msgspec.structs.force_setattr(changed, "functions", functions)
    msgspec.structs.force_setattr(changed, "asks", asks)
    # Each check relies on those before it: what scores there can be is asked of weights that make 100 %.
    for check in (check_weights, check_scales, check_fits, check_bands):
        found = check(changed)
        if has_errors(found):
            return scope, tuple(each for each in found if each.severity == "error")
    return changed, ()


def from_texts(scope: Scope, texts: Mapping[str, str]) -> dict[str, object]:
    """Return values that were written as texts: `0.6` and `60%` are numbers, `yes` is yes."""
    values: dict[str, object] = {}
    for name, text in texts.items():
        param = scope.params.get(name)
        values[name] = text if param is None else _value(text, param.type)
    return values


def _value(text: str, type_: Type) -> object:
    if isinstance(type_, NumberType) and text.endswith("%"):
        share = cell_value(text[:-1], type_)
        return Fraction(share) / 100 if isinstance(share, Decimal | int) else text
    return cell_value(text, type_)


def _unknown(name: str, scope: Scope) -> Diagnostic:
    return Diagnostic(
        codes.UNKNOWN_NAME,
        f"the rubric has no param `{name}`",
        SET,
        help=did_you_mean(name, scope.params)
        or (f"its params are {', '.join(scope.params)}" if scope.params else "it has none"),
    )
