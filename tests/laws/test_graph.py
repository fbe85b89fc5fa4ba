"""Laws of the graph: it keeps what graph/invariants.py lists, and each checker can fail."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from engine import sound
from hypothesis import given
from msgspec.structs import replace
from strategies import Plan, plans

from rulesengine.files import check_file
from rulesengine.graph import nodes as g
from rulesengine.graph.invariants import broken
from rulesengine.resources import library_path, shipped_rubric

_GOOD = sorted((Path(__file__).parents[1] / "conformance").glob("*/good/*.rubric"))
_SHIPPED = [shipped_rubric("bigaiarena"), library_path("url")]
CORPUS = [path for path in (*_GOOD, *_SHIPPED) if path is not None]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_graphs_of_the_corpus_keep_their_promises(path: Path) -> None:
    """Every good file's graph keeps every promise; a file that does not check has none to keep."""
    checked = check_file(path)

    assert (broken(checked.graph) if checked.is_sound else []) == []


@given(plans())
def test_generated_graphs_keep_their_promises(plan: Plan) -> None:
    """So does every generated rubric's."""
    assert broken(sound(plan.text()).graph) == []


@given(plans())
def test_the_same_text_gives_the_same_graph(plan: Plan) -> None:
    """Nodes come in the same order each time, and are equal."""
    one, other = sound(plan.text()).graph, sound(plan.text()).graph

    assert list(one.nodes.items()) == list(other.nodes.items())


TEXT = """rubric a language 1
evidence { key who : text  key run : one of r1, r2  x : number }
let big = large(x)
let large(n : number) = n > 2
score each who {
  combine run by mean in each item
  criterion c worth 1 { when big -> 1 otherwise -> 0 }
}
"""
ROWS, COMBINE = "c `rows`", "c"


def _with(graph: g.Graph, id_: str, **changes: Any) -> g.Graph:
    return replace(graph, nodes={**graph.nodes, id_: replace(graph.nodes[id_], **changes)})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda graph: replace(graph, nodes=dict(reversed(graph.nodes.items()))),
        lambda graph: _with(graph, ROWS, id="another"),
        lambda graph: _with(graph, COMBINE, path="another"),
        lambda graph: _with(graph, ROWS, edges=()),
        lambda graph: _with(graph, ROWS, edges=(g.Edge("nothing", graph.nodes[ROWS].span),)),
        lambda graph: _with(graph, COMBINE, grain=("run",)),
        lambda graph: _with(graph, COMBINE, key="who"),
        lambda graph: _with(graph, ROWS, scale=(Fraction(0), Fraction(2))),
        lambda graph: _with(graph, "score", out_of=Fraction(2)),
        lambda graph: _with(graph, "score", factors=(Fraction(2),)),
        lambda graph: replace(graph, functions={}),
        lambda graph: replace(graph, subject=()),
        lambda graph: replace(graph, out_of=Fraction(2)),
    ],
)
def test_a_spoilt_graph_is_found_out(spoil: Any) -> None:
    """Each promise that is broken is told; a checker that could not fail would prove nothing."""
    graph = sound(TEXT).graph

    assert broken(graph) == []
    assert broken(spoil(graph)) != []
