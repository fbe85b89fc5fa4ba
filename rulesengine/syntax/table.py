"""The saved table that the parser runs by.

Lark makes it from the grammar, which takes some 300 ms, so it ships beside this module: plain data in msgpack, a
`Table` of lalr.py. It holds the grammar that it was made from; where the grammar is another, the table is made
anew. Nothing but that imports Lark.

`python -c 'from rulesengine.syntax import table; table.write()'` writes it; a test holds it to be current.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from rulesengine import resources
from rulesengine.syntax.lalr import END, Parser, Rule, Table
from rulesengine.syntax.words import STARTS

if TYPE_CHECKING:
    from lark import Lark


@cache
def parser() -> Parser:
    """Return the parser: LALR(1), one lexer for all, one start symbol a statement."""
    grammar = resources.grammar_text()
    return Parser(_saved(grammar) or build(grammar))


def _saved(grammar: str) -> Table | None:
    try:
        table = msgspec.msgpack.decode(resources.parser_table(), type=Table)
    except (OSError, msgspec.DecodeError):
        return None
    return table if table.grammar == grammar else None


def write() -> None:
    """Write the table anew."""
    table = build(resources.grammar_text())
    resources.write_parser_table(msgspec.msgpack.encode(table))


def lark_parser(grammar: str, starts: tuple[str, ...] = STARTS) -> Lark:
    """Return Lark's own parser of a grammar."""
    from lark import Lark

    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=list(starts),
        maybe_placeholders=False,
    )


def build(grammar: str, starts: tuple[str, ...] = STARTS) -> Table:
    """Return the table that Lark makes from the text of a grammar.

    States are numbered as they are met from the starts on, so that a grammar always gives the same table.

    Args:
        grammar: the text.
        starts: the rules that a parse can begin with.

    Raises:
        ValueError: it has what a table cannot say.
    """
    from lark import __version__

    made = lark_parser(grammar, starts)
    found: Any = made.parser
    lexer, table = found.lexer, found.parser.parser.parse_table
    pattern, words = _lexing(lexer)
    rules = {rule: number for number, rule in enumerate(made.rules)}
    order = _in_order(table, starts)
    return Table(
        grammar=grammar,
        lark=__version__,
        pattern=pattern,
        words=words,
        ignored=sorted(lexer.ignore_types),
        starts={start: order[table.start_states[start]] for start in starts},
        rules=[_rule(rule) for rule in rules],
        actions=[_actions(table, state, order, rules) for state in order],
        gotos=[
            {name: order[after] for name, after in _known(table, state) if not _is_token(name)}
            for state in order
        ],
    )


def _lexing(lexer: Any) -> tuple[str, dict[str, dict[str, str]]]:
    """Return the pattern and the words of a table, from Lark's basic lexer.

    Its order of terminals is kept. Neighbours that are plain texts share one alternative, and what they match tells
    which one it is: so the pattern compiles faster. The group that names an alternative is empty and stands at its
    end: so `re` sees the first sign of each at once, and passes over most of them without trying.
    """
    alternatives: list[tuple[str, list[str]]] = []
    words: dict[str, dict[str, str]] = {}
    group: dict[str, str] | None = None
    for terminal in lexer.scanner.terminals:
        text = _plain(terminal)
        if text is None or group is None:
            alternatives.append((terminal.name, []))
        alternatives[-1][1].append(terminal.pattern.to_regexp())
        if text is None:
            group = None
        else:
            group = words.setdefault(alternatives[-1][0], {})
            group[text] = terminal.name
    for name, callback in lexer.callback.items():
        words[name] = {str(_plain(word)): word.name for word in callback.scanner.terminals}
    return "|".join(f"(?:{'|'.join(each)})(?P<{name}>)" for name, each in alternatives), words


def _plain(terminal: Any) -> str | None:
    """Return what a terminal matches if that is one text."""
    if terminal.pattern.type != "str":
        return None
    if terminal.pattern.flags:
        raise ValueError(f"{terminal.name} has flags, which a table cannot say")
    return str(terminal.pattern.value)


def _known(table: Any, state: int) -> list[tuple[str, Any]]:
    """Return what Lark's table holds of a state, in order of names: a state, or a rule to reduce."""
    return sorted((str(name), after) for name, (_, after) in table.states[state].items())


def _is_token(name: str) -> bool:
    return name.isupper()


def _in_order(table: Any, starts: tuple[str, ...]) -> dict[int, int]:
    """Return the new numbers of Lark's states by their old ones, in the new order."""
    order: dict[int, int] = {}
    waiting = [table.start_states[start] for start in starts]
    for state in waiting:
        if state in order:
            continue
        order[state] = len(order)
        waiting.extend(after for _, after in _known(table, state) if isinstance(after, int))
    return order


def _actions(
    table: Any, state: int, order: dict[int, int], rules: dict[Any, int]
) -> dict[str, int]:
    actions = {
        name: order[after] if isinstance(after, int) else ~rules[after]
        for name, after in _known(table, state)
        if _is_token(name)
    }
    if state in table.end_states.values():
        actions[END] = order[state]  # Lark asks at each step whether all is read
    return actions


def _rule(rule: Any) -> Rule:
    symbols = rule.expansion
    kept = [
        (index, not symbol.is_term and symbol.name.startswith("_"))
        for index, symbol in enumerate(symbols)
        if rule.options.keep_all_tokens or not (symbol.is_term and symbol.filter_out)
    ]
    is_plain = len(kept) == len(symbols) and not any(is_inner for _, is_inner in kept)
    yields = bool(rule.options.expand1 and not rule.alias)
    return Rule(
        origin=str(rule.origin.name),
        size=len(symbols),
        data=""
        if yields and is_plain and len(symbols) == 1
        else str(rule.alias or rule.origin.name),
        kept=None if is_plain else kept,
        yields=yields,
    )
