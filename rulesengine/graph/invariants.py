"""What every graph promises, as checkers that tests run over whole corpora.

- unique ids: a node stands under its own id, and its path, if it has one, is its id.
- topological: every node stands after all that it needs; the total is the last with an outcome.
- edges: every edge has its target; what a node is worked out from, and every definition that it
  reads, has its edge, and there is no other.
- grains: rows are judged by every key, a combine and a fix take their key away, a sum varies by
  what its parts vary by, the total by the subject's keys alone.
- functions: every call names a function that is there, with one argument for each parameter, and
  a function's body reads its parameters only.
- points: a sum's parts are worth what it is worth; a scale lies from 0 to the worth.
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
        case g.Sum(parts=parts):
            return parts
        case g.Rows() | g.Computed() | g.Definition():
            return ()


def expressions(node: g.AnyNode) -> Iterator[e.Expr]:
    """Yield the outermost expressions of a node."""
    match node:
        case g.Definition(value=value) | g.Computed(value=value):
            yield value
        case g.Rows(rows=rows, if_missing=if_missing):
            for row in (*rows, *([if_missing] if if_missing is not None else [])):
                if row.condition is not None:
                    yield row.condition
                if not isinstance(row.result, g.NoScore):
                    yield row.result
        case g.Combine(exclusions=exclusions):
            for exclusion in exclusions:
                yield exclusion.condition
        case g.Fix() | g.Sum():
            return


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
    keys = graph.schema.keys
    for id_, node in graph.nodes.items():
        match node:
            case g.Definition() | g.Rows() | g.Computed():
                expected = set(keys)
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
            case g.Sum(parts=parts, worth=worth):
                if sum((_worth(part, graph) for part in parts), Fraction(0)) != worth:
                    yield f"the parts of {id_} are not worth {worth}"
            case g.Rows(scale=scale, worth=worth):
                if scale is not None and not all(0 <= value <= worth for value in scale):
                    yield f"the scale of {id_} leaves its worth"
            case _:
                pass
    if _worth(graph.total, graph) != graph.out_of:
        yield f"the total is not worth {graph.out_of}"


def _worth(id_: str, graph: g.Graph) -> Fraction:
    match graph.nodes[id_]:
        case g.Rows(worth=worth) | g.Computed(worth=worth) | g.Sum(worth=worth):
            return worth
        case g.Combine(source=source) | g.Fix(source=source):
            return _worth(source, graph)
        case g.Definition():
            raise ValueError(f"{id_} is worth no points")
