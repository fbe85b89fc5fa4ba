"""Names: every name that a file uses is declared, and means one thing where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.check.expressions import expressions
from rulesengine.check.scope import ROWS, Context, Scope
from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.primitives import BUILT_INS, SIGNATURES
from rulesengine.primitives.numbers import MODES
from rulesengine.resources import library_names
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import children, part_nodes, walk
from rulesengine.types import YES_NO

SIMILARITY = "similarity"

# What other languages call things, in words.
_OTHERS_SAY = {
    **dict.fromkeys(("true", "True", "TRUE"), "write `yes`"),
    **dict.fromkeys(("false", "False", "FALSE"), "write `no`"),
    **dict.fromkeys(("null", "NULL", "None", "nil", "undefined"), "ask `x is missing`"),
}


# What other languages and people call a function, and what to write here.
_OTHERS_CALL = {
    **dict.fromkeys(("lower", "lowercase", "tolower", "casefold", "upper", "uppercase"), "fold"),
    **dict.fromkeys(("strip", "trimmed", "chomp"), "trim"),
    **dict.fromkeys(("len", "size", "char_count", "chars", "strlen"), "length"),
    **dict.fromkeys(("word_count", "count_words", "wordcount"), "words"),
    **dict.fromkeys(("split", "tokenize", "tokenise"), "tokens"),
    **dict.fromkeys(("normalize", "normalise", "normalized", "normalised", "clean"), "normal"),
    **dict.fromkeys(("nfc", "nfd", "nfkd", "unicode_normalize"), "nfkc"),
    **dict.fromkeys(("min", "least", "minimum"), "min_of"),
    **dict.fromkeys(("max", "greatest", "maximum"), "max_of"),
    **dict.fromkeys(("ceil", "roundup", "round_up"), "ceiling"),
    **dict.fromkeys(("trunc", "truncate", "int", "rounddown", "round_down", "round_to"), "round"),
    **dict.fromkeys(("power", "math.pow"), "pow"),
    **dict.fromkeys(("lg", "log2", "math.log"), "log"),
    **dict.fromkeys(("fabs", "absolute", "math.abs"), "abs"),
    **dict.fromkeys(("clip", "limit", "bound"), "clamp"),
}
_OTHERS_WRITE = {
    **dict.fromkeys(("contains", "includes", "has", "in_text"), "write `a contains b`"),
    **dict.fromkeys(("startswith", "starts_with", "startsWith"), "write `a starts with b`"),
    **dict.fromkeys(("endswith", "ends_with", "endsWith"), "write `a ends with b`"),
    **dict.fromkeys(
        ("match", "regex", "re", "fullmatch", "search", "regexp"),
        'write `a matches "…"`: the pattern describes the whole text',
    ),
    **dict.fromkeys(("coalesce", "ifnull", "nvl", "default", "get"), "write `a else b`"),
    **dict.fromkeys(("isnull", "is_null", "is_missing", "isna"), "write `a is missing`"),
    **dict.fromkeys(("defined", "exists", "is_given"), "write `a is given`"),
    **dict.fromkeys(("if", "iif", "cond"), "a choice is written in rows: `when … -> …`"),
    **dict.fromkeys(
        ("now", "today"), "there is no clock: a date comes in with the evidence, or is written out"
    ),
    **dict.fromkeys(("date", "to_date", "parse_date"), "a date is written 2024-03-14"),
    **dict.fromkeys(
        ("days_between", "datediff", "date_diff"), "one date less another gives days: `end - begin`"
    ),
    **dict.fromkeys(("sum", "add"), "write `a + b`"),
    **dict.fromkeys(("mean", "avg", "average"), "write `(a + b) / 2`"),
    "mod": "there is no remainder; `a - b * floor(a / b)` gives it",
}


def check_names(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each name without a meaning.

    Later stages may rely on it: after an empty list every reference and call has its meaning.
    """
    found = [
        diagnostic
        for expr, context in expressions(scope.module)
        for node in walk(expr)
        for diagnostic in _check(node, scope, context)
    ]
    for expr, _ in expressions(scope.module):
        found.extend(_this(expr))
    found.extend(_subject(scope))
    found.extend(_steps(scope))
    found.extend(_excuses(scope))
    found.extend(_answers(scope))
    return found


def _this(expr: n.Expr, inside: bool = False) -> Iterator[Diagnostic]:
    """`this` outside `over other`."""
    if isinstance(expr, n.This) and not inside:
        yield Diagnostic(
            codes.OUT_OF_PLACE,
            "`this` means nothing here",
            expr.span,
            help="it is what is at hand while `over other …` goes over the others",
        )
    inside = inside or (isinstance(expr, n.Aggregate) and expr.other)
    for child in children(expr):
        yield from _this(child, inside)


def _steps(scope: Scope) -> Iterator[Diagnostic]:
    score = scope.score
    if score is None:
        return
    for part in part_nodes(score.parts):
        if part.renormalise and not (isinstance(part, n.Criterion) and part.parts):
            yield Diagnostic(
                codes.BAD_STEP,
                "this part holds no others, so there are none to count for the whole",
                part.span,
                help="write `renormalise` into what holds it",
            )
    for steps in (score.steps, *(part.steps for part in part_nodes(score.parts))):
        for step in steps:
            match step:
                case n.Clamp(low=low, high=high) if low.value > high.value:
                    yield Diagnostic(
                        codes.BAD_STEP,
                        "no number lies between these ends",
                        step.span,
                        help="the lower end comes first",
                    )
                case n.Round(mode=mode) if mode.text not in MODES:
                    yield Diagnostic(
                        codes.BAD_STEP,
                        f"no way to round is called `{mode.text}`",
                        mode.span,
                        help=did_you_mean(mode.text, MODES) or f"there is {', '.join(MODES)}",
                    )
                case n.Round(step=width) if width.value <= 0:
                    yield Diagnostic(
                        codes.BAD_STEP,
                        "results are rounded to a step above 0",
                        width.span,
                        help="`round half_up to 0.1`",
                    )
                case _:
                    pass


def _answers(scope: Scope) -> Iterator[Diagnostic]:
    """What a case gives as an answer is one to a question of the file."""
    known = {*scope.asks, SIMILARITY}
    for name, library in scope.libraries.items():
        known |= {f"{name}.{ask}" for ask in library.asks}
    for statement in scope.module.statements:
        if isinstance(statement, n.Case):
            for answer in statement.answers:
                if answer.ask.text not in known:
                    yield Diagnostic(
                        codes.UNKNOWN_FUNCTION,
                        f"no question is called `{answer.ask.text}`",
                        answer.ask.span,
                        help=did_you_mean(answer.ask.text, known)
                        or f"there is {', '.join(sorted(known))}",
                    )


def _excuses(scope: Scope) -> Iterator[Diagnostic]:
    """What stands behind `unless` is a yes/no param."""
    for statement in scope.module.statements:
        if not isinstance(statement, n.Evidence | n.Score):
            continue
        for require in statement.requires:
            name = require.unless
            if name is not None and (
                name.text not in scope.params or scope.params[name.text].type != YES_NO
            ):
                yield Diagnostic(
                    codes.UNKNOWN_NAME,
                    f"no yes/no param is called `{name.text}`",
                    name.span,
                    help=did_you_mean(
                        name.text, [k for k, param in scope.params.items() if param.type == YES_NO]
                    )
                    or f"declare it: `param {name.text} : yes/no default no`",
                )


def _check(node: n.Expr, scope: Scope, context: Context) -> Iterator[Diagnostic]:
    match node:
        case n.Reference(path=path, span=span):
            if scope.meaning(node, context) is None:
                yield _unknown(path, span, scope, context)
        case n.Call(function=function):
            if scope.function(function) is None:
                yield _unknown_function(function, scope)
        case n.Awarded(span=span) | n.ScaleOf(span=span) if context.where != "exclude":
            yield Diagnostic(
                codes.OUT_OF_PLACE,
                f"`{span.text}` means nothing here",
                span,
                help=_own_name(span.text, scope)
                or "`awarded` and `scale` speak of an item's own result, inside `combine … { exclude when … }`",
            )
        case n.ScoreOf(span=span) if context.where not in ("figures", "expect"):
            yield Diagnostic(
                codes.OUT_OF_PLACE,
                "`score` as a value means nothing here",
                span,
                help=_own_name("score", scope)
                or "it is the total, in `show`, `rank`, `require` and the `expect` of a case",
            )
        case n.IsState(state=state, span=span) if state in (
            "unscored",
            "failed",
        ) and context.where not in ("figures", "expect"):
            yield Diagnostic(
                codes.OUT_OF_PLACE,
                f"`is {state}` means nothing here",
                span,
                help="it asks for a result, in the `expect` of a case; of evidence ask `is missing`",
            )
        case _:
            pass


def _own_name(word: str, scope: Scope) -> str | None:
    """What to do where a word of the language is also the name of something declared in backquotes."""
    own = word in scope.schema.by_name or word in scope.lets
    return f"your own `{word}` stands in backquotes here too" if own else None


def _unknown(path: n.Path, span: object, scope: Scope, context: Context) -> Diagnostic:
    text = path.text
    several = scope.parts_named(text) if context.where == "expect" else []
    if several:
        return Diagnostic(
            codes.AMBIGUOUS_NAME,
            f"`{text}` could be {' or '.join(f'`{part.path}`' for part in several)}",
            path.span,
            help="write the whole path",
        )
    if context.where == "params" and scope.meaning(n.Reference(span=path.span, path=path), ROWS):
        return Diagnostic(
            codes.OUT_OF_PLACE,
            f"a weight cannot depend on `{text}`",
            path.span,
            help="a weight is made of numbers and params, so that it is known before any evidence",
        )
    if context.where == "function" and (text in scope.schema.by_name or text in scope.lets):
        return Diagnostic(
            codes.OUT_OF_PLACE,
            f"a function cannot read `{text}`",
            path.span,
            help="what a function works on comes in by its parameters: add one, and pass it in the call",
        )
    part = scope.all_parts.get(text)
    if part is not None:
        return Diagnostic(
            codes.OUT_OF_PLACE,
            f"`{text}` is a part of the score and no value here",
            path.span,
            labels=(Label(part.name.span, "the part"),),
            help="give the condition a name with `let` and use it in both places",
        )
    if text in scope.functions or text in BUILT_INS:
        return Diagnostic(
            codes.WRONG_ARGUMENTS,
            f"`{text}` is a function: it needs its arguments",
            path.span,
            help=f"`{SIGNATURES[text]}`" if text not in scope.functions else None,
        )
    return Diagnostic(
        codes.UNKNOWN_NAME,
        f"nothing is called `{text}`",
        path.span,
        help=_OTHERS_SAY.get(text)
        or _band_in_quotes(text, scope, context)
        or did_you_mean(text, scope.known_names(context))
        or "declare it in `evidence`, or give it a meaning with `let`; an option is spelt as it is declared",
    )


def _band_in_quotes(text: str, scope: Scope, context: Context) -> str | None:
    bands = [band.name for bands in scope.bands for band in bands.bands]
    is_band = context.where == "expect" and text in bands
    return f'the name of a band is a text: `"{text}"`' if is_band else None


def _unknown_function(path: n.Path, scope: Scope) -> Diagnostic:
    library, _, _ = path.text.rpartition(".")
    if library and library not in scope.libraries and library != "core":
        used = ", ".join(f"`{each}`" for each in scope.libraries) or "none"
        return Diagnostic(
            codes.UNKNOWN_FUNCTION,
            f"no library is called `{library}` here",
            path.span,
            help=did_you_mean(library, scope.libraries)
            or (
                f"add `use std.{library}` near the top"
                if f"std.{library}" in library_names()
                else f"the libraries that this file uses: {used}"
            ),
        )
    if path.text in scope.schema.by_name or path.text in scope.lets:
        return Diagnostic(
            codes.UNKNOWN_FUNCTION,
            f"`{path.text}` is no function: it takes no arguments",
            path.span,
        )
    return Diagnostic(
        codes.UNKNOWN_FUNCTION,
        f"no function is called `{path.text}`",
        path.span,
        help=_meant_function(path.text, scope),
    )


def _meant_function(text: str, scope: Scope) -> str | None:
    called = _OTHERS_CALL.get(text) or _OTHERS_CALL.get(text.casefold())
    if called is not None:
        return f"here it is called `{called}`: `{SIGNATURES[called]}`"
    written = _OTHERS_WRITE.get(text) or _OTHERS_WRITE.get(text.casefold())
    return written or did_you_mean(text, scope.known_functions())


def _subject(scope: Scope) -> Iterator[Diagnostic]:
    names = scope.score.subject if scope.score and scope.schema.keys else ()
    for index, name in enumerate(names):
        if name in names[:index]:
            yield Diagnostic(
                codes.DECLARED_TWICE,
                f"the score is given for each `{name.text}` already",
                name.span,
                labels=(Label(names[names.index(name)].span, "first here"),),
            )
        if name.text not in scope.schema.keys:
            yield Diagnostic(
                codes.NOT_A_KEY,
                f"`{name.text}` is not a key of the evidence",
                name.span,
                help=did_you_mean(name.text, scope.schema.keys)
                or f"the keys are {', '.join(f'`{key}`' for key in scope.schema.keys)}",
            )
