"""Asking and comparing: every question, ladder and comparison can be carried out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulesengine.check.grain import grain_of
from rulesengine.check.scales import constant
from rulesengine.check.scope import LEAF_TYPES, ROWS, FunctionDecl, Scope, parameter_type
from rulesengine.diagnostics import Code, Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.providers.protocols import Panel
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.types import (
    JSON,
    TEXT,
    ListType,
    NumberType,
    OneOfType,
    TextType,
    Type,
    YesNoType,
)

HOLE = re.compile(r"\{([^{}\s]*)\}")
# What a comparison tells a ladder of each leaf.
TOLD = ("candidate", "reference", "path", "type", "description", "parents", "entry")
EXTRA = tuple(name for name in TOLD if name != "reference")
BACKED = "backed"  # told where the comparison says what backs a value
LISTS = ("sets", "sequences")


def check_asking(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each question, ladder and comparison that cannot be carried out.

    Relies on check_names and check_types having found nothing.
    """
    found: list[Diagnostic] = []
    for ask in scope.asks.values():
        found.extend(_ask(ask.node, ask.type, ask.scope))
        if not isinstance(ask.type, YesNoType | OneOfType) and not _is_bounded(ask.type):
            found.append(
                Diagnostic(
                    codes.BAD_ASK,
                    "a judge answers yes or no, one of several options, or a number in a range",
                    ask.node.type.span,
                    help="`-> yes/no`, `-> one of a, b`, `-> number 0 to 10`",
                )
            )
    for statement in scope.module.statements:
        if isinstance(statement, n.Ladder):
            found.extend(_ladder(statement, scope))
        if isinstance(statement, n.ComparisonOf):
            found.extend(_comparison(statement, scope))
    return found


def _is_bounded(type_: object) -> bool:
    return isinstance(type_, NumberType) and type_.low is not None and type_.high is not None


def _ask(ask: n.Ask, type_: Type, scope: Scope) -> Iterator[Diagnostic]:
    names = [parameter.name.text for parameter in ask.parameters]
    if len(ask.prompts) != 1:
        span = ask.prompts[1].span if ask.prompts else ask.name.span
        yield Diagnostic(
            codes.BAD_ASK,
            f"a question has one prompt, and `{ask.name.text}` has {len(ask.prompts) or 'none'}",
            span,
            help='add `prompt "…"`' if not ask.prompts else "join them: a text may have many lines",
        )
    for parameter in ask.parameters:
        if parameter.default is not None:
            yield Diagnostic(
                codes.BAD_ASK, "what a judge is asked about has no default", parameter.span
            )
        parameter_type(parameter, [])
    for name in ask.given:
        if name.text not in scope.schema.by_name:
            yield Diagnostic(
                codes.BAD_ASK,
                f"`{name.text}` is no field of the evidence, so it cannot go along",
                name.span,
                help=did_you_mean(name.text, scope.schema.by_name)
                or "what is worked out goes in by a parameter",
            )
    yield from _blind(ask, names, type_)
    yield from _panel(ask, type_)
    known = {*names, *(name.text for name in ask.given)}
    for prompt in ask.prompts:
        for hole in HOLE.findall(prompt.text):
            if hole not in known:
                yield Diagnostic(
                    codes.BAD_ASK,
                    f"the prompt has a hole `{{{hole}}}` that nothing fills",
                    prompt.span,
                    help=did_you_mean(hole, known)
                    or f"it can hold {', '.join(f'{{{name}}}' for name in sorted(known))}",
                )


def _said_once(said: Sequence[n.Node], message: str) -> Iterator[Diagnostic]:
    for extra in said[1:]:
        yield Diagnostic(
            codes.BAD_ASK, message, extra.span, labels=(Label(said[0].span, "said here"),)
        )


def _blind(ask: n.Ask, parameters: list[str], type_: Type) -> Iterator[Diagnostic]:
    """What the judge does not see the order of, and how its answers are turned back."""
    yield from _said_once(ask.blinds, "a question says once what it is blind to")
    for blind in ask.blinds[:1]:
        for name in blind.names:
            if name.text not in parameters:
                yield Diagnostic(
                    codes.BAD_ASK,
                    f"`{name.text}` is no parameter of the question",
                    name.span,
                    help=did_you_mean(name.text, parameters)
                    or f"its parameters are {', '.join(parameters)}",
                )
        if len(blind.names) != 2 or len({name.text for name in blind.names}) != 2:
            yield Diagnostic(
                codes.BAD_ASK,
                "an order is that of two things",
                blind.span,
                help="name both sides: `blind a, b`",
            )
        yield from _mirrored(blind, type_)


def _mirrored(blind: n.Blind, type_: Type) -> Iterator[Diagnostic]:
    """Each option is turned into one other, which is turned into it."""
    options = type_.options if isinstance(type_, OneOfType) else ()
    seen: dict[str, n.Name] = {}
    for option in (option for pair in blind.mirrored for option in pair):
        before = seen.setdefault(option.text, option)
        if option.text not in options:
            yield Diagnostic(
                codes.BAD_ASK,
                f"`{option.text}` is no answer of the question",
                option.span,
                help=did_you_mean(option.text, options)
                or "`with better as worse` pairs two options of `one of …`",
            )
        elif before is not option:
            yield Diagnostic(
                codes.BAD_ASK,
                f"`{option.text}` is turned into more than one answer",
                option.span,
                labels=(Label(before.span, "paired here"),),
                help="an option that stays what it is, in either order, is not named at all",
            )


PANELS = ("majority", "unanimous", "median")


def _panel(ask: n.Ask, type_: Type) -> Iterator[Diagnostic]:
    """How several judges agree."""
    yield from _said_once(ask.panels, "a question says once how judges agree")
    for panel in ask.panels[:1]:
        policy, quorum = panel.policy, panel.quorum
        if policy.text not in PANELS:
            yield Diagnostic(
                codes.BAD_ASK,
                f"judges do not agree by `{policy.text}`",
                policy.span,
                help=did_you_mean(policy.text, PANELS) or f"by {', '.join(PANELS)}",
            )
        elif policy.text == "median" and not isinstance(type_, NumberType):
            yield Diagnostic(
                codes.BAD_ASK,
                "only numbers have a median",
                policy.span,
                help="`panel by majority`",
            )
        if quorum is not None and (quorum.value.denominator != 1 or quorum.value < 1):
            yield Diagnostic(codes.BAD_NUMBER, "a quorum is a whole number above 0", quorum.span)


def panel_of(ask: n.Ask) -> Panel | None:
    """Return how judges agree, as a checked question says it."""
    for panel in ask.panels:
        quorum = 1 if panel.quorum is None else int(panel.quorum.value)
        return Panel(panel.policy.text, quorum)  # type: ignore[arg-type]
    return None


def _ladder(ladder: n.Ladder, scope: Scope) -> Iterator[Diagnostic]:
    if not ladder.rungs:
        yield Diagnostic(
            codes.BAD_LADDER,
            f"the ladder `{ladder.name.text}` has no rung",
            ladder.span,
            help="add `rung exact { when candidate = reference -> 1 }`",
        )
    names: dict[str, Span] = {}
    for rung in ladder.rungs:
        if isinstance(rung, n.RungsOf):
            yield from _lent(rung.ladder, scope)
            continue
        before = names.setdefault(rung.name.text, rung.name.span)
        if before is not rung.name.span:
            yield Diagnostic(
                codes.DECLARED_TWICE,
                f"the rung `{rung.name.text}` stands twice",
                rung.name.span,
                labels=(Label(before, "first here"),),
            )
        for name in rung.types or ():
            if name.text not in LEAF_TYPES:
                yield Diagnostic(
                    codes.BAD_LADDER,
                    f"no kind of value is called `{name.text}` here",
                    name.span,
                    help=did_you_mean(name.text, LEAF_TYPES)
                    or f"the kinds are {', '.join(LEAF_TYPES)}",
                )
        for row in rung.rows:
            if isinstance(row.result, n.Unscored):
                yield Diagnostic(
                    codes.BAD_LADDER,
                    "a rung gives a credit from 0 to 1, or settles nothing",
                    row.result.span,
                    help="leave the row out, and the next rung is tried",
                )
            else:
                value = constant(row.result.value)
                if value is not None and not 0 <= value <= 1:
                    yield Diagnostic(
                        codes.BAD_LADDER, "credit is from 0 to 1", row.result.value.span
                    )


def _lent(call: n.Call, scope: Scope) -> Iterator[Diagnostic]:
    """What is wrong with the rungs of another ladder."""
    decl = scope.function(call.function)
    if not isinstance(decl, FunctionDecl) or not decl.is_ladder:
        yield _no_ladder(call, codes.BAD_LADDER, scope)
    yield from _unnamed(call, codes.BAD_LADDER)


def _settings(
    ladder: n.Call, parameters: tuple[n.Parameter, ...], told: tuple[str, ...]
) -> Iterator[Diagnostic]:
    """A comparison tells a ladder what stands in each leaf; all else has to be said, or to have a default."""
    names = [parameter.name.text for parameter in parameters]
    said: dict[str, Span] = {}
    for argument in ladder.arguments:
        if argument.name is None:
            continue
        name = argument.name.text
        if name not in names:
            message = f"`{ladder.function.text}` has no parameter `{name}`"
            advice = did_you_mean(name, names) or f"its parameters are {', '.join(names)}"
        elif name in (*TOLD, BACKED):
            message = f"`{name}` is what the comparison itself tells of each leaf"
            advice = "leave it out"
        elif name in said:
            message, advice = f"`{name}` is said twice", "once is enough"
        else:
            said[name] = argument.span
            continue
        yield Diagnostic(codes.BAD_COMPARISON, message, argument.span, help=advice)
    for parameter in parameters:
        name = parameter.name.text
        if name not in (*told, *said) and parameter.default is None:
            yield Diagnostic(
                codes.BAD_COMPARISON,
                f"a comparison cannot tell a ladder `{name}`",
                ladder.span,
                labels=(Label(parameter.span, "this parameter"),),
                help="say what backs a value: `backed by FIELD`, `backed by other KEY`"
                if name == BACKED
                else f"it tells {', '.join(told)}; say it with the ladder: `{ladder.function.text}({name}: …)`",
            )


def _no_ladder(call: n.Call, code: Code, scope: Scope) -> Diagnostic:
    name = call.function.text
    ladders = [each for each, decl in scope.functions.items() if decl.is_ladder]
    for library, inside in scope.libraries.items():
        ladders += [
            f"{library}.{each}" for each, decl in inside.functions.items() if decl.is_ladder
        ]
    return Diagnostic(
        code,
        f"no ladder is called `{name}`",
        call.function.span,
        help=did_you_mean(name, ladders) or "declare it: `ladder NAME(candidate, reference) { … }`",
    )


def _unnamed(call: n.Call, code: Code) -> Iterator[Diagnostic]:
    """What a ladder is told goes by name: the values at hand come by themselves, so places say nothing."""
    for argument in call.arguments:
        if argument.name is None:
            yield Diagnostic(
                code,
                "what a ladder is told beside the values at hand goes by name",
                argument.span,
                help=f"write `NAME: {argument.span.text}`",
            )


def _comparison(node: n.ComparisonOf, scope: Scope) -> Iterator[Diagnostic]:
    name = node.name.text
    for what, clauses, needed in (
        ("leaves by", node.leaves, True),
        ("extras by", node.extras, False),
        ("lists as", node.lists, False),
        ("typed by", node.schemas, False),
        ("backed by", node.texts, False),
        ("backed by other", node.others, False),
    ):
        if len(clauses) > 1:
            yield Diagnostic(codes.BAD_COMPARISON, f"`{what}` stands twice", clauses[1].span)
        if needed and not clauses:
            yield Diagnostic(
                codes.BAD_COMPARISON,
                f"the comparison `{name}` does not say how its leaves are settled",
                node.name.span,
                help="add `leaves by NAME`, the name of a ladder",
            )
    backed = (BACKED,) if node.texts or node.others else ()
    for ladder, told in (
        *((ladder, (*TOLD, *backed)) for ladder in node.leaves),
        *((ladder, (*EXTRA, *backed)) for ladder in node.extras),
    ):
        decl = scope.function(ladder.function)
        if not isinstance(decl, FunctionDecl) or not decl.is_ladder:
            yield _no_ladder(ladder, codes.BAD_COMPARISON, scope)
            continue
        yield from _unnamed(ladder, codes.BAD_COMPARISON)
        yield from _settings(ladder, decl.node.parameters or (), told)
    for each in node.lists:
        if each.text not in LISTS:
            yield Diagnostic(
                codes.BAD_COMPARISON,
                f"lists are compared as sets or as sequences, and not as `{each.text}`",
                each.span,
                help=did_you_mean(each.text, LISTS),
            )
    by_key = [*([node.keyed] if node.keyed is not None else []), *node.paired_by]
    if by_key and [each.text for each in node.lists] == ["sequences"]:
        yield Diagnostic(
            codes.BAD_COMPARISON,
            "a sequence is compared item by item, in order, so nothing else pairs its items",
            by_key[0].span,
            help="compare the lists as sets",
        )
    if node.threshold is not None:
        value = constant(node.threshold, scope)
        if value is None or not Fraction(0) <= value <= 1:
            yield Diagnostic(
                codes.BAD_COMPARISON,
                "a pair is made from a credit between 0 and 1 on, a number or a param",
                node.threshold.span,
            )
    for each in node.schemas:
        field = scope.schema.by_name.get(each.text)
        if field is None or (field.type != JSON and not isinstance(field.type, TextType)):
            yield Diagnostic(
                codes.BAD_COMPARISON,
                f"`{each.text}` is no field that holds a JSON Schema",
                each.span,
                help="declare it: `schema : json?`",
            )
    for each in node.texts:
        field = scope.schema.by_name.get(each.text)
        if field is None or field.type not in (TEXT, ListType(TEXT)):
            yield Diagnostic(
                codes.BAD_COMPARISON,
                f"`{each.text}` is no field that holds texts",
                each.span,
                help="declare it: `documents : list of text?`",
            )
    shared = grain_of(node.reference, ROWS, scope)
    for each in node.others:
        if each.text not in scope.schema.keys:
            yield Diagnostic(
                codes.NOT_A_KEY,
                f"`{each.text}` is not a key of the evidence",
                each.span,
                help=did_you_mean(each.text, scope.schema.keys),
            )
        elif each.text not in grain_of(node.candidate, ROWS, scope) - shared:
            yield Diagnostic(
                codes.BAD_COMPARISON,
                f"others are those whose value is held against the same reference, and by `{each.text}` "
                "either the reference varies too or the value does not",
                each.span,
                help="give the reference fewer keys: `reference : json per …`",
            )
