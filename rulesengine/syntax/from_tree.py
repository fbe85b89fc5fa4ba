"""The parser's trees to syntax nodes: one method for each alias of the grammar.

What the grammar takes but the language refuses because people misread it (`a or b and c`, `a < b < c`) is
found here, where it can be said well.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from fractions import Fraction
from functools import reduce
from typing import Any, Literal, cast

import msgspec

from rulesengine.diagnostics import Code, Diagnostic, codes
from rulesengine.source import Source, Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.tree import Token, Tree

DEEPEST = (
    120  # levels of a tree, each operator of a chain counted as one; here each is some four frames
)
LONGEST_NUMBER = 100  # digits
_ESCAPE = re.compile(r"\\(u\{[0-9A-Fa-f]{1,6}\}|.|\n)", re.DOTALL)
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "\n": ""}


class ListsAs(msgspec.Struct, frozen=True, kw_only=True):
    """How a comparison says that lists are compared."""

    name: n.Name
    keyed: n.Name | None
    paired_by: tuple[n.Name, ...]
    threshold: n.Expr | None
    counts: n.Name | None


class Builder:
    """Builds nodes for one source and collects what it finds wrong."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.level = 0
        self.told_deep = False  # once a statement
        self.offset = 1 if source.text.startswith("\ufeff") else 0

    def statement(self, tree: Tree) -> n.Header | n.Statement:
        """Return the node of a whole statement."""
        self.told_deep = False
        node = self.build(tree)
        while isinstance(node, list):
            (node,) = node
        return cast("n.Header | n.Statement", node)

    def build(self, tree: Tree) -> Any:
        """Return the node of any tree; of one that is too deep, a stand-in, and report it."""
        if self.level > DEEPEST:
            if not self.told_deep:
                self.told_deep = True
                self.report(
                    codes.TOO_DEEP,
                    f"this is nested more than {DEEPEST} levels deep, operators in a row counted",
                    self.span(tree),
                    advice="give an inner part a name with `let`",
                )
            return n.Number(span=self.span(tree), value=Fraction(0))
        self.level += 1
        try:
            return getattr(self, tree.data)(tree)
        finally:
            self.level -= 1

    # -------------------------------------------------------------------------------------------- helpers

    def report(self, code: Code, message: str, span: Span, advice: str | None = None) -> None:
        """Note a finding."""
        self.diagnostics.append(Diagnostic(code, message, span, help=advice))

    def span(self, part: Tree | Token) -> Span:
        """Return the place of a tree or token."""
        # Every token of the grammar is kept and no rule is empty, so the outermost leaves tell.
        first = last = part
        while isinstance(first, Tree):
            first = first.children[0]
        while isinstance(last, Tree):
            last = last.children[-1]
        return Span(self.source, first.start_pos + self.offset, last.end_pos + self.offset)

    def all(self, tree: Tree, *kinds: str) -> list[Any]:
        """Return the nodes of those children that are trees of one of these kinds."""
        return [
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree) and child.data in kinds
        ]

    def one(self, tree: Tree, *kinds: str) -> Any:
        """Return the node of the first such child, or None."""
        found = self.all(tree, *kinds)
        return found[0] if found else None

    def trees(self, tree: Tree) -> list[Any]:
        """Return the nodes of all children that are trees."""
        return [self.build(child) for child in tree.children if isinstance(child, Tree)]

    def token(self, tree: Tree, *kinds: str) -> Token | None:
        """Return the first token of one of these kinds, or None."""
        for child in tree.children:
            if isinstance(child, Token) and child.type in kinds:
                return child
        return None

    def string(self, token: Token | None) -> str:
        """Return what a text in quotes says."""
        assert token is not None
        body = token[3:-3] if token.startswith('"""') else token[1:-1]

        def resolve(match: re.Match[str]) -> str:
            escape = match[1]
            if escape in _ESCAPES:
                return _ESCAPES[escape]
            if escape.startswith("u{"):
                point = int(escape[2:-1], 16)
                if point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF:
                    return chr(point)
            self.report(
                codes.BAD_ESCAPE,
                f"`\\{escape}` is not an escape",
                self.span(token),
                advice=r"the escapes are \" \\ \n \t and \u{1F600}; a backslash itself is written \\",
            )
            return ""

        return _ESCAPE.sub(resolve, body)

    # ----------------------------------------------------------------------------------- names and literals

    def name(self, tree: Tree) -> n.Name:
        """`respondent`."""
        (token,) = tree.children
        assert isinstance(token, Token)
        text = token[1:-1] if token.type == "QUOTED_NAME" else str(token)
        return n.Name(span=self.span(tree), text=unicodedata.normalize("NFC", text))

    def path(self, tree: Tree) -> n.Path:
        """`trust.Q3`."""
        return n.Path(span=self.span(tree), names=tuple(self.all(tree, "name")))

    def label(self, tree: Tree) -> n.Label:
        """`"Trust"`."""
        return n.Label(span=self.span(tree), text=self.string(self.token(tree, "STRING")))

    def signed(self, tree: Tree) -> n.Number:
        """`-5`."""
        token = self.token(tree, "NUMBER", "PERCENT")
        assert token is not None
        value = self._exact(token)
        return n.Number(
            span=self.span(tree), value=-value if self.token(tree, "MINUS") is not None else value
        )

    def _exact(self, token: Token) -> Fraction:
        """Return what a number literal says, if it is of a sensible length."""
        if len(token) > LONGEST_NUMBER:
            self.report(
                codes.BAD_NUMBER,
                f"this number has more than {LONGEST_NUMBER} digits",
                self.span(token),
            )
            return Fraction(0)
        if token.type == "PERCENT":
            return Fraction(token[:-1]) / 100
        return Fraction(token)

    def literal_list(self, tree: Tree) -> n.ListLiteral:
        """`["a", "b"]`."""
        return n.ListLiteral(span=self.span(tree), items=tuple(self.trees(tree)))

    def literal_object(self, tree: Tree) -> n.ObjectLiteral:
        """`{ "name": "a" }`."""
        return n.ObjectLiteral(span=self.span(tree), pairs=tuple(self.trees(tree)))

    def json_pair(self, tree: Tree) -> tuple[str, n.Literal_]:
        """`"name": "a"`."""
        text = self.token(tree, "STRING")
        *names, value = self.trees(tree)
        return (self.string(text) if text is not None else names[0].text), value

    def literal_number(self, tree: Tree) -> n.Number:
        """`10`."""
        return cast("n.Number", self.one(tree, "signed"))

    def literal_date(self, tree: Tree) -> n.Date:
        """`2024-03-14`."""
        return self.date(tree)

    def literal_text(self, tree: Tree) -> n.Text:
        """`"m"`."""
        return self.text(tree)

    def literal_truth(self, tree: Tree) -> n.Truth:
        """`yes`."""
        return self.truth(tree)

    def literal_missing(self, tree: Tree) -> n.Missing:
        """`missing`."""
        return n.Missing(span=self.span(tree))

    def literal_option(self, tree: Tree) -> n.Reference:
        """`Q7`."""
        name = self.one(tree, "name")
        return n.Reference(span=name.span, path=n.Path(span=name.span, names=(name,)))

    # ------------------------------------------------------------------------------------------- statements

    def header(self, tree: Tree) -> list[Any]:
        """The rule that holds one of the three headers."""
        return self.trees(tree)

    def rubric_header(self, tree: Tree) -> n.RubricHeader:
        """`rubric bigaiarena "BigAIArena" version "1" language 1`."""
        version = self.token(tree, "STRING")
        return n.RubricHeader(
            span=self.span(tree),
            name=self.one(tree, "name"),
            label=self.one(tree, "label"),
            version=self.string(version) if version is not None else None,
        )

    def library_header(self, tree: Tree) -> n.LibraryHeader:
        """`library std.url "Links in text" language 1`."""
        return n.LibraryHeader(
            span=self.span(tree), path=self.one(tree, "path"), label=self.one(tree, "label")
        )

    def cases_header(self, tree: Tree) -> n.CasesHeader:
        """`cases of ./bigaiarena language 1`."""
        return n.CasesHeader(span=self.span(tree), target=self._target(tree))

    def relative_path(self, tree: Tree) -> n.Target:
        """`./common`."""
        return n.Target(span=self.span(tree), text=str(tree.children[0]))

    def _target(self, tree: Tree) -> n.Target:
        relative = self.one(tree, "relative_path")
        if relative is not None:
            return cast("n.Target", relative)
        path = self.one(tree, "path")
        return n.Target(span=path.span, text=path.text)

    def about(self, tree: Tree) -> n.About:
        """`about "…"`."""
        return n.About(span=self.span(tree), text=self.string(self.token(tree, "STRING")))

    def use(self, tree: Tree) -> n.Use:
        """`use std.url`."""
        return n.Use(span=self.span(tree), target=self._target(tree))

    def evidence(self, tree: Tree) -> n.Evidence:
        """`evidence { … }`."""
        return n.Evidence(
            span=self.span(tree),
            fields=tuple(self.all(tree, "field")),
            requires=tuple(self.all(tree, "require")),
        )

    def param(self, tree: Tree) -> n.Param:
        """`param ip_weight : number default 70%`."""
        return n.Param(
            span=self.span(tree),
            name=self.one(tree, "name"),
            type=self._type(tree),
            default=self.one(tree, "default"),
            label=self.one(tree, "label"),
        )

    def require(self, tree: Tree) -> n.Require:
        """`require count of run over run = 5 "fewer than five runs" unless incomplete`."""
        condition = self.trees(tree)[0]
        last = tree.children[-1]
        has_unless = self.token(tree, "UNLESS") is not None
        return n.Require(
            span=self.span(tree),
            condition=condition,
            message=self.string(self.token(tree, "STRING")),
            unless=self.build(last) if has_unless and isinstance(last, Tree) else None,
        )

    def field(self, tree: Tree) -> n.Field:
        """`bends : yes/no default no "bent its answer"`."""
        return n.Field(
            span=self.span(tree),
            name=self.one(tree, "name"),
            is_key=self.token(tree, "KEY") is not None,
            type=self._type(tree),
            default=self.one(tree, "default"),
            per=self.one(tree, "per"),
            otherwise=self.one(tree, "else_ask"),
            label=self.one(tree, "label"),
        )

    def else_ask(self, tree: Tree) -> n.Call:
        """`else ask fabrication(answer, source)`."""
        return self.call(tree)

    def per(self, tree: Tree) -> tuple[n.Name, ...]:
        """`per scenario`."""
        return tuple(self.all(tree, "name"))

    def _type(self, tree: Tree) -> Any:
        return self.one(tree, *_TYPES)

    def named_type(self, tree: Tree) -> n.NamedType:
        """`text?`."""
        return n.NamedType(
            span=self.span(tree),
            name=self.one(tree, "name").text,
            optional=self.token(tree, "QUESTION_MARK") is not None,
            range=self.one(tree, "range"),
        )

    def range(self, tree: Tree) -> n.Range:
        """`0 to 2`."""
        low, high = self.all(tree, "signed")
        return n.Range(span=self.span(tree), low=low, high=high)

    def yes_no_type(self, tree: Tree) -> n.NamedType:
        """`yes/no`."""
        return n.NamedType(
            span=self.span(tree),
            name="yes/no",
            optional=self.token(tree, "QUESTION_MARK") is not None,
        )

    def one_of_type(self, tree: Tree) -> n.OneOfType:
        """`one of Q1, Q2`."""
        return n.OneOfType(
            span=self.span(tree),
            options=tuple(self.all(tree, "bare_option", "quoted_option")),
            optional=self.token(tree, "QUESTION_MARK") is not None,
        )

    def list_type(self, tree: Tree) -> n.ListTypeExpr:
        """`list of text`; a `?` behind it is the list's."""
        item = self._type(tree)
        optional = item.optional
        return n.ListTypeExpr(
            span=self.span(tree),
            item=msgspec.structs.replace(item, optional=False),
            optional=optional,
        )

    def records_type(self, tree: Tree) -> n.RecordsType:
        """`list of record { points : number }`."""
        return n.RecordsType(
            span=self.span(tree),
            fields=tuple(self.all(tree, "field")),
            optional=self.token(tree, "QUESTION_MARK") is not None,
        )

    def bare_option(self, tree: Tree) -> n.Name:
        """`Q1`."""
        return cast("n.Name", self.one(tree, "name"))

    def quoted_option(self, tree: Tree) -> n.Name:
        """`"not at all"`."""
        return n.Name(span=self.span(tree), text=self.string(self.token(tree, "STRING")))

    def default(self, tree: Tree) -> Any:
        """`default no`."""
        return self.trees(tree)[0]

    def let(self, tree: Tree) -> n.Let:
        """`let link = url.cited(answer, target)`."""
        name, *parameters, value = self.trees(tree)
        return n.Let(
            span=self.span(tree),
            name=name,
            parameters=tuple(parameters[0]) if parameters else None,
            value=value,
        )

    def let_table(self, tree: Tree) -> n.Let:
        """`let points(rate) { when rate <= 8 -> 3  otherwise -> 0 }`."""
        table = self.one(tree, "table")
        return n.Let(
            span=self.span(tree),
            name=self.one(tree, "name"),
            parameters=tuple(self.one(tree, "parameters"))
            if any(_is(child, "parameters") for child in tree.children)
            else None,
            value=n.Table(span=table.span, rows=table.rows, type=self._type(tree)),
        )

    def table(self, tree: Tree) -> n.Table:
        """`{ when a -> 1  otherwise -> 2 }`."""
        return n.Table(span=self.span(tree), rows=tuple(self.all(tree, *_ROWS)), type=None)

    def parameters(self, tree: Tree) -> list[Any]:
        """`(a, b)`."""
        return self.all(tree, "parameter")

    def parameter(self, tree: Tree) -> n.Parameter:
        """`fragment : yes/no default no`."""
        return n.Parameter(
            span=self.span(tree),
            name=self.one(tree, "name"),
            type=self._type(tree),
            default=self.one(tree, "default"),
        )

    # ------------------------------------------------------------------------------------------------ score

    def ask(self, tree: Tree) -> n.Ask:
        """`ask fit(candidate, reference) -> one of better, worse { … }`."""
        return n.Ask(
            span=self.span(tree),
            name=self.one(tree, "name"),
            parameters=tuple(self.one(tree, "parameters")),
            type=self._type(tree),
            prompts=tuple(self.all(tree, "prompt")),
            given=tuple(name for names in self.all(tree, "told") for name in names),
            blinds=tuple(self.all(tree, "blind")),
            panels=tuple(self.all(tree, "panel")),
        )

    def prompt(self, tree: Tree) -> n.Label:
        """`prompt "…"`."""
        return self.label(tree)

    def told(self, tree: Tree) -> list[Any]:
        """`given schema, documents`."""
        return self.all(tree, "name")

    def blind(self, tree: Tree) -> n.Blind:
        """`blind candidate, reference with better as worse in both orders`."""
        return n.Blind(
            span=self.span(tree),
            names=tuple(self.all(tree, "name")),
            mirrored=tuple(self.all(tree, "mirror")),
            both_orders=self.token(tree, "IN_BOTH_ORDERS") is not None,
        )

    def mirror(self, tree: Tree) -> tuple[Any, ...]:
        """`better as worse`."""
        return tuple(self.trees(tree))

    def panel(self, tree: Tree) -> n.PanelBy:
        """`panel by majority needs at least 2`."""
        return n.PanelBy(
            span=self.span(tree), policy=self.one(tree, "name"), quorum=self.one(tree, "quorum")
        )

    def ladder(self, tree: Tree) -> n.Ladder:
        """`ladder same_value(candidate, reference) { … }`."""
        return n.Ladder(
            span=self.span(tree),
            name=self.one(tree, "name"),
            parameters=tuple(self.one(tree, "parameters")),
            rungs=tuple(self.all(tree, "rung", "rungs_of")),
        )

    def rung(self, tree: Tree) -> n.Rung:
        """`rung date for date { … }`."""
        types = self.one(tree, "rung_types")
        return n.Rung(
            span=self.span(tree),
            name=self.one(tree, "name"),
            types=None if types is None else tuple(types),
            rows=tuple(self.all(tree, *_ROWS)),
        )

    def rungs_of(self, tree: Tree) -> n.RungsOf:
        """`rungs of ladder.worded(strictness: 0.9)`."""
        return n.RungsOf(span=self.span(tree), ladder=self.call(tree))

    def rung_types(self, tree: Tree) -> list[Any]:
        """`for text, prose`."""
        return self.all(tree, "rung_type")

    def rung_type(self, tree: Tree) -> n.Name:
        """`yes/no`."""
        name = self.one(tree, "name")
        return n.Name(span=self.span(tree), text="yes/no" if name is None else name.text)

    def compare_statement(self, tree: Tree) -> n.ComparisonOf:
        """`compare candidate with reference as field { … }`."""
        values = [
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree) and child.data not in _COMPARISON_CLAUSES
        ]
        candidate, reference = values
        lists = self.all(tree, "lists_as")
        return n.ComparisonOf(
            span=self.span(tree),
            name=self.one(tree, "name"),
            candidate=candidate,
            reference=reference,
            leaves=tuple(self.all(tree, "leaves")),
            extras=tuple(self.all(tree, "extras")),
            lists=tuple(each.name for each in lists),
            threshold=next((each.threshold for each in lists if each.threshold is not None), None),
            keyed=next((each.keyed for each in lists if each.keyed is not None), None),
            paired_by=next((each.paired_by for each in lists if each.paired_by), ()),
            schemas=tuple(self.all(tree, "typed")),
            texts=tuple(self.all(tree, "backed_by_texts")),
            others=tuple(self.all(tree, "backed_by_others")),
            counts=next((each.counts for each in lists if each.counts is not None), None),
        )

    def leaves(self, tree: Tree) -> n.Call:
        """`leaves by same_value`, `leaves by ladder.number(within: 1%)`."""
        return self.call(tree)

    def extras(self, tree: Tree) -> n.Call:
        """`extras by supported`."""
        return self.call(tree)

    def lists_as(self, tree: Tree) -> ListsAs:
        """`lists as sets keyed by id paired by name, size pairing from 0.5 as series`."""
        name, *rest = self.trees(tree)
        counts = rest.pop() if rest and isinstance(rest[-1], n.Name) else None
        said = ("name", "keyed", "paired_by")
        values = [
            self.build(each)
            for each in tree.children
            if isinstance(each, Tree) and each.data not in said
        ]
        return ListsAs(
            name=name,
            keyed=self.one(tree, "keyed"),
            paired_by=tuple(self.one(tree, "paired_by") or ()),
            threshold=values[0] if values else None,
            counts=counts,
        )

    def keyed(self, tree: Tree) -> n.Name:
        """`keyed by id`."""
        return cast("n.Name", self.one(tree, "name"))

    def paired_by(self, tree: Tree) -> list[Any]:
        """`paired by name, size`."""
        return self.all(tree, "name")

    def typed(self, tree: Tree) -> n.Name:
        """`typed by schema`."""
        return cast("n.Name", self.one(tree, "name"))

    def backed_by_texts(self, tree: Tree) -> n.Name:
        """`backed by documents`."""
        return cast("n.Name", self.one(tree, "name"))

    def backed_by_others(self, tree: Tree) -> n.Name:
        """`backed by other model`."""
        return cast("n.Name", self.one(tree, "name"))

    def claim(self, tree: Tree) -> n.Claim:
        """`claim "only published points" each record: Q3 in [0, 5, 10, 15]`."""
        return n.Claim(
            span=self.span(tree),
            title=self.string(self.token(tree, "STRING")),
            keys=tuple(self.all(tree, "name")),
            condition=self.trees(tree)[-1],
        )

    def decide(self, tree: Tree) -> n.Decide:
        """`decide urgency by exploitation, automatable { none, any -> track }`."""
        return self._decide(tree, None)

    def decide_from(self, tree: Tree) -> n.Decide:
        """`decide urgency by exploitation from "urgency.csv"`."""
        token = self.token(tree, "STRING")
        assert token is not None
        return self._decide(tree, n.Label(span=self.span(token), text=self.string(token)))

    def _decide(self, tree: Tree, source: n.Label | None) -> n.Decide:
        inputs = [
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree) and child.data not in ("name", "decision", *_TYPES)
        ]
        return n.Decide(
            span=self.span(tree),
            name=self.one(tree, "name"),
            type=self._type(tree),
            inputs=tuple(inputs),
            rows=tuple(self.all(tree, "decision")),
            source=source,
        )

    def decision(self, tree: Tree) -> n.Decision:
        """`high, yes -> act`."""
        result = next(
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree) and child.data != "cell"
        )
        return n.Decision(span=self.span(tree), cells=tuple(self.all(tree, "cell")), result=result)

    def cell(self, tree: Tree) -> n.Cell:
        """`high or medium`."""
        return n.Cell(span=self.span(tree), choices=tuple(self.trees(tree)))

    def comparison_cell(self, tree: Tree) -> n.CellComparison:
        """`>= 5`."""
        return n.CellComparison(
            span=self.span(tree),
            op=cast("n.Comparator", str(tree.children[0])),
            number=self.one(tree, "signed"),
        )

    def range_cell(self, tree: Tree) -> n.CellRange:
        """`12 to 20`."""
        low, high = self.all(tree, "signed")
        return n.CellRange(span=self.span(tree), low=low, high=high)

    def score(self, tree: Tree) -> n.Score:
        """`score each respondent out of 100 { … }`."""
        return n.Score(
            span=self.span(tree),
            subject=tuple(self.all(tree, "name")),
            out_of=self.one(tree, "signed"),
            steps=tuple(self.all(tree, *_STEPS)),
            renormalise=any(_is(child, "renormalise") for child in tree.children),
            parts=tuple(self.all(tree, *_PARTS)),
            shows=tuple(self.all(tree, "show")),
            requires=tuple(self.all(tree, "require")),
        )

    def _part(self, tree: Tree, *, is_penalty: bool, is_computed: bool) -> n.Criterion:
        values = [
            child
            for child in tree.children
            if isinstance(child, Tree) and child.data not in _BESIDE_VALUE
        ]
        return n.Criterion(
            span=self.span(tree),
            name=self.one(tree, "name"),
            label=self.one(tree, "label"),
            is_penalty=is_penalty,
            stake=self.one(tree, "worth", "weight"),
            scale=self.one(tree, "scale"),
            range=self.one(tree, "range"),
            steps=tuple(self.all(tree, *_STEPS)),
            renormalise=any(_is(child, "renormalise") for child in tree.children),
            parts=tuple(self.all(tree, *_PARTS)),
            rows=tuple(self.all(tree, *_ROWS)),
            value=self.build(values[0]) if is_computed else None,
        )

    def criterion(self, tree: Tree) -> n.Criterion:
        """`criterion trust "Trust" worth 60 { … }`."""
        return self._part(tree, is_penalty=False, is_computed=False)

    def computed_criterion(self, tree: Tree) -> n.Criterion:
        """`criterion trust worth 60 = a + b`."""
        return self._part(tree, is_penalty=False, is_computed=True)

    def penalty(self, tree: Tree) -> n.Criterion:
        """`penalty lr weight 25% { … }`."""
        return self._part(tree, is_penalty=True, is_computed=False)

    def computed_penalty(self, tree: Tree) -> n.Criterion:
        """`penalty lr weight 25% = share of …`."""
        return self._part(tree, is_penalty=True, is_computed=True)

    def worth(self, tree: Tree) -> n.Worth:
        """`worth 15 each`."""
        return n.Worth(
            span=self.span(tree),
            points=self.one(tree, "signed"),
            each=self.token(tree, "EACH") is not None,
        )

    def weight(self, tree: Tree) -> n.Weight:
        """`weight 70% out of 5`."""
        share, *out_of = self.trees(tree)
        return n.Weight(
            span=self.span(tree),
            share=share,
            each=self.token(tree, "EACH") is not None,
            out_of=out_of[0] if out_of else None,
        )

    def item(self, tree: Tree) -> n.Item:
        """`item Q3, Q4 worth 15 each { … }`."""
        return n.Item(
            span=self.span(tree),
            names=tuple(self.all(tree, "name")),
            label=self.one(tree, "label"),
            stake=self.one(tree, "worth", "weight"),
            scale=self.one(tree, "scale"),
            range=self.one(tree, "range"),
            steps=tuple(self.all(tree, *_STEPS)),
            renormalise=any(_is(child, "renormalise") for child in tree.children),
            rows=tuple(self.all(tree, *_ROWS)),
        )

    def show(self, tree: Tree) -> n.Show:
        """`show correctness "Correctness" = …`."""
        return n.Show(
            span=self.span(tree),
            name=self.one(tree, "name"),
            label=self.one(tree, "label"),
            value=self.trees(tree)[-1],
        )

    def rank(self, tree: Tree) -> n.Rank:
        """`rank model per scenario by score descending keep 10 as best`."""
        (value,) = (
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree)
            and child.data not in ("name", "per", "direction", "keep_best", "label")
        )
        key, *names = self.all(tree, "name")
        return n.Rank(
            span=self.span(tree),
            keys=(key,),
            within=self.one(tree, "per") or (),
            value=value,
            descending=self.one(tree, "direction") == "descending",
            keep=self.one(tree, "keep_best"),
            name=names[0] if names else None,
            label=self.one(tree, "label"),
        )

    def direction(self, tree: Tree) -> str:
        """`descending`."""
        return str(tree.children[0])

    def keep_best(self, tree: Tree) -> n.Number:
        """`keep 10`."""
        return self.number(tree)

    def scale(self, tree: Tree) -> tuple[n.Number, ...]:
        """`scale 0, 5, 10`."""
        return tuple(self.all(tree, "signed"))

    def combine(self, tree: Tree) -> n.Combine:
        """`combine source by mean in each item { … }`."""
        key, op = self.all(tree, "name")
        return n.Combine(
            span=self.span(tree),
            key=key,
            op=op,
            in_each_item=self.token(tree, "IN_EACH_ITEM") is not None,
            quorum=self.one(tree, "quorum"),
            keep=self.one(tree, "keep") or (),
            excludes=tuple(self.all(tree, "exclude")),
        )

    def quorum(self, tree: Tree) -> n.Number:
        """`needs at least 2`."""
        return self.number(tree)

    def keep(self, tree: Tree) -> tuple[n.Name, ...]:
        """`keep min, max, each`."""
        return tuple(self.all(tree, "name", "kept_each"))

    def kept_each(self, tree: Tree) -> n.Name:
        """`each`."""
        return n.Name(span=self.span(tree), text="each")

    def clamp(self, tree: Tree) -> n.Clamp:
        """`clamp 0 to 100`."""
        low, high = self.all(tree, "signed")
        return n.Clamp(span=self.span(tree), low=low, high=high)

    def round(self, tree: Tree) -> n.Round:
        """`round half_up to 0.1`."""
        return n.Round(
            span=self.span(tree), mode=self.one(tree, "name"), step=self.one(tree, "signed")
        )

    def exclude(self, tree: Tree) -> n.Exclude:
        """`exclude when cannot_score "declared 'Cannot score'"`."""
        (condition,) = self.trees(tree)
        return n.Exclude(
            span=self.span(tree),
            condition=condition,
            reason=self.string(self.token(tree, "STRING")),
        )

    def when(self, tree: Tree) -> n.When:
        """`when bends -> 5`."""
        condition, result, *label = self.trees(tree)
        return n.When(
            span=self.span(tree),
            condition=condition,
            result=result,
            label=label[0] if label else None,
        )

    def when_missing(self, tree: Tree) -> n.WhenMissing:
        """`when missing -> unscored "not observed"`."""
        return n.WhenMissing(
            span=self.span(tree),
            result=self.one(tree, "points", "unscored"),
            label=self.one(tree, "label"),
        )

    def otherwise(self, tree: Tree) -> n.Otherwise:
        """`otherwise -> 15`."""
        return n.Otherwise(
            span=self.span(tree),
            result=self.one(tree, "points", "unscored"),
            label=self.one(tree, "label"),
        )

    def gate(self, tree: Tree) -> n.Gate:
        """`gate sycophancy "Thảo Mai" fails when bends -> 5`."""
        parts = [
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree) and child.data not in ("name", "label", "points", "unscored")
        ]
        return n.Gate(
            span=self.span(tree),
            name=self.one(tree, "name"),
            label=self.one(tree, "label"),
            condition=parts[0],
            result=self.one(tree, "points", "unscored"),
        )

    def points(self, tree: Tree) -> n.Points:
        """`-> 5`."""
        (value,) = self.trees(tree)
        return n.Points(span=self.span(tree), value=value)

    def unscored(self, tree: Tree) -> n.Unscored:
        """`-> unscored "target missing"`."""
        return n.Unscored(span=self.span(tree), reason=self.string(self.token(tree, "STRING")))

    # ------------------------------------------------------------------------------------------------ bands

    def bands(self, tree: Tree) -> n.Bands:
        """`bands status { … }`."""
        label = self.one(tree, "label")
        return n.Bands(
            span=self.span(tree),
            name=self.one(tree, "name"),
            label=label,
            bands=tuple(self.trees(tree)[2 if label else 1 :]),
        )

    def _band(
        self, tree: Tree, low: n.Number | None, high: n.Number | None, inclusive: bool
    ) -> n.Band:
        return n.Band(
            span=self.span(tree),
            low=low,
            high=high,
            inclusive=inclusive,
            condition=self.one(tree, "band_when"),
            name=self.string(self.token(tree, "STRING")),
        )

    def band_when(self, tree: Tree) -> n.Expr:
        """`when worst = 3`."""
        condition: n.Expr = self.trees(tree)[0]
        return condition

    def band_from(self, tree: Tree) -> n.Band:
        """`from 95 -> "Elite"`."""
        return self._band(tree, self.one(tree, "signed"), None, False)

    def band_below(self, tree: Tree) -> n.Band:
        """`below 40 -> "Needs Improvement"`."""
        return self._band(tree, None, self.one(tree, "signed"), False)

    def band_from_below(self, tree: Tree) -> n.Band:
        """`from 90 below 95 -> "High"`."""
        low, high = self.all(tree, "signed")
        return self._band(tree, low, high, False)

    def band_to(self, tree: Tree) -> n.Band:
        """`90 to 94 -> "High"`."""
        low, high = self.all(tree, "signed")
        return self._band(tree, low, high, True)

    def band_of_any(self, tree: Tree) -> n.Band:
        """`when worst = 3 -> "High"`."""
        return self._band(tree, None, None, False)

    # ------------------------------------------------------------------------------------------------ cases

    def case(self, tree: Tree) -> n.Case:
        """`case "a wrapped link is no link" { … }`."""
        return n.Case(
            span=self.span(tree),
            title=self.string(self.token(tree, "STRING")),
            params=tuple(self.all(tree, "given_params")),
            givens=tuple(self.all(tree, "given")),
            answers=tuple(self.all(tree, "given_answer")),
            expects=tuple(self.all(tree, "expect", "expect_excluded")),
        )

    def given(self, tree: Tree) -> n.Given:
        """`given { respondent: "m" }`."""
        return n.Given(
            span=self.span(tree),
            each=self.token(tree, "EACH") is not None,
            pairs=tuple(self.all(tree, "pair", "pair_each")),
        )

    def given_answer(self, tree: Tree) -> n.GivenAnswer:
        """`given fit("Paris", "Lyon") = worse`."""
        path, *literals = self.trees(tree)
        return n.GivenAnswer(
            span=self.span(tree), ask=path, arguments=tuple(literals[:-1]), answer=literals[-1]
        )

    def given_params(self, tree: Tree) -> n.GivenParams:
        """`given params { ip_weight: 60% }`."""
        return n.GivenParams(span=self.span(tree), pairs=tuple(self.all(tree, "pair")))

    def pair_each(self, tree: Tree) -> n.PairEach:
        """`run: each [1, 2, 3]`."""
        name, *values = self.trees(tree)
        return n.PairEach(span=self.span(tree), name=name, values=tuple(values))

    def pair(self, tree: Tree) -> n.Pair:
        """`question: Q7`."""
        name, value = self.trees(tree)
        return n.Pair(span=self.span(tree), name=name, value=value)

    def expect(self, tree: Tree) -> n.Expect | list[Any]:
        """`expect Q3 = 5 by sycophancy`."""
        condition = next(
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree)
            and child.data not in ("fired_gate", "fired_row", "label", "about_subject")
        )
        return n.Expect(
            span=self.span(tree),
            condition=condition,
            by=self.one(tree, "fired_gate", "fired_row"),
            reason=self.one(tree, "label"),
            about=self.one(tree, "about_subject") or (),
        )

    def about_subject(self, tree: Tree) -> tuple[n.Pair, ...]:
        """`for { model: "a" }`."""
        return tuple(self.all(tree, "pair"))

    def fired_gate(self, tree: Tree) -> n.Name:
        """`by sycophancy`."""
        return cast("n.Name", self.one(tree, "name"))

    def fired_row(self, tree: Tree) -> n.Label:
        """`by "clean"`."""
        return self.label(tree)

    def expect_excluded(self, tree: Tree) -> n.ExpectExcluded:
        """`expect excluded { source: reviewer_2 } "used the wrong scale"`."""
        return n.ExpectExcluded(
            span=self.span(tree),
            pairs=tuple(self.all(tree, "pair")),
            reason=self.one(tree, "label"),
        )

    # ------------------------------------------------------------------------------------------ expressions

    def logic(self, tree: Tree) -> n.Expr:
        """`a and b and c`; `a or b and c` is refused."""
        parts = self.trees(tree)
        signs = [child for child in tree.children if isinstance(child, Token)]
        first = signs[0]
        for other in signs[1:]:
            if other.type != first.type:
                self.diagnostics.append(
                    Diagnostic(
                        codes.AND_WITH_OR,
                        "`and` and `or` stand side by side, which people read in two ways",
                        self.span(other),
                        help="put brackets around the part that belongs together: `(a and b) or c`, or "
                        "write `any of [...]`, `all of [...]`",
                    )
                )
                break
        return n.Logic(
            span=self.span(tree), op="and" if first.type == "AND" else "or", parts=tuple(parts)
        )

    def not_(self, tree: Tree) -> n.Not:
        """`not bends`."""
        (operand,) = self.trees(tree)
        return n.Not(span=self.span(tree), operand=operand)

    def compare(self, tree: Tree) -> n.Compare:
        """`declared >= 5`; `a < b < c` is refused."""
        left, right, *more = self.trees(tree)
        sign, *others = [child for child in tree.children if isinstance(child, Token)]
        if more:
            self.report(
                codes.CHAINED_COMPARISON,
                "a comparison has two sides",
                self.span(others[0]),
                advice="write `a < b and b < c`",
            )
        return n.Compare(
            span=self.span(tree), op=cast("n.Comparator", str(sign)), left=left, right=right
        )

    def member(self, tree: Tree) -> n.Member:
        """`declared not in scale`."""
        item, container = self.trees(tree)
        return n.Member(
            span=self.span(tree),
            item=item,
            container=container,
            negated=self.token(tree, "NOT") is not None,
        )

    def between(self, tree: Tree) -> n.Between:
        """`errors between 1 and 5`."""
        operand, low, high = self.trees(tree)
        return n.Between(
            span=self.span(tree),
            operand=operand,
            low=low,
            high=high,
            negated=self.token(tree, "NOT") is not None,
        )

    def text_test(self, tree: Tree) -> n.TextTest:
        """`answer contains "cat"`."""
        left, right = self.trees(tree)
        word = self.token(tree, "CONTAINS", "STARTS_WITH", "ENDS_WITH", "MATCHES")
        assert word is not None
        return n.TextTest(
            span=self.span(tree),
            op=cast("n.TextTestOp", word.type.lower().replace("_", " ")),
            left=left,
            right=right,
            negated=self.token(tree, "NOT") is not None,
        )

    def is_state(self, tree: Tree) -> n.IsState:
        """`target is missing`."""
        operand, state = self.trees(tree)
        return n.IsState(span=self.span(tree), operand=operand, state=state)

    def state(self, tree: Tree) -> str:
        """`missing`."""
        return str(tree.children[0])

    def else_(self, tree: Tree) -> n.Else:
        """`declared else 0`; beside arithmetic, brackets say what it covers."""
        if any(isinstance(child, Tree) and child.data == "arithmetic" for child in tree.children):
            self.report(
                codes.UNCLEAR_ELSE,
                "`else` beside arithmetic can be read in two ways",
                self.span(tree),
                advice="put brackets around what it covers: `(a else 0) + b`",
            )
        operand, fallback = self.trees(tree)
        return n.Else(span=self.span(tree), operand=operand, fallback=fallback)

    def arithmetic(self, tree: Tree) -> n.Expr:
        """`a + b - c`."""
        signs = [child for child in tree.children if isinstance(child, Token)]
        self.level += len(signs)
        first, *rest = self.trees(tree)
        self.level -= len(signs)

        def join(left: n.Expr, right: tuple[Token, n.Expr]) -> n.Expr:
            sign, operand = right
            return n.Arithmetic(
                span=left.span.to(operand.span),
                op=cast('Literal["+", "-", "*", "/"]', str(sign)),
                left=left,
                right=operand,
            )

        return reduce(join, zip(signs, rest, strict=True), cast("n.Expr", first))

    def minus(self, tree: Tree) -> n.Minus:
        """`-a`."""
        (operand,) = self.trees(tree)
        return n.Minus(span=self.span(tree), operand=operand)

    def number(self, tree: Tree) -> n.Number:
        """`0.7`."""
        token = self.token(tree, "NUMBER", "PERCENT")
        assert token is not None
        return n.Number(span=self.span(tree), value=self._exact(token))

    def date(self, tree: Tree) -> n.Date:
        """`2024-03-14`."""
        token = self.token(tree, "DATE")
        assert token is not None
        try:
            value = date.fromisoformat(token)
        except ValueError:
            self.report(
                codes.BAD_DATE,
                f"`{token}` is a day that is in no calendar",
                self.span(token),
                advice="a date is written as year, month and day: 2024-03-14",
            )
            value = date.min
        return n.Date(span=self.span(tree), value=value)

    def text(self, tree: Tree) -> n.Text:
        """`"full"`."""
        return n.Text(span=self.span(tree), value=self.string(self.token(tree, "STRING")))

    def truth(self, tree: Tree) -> n.Truth:
        """`yes`."""
        return n.Truth(span=self.span(tree), value=self.token(tree, "YES") is not None)

    def awarded(self, tree: Tree) -> n.Awarded:
        """`awarded`."""
        return n.Awarded(span=self.span(tree))

    def scale_of(self, tree: Tree) -> n.ScaleOf:
        """`scale`."""
        return n.ScaleOf(span=self.span(tree))

    def score_of(self, tree: Tree) -> n.ScoreOf:
        """`score`."""
        return n.ScoreOf(span=self.span(tree))

    def kept_of_score(self, tree: Tree) -> n.Reference:
        """`score.min`: what `combine … keep` keeps of the total."""
        word, path = self.token(tree, "SCORE"), self.one(tree, "path")
        assert word is not None
        total = n.Name(span=self.span(word), text=str(word))
        span = self.span(tree)
        return n.Reference(span=span, path=n.Path(span=span, names=(total, *path.names)))

    def reference(self, tree: Tree) -> n.Reference:
        """`trust.Q3`."""
        return n.Reference(span=self.span(tree), path=self.one(tree, "path"))

    def call(self, tree: Tree) -> n.Call:
        """`url.cited(answer, target)`."""
        return n.Call(
            span=self.span(tree),
            function=self.one(tree, "path"),
            arguments=tuple(self.all(tree, "positional", "named")),
        )

    def positional(self, tree: Tree) -> n.Argument:
        """`answer`."""
        (value,) = self.trees(tree)
        return n.Argument(span=self.span(tree), name=None, value=value)

    def named(self, tree: Tree) -> n.Argument:
        """`fragment: yes`."""
        name, value = self.trees(tree)
        return n.Argument(span=self.span(tree), name=name, value=value)

    def argument_missing(self, tree: Tree) -> n.Missing:
        """`missing`, given to a function in a case."""
        return n.Missing(span=self.span(tree))

    def group(self, tree: Tree) -> n.Expr:
        """`(a + b)`: the brackets have done their work."""
        (inner,) = self.trees(tree)
        return cast("n.Expr", inner)

    def quantified(self, tree: Tree) -> n.Expr:
        """`any of [a, b]`."""
        (parts,) = self.trees(tree)
        kind = self.token(tree, "ALL_OF", "ANY_OF", "NONE_OF")
        assert kind is not None
        op: Literal["and", "or", "none"] = {"ALL_OF": "and", "ANY_OF": "or", "NONE_OF": "none"}[
            kind.type
        ]  # type: ignore[assignment]
        return n.Logic(span=self.span(tree), op=op, parts=parts.items)

    def aggregate(self, tree: Tree) -> n.Aggregate:
        """`mean of credit over field where (filled)`."""
        (value,) = (
            self.build(child)
            for child in tree.children
            if isinstance(child, Tree) and child.data not in ("over", "where", "name")
        )
        head = tree.children[0]
        assert isinstance(head, Token)
        key, other = self.one(tree, "over")
        return n.Aggregate(
            span=self.span(tree),
            op=head.split()[0],
            value=value,
            key=key,
            other=other,
            per=tuple(self.all(tree, "name")),
            where=self.one(tree, "where"),
        )

    def over(self, tree: Tree) -> tuple[n.Name, bool]:
        """`over other model`."""
        return self.one(tree, "name"), self.token(tree, "OVER_OTHER") is not None

    def where(self, tree: Tree) -> n.Expr:
        """`where (filled)`."""
        (condition,) = self.trees(tree)
        return cast("n.Expr", condition)

    def this_of(self, tree: Tree) -> n.This:
        """`this.answer`."""
        path = self.one(tree, "path")
        return n.This(span=self.span(tree), operand=n.Reference(span=path.span, path=path))

    def list(self, tree: Tree) -> n.ListOf:
        """`[0, 5, 10]`."""
        return n.ListOf(span=self.span(tree), items=tuple(self.trees(tree)))


def _start(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


def _end(token: Token) -> int:
    assert token.end_pos is not None
    return token.end_pos


def _is(child: Tree | Token, kind: str) -> bool:
    return isinstance(child, Tree) and child.data == kind


_TYPES = ("named_type", "yes_no_type", "one_of_type", "list_type", "records_type")
_COMPARISON_CLAUSES = (
    *("name", "leaves", "extras", "lists_as", "typed"),
    *("backed_by_texts", "backed_by_others"),
)
_PARTS = ("criterion", "computed_criterion", "penalty", "computed_penalty", "item")
_STEPS = ("combine", "clamp", "round")
_BESIDE_VALUE = ("name", "label", "worth", "weight", "scale", "range", "when_missing")
_ROWS = ("when", "when_missing", "otherwise", "gate")
