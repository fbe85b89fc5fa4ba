"""What every graph promises, as checkers that tests run over whole corpora.

- unique ids: a node stands under its own id, and its path, if it has one, is its id.
- topological: every node stands after all that it needs; the total is the last with an outcome.
- edges: every edge has its target; what a node is worked out from, and every definition that it
  reads, has its edge, and there is no other.
- grains: rows and definitions vary by keys, in order; a combine and a fix take their key away, a
  step keeps all, a sum varies by what its parts vary by, the total by the subject's keys alone.
- functions: every call names a function that is there, with one argument for each parameter, and
  a function's body reads its parameters only.
- points: the shares of a sum's parts make what it is out of; a scale lies within its limits.
"""

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.graph import expressions as e
from rulesengine.graph import nodes as g
from rulesengine.graph.from_syntax import walk


def broken(graph: g.Graph) -> list[str]:
    """Return what a graph breaks, in words; nothing for every graph of a sound rubric.

    A library's graph has no nodes and breaks nothing.
    """
    if not graph.nodes:
        return []
    return [
        *_ids(graph),
        *_order(graph),
        *_edges(graph),
        *_grains(graph),
        *_calls(graph),
        *_points(graph),
    ]


def sources(node: g.AnyNode) -> tuple[str, ...]:
    """Return the ids of the nodes that a node is worked out from, definitions apart."""
    match node:
        case g.Combine(source=source) | g.Fix(source=source):
            return (source,)
        case g.Clamp(source=source) | g.Round(source=source):
            return (source,)
        case g.Sum(parts=parts):
            return parts
        case g.Rows() | g.Computed() | g.Definition():
            return ()


def expressions(node: g.AnyNode) -> Iterator[e.Expr]:
    """Yield the outermost expressions of a node."""
    match node:
        case g.Definition(value=value):
            yield value
        case g.Computed(value=value, if_missing=if_missing):
            yield value
            yield from _of_rows([if_missing] if if_missing is not None else [])
        case g.Rows(rows=rows, if_missing=if_missing):
            yield from _of_rows([*rows, *([if_missing] if if_missing is not None else [])])
        case g.Combine(exclusions=exclusions):
            for exclusion in exclusions:
                yield exclusion.condition
        case g.Fix() | g.Sum() | g.Clamp() | g.Round():
            return


def _of_rows(rows: list[g.Row]) -> Iterator[e.Expr]:
    for row in rows:
        if row.condition is not None:
            yield row.condition
        if not isinstance(row.result, g.NoScore):
            yield row.result


def _ids(graph: g.Graph) -> Iterator[str]:
    for id_, node in graph.nodes.items():
        if id_ != node.id:
            yield f"{node.id} stands under {id_}"
        if node.path is not None and node.path != node.id:
            yield f"{node.id} has the path {node.path}"
    if graph.total not in graph.nodes:
        yield "there is no total"


def _order(graph: g.Graph) -> Iterator[str]:
    before: set[str] = set()
    for id_, node in graph.nodes.items():
        for edge in node.edges:
            if edge.target not in before:
                yield f"{id_} stands before {edge.target}, which it needs"
        before.add(id_)
    last = [id_ for id_, node in graph.nodes.items() if not isinstance(node, g.Definition)][-1]
    if last != graph.total:
        yield f"{last} stands after the total"


def _edges(graph: g.Graph) -> Iterator[str]:
    for id_, node in graph.nodes.items():
        targets = {edge.target for edge in node.edges}
        reads = {
            each.name
            for outermost in expressions(node)
            for each in walk(outermost)
            if isinstance(each, e.LetValue)
        }
        for target in sorted(targets - graph.nodes.keys()):
            yield f"{id_} has an edge to {target}, which is not there"
        for target in sorted(targets ^ {*sources(node), *reads}):
            what = "an edge but no use" if target in targets else "no edge"
            yield f"{id_} has {what} for {target}"
        for name in sorted(reads):
            if not isinstance(graph.nodes.get(name), g.Definition):
                yield f"{id_} reads {name}, which is no definition"


def _grains(graph: g.Graph) -> Iterator[str]:
    keys = (*graph.schema.keys, *graph.children)
    for id_, node in graph.nodes.items():
        match node:
            case g.Definition() | g.Rows() | g.Computed():
                expected = set(node.grain)
            case g.Clamp(source=source) | g.Round(source=source):
                expected = set(graph.nodes[source].grain)
            case g.Combine(source=source, key=key) | g.Fix(source=source, key=key):
                expected = set(graph.nodes[source].grain) - {key}
                if key not in graph.nodes[source].grain:
                    yield f"{id_} takes away {key}, which {source} does not vary by"
            case g.Sum(parts=parts):
                expected = {key for part in parts for key in graph.nodes[part].grain}
        if node.grain != tuple(key for key in keys if key in expected):
            yield f"{id_} has the grain {node.grain}"
    if set(graph.nodes[graph.total].grain) - set(graph.subject):
        grain = graph.nodes[graph.total].grain
        yield f"the total varies by {grain}, the subject is {graph.subject}"


def _calls(graph: g.Graph) -> Iterator[str]:
    outermost = [(id_, expr) for id_, node in graph.nodes.items() for expr in expressions(node)]
    outermost += [(name, function.body) for name, function in graph.functions.items()]
    for where, expr in outermost:
        known = graph.functions[where].parameters if where in graph.functions else ()
        for each in walk(expr):
            match each:
                case e.Apply(function=name, arguments=arguments):
                    function = graph.functions.get(name)
                    if function is None or len(function.parameters) != len(arguments):
                        yield f"{where} calls {name} wrongly"
                case e.ParameterValue(name=name) if name not in known:
                    yield f"{where} reads the parameter {name}, which it has not"
                case e.FieldValue(name=name) if known or name not in graph.schema.by_name:
                    yield f"{where} reads the field {name}"
                case e.LetValue(name=name) if known:
                    yield f"the function {where} reads {name}"
                case _:
                    pass


def _points(graph: g.Graph) -> Iterator[str]:
    for id_, node in graph.nodes.items():
        match node:
            case g.Sum(parts=parts, factors=factors, shares=shares, out_of=out_of):
                if sum(shares, Fraction(0)) != out_of:
                    yield f"the parts of {id_} do not make {out_of}"
                for part, factor, share in zip(parts, factors, shares, strict=True):
                    if share not in (0, factor * _out_of(part, graph)):
                        yield f"{part} adds at most {share} to {id_}, which is not its factor"
            case (
                g.Rows(scale=scale, low=low, high=high)
                | g.Computed(scale=scale, low=low, high=high)
            ):
                if scale is not None and not all(low <= value <= high for value in scale):
                    yield f"the scale of {id_} leaves its limits"
            case _:
                pass
    if _out_of(graph.total, graph) != graph.out_of:
        yield f"the total is not out of {graph.out_of}"


def _out_of(id_: str, graph: g.Graph) -> Fraction:
    match graph.nodes[id_]:
        case g.Rows(out_of=out_of) | g.Computed(out_of=out_of) | g.Sum(out_of=out_of):
            return out_of
        case g.Combine(source=source) | g.Fix(source=source):
            return _out_of(source, graph)
        case g.Clamp(source=source) | g.Round(source=source):
            return _out_of(source, graph)
        case g.Definition():
            raise ValueError(f"{id_} is out of no points")
