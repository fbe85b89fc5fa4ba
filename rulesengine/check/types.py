"""Types: every operation gets values that it is made for.

A function has no types of its own unless its parameters say so: its body is checked anew for each set of argument
types that it is called with.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from rulesengine.check.definitions import check_definitions
from rulesengine.check.expressions import function_context
from rulesengine.check.scope import (
    EXCLUDE,
    EXPECT,
    FIGURES,
    ROWS,
    AskDecl,
    AttributeDecl,
    BandsDecl,
    Context,
    FunctionDecl,
    KeptDecl,
    LetDecl,
    OptionDecl,
    ParamDecl,
    ParameterDecl,
    Part,
    RankDecl,
    Scope,
    ShowDecl,
    is_url,
    literal_value,
    parameter_type,
    type_of_written,
)
from rulesengine.diagnostics import Code, Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.schema import Field
from rulesengine.primitives import Primitive
from rulesengine.primitives.number_types import (
    calculated,
    either,
    lies_within,
    literal,
    negative,
    without_range,
)
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import part_nodes
from rulesengine.types import (
    DATE,
    INTEGER,
    NUMBER,
    TEXT,
    UNKNOWN,
    URL,
    YES_NO,
    DateType,
    JsonType,
    ListType,
    NumberType,
    OneOfType,
    TextType,
    Type,
    UnknownType,
    UrlType,
    YesNoType,
    describe,
)
from rulesengine.values import show_number

CREDIT = NumberType(low=Fraction(0), high=Fraction(1))  # what a ladder gives


def check_types(scope: Scope) -> list[Diagnostic]:
    """Return a diagnostic for each operation whose values do not go with it.

    A name without a meaning goes with every type, so that its error is told once; where definitions need themselves,
    nothing is checked. Later stages may rely on it: after an empty list no operation ever meets a value of the wrong
    type.
    """
    if check_definitions(scope):
        return []
    checker = Checker(scope)
    for let in scope.lets.values():
        checker.type_of(let.value, ROWS)
    for function in scope.functions.values():
        checker.declared_function(function)
    if scope.score is not None:
        checker.combines(scope.score.combines)
        for part in part_nodes(scope.score.parts):
            checker.combines(part.combines)
            checker.rows(part.rows)
            if isinstance(part, n.Criterion) and part.value is not None:
                checker.number(part.value, ROWS)
        for show in scope.score.shows:
            checker.number(show.value, FIGURES)
        for require in scope.score.requires:
            checker.yes_no(require.condition, FIGURES)
    for statement in scope.module.statements:
        if isinstance(statement, n.Evidence):
            for field in statement.fields:
                if field.otherwise is not None:
                    checker.answers(field)
        if isinstance(statement, n.ComparisonOf):
            checker.comparison(statement)
        if isinstance(statement, n.Claim):
            checker.yes_no(statement.condition, FIGURES)
        if isinstance(statement, n.Bands):
            for band in statement.bands:
                if band.condition is not None:
                    checker.yes_no(band.condition, FIGURES)
    for rank in scope.ranks:
        checker.number(rank.value, FIGURES)
    for statement in scope.module.statements:
        if isinstance(statement, n.Evidence):
            for require in statement.requires:
                checker.yes_no(require.condition, ROWS)
        if isinstance(statement, n.Case):
            for expect in statement.expects:
                if isinstance(expect, n.Expect):
                    checker.yes_no(expect.condition, EXPECT)
    return checker.found


@lru_cache(maxsize=4096)
def let_type(scope: Scope, name: str) -> Type:
    """Return the type of a definition; what is wrong inside it is told where it is declared."""
    return Checker(scope).type_of(scope.lets[name].value, ROWS)


@lru_cache(maxsize=4096)
def _body(
    scope: Scope, name: str, types: tuple[tuple[str, Type], ...]
) -> tuple[Type, tuple[Diagnostic, ...]]:
    """The type of a function's body for these types of its parameters, and what is wrong inside it."""
    inside: list[Diagnostic] = []
    node = scope.functions[name].node
    type_ = Checker(scope, inside, dict(types)).type_of(node.value, function_context(node))
    return type_, tuple(inside)


def _declared(scope: Scope, name: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a function by what its own parameters say, before any call."""
    written = scope.functions[name].node.parameters or ()
    types = tuple((parameter.name.text, parameter_type(parameter, [])) for parameter in written)
    return _body(scope, name, types)[1]


class Checker(msgspec.Struct, eq=False):
    """Works out types in one file; collects what it finds wrong."""

    scope: Scope
    found: list[Diagnostic] = msgspec.field(default_factory=list)
    parameters: dict[str, Type] = msgspec.field(default_factory=dict)

    def report(
        self, code: Code, message: str, span: Span, advice: str | None = None, *labels: Label
    ) -> None:
        """Note a finding."""
        self.found.append(Diagnostic(code, message, span, labels, advice))

    # ------------------------------------------------------------------------------------- what needs what

    def combines(self, combines: tuple[n.Combine, ...]) -> None:
        """Check what a combine excludes."""
        for combine in combines:
            for exclude in combine.excludes:
                self.yes_no(exclude.condition, EXCLUDE)

    def rows(self, rows: tuple[n.Row, ...], context: Context = ROWS) -> None:
        """Check conditions and results."""
        for row in rows:
            if isinstance(row, n.When | n.Gate):
                self.yes_no(row.condition, context)
            if isinstance(row.result, n.Points):
                self.number(row.result.value, context)

    def yes_no(self, expr: n.Expr, context: Context) -> None:
        """Check that an expression can be a condition."""
        type_ = self.type_of(expr, context)
        if not isinstance(type_, YesNoType | UnknownType):
            self.report(
                codes.NOT_YES_NO,
                f"`{expr.span.text}` is {describe(type_)} and not a condition",
                expr.span,
                "compare it with something: `… = …`, or ask `… is missing`",
            )

    def answers(self, field: n.Field) -> None:
        """Check that a question gives what the field that it stands in for is declared as."""
        assert field.otherwise is not None
        wanted = self.scope.schema.by_name[field.name.text].type
        actual = self.type_of(field.otherwise, ROWS)
        if wanted != actual and UNKNOWN not in (wanted, actual):
            self.report(
                codes.WRONG_TYPE,
                f"`{field.name.text}` is {describe(wanted)}, and the answer is {describe(actual)}",
                field.otherwise.span,
            )

    def comparison(self, node: n.ComparisonOf) -> None:
        """Check what is compared."""
        for side in (node.candidate, node.reference):
            type_ = self.type_of(side, ROWS)
            if not isinstance(type_, JsonType | TextType | UnknownType):
                self.report(
                    codes.WRONG_TYPE,
                    f"`{side.span.text}` is {describe(type_)}, and what is compared is JSON",
                    side.span,
                    "declare it as `json`",
                )
        for ladder in (*node.leaves, *node.extras):
            decl = self.scope.function(ladder.function)
            parameters = decl.node.parameters or () if isinstance(decl, FunctionDecl) else ()
            wanted = {each.name.text: parameter_type(each, []) for each in parameters}
            for argument in ladder.arguments:
                name = "" if argument.name is None else argument.name.text
                self._argument(argument.value, name, wanted.get(name, UNKNOWN), ROWS)

    def number(self, expr: n.Expr, context: Context) -> Type:
        """Check that an expression is a number; return its type."""
        type_ = self.type_of(expr, context)
        self._is_number(expr, type_)
        return type_

    def _is_number(self, expr: n.Expr, type_: Type) -> None:
        if not isinstance(type_, NumberType | UnknownType):
            self.report(
                codes.WRONG_TYPE,
                f"`{expr.span.text}` is {describe(type_)} where a number is needed",
                expr.span,
            )

    # ------------------------------------------------------------------------------------------- the types

    def type_of(self, expr: n.Expr, context: Context) -> Type:
        """Return the type of an expression, reporting what is wrong inside it."""
        match expr:
            case n.Number(value=value):
                return literal(value)
            case n.Date():
                return DATE
            case n.Text():
                return TEXT
            case n.Truth():
                return YES_NO
            case n.Awarded() | n.ScoreOf():
                return NUMBER
            case n.ScaleOf():
                return ListType(NUMBER)
            case n.Reference():
                return self._reference(expr, context)
            case n.Call():
                return self._call(expr, context)
            case n.ListOf(items=items):
                return self._list(items, context)
            case n.Not(operand=operand):
                self.yes_no(operand, context)
                return YES_NO
            case n.Logic(parts=parts):
                for part in parts:
                    self.yes_no(part, context)
                return YES_NO
            case n.Compare():
                return self._compare(expr, context)
            case n.Member():
                return self._member(expr, context)
            case n.Between():
                return self._between(expr, context)
            case n.TextTest():
                return self._text_test(expr, context)
            case n.IsState(operand=operand, state=state):
                self._state(operand, state, context)
                return YES_NO
            case n.Else(operand=operand, fallback=fallback):
                return self._else(operand, fallback, context)
            case n.Arithmetic():
                return self._arithmetic(expr, context)
            case n.Minus(operand=operand):
                type_ = self.number(operand, context)
                return negative(type_) if isinstance(type_, NumberType) else NUMBER
            case n.Aggregate():
                return self._aggregate(expr, context)
            case n.This(operand=operand):
                return self.type_of(operand, context)
            case n.Table():
                return self._table(expr, context)
            case n.Rungs(rungs=rungs):
                for rung in rungs:
                    if isinstance(rung, n.RungsOf):
                        self._lent(rung.ladder, context)
                    else:
                        self.rows(rung.rows, context)
                return CREDIT
            case n.Missing(span=span):
                if context.where != "expect":
                    self.report(
                        codes.OUT_OF_PLACE,
                        "`missing` is given to a function in cases only",
                        span,
                        "ask `… is missing`, or let the function have a default",
                    )
                return UNKNOWN

    def _lent(self, call: n.Call, context: Context) -> None:
        """Check what a ladder is told whose rungs another one takes; what is none is told in asking.py."""
        decl = self.scope.function(call.function)
        is_ladder = isinstance(decl, FunctionDecl) and decl.is_ladder
        if is_ladder and all(argument.name is not None for argument in call.arguments):
            self._call(call, context)

    def _aggregate(self, expr: n.Aggregate, context: Context) -> Type:
        if expr.where is not None:
            self.yes_no(expr.where, context)
        match expr.op:
            case "all" | "any" | "none":
                self.yes_no(expr.value, context)
                return YES_NO
            case "count":
                self.type_of(expr.value, context)
                return NumberType(integer=True, low=Fraction(0))
            case "share":
                self.yes_no(expr.value, context)
                return NumberType(low=Fraction(0), high=Fraction(1))
        inner = self.number(expr.value, context)
        known = inner if isinstance(inner, NumberType) else NUMBER
        match expr.op:
            case "min" | "max" | "worst" | "best":
                return known
            case "sum":
                return NumberType(integer=known.integer, exact=known.exact)
            case "stdev_sample" | "stdev_population":
                return NumberType(low=Fraction(0), exact=False)
            case _:
                return NumberType(low=known.low, high=known.high, exact=known.exact)

    def _table(self, expr: n.Table, context: Context) -> Type:
        for row in expr.rows:
            if isinstance(row, n.When):
                self.yes_no(row.condition, context)
        results = [row.result.value for row in expr.rows if isinstance(row.result, n.Points)]
        if expr.type is None:
            listed = self._list(tuple(results), context, "a definition gives")
            return listed.item if isinstance(listed, ListType) else UNKNOWN
        wanted = type_of_written(expr.type, self.found)
        for result in results:
            option = self._option(result, context)
            if isinstance(wanted, OneOfType) and option is not None:
                self._known_option(result, option, expr.type.span.text, wanted)
                continue
            actual = self.type_of(result, context)
            if not _alike(wanted, actual):
                self.report(
                    codes.WRONG_TYPE,
                    f"`{result.span.text}` is {describe(actual)}, and this should give {describe(wanted)}",
                    result.span,
                )
            elif (
                isinstance(wanted, NumberType)
                and isinstance(actual, NumberType)
                and not lies_within(actual, wanted)
            ):
                # What the range promises is relied on, such as by what is proved of bands.
                self.report(
                    codes.WRONG_TYPE,
                    f"this should give {describe(wanted)}, and `{result.span.text}` may be another number",
                    result.span,
                    _way_into(wanted, result.span.text),
                )
        return wanted

    def _reference(self, expr: n.Reference, context: Context) -> Type:
        match self.scope.meaning(expr, context):
            case Field(type=type_):
                return type_
            case LetDecl(node=node):
                return let_type(self.scope, node.name.text)
            case ParameterDecl(name=name):
                return self.parameters.get(name, UNKNOWN)
            case ParamDecl(type=type_):
                return type_
            case AttributeDecl(attribute=attribute):
                return attribute.type
            case OptionDecl(name=name):
                return OneOfType((name,))
            case Part() | ShowDecl():
                return NUMBER
            case KeptDecl(key=key):
                return NUMBER if key is None else self.scope.schema.by_name[key].type
            case RankDecl(what=what):
                return YES_NO if what == "kept" else INTEGER
            case BandsDecl(node=node):
                return OneOfType(tuple(dict.fromkeys(band.name for band in node.bands)))
            case None:
                return UNKNOWN

    def _list(
        self, items: tuple[n.Expr, ...], context: Context, holder: str = "a list holds"
    ) -> Type:
        types = [self.type_of(item, context) for item in items]
        if not types:
            return ListType(UNKNOWN)
        if all(isinstance(type_, OneOfType) for type_ in types):
            options = [o for t in types if isinstance(t, OneOfType) for o in t.options]
            return ListType(OneOfType(tuple(dict.fromkeys(options))))
        numbers = [type_ for type_ in types if isinstance(type_, NumberType)]
        if len(numbers) == len(types):
            return ListType(either(*numbers))
        if all(isinstance(type_, OneOfType | TextType) for type_ in types):
            return ListType(TEXT)  # a text may be what is no option
        first = types[0]
        for item, type_ in zip(items[1:], types[1:], strict=True):
            if not _alike(first, type_):
                self.report(
                    codes.WRONG_TYPE,
                    f"{holder} values of one kind, and `{item.span.text}` is {describe(type_)}",
                    item.span,
                    None,
                    Label(items[0].span, f"the first is {describe(first)}"),
                )
                return ListType(UNKNOWN)
        return ListType(first)

    def _compare(self, expr: n.Compare, context: Context) -> Type:
        left = self.type_of(expr.left, context)
        right = self.type_of(expr.right, context)
        if expr.op not in ("=", "!="):
            sides = ((expr.left, left), (expr.right, right))
            if not self._have_order(expr.op, sides):
                return YES_NO
        self._sides(expr.left, left, expr.right, right, context, expr.span)
        return YES_NO

    def _have_order(self, word: str, sides: tuple[tuple[n.Expr, Type], ...]) -> bool:
        """Whether values of these types are less or more than each other; report the first that is not."""
        for side, type_ in sides:
            if not isinstance(type_, NumberType | DateType | UnknownType):
                is_date = any(isinstance(other, DateType) for _, other in sides)
                self.report(
                    codes.WRONG_TYPE,
                    f"`{word}` needs numbers or dates, and `{side.span.text}` is {describe(type_)}",
                    side.span,
                    _WRITTEN_DATE if is_date else None,
                )
                return False
        return True

    def _between(self, expr: n.Between, context: Context) -> Type:
        operand = self.type_of(expr.operand, context)
        low, high = self.type_of(expr.low, context), self.type_of(expr.high, context)
        sides = ((expr.operand, operand), (expr.low, low), (expr.high, high))
        if self._have_order("between", sides):
            before = len(self.found)
            self._sides(expr.operand, operand, expr.low, low, context, expr.span)
            if len(self.found) == before:
                self._sides(expr.operand, operand, expr.high, high, context, expr.span)
        if _is_backwards(low, high, expr):
            self.report(
                codes.NEVER_FAILS,
                f"nothing lies between {expr.low.span.text} and {expr.high.span.text}",
                expr.span,
                "the lower end comes first",
            )
        return YES_NO

    def _text_test(self, expr: n.TextTest, context: Context) -> Type:
        left = self.type_of(expr.left, context)
        if expr.op == "contains" and isinstance(left, ListType):
            member = n.Member(
                span=expr.span, item=expr.right, container=expr.left, negated=expr.negated
            )
            return self._member(member, context)
        right = self.type_of(expr.right, context)
        for side, type_ in ((expr.left, left), (expr.right, right)):
            if not isinstance(type_, TextType | OneOfType | UnknownType):
                needs = (
                    "a text or a list" if expr.op == "contains" and side is expr.left else "a text"
                )
                self.report(
                    codes.WRONG_TYPE,
                    f"`{expr.op}` needs {needs}, and `{side.span.text}` is {describe(type_)}",
                    side.span,
                    _ABOUT_URLS if isinstance(type_, UrlType) else None,
                )
                return YES_NO
        if expr.op == "matches":
            self._pattern(expr.right)
        elif isinstance(expr.right, n.Text) and not expr.right.value:
            self.report(
                codes.NEVER_FAILS,
                f"every text {expr.op} the empty text",
                expr.span,
                'compare with it: `… = ""`',
            )
        return YES_NO

    def _pattern(self, expr: n.Expr) -> None:
        """Check that a pattern is written out and can be read."""
        if not isinstance(expr, n.Text):
            self.report(
                codes.BAD_PATTERN,
                "a pattern is written out as a text",
                expr.span,
                "what stands in the evidence is compared with `=`, or looked for with `contains`",
            )
            return
        from rulesengine.primitives.patterns import BadPattern, compiled

        try:
            compiled(expr.value)
        except BadPattern as error:
            self.report(codes.BAD_PATTERN, f"this pattern cannot be read: {error}", expr.span)

    def _arithmetic(self, expr: n.Arithmetic, context: Context) -> Type:
        left, right = self.type_of(expr.left, context), self.type_of(expr.right, context)
        if isinstance(left, DateType) or isinstance(right, DateType):
            return self._date_arithmetic(expr, left, right)
        self._is_number(expr.left, left)
        self._is_number(expr.right, right)
        if isinstance(left, NumberType) and isinstance(right, NumberType):
            return calculated(expr.op, left, right)
        is_open = expr.op in ("+", "-") and UNKNOWN in (left, right)
        return UNKNOWN if is_open else NUMBER

    def _date_arithmetic(self, expr: n.Arithmetic, left: Type, right: Type) -> Type:
        """Days between two dates, or a date some whole days later."""
        match left, expr.op, right:
            case (DateType() | UnknownType(), "-", DateType()):
                return INTEGER
            case (DateType(), "-", UnknownType()):
                return UNKNOWN
            case (DateType(), "+", UnknownType()):
                return DATE
            case (DateType(), "+" | "-", NumberType(integer=True)):
                return DATE
            case (DateType(), "+" | "-", NumberType()):
                self.report(
                    codes.WRONG_TYPE,
                    f"a date moves by whole days, and `{expr.right.span.text}` may be none",
                    expr.right.span,
                    "declare it as an `integer`, or say which way to round: `floor(…)`, `ceiling(…)`",
                )
                return DATE
            case (NumberType() | UnknownType(), "+", DateType()):
                self.report(
                    codes.WRONG_TYPE,
                    "the date comes before the days",
                    expr.span,
                    f"write `{expr.right.span.text} + {expr.left.span.text}`",
                )
                return DATE
            case _:
                self.report(
                    codes.WRONG_TYPE,
                    f"`{expr.span.text}` is {describe(left)} {_SIGNS[expr.op]} {describe(right)}",
                    expr.span,
                    "a date less a date gives days; a date takes a number of days with `+` and `-`",
                )
                return UNKNOWN

    def _member(self, expr: n.Member, context: Context) -> Type:
        item = self.type_of(expr.item, context)
        container = self.type_of(expr.container, context)
        if isinstance(expr.container, n.ListOf):
            if container == ListType(UNKNOWN):
                return YES_NO  # an empty list, or one with an error of its own
            for each in expr.container.items:
                type_ = Checker(self.scope, [], self.parameters).type_of(each, context)
                before = len(self.found)
                self._sides(expr.item, item, each, type_, context, expr.span)
                if len(self.found) > before and self.found[-1].span == expr.span:
                    break  # the list as a whole is of another kind: told once
        elif isinstance(container, ListType):
            self._sides(expr.item, item, expr.container, container.item, context, expr.span)
        elif not isinstance(container, UnknownType):
            self.report(
                codes.WRONG_TYPE,
                f"`in` needs a list, and `{expr.container.span.text}` is {describe(container)}",
                expr.container.span,
                "write the list in square brackets: `[0, 5, 10]`",
            )
        return YES_NO

    def _sides(
        self,
        left: n.Expr,
        left_type: Type,
        right: n.Expr,
        right_type: Type,
        context: Context,
        span: Span,
    ) -> None:
        """Check that two sides can be compared for being the same."""
        for one, other, other_type in ((left, right, right_type), (right, left, left_type)):
            if isinstance(other_type, OneOfType) and self._option(other, context) is None:
                option = self._option(one, context)
                if option is not None:
                    self._known_option(one, option, other.span.text, other_type)
                    return
                if self._has_two_meanings(one, other, other_type, context):
                    return
        if isinstance(left_type, UrlType) or isinstance(right_type, UrlType):
            if not isinstance(left_type, UnknownType) and not isinstance(right_type, UnknownType):
                self.report(
                    codes.WRONG_TYPE,
                    "urls are not compared letter by letter",
                    span,
                    "`use std.url` and ask `url.same(a, b)`, which knows that case and a closing `/` may differ",
                )
            return
        if not _alike(left_type, right_type):
            is_written = any(isinstance(e, n.Text | n.Arithmetic) for e in (left, right))
            self.report(
                codes.WRONG_TYPE,
                f"`{left.span.text}` is {describe(left_type)} and `{right.span.text}` is "
                f"{describe(right_type)}: they are never the same",
                span,
                _WRITTEN_DATE if DATE in (left_type, right_type) and is_written else None,
            )

    def _option(self, expr: n.Expr, context: Context) -> str | None:
        """Return the option that an expression spells out, if it does."""
        if isinstance(expr, n.Text):
            return expr.value
        if isinstance(expr, n.Reference):
            meaning = self.scope.meaning(expr, context)
            return meaning.name if isinstance(meaning, OptionDecl) else None
        return None

    def _known_option(self, expr: n.Expr, option: str, of: str, type_: OneOfType) -> None:
        if option not in type_.options:
            self.report(
                codes.UNKNOWN_OPTION,
                f"`{option}` is not an option of `{of}`",
                expr.span,
                did_you_mean(option, type_.options) or f"it is {describe(type_)}",
            )

    def _has_two_meanings(
        self, one: n.Expr, other: n.Expr, other_type: OneOfType, context: Context
    ) -> bool:
        """Report a field or definition whose name is also an option that it is compared with."""
        if not isinstance(one, n.Reference) or one == other:
            return False
        name = one.path.text
        if name not in other_type.options or isinstance(other, n.Text):
            return False
        if self.scope.meaning(one, context) is None:
            return True  # that is told already
        self.report(
            codes.AMBIGUOUS_NAME,
            f"`{name}` is a name of this file and also an option of `{other.span.text}`",
            one.span,
            f'for the option write it as a text: `"{name}"`',
        )
        return True

    def _state(self, operand: n.Expr, state: n.State, context: Context) -> None:
        self.type_of(operand, context)
        is_result = isinstance(operand, n.ScoreOf) or (
            isinstance(operand, n.Reference)
            and isinstance(self.scope.meaning(operand, context), Part | BandsDecl)
        )
        is_result = is_result or (isinstance(operand, n.Call) and state == "failed")
        if state in ("unscored", "failed") and not is_result and context.where == "expect":
            self.report(
                codes.OUT_OF_PLACE,
                f"`{operand.span.text}` is no part of the score",
                operand.span,
                f"`is {state}` asks for the result of a criterion, an item or `score`",
            )

    def _else(self, operand: n.Expr, fallback: n.Expr, context: Context) -> Type:
        left, right = self.type_of(operand, context), self.type_of(fallback, context)
        option = self._option(fallback, context)
        if isinstance(left, OneOfType) and option is not None:
            self._known_option(fallback, option, operand.span.text, left)
        elif isinstance(left, JsonType) and isinstance(right, TextType):
            return left  # a text is JSON too; "" is what fills nothing
        elif not _alike(left, right):
            self.report(
                codes.WRONG_TYPE,
                f"`{operand.span.text}` is {describe(left)} and what stands in for it {describe(right)}",
                fallback.span,
            )
        if isinstance(left, NumberType) and isinstance(right, NumberType):
            return either(left, right)
        return left

    # ------------------------------------------------------------------------------------------- functions

    def declared_function(self, decl: FunctionDecl) -> None:
        """Check a function by what its own parameters say, before any call."""
        for parameter in decl.node.parameters or ():
            type_ = parameter_type(parameter, self.found)
            default = parameter.default
            is_bad = default is not None and literal_value(default, type_) is None
            if default is not None and is_bad and (type_ != UNKNOWN or parameter.type is None):
                self.report(
                    codes.WRONG_DEFAULT,
                    f"the default of `{parameter.name.text}` is not a value of its type",
                    default.span,
                )
        self.found.extend(_declared(decl.scope, decl.name))

    def _call(self, expr: n.Call, context: Context) -> Type:
        decl = self.scope.function(expr.function)
        match decl:
            case AskDecl(node=ask, type=answer, scope=scope):
                written = ask.parameters
                given = self._match(expr, [p.name.text for p in written], frozenset(), context)
                for parameter in written:
                    name = parameter.name.text
                    if name in given:
                        self._argument(given[name], name, parameter_type(parameter, []), context)
                return answer
            case Primitive(repeats=True):
                return self._several(expr, decl, context)
            case Primitive(parameters=parameters, result=result):
                names = [name for name, _ in parameters]
                given = self._match(expr, names, frozenset(), context)
                arguments = [
                    self._argument(given[name], name, type_, context)
                    for name, type_ in parameters
                    if name in given
                ]
                return _narrowed(decl, arguments) if len(arguments) == len(parameters) else result
            case FunctionDecl(node=node, scope=scope):
                written = node.parameters or ()
                with_default = frozenset(p.name.text for p in written if p.default is not None)
                given = self._match(expr, [p.name.text for p in written], with_default, context)
                types: dict[str, Type] = {}
                for parameter in written:
                    name = parameter.name.text
                    wanted = parameter_type(parameter, [])
                    types[name] = wanted
                    if name in given:
                        actual = self._argument(given[name], name, wanted, context)
                        # A ladder meets values of every kind, and what they do not fit is missing there.
                        is_open = wanted == UNKNOWN and (
                            not decl.is_ladder or isinstance(actual, UrlType)
                        )
                        types[name] = widened(actual) if is_open else wanted
                result, inside = _body(scope, decl.name, tuple(types.items()))
                own = _declared(scope, decl.name)  # told where the function is declared
                self.found.extend(
                    Diagnostic(
                        d.code,
                        d.message,
                        d.span,
                        (*d.labels, Label(expr.span, "called here")),
                        d.help,
                    )
                    for d in inside
                    if d not in own
                )
                return result
            case None:
                return UNKNOWN

    def _several(self, expr: n.Call, decl: Primitive, context: Context) -> Type:
        """Check a call that takes two or more values, or one list of them."""
        ((_, wanted),) = decl.parameters
        name = expr.function.text
        values = [argument.value for argument in expr.arguments]
        types = [self.type_of(value, context) for value in values]
        if len(types) == 1 and isinstance(types[0], ListType):
            types = [types[0].item]
        elif len(types) < 2 and UNKNOWN not in types:
            self.report(
                codes.WRONG_ARGUMENTS,
                f"`{name}` takes two or more values, or one list",
                expr.span,
                f"`{name}(a, b)` or `{name}([a, b, c])`",
            )
        for argument in expr.arguments:
            if argument.name is not None:
                self.report(
                    codes.WRONG_ARGUMENTS,
                    f"the values of `{name}` have no names",
                    argument.span,
                )
        for value, type_ in zip(values, types, strict=True):
            if not _alike(wanted, type_):
                self.report(
                    codes.WRONG_ARGUMENTS,
                    f"`{name}` takes numbers, and `{value.span.text}` is {describe(type_)}",
                    value.span,
                )
        return _narrowed(decl, types)

    def _argument(self, expr: n.Expr, name: str, wanted: Type, context: Context) -> Type:
        actual = self.type_of(expr, context)
        option = self._option(expr, context)
        if isinstance(wanted, OneOfType) and option is not None:
            self._known_option(expr, option, name, wanted)
            return wanted
        if isinstance(wanted, UrlType) and isinstance(expr, n.Text):
            if not is_url(expr.value):
                self.report(
                    codes.WRONG_ARGUMENTS,
                    f"`{name}` is a url, and {expr.span.text} is none",
                    expr.span,
                    "a url has its scheme and host: `https://example.com/page`",
                )
            return URL
        if not _alike(wanted, actual):
            self.report(
                codes.WRONG_ARGUMENTS,
                f"`{name}` is {describe(wanted)}, and `{expr.span.text}` is {describe(actual)}",
                expr.span,
            )
        elif (
            isinstance(wanted, NumberType)
            and isinstance(actual, NumberType)
            and not lies_within(actual, wanted)
        ):
            self.report(
                codes.WRONG_ARGUMENTS,
                f"`{name}` is {describe(wanted)}, and `{expr.span.text}` may be another number",
                expr.span,
                _way_into(wanted, expr.span.text),
            )
        return actual

    def _match(
        self, call: n.Call, names: list[str], with_default: frozenset[str], context: Context
    ) -> dict[str, n.Expr]:
        """Return the arguments by parameter, reporting those that do not go with any."""
        given, extra = match_arguments(call, names)
        for argument in extra:
            self.type_of(argument.value, context)
            name = argument.name.text if argument.name is not None else None
            if name is None:
                message = f"`{call.function.text}` has no further parameter"
            elif name in names:
                message = f"`{name}` is given twice"
            else:
                message = f"`{call.function.text}` has no parameter `{name}`"
            self.report(
                codes.WRONG_ARGUMENTS,
                message,
                argument.span,
                (did_you_mean(name, names) if name is not None and name not in names else None)
                or f"its parameters are {', '.join(names)}",
            )
        lacking = [name for name in names if name not in given and name not in with_default]
        if lacking:
            self.report(
                codes.WRONG_ARGUMENTS,
                f"`{call.function.text}` needs {' and '.join(f'`{name}`' for name in lacking)}",
                call.span,
            )
        return given


_WRITTEN_DATE = "a date is written 2024-03-14, without quotes"
_ABOUT_URLS = (
    "`use std.url`: the beginning of a url does not say whose it is, and `url.cited(text, target)` "
    "finds one in a text"
)
_SIGNS = {"+": "plus", "-": "less", "*": "times", "/": "divided by"}


def _is_backwards(low: Type, high: Type, expr: n.Between) -> bool:
    """Whether the lower end of a `between` is known to be above the upper one."""
    if isinstance(expr.low, n.Date) and isinstance(expr.high, n.Date):
        return expr.low.value > expr.high.value
    if not isinstance(low, NumberType) or not isinstance(high, NumberType):
        return False
    return low.low is not None and high.high is not None and low.low > high.high


def _narrowed(primitive: Primitive, types: list[Type]) -> Type:
    """The type of what a primitive gives for arguments of these types."""
    kinds = [kind for _, kind in primitive.parameters]
    if primitive.repeats:
        kinds = kinds * len(types)
    fits = all(
        isinstance(type_, NumberType) or not isinstance(kind, NumberType)
        for type_, kind in zip(types, kinds, strict=True)
    )
    if primitive.narrowed is None or not types or not fits:
        return primitive.result
    return primitive.narrowed(*types)


def widened(type_: Type) -> Type:
    """Return a type without what is known of its range beyond what it declares.

    A function takes its arguments so: a body that was checked for each range would be checked without end.
    """
    match type_:
        case NumberType():
            return without_range(type_)
        case ListType(item=item):
            return ListType(widened(item))
        case _:
            return type_


def _way_into(wanted: NumberType, text: str) -> str:
    """How to make a number one of a type."""
    ways = []
    if wanted.integer:
        ways.append(f"`floor({text})`, `ceiling({text})` or `round({text}, half_up, 1)` is whole")
    if wanted.low is not None and wanted.high is not None:
        bounds = f"{show_number(wanted.low)}, {show_number(wanted.high)}"
        ways.append(f"`clamp({text}, {bounds})` keeps to the range")
    return "; ".join(ways)


def match_arguments(call: n.Call, names: list[str]) -> tuple[dict[str, n.Expr], list[n.Argument]]:
    """Return the arguments of a call by parameter, and those that go with none.

    Arguments without a name take the parameters in order.
    """
    given: dict[str, n.Expr] = {}
    extra: list[n.Argument] = []
    for argument in call.arguments:
        free = [name for name in names if name not in given]
        name = argument.name.text if argument.name is not None else next(iter(free), None)
        if name in free:
            given[name] = argument.value
        else:
            extra.append(argument)
    return given, extra


def _alike(left: Type, right: Type) -> bool:
    """Whether two types have values in common."""
    match left, right:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case NumberType(), NumberType():
            return True
        case OneOfType(options=some), OneOfType(options=others):
            return not set(some).isdisjoint(others)
        case (OneOfType(), TextType()) | (TextType(), OneOfType()):
            return True
        case ListType(item=one), ListType(item=other):
            return _alike(one, other)
        case _:
            return left == right
