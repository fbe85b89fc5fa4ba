"""Text to tokens, and tokens to a tree, as a table says that Lark made from the grammar.

Lark is what reads the grammar and works the table out; see table.py. Running the table needs no more than stands
here, and to import Lark for it would take a quarter of the time of a check.

The parser is the usual one for LALR(1): a stack of states, and beside it a stack of what was read. The next token
says whether it is put on top (a shift), or whether a rule takes the topmost ones and puts its tree in their place
(a reduction), after which the token is asked about again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulesengine.struct import Struct
from rulesengine.syntax.tree import Token, Tree

END = "$END"  # the kind of token that stands for the end of a statement


class Rule(Struct, frozen=True, array_like=True):
    """One alternative of a rule, and the tree that comes of it.

    Attributes:
        origin: the rule.
        size: how many symbols it has.
        data: the name of its tree; "" where it has one symbol and stands for that.
        kept: the positions of the symbols that are children of its tree, and whether it is the children of one that
            are; None where all are children as they are.
        yields: whether a tree of one child gives way to its child.
    """

    origin: str
    size: int
    data: str
    kept: list[tuple[int, bool]] | None
    yields: bool


class Table(Struct, frozen=True):
    """All that it takes to lex and parse.

    Attributes:
        grammar: the text that it was made from.
        lark: the version of Lark that made it.
        pattern: an alternative for each terminal or group of terminals, in the order they are tried. The last group
            in each has its name.
        words: of a name in the pattern, the texts that are terminals of their own.
        ignored: the terminals that are no tokens.
        starts: of each rule that a parse can begin with, the first state.
        rules: every alternative of a rule.
        actions: of each state, by the kind of the next token, the state that comes after a shift, or `~n` where
            `rules[n]` is to be reduced. Where all is read, the end is shifted.
        gotos: of each state, by the name of a rule, the state that comes after its tree.
    """

    grammar: str
    lark: str
    pattern: str
    words: dict[str, dict[str, str]]
    ignored: list[str]
    starts: dict[str, int]
    rules: list[Rule]
    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]


class Parser:
    """Lexes and parses as a table says."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._pattern = re.compile(table.pattern)

    def lex(self, text: str) -> list[Token]:
        """Return the tokens of a text.

        Raises:
            ValueError: something in it is no token.
        """
        words, ignored = self.table.words, self.table.ignored
        tokens = []
        line, line_start, end_pos = 1, 0, 0
        for match in self._pattern.finditer(text):
            kind, start_pos = match.lastgroup or "", match.start()
            if start_pos != end_pos:
                break
            end_pos = match.end()
            if kind not in ignored:
                token = Token(match[0])
                token.type = words[kind].get(token, kind) if kind in words else kind
                token.start_pos = start_pos
                token.end_pos = end_pos
                token.line = token.end_line = line
                token.column = start_pos - line_start + 1
                tokens.append(token)
            lines = text.count("\n", start_pos, end_pos)
            if lines:
                line += lines
                line_start = text.rindex("\n", start_pos, end_pos) + 1
                if kind not in ignored:
                    token.end_line = line
        if end_pos != len(text):
            raise ValueError(f"no token begins at {end_pos}")
        return tokens

    def begin(self, start: str) -> Parse:
        """Begin to read what a rule says, one of the table's `starts`."""
        return Parse(self.table, start)


class Parse:
    """What was read of a statement so far."""

    __slots__ = ("_states", "_table", "_values")

    def __init__(self, table: Table, start: str) -> None:
        self._table = table
        self._states = [table.starts[start]]
        self._values: list[Tree | Token] = []

    def feed(self, tokens: Sequence[Token]) -> int:
        """Read tokens up to the first that does not fit; return how many were read."""
        for count, token in enumerate(tokens):
            state = self._reduced(token.type)
            if state is None:
                return count
            self._states.append(state)
            self._values.append(token)
        return len(tokens)

    def end(self) -> Tree | None:
        """Return the tree of all that was read, or None where it cannot end here."""
        if self._reduced(END) is None:
            return None
        (tree,) = self._values
        assert isinstance(tree, Tree)
        return tree

    def accepts(self) -> set[str]:
        """Return the kinds of token that can come next, `END` among them."""
        return {kind for kind in self._table.actions[self._states[-1]] if self._fits(kind)}

    def _fits(self, kind: str) -> bool:
        # That a state knows the token is not enough: of several places that share it, one may not take it.
        table, states = self._table, self._states[:]
        while (action := table.actions[states[-1]].get(kind)) is not None:
            if action >= 0:
                return True
            rule = table.rules[~action]
            del states[len(states) - rule.size :]
            states.append(table.gotos[states[-1]][rule.origin])
        return False

    def _reduced(self, kind: str) -> int | None:
        """Reduce what ends before a token; return the state that comes after it, or None if it does not fit."""
        table, states, values = self._table, self._states, self._values
        while (action := table.actions[states[-1]].get(kind)) is not None:
            if action >= 0:
                return action
            rule = table.rules[~action]
            size = rule.size
            if rule.data:
                at = len(values) - size
                children = values[at:]
                if rule.kept is not None:
                    children = _kept(children, rule.kept)
                alone = rule.yields and len(children) == 1
                values[at:] = [children[0] if alone else Tree(rule.data, children)]
            del states[len(states) - size :]
            states.append(table.gotos[states[-1]][rule.origin])
        return None


def _kept(parts: list[Tree | Token], kept: list[tuple[int, bool]]) -> list[Tree | Token]:
    children: list[Tree | Token] = []
    for index, is_inner in kept:
        part = parts[index]
        if not is_inner:
            children.append(part)
            continue
        assert isinstance(part, Tree)
        if children:
            children.extend(part.children)
        else:  # nobody else holds it; so a list that grows by one at a time is never copied
            children = part.children
    return children
