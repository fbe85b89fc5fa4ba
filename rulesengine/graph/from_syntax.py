"""Checked syntax to the rule graph: names resolved, inherited combines put in their places, nodes in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from graphlib import TopologicalSorter
from typing import Literal, TypeAlias

import msgspec

from rulesengine.check.asking import BACKED, TOLD, panel_of
from rulesengine.check.expressions import function_context
from rulesengine.check.grain import (
    Grain,
    child_grain,
    claim_keys,
    grain_of,
    inner_grain,
    leaf_grain,
    let_grain,
)
from rulesengine.check.scales import constant, limits, out_of, results_of, scale_of
from rulesengine.check.scope import (
    EXCLUDE,
    FIGURES,
    ROWS,
    TOTAL,
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
    literal_value,
    parameter_type,
    rank_name,
)
from rulesengine.check.types import Checker, let_type, match_arguments, widened
from rulesengine.check.weights import factor, score_out_of
from rulesengine.errors import InternalError
from rulesengine.evidence.schema import Field
from rulesengine.graph import expressions as e
from rulesengine.graph import nodes as g
from rulesengine.primitives import Primitive
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.walk import between_as_comparisons
from rulesengine.types import NumberType, YesNoType

SIMILARITY = "similarity"
Cost: TypeAlias = Literal["free", "embedding", "judge"]
SAME_AS = {"worst": "min", "best": "max"}


def build_graph(scope: Scope) -> g.Graph:
    """Return the graph of a file in which the checks found no error; of a library it has no nodes."""
    module = scope.target or scope.module
    header, score = module.header, scope.score
    builder = GraphBuilder(scope)
    for name, let in scope.lets.items():
        builder.definition(name, let)
    out_of = Fraction(0)
    if score is not None:
        out_of = score_out_of(scope)
        builder.sum(
            TOTAL, scope.parts, out_of, score.renormalise, score.span, scope.own_steps, None
        )
    name = header.name.text if isinstance(header, n.RubricHeader) else ""
    evidence = [s for s in module.statements if isinstance(s, n.Evidence)]
    return g.Graph(
        name=name,
        title=header.label.text if isinstance(header, n.RubricHeader) and header.label else None,
        version=header.version if isinstance(header, n.RubricHeader) else None,
        about=next((s.text for s in module.statements if isinstance(s, n.About)), None),
        schema=scope.schema,
        params={name: param.value for name, param in scope.params.items()},
        subject=scope.subject,
        out_of=out_of,
        record_requirements=tuple(
            builder.requirement(each, ROWS) for block in evidence for each in block.requires
        ),
        requirements=tuple(
            builder.requirement(each, FIGURES) for each in (score.requires if score else ())
        ),
        shows=tuple(
            g.Show(
                name=show.name.text,
                label=show.label.text if show.label else None,
                value=builder.expression(show.value, FIGURES),
                span=show.span,
            )
            for show in (score.shows if score else ())
        ),
        rankings=tuple(builder.ranking(rank) for rank in scope.ranks),
        nodes=in_order(builder.nodes),
        total=TOTAL,
        children=builder.children(),
        functions=builder.functions,
        asks=builder.asks,
        claims=tuple(
            g.Claim(
                title=claim.title,
                keys=claim_keys(claim, scope),
                condition=builder.expression(claim.condition, FIGURES),
                span=claim.span,
            )
            for claim in scope.module.statements
            if isinstance(claim, n.Claim)
        ),
        bands=tuple(builder.bands(bands) for bands in scope.bands),
        inexact=_inexact(scope),
    )


def _inexact(scope: Scope) -> tuple[str, ...]:
    """The parts, the total and the figures that a number without end goes into."""
    checker = Checker(scope)

    def is_inexact(exprs: Iterable[n.Expr], context: Context) -> bool:
        types = [checker.type_of(each, context) for each in exprs]
        return any(isinstance(each, NumberType) and not each.exact for each in types)

    found: dict[str, None] = {}
    for path, part in scope.all_parts.items():
        if part.is_leaf and is_inexact(results_of(part.node), ROWS):
            above = path.split(".")
            found.update((".".join(above[:end]), None) for end in range(len(above), 0, -1))
            found[TOTAL] = None
    for path, steps in (
        (TOTAL, scope.own_steps),
        *((p, a.steps) for p, a in scope.all_parts.items()),
    ):
        for combine in n.combines_of(tuple(steps)):
            found.update(
                (f"{path}.{name.text}", None)
                for name in combine.keep
                if name.text.startswith("stdev")
            )
    for name, show in scope.shows.items():
        if is_inexact([show.value], FIGURES):
            found[name] = None
    return tuple(found)


def in_order(nodes: dict[str, g.AnyNode]) -> dict[str, g.AnyNode]:
    """Return the nodes in a topological order that depends on nothing but the rubric's own order."""
    sorter = TopologicalSorter(
        {id_: [edge.target for edge in node.edges] for id_, node in nodes.items()}
    )
    sorter.prepare()
    place = {id_: index for index, id_ in enumerate(nodes)}
    ordered: dict[str, g.AnyNode] = {}
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=place.__getitem__)
        for id_ in ready:
            ordered[id_] = nodes[id_]
        sorter.done(*ready)
    return ordered


class GraphBuilder(msgspec.Struct, eq=False):
    """Collects the nodes and functions of one rubric."""

    scope: Scope
    nodes: dict[str, g.AnyNode] = msgspec.field(default_factory=dict)
    functions: dict[str, g.Function] = msgspec.field(default_factory=dict)
    asks: dict[str, g.Ask] = msgspec.field(default_factory=dict)

    # ----------------------------------------------------------------------------------------------- nodes

    def add(self, node: g.AnyNode) -> str:
        """Add a node and return its id."""
        if node.id in self.nodes:
            raise InternalError(f"two nodes are called {node.id}")
        self.nodes[node.id] = node
        return node.id

    def definition(self, name: str, let: n.Let) -> str:
        """Add a let."""
        value = self.expression(let.value, ROWS)
        return self.add(
            g.Definition(
                id=_let_id(name),
                label=name,
                grain=self.keys(let_grain(name, self.scope)),
                edges=_edges(value),
                span=let.span,
                type=widened(let_type(self.scope, name)),
                value=value,
            )
        )

    def keys(self, grain: Grain) -> tuple[str, ...]:
        """Return keys and child grains in the order of the evidence."""
        return tuple(key for key in self.scope.dimensions if key in grain)

    def bands(self, bands: n.Bands) -> g.Bands:
        """Return the node of a bands block."""
        return g.Bands(
            name=bands.name.text,
            label=bands.label.text if bands.label else None,
            bands=tuple(
                g.Band(
                    name=band.name,
                    low=band.low.value if band.low else None,
                    high=band.high.value if band.high else None,
                    inclusive=band.inclusive,
                    condition=(
                        self.expression(band.condition, FIGURES) if band.condition else None
                    ),
                )
                for band in bands.bands
            ),
        )

    def requirement(self, require: n.Require, context: Context) -> g.Requirement:
        """Translate what is required."""
        excuse = self.scope.params[require.unless.text] if require.unless else None
        return g.Requirement(
            condition=self.expression(require.condition, context),
            message=require.message,
            grain=self.keys(grain_of(require.condition, context, self.scope)),
            excused=excuse is not None and excuse.value is True,
            span=require.span,
        )

    def ranking(self, rank: n.Rank) -> g.Ranking:
        """Translate a ranking."""
        return g.Ranking(
            name=rank_name(rank),
            label=rank.label.text if rank.label else None,
            within=tuple(name.text for name in rank.within),
            value=self.expression(rank.value, FIGURES),
            descending=rank.descending,
            keep=int(rank.keep.value) if rank.keep else None,
            span=rank.span,
        )

    def part(self, part: Part) -> str:
        """Add a part and all below it; return the id of its outermost node, which carries its path."""
        node = part.node
        if not part.is_leaf:
            assert isinstance(node, n.Criterion)
            return self.sum(
                part.path,
                part.parts,
                out_of(node),
                node.renormalise,
                node.span,
                part.steps,
                _label(node),
            )
        inner = self._leaf(part)
        fixed = part.fixes[0] if part.fixes is not None else None
        inner = self._stepped(part.path, inner, part.steps, fixed)
        if part.fixes is not None:
            key, option = part.fixes
            source = self.nodes[inner]
            inner = self.add(
                g.Fix(
                    id=_inner(part.path, f"{key} = {option}"),
                    grain=tuple(each for each in source.grain if each != key),
                    edges=(g.Edge(inner, part.name.span),),
                    span=part.name.span,
                    source=inner,
                    key=key,
                    option=option,
                )
            )
        return self._named(inner, part.path, _label(node), part.name.span)

    def sum(
        self,
        path: str,
        parts: tuple[Part, ...],
        whole: Fraction,
        renormalise: bool,
        span: Span,
        steps: tuple[n.Step, ...],
        label: str | None,
    ) -> str:
        """Add the sum of parts, and what is done to it."""
        below = tuple(self.part(part) for part in parts)
        factors = tuple(factor(part.node, whole, self.scope) for part in parts)
        inner = self.add(
            g.Sum(
                id=_inner(path, "sum"),
                grain=self.keys(frozenset(key for id_ in below for key in self.nodes[id_].grain)),
                edges=tuple(g.Edge(id_, self.nodes[id_].span) for id_ in below),
                span=span,
                parts=below,
                factors=factors,
                shares=tuple(
                    max(each, Fraction(0)) * out_of(part.node)
                    for each, part in zip(factors, parts, strict=True)
                ),
                out_of=whole,
                renormalise=renormalise,
            )
        )
        return self._named(self._stepped(path, inner, steps), path, label, span)

    def _named(self, inner: str, path: str, label: str | None, span: Span) -> str:
        """Give the outermost node of a part the part's own name and place."""
        node = self.nodes.pop(inner)
        return self.add(msgspec.structs.replace(node, id=path, path=path, label=label, span=span))

    def _leaf(self, part: Part) -> str:
        node = part.node
        grain = self.keys(leaf_grain(part, self.scope))
        low, high = limits(node)
        rows = [self._row(row) for row in node.rows if not isinstance(row, n.WhenMissing)]
        missing = [self._row(row) for row in node.rows if isinstance(row, n.WhenMissing)]
        used = [
            expr
            for row in (*rows, *missing)
            for expr in (row.condition, row.result)
            if expr is not None and not isinstance(expr, g.NoScore)
        ]
        if isinstance(node, n.Criterion) and node.value is not None:
            value = self.expression(node.value, ROWS)
            return self.add(
                g.Computed(
                    id=_inner(part.path, "value"),
                    grain=grain,
                    edges=_edges(value, *used),
                    span=node.span,
                    value=value,
                    if_missing=missing[0] if missing else None,
                    out_of=out_of(node),
                    low=low,
                    high=high,
                    scale=scale_of(part).values,
                )
            )
        return self.add(
            g.Rows(
                id=_inner(part.path, "rows"),
                grain=grain,
                edges=_edges(*used),
                span=node.span,
                rows=tuple(rows),
                if_missing=missing[0] if missing else None,
                out_of=out_of(node),
                low=low,
                high=high,
                scale=scale_of(part).values,
            )
        )

    def _row(self, row: n.Row) -> g.Row:
        condition = (
            self.expression(row.condition, ROWS) if isinstance(row, n.When | n.Gate) else None
        )
        result: e.Expr | g.NoScore
        match row.result:
            case n.Points(value=value):
                result = self.expression(value, ROWS)
            case n.Unscored(reason=reason, span=span):
                result = g.NoScore(reason=reason, span=span)
        return g.Row(
            condition=condition,
            result=result,
            gate=row.name.text if isinstance(row, n.Gate) else None,
            label=row.label.text if row.label else None,
            span=row.span,
        )

    def _stepped(
        self, path: str, inner: str, steps: tuple[n.Step, ...], fixed: str | None = None
    ) -> str:
        for number, step in enumerate(steps):
            source = self.nodes[inner]
            match step:
                case n.Combine(key=key):
                    if key.text in source.grain and key.text != fixed:
                        inner = self._combined(path, inner, step)
                    # else it is written above for all parts, and this one has no such key
                case n.Clamp(low=low, high=high):
                    inner = self.add(
                        g.Clamp(
                            id=_inner(path, f"clamp {number}"),
                            grain=source.grain,
                            edges=(g.Edge(inner, step.span),),
                            span=step.span,
                            source=inner,
                            low=low.value,
                            high=high.value,
                        )
                    )
                case n.Round(mode=mode, step=width):
                    inner = self.add(
                        g.Round(
                            id=_inner(path, f"round {number}"),
                            grain=source.grain,
                            edges=(g.Edge(inner, step.span),),
                            span=step.span,
                            source=inner,
                            mode=mode.text,
                            step=width.value,
                        )
                    )
        return inner

    def _combined(self, path: str, inner: str, combine: n.Combine) -> str:
        source, key = self.nodes[inner], combine.key.text
        scale = self._scale(source)
        exclusions = tuple(
            g.Exclusion(
                condition=self.expression(exclude.condition, EXCLUDE, scale),
                reason=exclude.reason,
                span=exclude.span,
            )
            for exclude in combine.excludes
        )
        conditions = (exclusion.condition for exclusion in exclusions)
        return self.add(
            g.Combine(
                id=_inner(path, f"combine {key}"),
                grain=tuple(each for each in source.grain if each != key),
                edges=(g.Edge(inner, combine.span), *_edges(*conditions)),
                span=combine.span,
                source=inner,
                key=key,
                op=combine.op.text,
                quorum=int(combine.quorum.value) if combine.quorum else 1,
                keep=tuple(kept.text for kept in combine.keep),
                exclusions=exclusions,
            )
        )

    def _scale(self, node: g.AnyNode) -> tuple[Fraction, ...]:
        """What the rows of a part can give, before its own steps."""
        match node:
            case g.Rows(scale=scale) | g.Computed(scale=scale):
                return scale or ()
            case g.Clamp(source=source) | g.Round(source=source):
                return self._scale(self.nodes[source])
            case _:
                return ()

    # ----------------------------------------------------------------------------------------- expressions

    def expression(
        self, expr: n.Expr, context: Context, scale: tuple[Fraction, ...] = ()
    ) -> e.Expr:
        """Translate an expression; `scale` is what the word means where it stands."""
        span = expr.span

        def inner(child: n.Expr) -> e.Expr:
            return self.expression(child, context, scale)

        match expr:
            case n.Number(value=value):
                return e.Constant(span=span, value=value)
            case n.Text(value=text):
                return e.Constant(span=span, value=text)
            case n.Date(value=day):
                return e.Constant(span=span, value=day)
            case n.Truth(value=truth):
                return e.Constant(span=span, value=truth)
            case n.Awarded():
                return e.AwardedValue(span=span)
            case n.ScaleOf():
                return e.Items(
                    span=span, items=tuple(e.Constant(span=span, value=each) for each in scale)
                )
            case n.ScoreOf():
                return e.PartValue(span=span, name=TOTAL)
            case n.Reference():
                return self._reference(expr, context)
            case n.Call():
                return self._call(expr, context, scale)
            case n.ListOf(items=items):
                return e.Items(span=span, items=tuple(map(inner, items)))
            case n.Not(operand=operand):
                return e.Negation(span=span, operand=inner(operand))
            case n.Logic(op="and", parts=parts):
                return e.All(span=span, parts=tuple(map(inner, parts)))
            case n.Logic(op="or", parts=parts):
                return e.Any(span=span, parts=tuple(map(inner, parts)))
            case n.Logic(parts=parts):
                some = e.Any(span=span, parts=tuple(map(inner, parts)))
                return e.Negation(span=span, operand=some)
            case n.Compare(op=op, left=left, right=right):
                return e.Comparison(span=span, op=op, left=inner(left), right=inner(right))
            case n.Member(item=item, container=container, negated=negated):
                member = e.Membership(span=span, item=inner(item), container=inner(container))
                return e.Negation(span=span, operand=member) if negated else member
            case n.Between(negated=negated):
                inside = inner(between_as_comparisons(expr))
                return e.Negation(span=span, operand=inside) if negated else inside
            case n.TextTest(op=word, left=left, right=right, negated=negated):
                test = e.TextTest(span=span, op=word, left=inner(left), right=inner(right))
                return e.Negation(span=span, operand=test) if negated else test
            case n.IsState(operand=operand, state=state):
                return e.HasState(span=span, operand=self._stated(operand, inner), state=state)
            case n.Else(operand=operand, fallback=fallback):
                return e.Otherwise(span=span, operand=inner(operand), fallback=inner(fallback))
            case n.Arithmetic(op=sign, left=left, right=right):
                return e.Calculation(span=span, op=sign, left=inner(left), right=inner(right))
            case n.Minus(operand=operand):
                zero = e.Constant(span=span, value=Fraction(0))
                return e.Calculation(span=span, op="-", left=zero, right=inner(operand))
            case n.Aggregate():
                return self._aggregate(expr, context)
            case n.This(operand=operand):
                return e.ThisValue(span=span, operand=inner(operand))
            case n.Table(rows=rows):
                return self._table(span, rows, inner)
            case n.Rungs(rungs=rungs):
                return e.Rungs(span=span, rungs=tuple(self._rung(each, context) for each in rungs))
            case n.Missing():
                return e.Nothing(span=span)

    def _stated(self, operand: n.Expr, inner: Callable[[n.Expr], e.Expr]) -> e.Expr:
        """What is asked whether it is there: of a field that a judge stands in for, the record's own value."""
        asked = inner(operand)
        return asked.operand if isinstance(asked, e.Asked) else asked

    def _aggregate(self, expr: n.Aggregate, context: Context) -> e.Aggregate:
        value = self.expression(expr.value, context)
        if expr.op == "count" and not isinstance(
            Checker(self.scope).type_of(expr.value, context), YesNoType
        ):
            value = e.HasState(span=expr.value.span, operand=value, state="given")
        return e.Aggregate(
            span=expr.span,
            op=SAME_AS.get(expr.op, expr.op),  # type: ignore[arg-type]  # checked
            value=value,
            key=expr.key.text,
            other=expr.other,
            where=self.expression(expr.where, context) if expr.where is not None else None,
            grain=self.keys(inner_grain(expr, context, self.scope)),
        )

    def _rung(self, rung: n.Rung | n.RungsOf, context: Context) -> e.Rung | e.RungsOf:
        if isinstance(rung, n.RungsOf):
            lent = self._call(rung.ladder, context, ())
            assert isinstance(lent, e.Apply)
            cost = dearest(self._cost(each) for each in lent.arguments)
            return e.RungsOf(span=rung.span, ladder=lent, cost=cost)
        table = self._table(rung.span, rung.rows, lambda child: self.expression(child, context))
        return e.Rung(
            span=rung.span,
            name=rung.name.text,
            types=None if rung.types is None else tuple(name.text for name in rung.types),
            rows=table.rows,
            if_missing=table.if_missing,
            cost=self._cost(table),
        )

    def _cost(self, expr: e.Expr) -> Cost:
        """The dearest thing that an expression may do, functions that it calls included."""
        costs: list[Cost] = []
        for each in walk(expr):
            match each:
                case e.AskValue():
                    costs.append("judge")
                case e.Similarity():
                    costs.append("embedding")
                case e.Apply(function=name):
                    costs.append(self._cost(self.functions[name].body))
                case _:
                    pass
        return dearest(costs)

    def children(self) -> dict[str, g.Child]:
        """Translate the child grains."""
        found = {}
        for name, child in self.scope.children.items():
            node = child.comparison
            comparison: g.Comparison | None = None
            if node is not None:
                threshold = Fraction(1, 2)
                if node.threshold is not None:
                    known = constant(node.threshold, self.scope)
                    assert known is not None
                    threshold = known
                comparison = g.Comparison(
                    name=node.name.text,
                    candidate=self.expression(node.candidate, ROWS),
                    reference=self.expression(node.reference, ROWS),
                    leaves=self._settling(node.leaves[0], node),
                    extras=self._settling(node.extras[0], node) if node.extras else None,
                    lists="sequences"
                    if [each.text for each in node.lists] == ["sequences"]
                    else "sets",
                    threshold=threshold,
                    keyed=node.keyed.text if node.keyed is not None else None,
                    paired_by=tuple(each.text for each in node.paired_by),
                    schema=node.schemas[0].text if node.schemas else None,
                    texts=tuple(each.text for each in node.texts),
                    others=tuple(each.text for each in node.others),
                    shared=self.keys(grain_of(node.reference, ROWS, self.scope)),
                )
            found[name] = g.Child(
                name=name,
                grain=self.keys(child_grain(name, self.scope)),
                comparison=comparison,
                of="leaves" if node is None or node.name.text == name else "lists",
            )
        return found

    def _settling(self, ladder: n.Call, node: n.ComparisonOf) -> g.Settling:
        decl = self.scope.function(ladder.function)
        if not isinstance(decl, FunctionDecl):
            raise InternalError(f"no ladder for {ladder.function.text}")
        parameters = {each.name.text: each for each in decl.node.parameters or ()}
        told = {*TOLD, *((BACKED,) if node.texts or node.others else ())}
        given, _ = match_arguments(ladder, list(parameters))
        return g.Settling(
            ladder=self._function(decl, ladder.function.text),
            settings=tuple(
                (name, self.expression(given[name], ROWS) if name in given else _default(each))
                for name, each in parameters.items()
                if name in given or (name not in told and each.default is not None)
            ),
        )

    def _table(
        self, span: Span, rows: tuple[n.Row, ...], inner: Callable[[n.Expr], e.Expr]
    ) -> e.Table:
        cases: list[e.Case] = []
        if_missing: e.Expr | None = None
        for row in rows:
            assert isinstance(row.result, n.Points)
            result = inner(row.result.value)
            if isinstance(row, n.WhenMissing):
                if_missing = result
            else:
                condition = inner(row.condition) if isinstance(row, n.When) else None
                cases.append(e.Case(span=row.span, condition=condition, result=result))
        return e.Table(span=span, rows=tuple(cases), if_missing=if_missing)

    def _reference(self, expr: n.Reference, context: Context) -> e.Expr:
        match self.scope.meaning(expr, context):
            case Field(name=name, is_asked=is_asked):
                value = e.FieldValue(span=expr.span, name=name)
                return self._asked(value) if is_asked else value
            case AttributeDecl(child=child, attribute=attribute):
                return e.AttributeValue(span=expr.span, child=child.name, name=attribute.name)
            case LetDecl(node=node):
                return e.LetValue(span=expr.span, name=_let_id(node.name.text))
            case ParameterDecl(name=name):
                return e.ParameterValue(span=expr.span, name=name)
            case OptionDecl(name=name):
                return e.Constant(span=expr.span, value=name)
            case Part(path=path):
                return e.PartValue(span=expr.span, name=path)
            case BandsDecl(node=bands):
                return e.FigureValue(span=expr.span, name=bands.name.text)
            case ShowDecl(node=show):
                return e.FigureValue(span=expr.span, name=show.name.text)
            case KeptDecl(path=path):
                return e.FigureValue(span=expr.span, name=path)
            case RankDecl(name=name, what=what):
                return e.FigureValue(span=expr.span, name=f"{name}.{what}")
            case ParamDecl(value=value):
                return e.Constant(span=expr.span, value=value)
            case None:
                raise InternalError(f"no meaning for {expr.path.text}")

    def _asked(self, value: e.FieldValue) -> e.Expr:
        """A field of the record, or what a judge says in its place."""
        for statement in self.scope.module.statements:
            if isinstance(statement, n.Evidence):
                for field in statement.fields:
                    if field.name.text == value.name and field.otherwise is not None:
                        asked = self.expression(field.otherwise, ROWS)
                        return e.Asked(span=value.span, operand=value, fallback=asked)
        # A file of cases has no evidence of its own, and reads what the record says.
        return value

    def _call(self, expr: n.Call, context: Context, scale: tuple[Fraction, ...]) -> e.Expr:
        decl = self.scope.function(expr.function)
        match decl:
            case Primitive(repeats=True):
                return e.CallPrimitive(
                    span=expr.span,
                    primitive=expr.function.names[-1].text,
                    arguments=tuple(
                        self.expression(argument.value, context, scale)
                        for argument in expr.arguments
                    ),
                )
            case Primitive(parameters=parameters):
                names = [name for name, _ in parameters]
                given, _ = match_arguments(expr, names)
                values = tuple(self.expression(given[name], context, scale) for name in names)
                if expr.function.text == SIMILARITY:
                    return e.Similarity(span=expr.span, left=values[0], right=values[1])
                return e.CallPrimitive(
                    span=expr.span, primitive=expr.function.names[-1].text, arguments=values
                )
            case AskDecl(node=node):
                given, _ = match_arguments(expr, [each.name.text for each in node.parameters])
                return e.AskValue(
                    span=expr.span,
                    ask=self._ask(decl),
                    arguments=tuple(
                        self.expression(given[each.name.text], context, scale)
                        for each in node.parameters
                    ),
                )
            case FunctionDecl():
                written = decl.node.parameters or ()
                given, _ = match_arguments(expr, [each.name.text for each in written])
                return e.Apply(
                    span=expr.span,
                    function=self._function(decl, expr.function.text),
                    arguments=tuple(
                        self.expression(given[each.name.text], context, scale)
                        if each.name.text in given
                        else _default(each)
                        for each in written
                    ),
                )
            case None:
                raise InternalError(f"no function for {expr.function.text}")

    def _ask(self, decl: AskDecl) -> str:
        """Add a question once; its name in the graph begins with the library that has it."""
        name = ask_name(decl)
        node = decl.node
        self.asks[name] = g.Ask(
            name=name,
            parameters=tuple(each.name.text for each in node.parameters),
            type=decl.type,
            prompt=node.prompts[0].text,
            given=tuple(each.text for each in node.given),
            blind=tuple(each.text for blind in node.blinds for each in blind.names),
            mirrored=tuple(
                (one.text, other.text) for blind in node.blinds for one, other in blind.mirrored
            ),
            both_orders=any(blind.both_orders for blind in node.blinds),
            panel=panel_of(node),
        )
        return name

    def _function(self, decl: FunctionDecl, called: str) -> str:
        """Add a function once; its name in the graph begins with the library that has it."""
        name = f"{_prefix(decl.scope)}{decl.name}"
        if name not in self.functions:
            inside = GraphBuilder(decl.scope, functions=self.functions, asks=self.asks)
            body = inside.expression(decl.node.value, function_context(decl.node))
            names = tuple(parameter.name.text for parameter in decl.node.parameters or ())
            self.functions[name] = g.Function(name=name, parameters=names, body=body)
        return name


def _prefix(scope: Scope) -> str:
    header = scope.module.header
    return f"{header.path.text}." if isinstance(header, n.LibraryHeader) else ""


def _default(parameter: n.Parameter) -> e.Expr:
    if parameter.default is None:
        raise InternalError(f"no argument for {parameter.name.text}")
    value = literal_value(parameter.default, parameter_type(parameter, []))
    if not isinstance(value, Fraction | bool | str | date):
        raise InternalError(f"no default for {parameter.name.text}")
    return e.Constant(span=parameter.default.span, value=value)


# An id that is no path has a backquote in it, which no name of a rubric can have, so that the two never meet.


def _let_id(name: str) -> str:
    return f"let `{name}`"


def _inner(path: str, what: str) -> str:
    return f"{path} `{what}`"


def _label(node: n.Part) -> str | None:
    return node.label.text if node.label else None


def ask_name(decl: AskDecl) -> str:
    """Return what a question is called in the graph: of a library, with the library's name before it."""
    return f"{_prefix(decl.scope)}{decl.name}"


def dearest(costs: Iterable[Cost]) -> Cost:
    """Return the dearest of several costs."""
    known = set(costs)
    return "judge" if "judge" in known else "embedding" if "embedding" in known else "free"


def _edges(*exprs: e.Expr) -> tuple[g.Edge, ...]:
    """The definitions that expressions use, each once, with the first use."""
    found: dict[str, g.Edge] = {}
    for expr in exprs:
        for each in walk(expr):
            if isinstance(each, e.LetValue):
                found.setdefault(each.name, g.Edge(each.name, each.span))
    return tuple(found.values())


def walk(expr: e.Expr) -> Iterable[e.Expr]:
    """Yield an expression and all inside it; the bodies of functions apart, which use no definition."""
    yield expr
    match expr:
        case e.Items(items=parts) | e.All(parts=parts) | e.Any(parts=parts):
            inner = parts
        case e.Apply(arguments=arguments) | e.CallPrimitive(arguments=arguments):
            inner = arguments
        case e.Negation(operand=operand) | e.HasState(operand=operand):
            inner = (operand,)
        case (
            e.Comparison(left=left, right=right)
            | e.Calculation(left=left, right=right)
            | e.TextTest(left=left, right=right)
        ):
            inner = (left, right)
        case e.Membership(item=item, container=container):
            inner = (item, container)
        case (
            e.Otherwise(operand=operand, fallback=fallback)
            | e.Asked(operand=operand, fallback=fallback)
        ):
            inner = (operand, fallback)
        case e.AskValue(arguments=arguments):
            inner = arguments
        case e.Similarity(left=left, right=right):
            inner = (left, right)
        case e.Rungs(rungs=rungs):
            inner = rungs
        case e.RungsOf(ladder=ladder):
            inner = (ladder,)
        case e.Rung(rows=rows, if_missing=if_missing):
            inner = (*rows, *(() if if_missing is None else (if_missing,)))
        case e.Aggregate(value=value, where=where):
            inner = (value,) if where is None else (value, where)
        case e.ThisValue(operand=operand):
            inner = (operand,)
        case e.Table(rows=rows, if_missing=if_missing):
            inner = (*rows, *(() if if_missing is None else (if_missing,)))
        case e.Case(condition=condition, result=result):
            inner = (result,) if condition is None else (condition, result)
        case _:
            inner = ()
    for child in inner:
        yield from walk(child)
