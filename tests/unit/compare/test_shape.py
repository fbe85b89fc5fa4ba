"""JSON Schemas: what is read of them, and what is wrong with them."""

import pytest

from rulesengine.compare.shape import Schema, SchemaFault, read_schema


def sound(raw: object) -> Schema:
    """Return a schema that has nothing wrong with it."""
    found = read_schema(raw)
    assert isinstance(found, Schema), found
    return found


def test_a_reference_is_followed() -> None:
    """`$ref` leads to `$defs`, and what stands beside it holds too."""
    schema = sound(
        {
            "properties": {"a": {"$ref": "#/$defs/name", "x-identifying": True}},
            "$defs": {"name": {"type": "string", "description": "what it is called"}},
        }
    )

    (branch,) = schema.field(schema.root, "a").branches

    assert (frozenset({"text"}), "what it is called", True) == (
        branch.sorts,
        branch.description,
        branch.marks.identifying,
    )


def test_a_schema_may_hold_itself() -> None:
    """A tree of persons and their children is as deep as its value."""
    person = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "x-exact": True},
            "children": {"type": "array", "items": {"$ref": "#"}},
        },
    }
    schema = sound(person)
    shape = schema.root
    for _ in range(50):
        shape = schema.item(schema.field(shape, "children"))

    (branch,) = schema.field(shape, "name").branches

    assert branch.marks.exact


def test_null_is_no_way_to_be_filled() -> None:
    """A choice with null is no choice, however it is written."""
    for nullable in (
        {"type": ["integer", "null"]},
        {"type": "integer", "nullable": True},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"type": "integer"}]},
    ):
        shapes = sound(nullable).root.branches

        assert [frozenset({"integer"})] == [branch.sorts for branch in shapes]


def test_parts_of_all_of_come_together() -> None:
    """`allOf` joins properties, and marks of one field from several parts."""
    schema = sound(
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}, "b": {"type": "number"}}},
                {"properties": {"a": {"x-prose": True}}},
            ]
        }
    )

    (branch,) = schema.field(schema.root, "a").branches

    assert (frozenset({"text"}), True) == (branch.sorts, branch.marks.prose)
    assert schema.field(schema.root, "b").branches[0].sorts == {"number", "integer"}


def test_other_fields_and_positions_have_their_schemas() -> None:
    """`additionalProperties` holds for the fields not named, `prefixItems` for positions."""
    schema = sound(
        {
            "properties": {"a": {"prefixItems": [{"type": "string"}], "items": {"type": "number"}}},
            "additionalProperties": {"type": "boolean"},
        }
    )
    a = schema.field(schema.root, "a")

    found = [schema.field(schema.root, "z"), schema.item(a, 0), schema.item(a, 1)]

    assert [{"yes/no"}, {"text"}, {"number", "integer"}] == [
        set(shape.branches[0].sorts) for shape in found
    ]


@pytest.mark.parametrize(
    ("raw", "pointer", "words"),
    [
        ([], "#", "has to be an object"),
        ({"type": "strng"}, "#/type", "`strng` is no type"),
        ({"type": 3}, "#/type", "`3` is no type"),
        ({"properties": []}, "#/properties", "`properties` has to be"),
        ({"properties": {"a": 1}}, "#/properties/a", "has to be an object"),
        ({"properties": {"a": {"x-exact": "yes"}}}, "#/properties/a/x-exact", "true or false"),
        ({"x-exact": True, "x-prose": True}, "#", "contradict"),
        ({"x-exakt": True}, "#", "no mark `x-exakt`"),
        ({"enum": "a"}, "#/enum", "a list"),
        ({"anyOf": []}, "#/anyOf", "a list of schemas"),
        ({"items": [{}]}, "#/items", "one schema"),
        ({"$ref": "#/$defs/a"}, "#", "leads nowhere"),
        ({"$ref": "https://a.example/s.json"}, "#", "not in this schema"),
        ({"$ref": "#"}, "#", "defined by itself"),
        ({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}, "#/$defs/a", "defined by itself"),
        ({"patternProperties": {}}, "#", "not understood"),
        ({"if": {}}, "#", "not understood"),
        ({"description": float("nan")}, "description", "no value of JSON"),
        ({"description": 3}, "#/description", "a text"),
        ({3: 3}, "$", "no text"),
    ],
)
def test_a_faulty_schema_is_told_with_its_place(raw: object, pointer: str, words: str) -> None:
    """What cannot be read is an error, not passed over (E1)."""
    found = read_schema(raw)

    assert isinstance(found, SchemaFault)
    assert pointer in found.pointer
    assert words in found.message


def test_a_misspelt_mark_or_type_has_its_right_spelling() -> None:
    """The help names what was meant."""
    found = [read_schema({"x-identifing": True}), read_schema({"type": "integr"})]

    assert [fault.help for fault in found if isinstance(fault, SchemaFault)] == [
        "did you mean `x-identifying`?",
        "did you mean `integer`?",
    ]


def test_references_that_double_are_read_once() -> None:
    """Thirty levels of two references each are thirty schemas, not a thousand million."""
    definitions: dict[str, object] = {
        f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}, {"$ref": f"#/$defs/a{i + 1}"}]}
        for i in range(30)
    }
    definitions["a30"] = {"type": "object", "properties": {"x": {"type": "string"}}}
    schema = sound({"$ref": "#/$defs/a0", "$defs": definitions})

    assert len(schema.field(schema.root, "x").branches) == 1


def test_choices_that_multiply_are_refused() -> None:
    """Ten choices of two, all at one place, are more ways than anyone can read."""
    two = [{"enum": ["a"]}, {"description": "b"}]
    choices = [{"anyOf": [{**way, "minimum": i} for way in two]} for i in range(10)]
    distinct = [
        {"anyOf": [{"properties": {f"p{i}": {}}}, {"properties": {f"q{i}": {}}}]} for i in range(10)
    ]

    found = read_schema({"allOf": distinct})

    assert isinstance(read_schema({"allOf": choices}), Schema)  # they come to the same few ways
    assert isinstance(found, SchemaFault)
