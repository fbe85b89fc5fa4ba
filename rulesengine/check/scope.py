"""Scope: what a file declares, and what a name in it means.

Fields, definitions and functions share one set of names; parts of the score are named by path (`trust.Q3`); options
of a `one of` need no declaration of their own. Where a name is looked up decides what it can mean:

    rows       fields, definitions, params, options
    exclude    the same, and `awarded`, `scale`
    function   its parameters, params and options only: a function is pure
    figures    parts of the score and `score`, then as in rows: in `show`, `rank` and `require`
    expect     parts of the score, what it shows and ranks, bands, then as in rows
    params     params and options
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import msgspec

from rulesengine.diagnostics import Diagnostic, Label, codes
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.evidence.schema import Field, Schema
from rulesengine.primitives import BUILT_INS, CORE, Primitive
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.syntax.decisions import as_definition
from rulesengine.syntax.walk import Where, outermost, walk
from rulesengine.types import (
    DATE,
    NAMED,
    TEXT,
    UNKNOWN,
    YES_NO,
    Attribute,
    JsonType,
    ListType,
    NumberType,
    OneOfType,
    RecordsType,
    Type,
    describe,
)
from rulesengine.values import Plain, show_number

TOTAL = "score"  # what results call the total

# ------------------------------------------------------------------------------------------ what a name means


class LetDecl(Struct, frozen=True, kw_only=True):
    """A definition without parameters."""

    node: n.Let


class FunctionDecl(Struct, frozen=True, eq=False, kw_only=True):
    """A definition with parameters, and the file whose names its body uses."""

    name: str
    node: n.Let
    scope: Scope

    @property
    def is_ladder(self) -> bool:
        """Whether its body is made of rungs."""
        return isinstance(self.node.value, n.Rungs)


class ParameterDecl(Struct, frozen=True, kw_only=True):
    """A parameter of the function at hand."""

    name: str


class ParamDecl(Struct, frozen=True, kw_only=True):
    """A param of the file, with the value that it has for this run."""

    node: n.Param
    type: Type
    value: Plain


class AttributeDecl(Struct, frozen=True, kw_only=True):
    """What a row of a child grain says: `field.credit`."""

    child: Child
    attribute: Attribute


class Child(Struct, frozen=True, eq=False, kw_only=True):
    """A child grain: the rows of a list of records in evidence, or of a comparison."""

    name: str
    attributes: Mapping[str, Attribute]
    field: Field | None
    comparison: n.ComparisonOf | None


class AskDecl(Struct, frozen=True, eq=False, kw_only=True):
    """A question to a judge, and the file that declares it."""

    name: str
    node: n.Ask
    type: Type
    scope: Scope


class OptionDecl(Struct, frozen=True, kw_only=True):
    """An option of some `one of`; of which, the other side of the comparison says."""

    name: str


class Part(Struct, frozen=True, kw_only=True):
    """A part of the score: an item or criterion, with all that is done to its results, innermost first.

    `fixes` is the key and option that an item stands for. A leaf has rows or an expression of its own;
    `steps` are its own and those that a part above it has `in each item`. A group has `parts`.
    """

    path: str
    name: n.Name
    node: n.Item | n.Criterion
    fixes: tuple[str, str] | None
    steps: tuple[n.Step, ...]
    parts: tuple[Part, ...]

    @property
    def combines(self) -> tuple[n.Combine, ...]:
        """The steps that combine."""
        return n.combines_of(self.steps)

    @property
    def is_leaf(self) -> bool:
        """Whether it has rows or an expression of its own."""
        return not self.parts


class BandsDecl(Struct, frozen=True, kw_only=True):
    """A `bands` block."""

    node: n.Bands


class ShowDecl(Struct, frozen=True, kw_only=True):
    """A figure that results show."""

    node: n.Show


class KeptDecl(Struct, frozen=True, kw_only=True):
    """What `combine … keep` keeps beside a result: `score.min`, ``trust.run.`2` ``.

    Attributes:
        path: what results call it.
        key: the key whose value it is, of the record of median result; None of a number.
    """

    path: str
    key: str | None


RANKED = ("place", "position", "kept")


class RankDecl(Struct, frozen=True, kw_only=True):
    """What a ranking says of a subject: its `place`, its `position` in the order, or whether it is `kept`."""

    name: str
    what: str  # one of RANKED


Meaning: TypeAlias = (
    Field
    | LetDecl
    | ParameterDecl
    | ParamDecl
    | AttributeDecl
    | OptionDecl
    | Part
    | BandsDecl
    | ShowDecl
    | KeptDecl
    | RankDecl
)


class Context(Struct, frozen=True, kw_only=True):
    """Where an expression stands: the kind of place, and the names of the parameters there."""

    where: Where
    parameters: frozenset[str] = frozenset()


ROWS, EXCLUDE, EXPECT = Context(where="rows"), Context(where="exclude"), Context(where="expect")
FIGURES, PARAMS = Context(where="figures"), Context(where="params")


class Scope(Struct, frozen=True, eq=False, dict=True, kw_only=True):
    """What one file declares, and the libraries it uses.

    Of a file of cases, `module` holds the cases and `target` is the file that they are about, which declares all else.
    """

    module: n.Module
    schema: Schema
    lets: Mapping[str, n.Let]
    functions: Mapping[str, FunctionDecl]
    decisions: Mapping[str, n.Decide]
    params: Mapping[str, ParamDecl]
    children: Mapping[str, Child]
    asks: Mapping[str, AskDecl]
    score: n.Score | None
    parts: tuple[Part, ...]
    bands: tuple[n.Bands, ...]
    ranks: tuple[n.Rank, ...]
    libraries: Mapping[str, Scope]
    is_standard: bool
    target: n.Module | None = None

    @cached_property
    def subject(self) -> tuple[str, ...]:
        """The keys that the score is given for."""
        return tuple(name.text for name in self.score.subject) if self.score else ()

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """All that a value can vary by: the keys of the record, then the child grains."""
        return (*self.schema.keys, *self.children)

    @cached_property
    def definitions(self) -> Mapping[str, n.Let]:
        """Every definition by its name: those without parameters, then the functions."""
        return {**self.lets, **{name: decl.node for name, decl in self.functions.items()}}

    @cached_property
    def all_parts(self) -> Mapping[str, Part]:
        """Every part by its path, in reading order."""
        return {part.path: part for part in walk_parts(self.parts)}

    @cached_property
    def options(self) -> Mapping[str, None]:
        """Every option that this file or a library of its names, in order."""
        found: dict[str, None] = {}
        for each in self.schema.fields:
            if isinstance(each.type, OneOfType):
                found.update(dict.fromkeys(each.type.options))
        for param in self.params.values():
            if isinstance(param.type, OneOfType):
                found.update(dict.fromkeys(param.type.options))
        for let in self.definitions.values():
            written = [parameter.type for parameter in let.parameters or ()]
            if isinstance(let.value, n.Table):
                written.append(let.value.type)
            for type_ in written:
                if isinstance(type_, n.OneOfType):
                    found.update((option.text, None) for option in type_.options)
        types = [ask.type for ask in self.asks.values()]
        types += [
            each.type for child in self.children.values() for each in child.attributes.values()
        ]
        for own in types:
            if isinstance(own, OneOfType):
                found.update(dict.fromkeys(own.options))
        if self.is_standard:
            for primitive in CORE.values():
                if isinstance(primitive.result, OneOfType):
                    found.update(dict.fromkeys(primitive.result.options))
        for name in self.built_ins:
            for _, wanted in BUILT_INS[name].parameters:
                if isinstance(wanted, OneOfType):
                    found.update(dict.fromkeys(wanted.options))
        for library in self.libraries.values():
            found.update(library.options)
        return found

    @cached_property
    def shows(self) -> Mapping[str, n.Show]:
        """Every figure that results show, by its name."""
        return {show.name.text: show for show in self.score.shows} if self.score else {}

    def rank_named(self, text: str) -> RankDecl | None:
        """Return what `place`, `kept`, `best.place` or `best.kept` means."""
        name, _, what = text.rpartition(".")
        for rank in self.ranks:
            is_meant = name == rank_name(rank) or (not name and len(self.ranks) == 1)
            if is_meant and what in RANKED:
                return RankDecl(name=rank_name(rank), what=what)
        return None

    def kept_named(self, text: str) -> KeptDecl | None:
        """Return what `score.min`, `trust.stdev_sample` or ``score.run.`2` `` means."""
        before, _, last = text.rpartition(".")
        above, _, key = before.rpartition(".")
        for combine, path in self._combined(before):
            if last != "each" and any(kept.text == last for kept in combine.keep):
                of = combine.key.text if last == "median_record" else None
                return KeptDecl(path=f"{path}.{last}", key=of)
        for combine, path in self._combined(above):
            if key == combine.key.text and any(kept.text == "each" for kept in combine.keep):
                return KeptDecl(path=f"{path}.{key}.{last}", key=None)
        return None

    def _combined(self, text: str) -> list[tuple[n.Combine, str]]:
        """What combines the results of a part, or the total, with its path."""
        if text == TOTAL:
            return [(combine, TOTAL) for combine in n.combines_of(self.own_steps)]
        parts = self.parts_named(text) if text else []
        return (
            [(combine, parts[0].path) for combine in parts[0].combines] if len(parts) == 1 else []
        )

    @cached_property
    def own_steps(self) -> tuple[n.Step, ...]:
        """What is done to the total."""
        steps = self.score.steps if self.score else ()
        return tuple(s for s in steps if not (isinstance(s, n.Combine) and s.in_each_item))

    @cached_property
    def built_ins(self) -> Mapping[str, None]:
        """The functions of the language that this file calls."""
        calls = (
            node
            for expr, _, _ in outermost(self.module)
            for node in walk(expr)
            if isinstance(node, n.Call)
        )
        names = (call.function.text for call in calls)
        return dict.fromkeys(name for name in names if name in BUILT_INS)

    def parts_named(self, path: str) -> list[Part]:
        """Return the parts whose path is `path` or ends with it."""
        exact = self.all_parts.get(path)
        if exact is not None:
            return [exact]
        return [part for part in self.all_parts.values() if part.path.endswith(f".{path}")]

    def meaning(self, reference: n.Reference, context: Context) -> Meaning | None:
        """Return what a name means where it stands, or None."""
        text = reference.path.text
        if text in context.parameters:
            return ParameterDecl(name=text)
        if context.where in ("figures", "expect"):
            parts = self.parts_named(text)
            if len(parts) == 1:
                return parts[0]
        if context.where == "expect":
            for bands in self.bands:
                if bands.name.text == text:
                    return BandsDecl(node=bands)
            if text in self.shows:
                return ShowDecl(node=self.shows[text])
            named = self.rank_named(text) or self.kept_named(text)
            if named is not None:
                return named
        if context.where not in ("function", "params"):
            if text in self.schema.by_name:
                return self.schema.by_name[text]
            if text in self.lets:
                return LetDecl(node=self.lets[text])
            name, _, what = text.partition(".")
            if name in self.children and what in self.children[name].attributes:
                child = self.children[name]
                return AttributeDecl(child=child, attribute=child.attributes[what])
        if text in self.params:
            return self.params[text]
        return OptionDecl(name=text) if text in self.options else None

    def function(self, path: n.Path) -> FunctionDecl | AskDecl | Primitive | None:
        """Return the function that a path means: of this file, `library.name`, `core.name`, or of the language."""
        text = path.text
        if text in self.functions:
            return self.functions[text]
        if text in self.asks:
            return self.asks[text]
        library, _, name = text.rpartition(".")
        if library in self.libraries:
            return self.libraries[library].functions.get(name) or self.libraries[library].asks.get(
                name
            )
        if library == "core" and self.is_standard:
            return CORE.get(name)
        return BUILT_INS.get(text)

    def known_names(self, context: Context) -> Iterator[str]:
        """Yield every name that could stand in a place, for `did you mean`."""
        yield from context.parameters
        yield from self.params
        if context.where not in ("function", "params"):
            yield from self.schema.by_name
            yield from self.lets
            for child in self.children.values():
                yield from (f"{child.name}.{what}" for what in child.attributes)
        if context.where in ("figures", "expect"):
            yield TOTAL
            yield from self.all_parts
        if context.where == "expect":
            yield from (bands.name.text for bands in self.bands)
            yield from self.shows
            for path in (TOTAL, *self.all_parts):
                for combine, _ in self._combined(path):
                    yield from (f"{path}.{k.text}" for k in combine.keep if k.text != "each")
        yield from self.options

    def known_functions(self) -> Iterator[str]:
        """Yield the name of every function that could be called here."""
        yield from self.functions
        yield from self.asks
        yield from BUILT_INS
        for name, library in self.libraries.items():
            yield from (f"{name}.{function}" for function in library.functions)


def rank_name(rank: n.Rank) -> str:
    """Return what results call a ranking: its own name, or else its key."""
    return rank.name.text if rank.name is not None else rank.keys[0].text


def walk_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield every part, each before what stands in it."""
    for part in parts:
        yield part
        yield from walk_parts(part.parts)


# ---------------------------------------------------------------------------------------------- building it


def declare(
    module: n.Module, libraries: Mapping[str, Scope], *, is_standard: bool = False
) -> tuple[Scope, list[Diagnostic]]:
    """Return the scope of a file and what is wrong with its declarations.

    Args:
        module: the file.
        libraries: the scopes of the files it uses, by the name it calls them.
        is_standard: whether it belongs to the standard library, and may call primitives.
    """
    found: list[Diagnostic] = []
    declared: dict[str, n.Name] = {}

    def once(name: n.Name, taken: dict[str, n.Name], what: str) -> bool:
        before = taken.setdefault(name.text, name)
        if before is name:
            return True
        found.append(
            Diagnostic(
                codes.DECLARED_TWICE,
                f"{what} `{name.text}` is declared twice",
                name.span,
                labels=(Label(before.span, "first here"),),
            )
        )
        return False

    fields: list[Field] = []
    lets: dict[str, n.Let] = {}
    functions: dict[str, n.Let] = {}
    bands: list[n.Bands] = []
    ranks: list[n.Rank] = []
    params: dict[str, ParamDecl] = {}
    asks: dict[str, n.Ask] = {}
    decisions: dict[str, n.Decide] = {}
    comparisons: dict[str, n.ComparisonOf] = {}
    score: n.Score | None = None
    band_names: dict[str, n.Name] = {}
    rank_names: dict[str, n.Name] = {}
    for statement in module.statements:
        match statement:
            case n.Ladder(name=name, parameters=parameters, rungs=rungs):
                if once(name, declared, "the name"):
                    body = n.Rungs(
                        span=statement.span,
                        rungs=tuple(
                            _passed_on(rung, parameters, module, libraries)
                            if isinstance(rung, n.RungsOf)
                            else rung
                            for rung in rungs
                        ),
                    )
                    functions[name.text] = n.Let(
                        span=statement.span, name=name, parameters=parameters, value=body
                    )
            case n.Decide(name=name):
                if once(name, declared, "the name"):
                    decisions[name.text] = statement
                    lets[name.text] = as_definition(statement)
            case n.Ask(name=name):
                if once(name, declared, "the name"):
                    asks[name.text] = statement
            case n.ComparisonOf(name=name):
                if once(name, declared, "the name"):
                    comparisons[name.text] = statement
                if statement.counts is not None:
                    once(statement.counts, declared, "the name")
            case n.Param(name=name):
                if once(name, declared, "the name"):
                    params[name.text] = _param(statement, found)
            case n.Rank(keys=keys, name=name):
                if once(name or keys[0], rank_names, "the ranking"):
                    ranks.append(statement)
            case n.Evidence(fields=written):
                fields.extend(
                    _field(each, found) for each in written if once(each.name, declared, "the name")
                )
            case n.Let(name=name, parameters=parameters):
                if parameters is not None and name.text in BUILT_INS:
                    found.append(_taken(name))
                elif once(name, declared, "the name"):
                    (lets if parameters is None else functions)[name.text] = statement
            case n.Bands(name=name):
                if once(name, band_names, "the bands block"):
                    bands.append(statement)
            case n.Score():
                score = score or statement
            case _:
                pass
    schema = Schema(tuple(fields))
    parts = _parts(score, schema, found) if score is not None else ()
    taken: dict[str, n.Name] = {}
    named = [(part.path, part.name) for part in walk_parts(parts)]
    named += [(show.name.text, show.name) for show in (score.shows if score else ())]
    named += [(each.name.text, each.name) for each in bands]
    for path, own in named:
        once(n.Name(span=own.span, text=path), taken, "the part")
        if path == TOTAL:
            found.append(
                Diagnostic(
                    codes.DECLARED_TWICE,
                    f"a part cannot be called `{TOTAL}`: that is the total",
                    own.span,
                    help="give it another name",
                )
            )
    scope = Scope(
        module=module,
        schema=schema,
        lets=lets,
        functions={},
        decisions=decisions,
        params=params,
        children=_children(schema, comparisons),
        asks={},
        score=score,
        parts=parts,
        bands=tuple(bands),
        ranks=tuple(ranks),
        libraries=libraries,
        is_standard=is_standard,
    )
    owned = {
        name: FunctionDecl(name=name, node=node, scope=scope) for name, node in functions.items()
    }
    asked = {
        name: AskDecl(name=name, node=node, type=type_of_written(node.type, found), scope=scope)
        for name, node in asks.items()
    }
    # A function knows its file, so the file comes first.
    msgspec.structs.force_setattr(scope, "functions", owned)
    msgspec.structs.force_setattr(scope, "asks", asked)
    return scope, found


def _taken(name: n.Name) -> Diagnostic:
    # An own function of that name would be read as the one of the language by everyone but its author. Fields and
    # definitions may bear such a name: `words` is a value and `words(answer)` a call, and no one can mistake the two.
    return Diagnostic(
        codes.DECLARED_TWICE,
        f"`{name.text}` is a function of the language",
        name.span,
        help="give yours another name",
    )


def _passed_on(
    rungs: n.RungsOf,
    parameters: tuple[n.Parameter, ...],
    module: n.Module,
    libraries: Mapping[str, Scope],
) -> n.RungsOf:
    """Return rungs of another ladder, told by name whatever both ladders have a parameter for."""
    call = rungs.ladder
    said = {argument.name.text for argument in call.arguments if argument.name is not None}
    own = {parameter.name.text for parameter in parameters}
    same = [
        parameter.name.text
        for parameter in _parameters(call.function.text, module, libraries)
        if parameter.name.text in own - said
    ]
    names = [n.Name(span=call.function.span, text=name) for name in same]
    passed = tuple(
        n.Argument(
            span=name.span,
            name=name,
            value=n.Reference(span=name.span, path=n.Path(span=name.span, names=(name,))),
        )
        for name in names
    )
    told = msgspec.structs.replace(call, arguments=(*call.arguments, *passed))
    return msgspec.structs.replace(rungs, ladder=told)


def _parameters(
    ladder: str, module: n.Module, libraries: Mapping[str, Scope]
) -> tuple[n.Parameter, ...]:
    """The parameters of a ladder of this file or of a library; none where there is no such ladder."""
    for statement in module.statements:
        if isinstance(statement, n.Ladder) and statement.name.text == ladder:
            return statement.parameters
    library, _, name = ladder.rpartition(".")
    decl = libraries[library].functions.get(name) if library in libraries else None
    return decl.node.parameters or () if decl is not None and decl.is_ladder else ()


LEAF_TYPES = ("text", "prose", "number", "integer", "date", "yes/no", "exact", "mixed")

# What a row of a comparison says; see compare/outcome.py.
_COMPARED: tuple[Attribute, ...] = (
    Attribute("row", TEXT),
    Attribute("path", TEXT),
    Attribute("kind", OneOfType(("both", "miss", "extra"))),
    Attribute("type", OneOfType(LEAF_TYPES)),
    Attribute("rung", TEXT),
    Attribute("credit", NumberType(low=Fraction(0), high=Fraction(1))),
    Attribute("cosine", NumberType(low=Fraction(-1), high=Fraction(1)), optional=True),
    Attribute("filled", YES_NO),
    Attribute("expected", YES_NO),
    Attribute("extra", YES_NO),
    Attribute("confirmed", YES_NO),
    Attribute("identifying", YES_NO),
    Attribute("paired", YES_NO),
    Attribute("description", TEXT, optional=True),
    Attribute("candidate", TEXT, optional=True),
    Attribute("reference", TEXT, optional=True),
    Attribute("within", TEXT),
)

# What a row says of one list that was compared.
_COUNT = NumberType(integer=True, low=Fraction(0))
_PART = NumberType(low=Fraction(0), high=Fraction(1))
_COUNTED: tuple[Attribute, ...] = (
    Attribute("row", TEXT),
    Attribute("path", TEXT),
    Attribute("ref_count", _COUNT),
    Attribute("cand_count", _COUNT),
    Attribute("matched", _COUNT),
    Attribute("missed", ListType(TEXT)),
    Attribute("hallucinated", ListType(TEXT)),
    Attribute("precision", _PART),
    Attribute("recall", _PART),
    Attribute("f1", _PART),
)


def _children(schema: Schema, comparisons: Mapping[str, n.ComparisonOf]) -> dict[str, Child]:
    children = {
        each.name: Child(
            name=each.name,
            attributes={inner.name: inner for inner in each.type.fields},
            field=each,
            comparison=None,
        )
        for each in schema.fields
        if isinstance(each.type, RecordsType)
    }
    for name, node in comparisons.items():
        attributes = {each.name: each for each in _COMPARED}
        children[name] = Child(name=name, attributes=attributes, field=None, comparison=node)
        if node.counts is not None:
            counted = {each.name: each for each in _COUNTED}
            children[node.counts.text] = Child(
                name=node.counts.text, attributes=counted, field=None, comparison=node
            )
    return children


# What other languages call the types.
_OTHERS_SAY = {
    **dict.fromkeys(("string", "str", "String"), "text"),
    **dict.fromkeys(("int", "Integer"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "real"), "number"),
    **dict.fromkeys(("bool", "boolean", "Boolean"), "yes/no"),
    **dict.fromkeys(("datetime", "timestamp"), "date"),
    **dict.fromkeys(("uri", "link"), "url"),
}


def type_of_written(written: n.TypeExpr, found: list[Diagnostic]) -> Type:
    """Return the type that a file spells out."""
    match written:
        case n.NamedType(name=name, span=span):
            if name in NAMED:
                return NAMED[name] if written.range is None else _in_range(written, found)
            found.append(
                Diagnostic(
                    codes.UNKNOWN_TYPE,
                    f"no type is called `{name}`",
                    span,
                    help=did_you_mean(_OTHERS_SAY.get(name, name), NAMED)
                    or f"the types are {', '.join(NAMED)} and `one of a, b, …`",
                )
            )
            return UNKNOWN
        case n.OneOfType(options=options):
            seen: dict[str, n.Name] = {}
            for option in options:
                before = seen.setdefault(option.text, option)
                if before is not option:
                    found.append(
                        Diagnostic(
                            codes.DECLARED_TWICE,
                            f"the option `{option.text}` stands twice",
                            option.span,
                            labels=(Label(before.span, "first here"),),
                        )
                    )
            return OneOfType(tuple(seen))
        case n.ListTypeExpr(item=item, span=span):
            inner = type_of_written(item, found)
            if isinstance(inner, ListType | RecordsType):
                found.append(
                    Diagnostic(
                        codes.UNKNOWN_TYPE,
                        "a list of lists has no name here",
                        span,
                        help="declare it as `json`, or as `list of record { … }`",
                    )
                )
                return UNKNOWN
            return ListType(inner)
        case n.RecordsType(fields=fields):
            return RecordsType(tuple(_attribute(each, found) for each in fields))


def _attribute(written: n.Field, found: list[Diagnostic]) -> Attribute:
    """A field inside `list of record`."""
    type_ = type_of_written(written.type, found)
    odd = written.is_key or written.per is not None or written.otherwise is not None
    if odd or isinstance(type_, RecordsType):
        found.append(
            Diagnostic(
                codes.UNKNOWN_TYPE,
                "a record of a list has plain fields only",
                written.span,
                help="it needs no key: its place in the list is one; what is deeper is `json`",
            )
        )
    default = _default(written, type_, found)
    return Attribute(
        name=written.name.text,
        type=type_,
        optional=written.type.optional,
        default=default if isinstance(default, str | Fraction | bool) else None,
    )


def _in_range(written: n.NamedType, found: list[Diagnostic]) -> Type:
    """Return the type of the numbers of a range, or what is wrong with it."""
    type_, range_ = NAMED[written.name], written.range
    assert range_ is not None
    low, high = range_.low.value, range_.high.value
    if not isinstance(type_, NumberType):
        message = f"{describe(type_)} has no range"
        advice: str | None = "`number 0 to 1` and `integer 0 to 2` have one"
    elif low > high:
        message = f"no number lies from {show_number(low)} to {show_number(high)}"
        advice = "the lower end comes first"
    elif type_.integer and low.denominator != 1:
        message, advice = f"an integer is never {show_number(low)}", None
    elif type_.integer and high.denominator != 1:
        message, advice = f"an integer is never {show_number(high)}", None
    else:
        return NumberType(integer=type_.integer, low=low, high=high)
    found.append(Diagnostic(codes.BAD_RANGE, message, range_.span, help=advice))
    return UNKNOWN


def _field(written: n.Field, found: list[Diagnostic]) -> Field:
    type_ = type_of_written(written.type, found)
    if written.is_key and (written.type.optional or written.default is not None):
        found.append(
            Diagnostic(
                codes.WRONG_DEFAULT,
                f"the key `{written.name.text}` can be neither optional nor have a default",
                written.span,
                help="a key says which record it is, so every record has it",
            )
        )
    if written.is_key and written.per is not None:
        found.append(
            Diagnostic(
                codes.WRONG_DEFAULT,
                f"the key `{written.name.text}` varies by itself",
                written.per[0].span,
                help="delete `per …`: it says by which keys a field varies that is no key",
            )
        )
    if written.is_key and isinstance(type_, ListType | RecordsType | JsonType):
        found.append(
            Diagnostic(
                codes.UNKNOWN_TYPE,
                f"the key `{written.name.text}` is one value, a text or a number",
                written.type.span,
            )
        )
    if written.otherwise is not None and not written.type.optional:
        found.append(
            Diagnostic(
                codes.WRONG_DEFAULT,
                f"`{written.name.text}` is never missing, so the judge is never asked",
                written.otherwise.span,
                help="declare its type with a `?`",
            )
        )
    if isinstance(type_, RecordsType) and written.type.optional:
        found.append(
            Diagnostic(
                codes.UNKNOWN_TYPE,
                "a list of records is never missing; it may be empty",
                written.type.span,
                help="delete the `?`, and write `[]` in the evidence",
            )
        )
    return Field(
        name=written.name.text,
        type=type_,
        is_key=written.is_key,
        is_asked=written.otherwise is not None,
        per=None if written.per is None else tuple(name.text for name in written.per),
        optional=written.type.optional and not written.is_key,
        default=_default(written, type_, found),
        label=written.label.text if written.label else None,
        span=written.name.span,
    )


def _param(written: n.Param, found: list[Diagnostic]) -> ParamDecl:
    type_ = type_of_written(written.type, found)
    if written.type.optional:
        found.append(
            Diagnostic(
                codes.WRONG_DEFAULT,
                f"the param `{written.name.text}` always has a value",
                written.type.span,
                help="delete the `?`",
            )
        )
    value: Plain | None = None
    if written.default is None:
        found.append(
            Diagnostic(
                codes.WRONG_DEFAULT,
                f"the param `{written.name.text}` has no default",
                written.span,
                help="say what holds where nobody sets it: `default …`",
            )
        )
    elif type_ != UNKNOWN:
        value = literal_value(written.default, type_)
        if value is None:
            found.append(_wrong_default(written.name, written.default, written.type, type_))
    return ParamDecl(node=written, type=type_, value=Fraction(0) if value is None else value)


def _wrong_default(
    name: n.Name, default: n.Literal_, written: n.TypeExpr, type_: Type
) -> Diagnostic:
    return Diagnostic(
        codes.WRONG_DEFAULT,
        f"the default of `{name.text}` is not a value of its type",
        default.span,
        labels=(Label(written.span, f"the type: {describe(type_)}"),),
    )


def _default(written: n.Field, type_: Type, found: list[Diagnostic]) -> Plain | None:
    if written.default is None or type_ == UNKNOWN or written.is_key:
        return None
    value = literal_value(written.default, type_)
    if value is None:
        found.append(_wrong_default(written.name, written.default, written.type, type_))
    return value


def literal_value(literal: n.Literal_, type_: Type) -> Plain | None:
    """Return the value of a literal where a value of `type_` is wanted, or None where it is none."""
    match literal, type_:
        case n.Number(value=number), NumberType():
            return number if type_.holds(number) else None
        case n.Date(value=day), _ if type_ == DATE:
            return day
        case n.Truth(value=truth), _ if type_ == NAMED["yes/no"]:
            return truth
        case n.Text(value=text), OneOfType(options=options):
            return text if text in options else None
        case n.Text(value=text), _ if type_ == NAMED["text"] or (
            type_ == NAMED["url"] and is_url(text)
        ):
            return text
        case n.Reference(path=path), OneOfType(options=options):
            return path.text if path.text in options else None
        case _:
            return None


def is_url(text: str) -> bool:
    """Tell whether a text is a literal http(s) URL."""
    from rulesengine.links.url import parse_url  # only for rubrics that spell one out

    return parse_url(text) is not None


def parameter_type(parameter: n.Parameter, found: list[Diagnostic]) -> Type:
    """Return the type that a parameter says, or else that of its default; unknown where it says neither."""
    if parameter.type is not None:
        return type_of_written(parameter.type, found)
    match parameter.default:
        case n.Number():
            return NAMED["number"]
        case n.Date():
            return DATE
        case n.Truth():
            return NAMED["yes/no"]
        case n.Text():
            return NAMED["text"]
        case n.Reference(path=path):
            return OneOfType((path.text,))
        case n.Missing() | n.ListLiteral() | n.ObjectLiteral() | None:
            return UNKNOWN


def _parts(score: n.Score, schema: Schema, found: list[Diagnostic]) -> tuple[Part, ...]:
    inherited = tuple(each for each in score.combines if each.in_each_item)
    return _below(score.parts, "", inherited, schema, found)


def _below(
    nodes: tuple[n.Part, ...],
    prefix: str,
    inherited: tuple[n.Combine, ...],
    schema: Schema,
    found: list[Diagnostic],
) -> tuple[Part, ...]:
    parts: list[Part] = []
    for node in nodes:
        match node:
            case n.Item(names=names):
                for name in names:
                    parts.append(
                        Part(
                            path=prefix + name.text,
                            name=name,
                            node=node,
                            fixes=_fixed_key(name, schema, found),
                            steps=node.steps + inherited,
                            parts=(),
                        )
                    )
            case n.Criterion(name=name):
                path = prefix + name.text
                for_items = tuple(each for each in node.combines if each.in_each_item)
                own = tuple(each for each in node.steps if each not in for_items)
                below = _below(node.parts, f"{path}.", for_items + inherited, schema, found)
                is_leaf = not node.parts
                parts.append(
                    Part(
                        path=path,
                        name=name,
                        node=node,
                        fixes=None,
                        steps=own + for_items + inherited if is_leaf else own,
                        parts=below,
                    )
                )
    return tuple(parts)


def _fixed_key(name: n.Name, schema: Schema, found: list[Diagnostic]) -> tuple[str, str] | None:
    """The key that an item's name is an option of."""
    holders = [
        each
        for each in schema.fields
        if each.is_key and isinstance(each.type, OneOfType) and name.text in each.type.options
    ]
    if len(holders) == 1:
        return holders[0].name, name.text
    options = [
        option
        for each in schema.fields
        if each.is_key and isinstance(each.type, OneOfType)
        for option in each.type.options
    ]
    if holders:
        message = f"`{name.text}` is an option of {' and of '.join(f'`{h.name}`' for h in holders)}"
        help_ = "an item stands for one option of one key: give one of the options another name"
    else:
        message = f"no key has an option called `{name.text}`"
        help_ = did_you_mean(name.text, options) or (
            "an item stands for one option of a key, such as `key question : one of Q1, Q2`; "
            "a part without a key of its own is a `criterion`"
        )
    found.append(Diagnostic(codes.ITEM_WITHOUT_KEY, message, name.span, help=help_))
    return None
