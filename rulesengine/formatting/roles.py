"""What each sign does where it stands: what one can only tell from the parse.

Nothing here knows a statement by its name; the shapes of the grammar say all. Whatever stands between the braces of a
rule is a block of clauses, one for each tree in it, or a list if commas part it. An arrow, an `=` that gives a name its
value and a `:` before a type are what rows, definitions and fields are lined up by. So a statement that is new to the
grammar is laid out like those that it is built like.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.struct import Struct
from rulesengine.syntax.tree import Token, Tree
from rulesengine.syntax.words import BRACKETS

_TYPE = "_type"  # what the alias of every type ends with


class Roles(Struct, frozen=True):
    """What signs do, by where they start in the text.

    Attributes:
        clauses: the tokens that begin a clause of a block.
        blocks: the opening braces of blocks, whose clauses no comma parts.
        separators: the commas that part the values of a list in brackets.
        types: the colons before a type: `name : text`, but `name: "value"`.
        marks: the signs that consecutive clauses are lined up by.
        signs: the minus signs of a number, which are no subtraction.
        chains: of each `and` and `or` that joins conditions, where the last condition ends.
    """

    clauses: set[int]
    blocks: set[int]
    separators: set[int]
    types: set[int]
    marks: set[int]
    signs: set[int]
    chains: dict[int, int]


def roles(trees: list[Tree]) -> Roles:
    """Return what the signs of some statements do."""
    found = Roles(set(), set(), set(), set(), set(), set(), {})
    waiting = list(trees)
    while waiting:
        tree = waiting.pop()
        waiting.extend(each for each in tree.children if isinstance(each, Tree))
        _read_signs(tree, found)
        for opener, inside in _braced(tree):
            if not _is_list(inside):
                found.blocks.add(opener.start_pos)
                found.clauses.update(_begins(inside))
    return found


def _read_signs(tree: Tree, found: Roles) -> None:
    children = tree.children
    depth = 0
    for index, child in enumerate(children):
        if not isinstance(child, Token):
            continue
        start = child.start_pos
        depth += (child.type in BRACKETS) - (child.type in BRACKETS.values())
        match child.type:
            case "COMMA" if depth:
                found.separators.add(start)
            case "COLON" if _names_type(children, index):
                found.types.add(start)
                found.marks.add(start)
            case "ARROW":
                found.marks.add(start)
            case "EQUALS" if tree.data != "compare":
                found.marks.add(start)
            case "MINUS" if index == 0:
                found.signs.add(start)
            case "AND" | "OR" if tree.data == "logic":
                last = _last(tree)
                assert last is not None
                found.chains[start] = last.end_pos


def _names_type(children: list[Tree | Token], colon: int) -> bool:
    after = children[colon + 1] if colon + 1 < len(children) else None
    return isinstance(after, Tree) and after.data.endswith(_TYPE)


def _braced(tree: Tree) -> Iterator[tuple[Token, list[Tree | Token]]]:
    """Yield each opening brace that a rule writes itself, with what stands up to its closing one."""
    open_: list[tuple[Token, list[Tree | Token]]] = []
    for child in tree.children:
        kind = child.type if isinstance(child, Token) else ""
        if kind == "RBRACE":
            yield open_.pop()
        for _, inside in open_[-1:]:
            inside.append(child)
        if kind == "LBRACE":
            assert isinstance(child, Token)
            open_.append((child, []))


def _is_list(inside: list[Tree | Token]) -> bool:
    """Whether commas part what stands in braces; one value alone is a list as well."""
    first = inside[0] if inside else None
    return any(isinstance(each, Token) and each.type == "COMMA" for each in inside) or (
        isinstance(first, Tree)
        and any(
            isinstance(each, Token) and each.type == "COLON" and not _names_type(first.children, at)
            for at, each in enumerate(first.children)
        )
    )


def _begins(inside: list[Tree | Token]) -> Iterator[int]:
    """Yield where the clauses of a block begin: with each tree; where tokens stand between, with each new line."""
    has_bare = any(isinstance(child, Token) for child in inside)
    line = 0
    for child in inside:
        first, last = _first(child), _last(child)
        if first is None or last is None:
            continue
        if first.line > line or not has_bare:
            yield first.start_pos
        line = last.end_line


def _first(node: Tree | Token) -> Token | None:
    """The first token of a tree, or None if it has none."""
    while isinstance(node, Tree):
        if not node.children:
            return None
        node = node.children[0]
    return node


def _last(node: Tree | Token) -> Token | None:
    while isinstance(node, Tree):
        if not node.children:
            return None
        node = node.children[-1]
    return node
