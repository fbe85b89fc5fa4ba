"""The type and marks of leaves, from the schema and from the values."""

import pytest
from ladders import compared

from rulesengine.compare.outcome import Row


def only(candidate: object, reference: object, schema: object = None) -> Row:
    """Return the one row of two values."""
    (row,) = compared(candidate, reference, schema).rows
    return row


@pytest.mark.parametrize(
    ("candidate", "reference", "schema", "expected"),
    [
        ("a", "b", None, "text"),
        (1, 2, None, "integer"),
        (1, 2.5, None, "number"),
        (True, False, None, "yes/no"),
        ("1972-03-14", "1972-03-24", None, "date"),
        ("1972-03-14", "14 March 1972", None, "text"),
        ("4", 4, None, "mixed"),
        (True, 1, None, "mixed"),
        ("a", "b", {"type": "string"}, "text"),
        ("a", "b", {"type": "string", "x-prose": True}, "prose"),
        ("a", "b", {"type": "string", "x-exact": True}, "exact"),
        ("a", "b", {"enum": ["a", "b"]}, "exact"),
        ("c", "b", {"enum": ["a", "b"]}, "exact"),
        ("b", "b", {"const": "b"}, "exact"),
        (1, 2, {"type": "number"}, "number"),
        (1, 2, {"type": "integer"}, "integer"),
        (1, 2.5, {"type": "integer"}, "number"),
        ("1972-03-14", "1972-03-24", {"type": "string"}, "date"),
        ("1972-03-14", "1972-03-24", {"type": "string", "format": "date"}, "date"),
        ("1972-03-14", "14 March 1972", {"type": "string", "format": "date"}, "text"),
        ("4", "5", {"type": "number"}, "mixed"),
        ("yes", True, {"type": "boolean"}, "mixed"),
        ("a", "b", {"anyOf": [{"type": "number"}, {"enum": ["a", "b"]}]}, "exact"),
        ("a", "c", {"anyOf": [{"type": "string"}, {"enum": ["a", "b"]}]}, "text"),
        (1, 2, {"anyOf": [{"type": "string", "x-exact": True}, {"type": "number"}]}, "number"),
    ],
)
def test_a_leaf_has_a_type(
    candidate: object, reference: object, schema: object, expected: str
) -> None:
    """The schema decides what JSON cannot tell; neither side counts more than the other."""
    assert expected == only(candidate, reference, schema).type
    assert expected == only(reference, candidate, schema).type


def test_marks_hold_for_what_is_inside() -> None:
    """A mark on a list or an object goes for its leaves; a nearer one counts before it."""
    schema = {
        "x-exact": True,
        "properties": {
            "tags": {"x-identifying": True, "items": {"type": "string"}},
            "story": {"type": "string", "x-prose": True},
        },
    }

    rows = compared({"tags": ["a"], "story": "b"}, {"tags": ["a"], "story": "b"}, schema).rows

    assert [
        (row.path, row.field.exact, row.field.prose, row.field.identifying) for row in rows
    ] == [("tags[]", True, False, True), ("story", False, True, False)]


def test_a_leaf_knows_where_it_stands_in_the_schema() -> None:
    """Its description and those of what is around it, outermost first."""
    schema = {
        "description": "a paper",
        "properties": {
            "authors": {
                "description": "who wrote it",
                "items": {"properties": {"name": {"description": "in full", "type": "string"}}},
            }
        },
    }

    row = only({"authors": [{"name": "a"}]}, {"authors": [{"name": "a"}]}, schema)

    assert (
        row.field.description,
        row.field.parents,
    ) == ("in full", (("$", "a paper"), ("authors", "who wrote it")))


def test_fields_come_in_the_schemas_order_and_then_by_name() -> None:
    """The order in which a model wrote its fields never shows."""
    schema = {"properties": {"z": {}, "y": {}}}

    rows = compared({"b": 1, "y": 1, "a": 1, "z": 1}, {}, schema).rows

    assert [row.path for row in rows] == ["z", "y", "a", "b"]
