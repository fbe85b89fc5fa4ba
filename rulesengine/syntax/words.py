"""The names of tokens in English, and which tokens begin what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.source import Source, Span

if TYPE_CHECKING:
    from rulesengine.syntax.tree import Token

# Signs and kinds of token, as a message calls them. A word of the language is called by itself.
ENGLISH = {
    "$END": "the end of the statement",
    "NAME": "a name",
    "QUOTED_NAME": "a name",
    "NUMBER": "a number",
    "PERCENT": "a number",
    "DATE": "a date",
    "STRING": "a text in quotes",
    "RELATIVE_PATH": "a path such as `./other`",
    "ARROW": "`->`",
    "NOT_EQUALS": "`!=`",
    "AT_MOST": "`<=`",
    "AT_LEAST": "`>=`",
    "EQUALS": "`=`",
    "LESS": "`<`",
    "MORE": "`>`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES": "`*`",
    "DIVIDED_BY": "`/`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "DOT": "`.`",
    "QUESTION_MARK": "`?`",
    "YES_NO": "`yes/no`",
}

_STARTS = frozenset({"NAME", "QUOTED_NAME", "NUMBER", "STRING", "LPAR", "ALL_OF"})
_WRITTEN = {"PERCENT", "DATE"}
_LITERALS = {"NAME", "NUMBER", "STRING", "LSQB", "MISSING"}
_ALL_LITERALS = _LITERALS | _WRITTEN | {"QUOTED_NAME", "MINUS", "YES", "NO", "LBRACE"}
_VALUES = (
    _STARTS
    | _WRITTEN
    | {"AGGREGATE", "THIS"}
    | {"LSQB", "ANY_OF", "NONE_OF", "MINUS", "YES", "NO", "AWARDED", "SCALE", "SCORE"}
)
COMPARATORS = frozenset({"EQUALS", "NOT_EQUALS", "LESS", "AT_MOST", "MORE", "AT_LEAST"})
TESTING = frozenset({"BETWEEN", "CONTAINS", "STARTS_WITH", "ENDS_WITH", "MATCHES"})
_JOINING = frozenset({"AND", "OR", "IN", "IS", "NOT", "ELSE"}) | TESTING
_CALCULATING = frozenset({"PLUS", "MINUS", "TIMES", "DIVIDED_BY", "DOT", "LPAR"})

# Said together where several are possible, so that no message lists twenty tokens: those that have to be there, all
# that the words then stand for, and the words.
GROUPS = (
    (_STARTS | {"NOT"}, _VALUES | {"NOT"}, "a condition or value"),
    (_STARTS, _VALUES, "a value"),
    (_LITERALS, _ALL_LITERALS, "a value"),
    ({"EQUALS", "LESS", "PLUS"}, COMPARATORS | _JOINING | _CALCULATING, "an operator"),
    ({"PLUS", "TIMES"}, _JOINING | _CALCULATING, "an operator"),
    ({"EQUALS", "AND"}, COMPARATORS | _JOINING, "an operator"),
    (COMPARATORS, COMPARATORS, "a comparison such as `>= 5`"),
)

# What other languages and people say for a word of this one.
SAID_FOR = {
    "when": {"if", "elif"},
    "otherwise": {"else", "default"},
    "criterion": {"criteria"},
    "item": {"items"},
    "worth": {"points", "weight"},
    "contains": {"includes", "include", "has"},
    "matches": {"like", "match"},
    "leaves by": {"leafs by", "leaves with", "leaves as", "leafs with"},
    "penalty": {"penalties"},
    "prompt": {"question", "text"},
}

FOREIGN = {
    "==": "one `=` compares",
    "===": "one `=` compares",
    "&&": "write `and`",
    "||": "write `or`",
    "<>": "write `!=`",
    "=>": "a row's arrow is `->`; at least is `>=`",
    "=<": "write `<=`",
    ":=": "write `=`",
    "!": "write `not`",
    ";": "statements need no sign between them",
    "%": "70% is 0.7, with nothing between the number and its sign; there is no remainder",
    "'": 'a text stands in double quotes: "…"',
    "“": 'a text stands in straight quotes: "…"',
    "”": 'a text stands in straight quotes: "…"',
    "‘": 'a text stands in straight double quotes: "…"',
    "’": 'a text stands in straight double quotes: "…"',
    "„": 'a text stands in straight quotes: "…"',
    "«": 'a text stands in straight quotes: "…"',
    "»": 'a text stands in straight quotes: "…"',
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "→": "write `->`",
    "×": "write `*`",
    "÷": "write `/`",
    "−": "write `-`",
    "\u00ad": "a hyphen that cannot be seen: delete it",
    "\u200b": "a space that cannot be seen: delete it",
    "\ufeff": "a byte order mark in the middle of a file: delete it",
}

# The token that begins a statement, and the rule of the grammar that reads it.
STATEMENTS = {
    "RUBRIC": "header",
    "LIBRARY": "header",
    "CASES_OF": "header",
    "ABOUT": "about",
    "USE": "use",
    "EVIDENCE": "evidence",
    "LET": "let",
    "SCORE": "score",
    "PARAM": "param",
    "RANK": "rank",
    "ASK": "ask",
    "LADDER": "ladder",
    "COMPARE": "compare_statement",
    "CLAIM": "claim",
    "DECIDE": "decide",
    "BANDS": "bands",
    "CASE": "case",
}

# What follows a statement word where it begins a statement.
_NAMES = {"NAME", "QUOTED_NAME"}
FIRST_TOKENS = {
    "RUBRIC": _NAMES,
    "LIBRARY": _NAMES,
    "CASES_OF": _NAMES | {"RELATIVE_PATH"},
    "ABOUT": {"STRING", "OPEN_STRING"},
    "USE": _NAMES | {"RELATIVE_PATH"},
    "EVIDENCE": {"LBRACE"},
    "LET": _NAMES,
    "SCORE": {"EACH"},
    "PARAM": _NAMES,
    "RANK": _NAMES,
    "ASK": _NAMES,
    "LADDER": _NAMES,
    "COMPARE": _NAMES | {"NUMBER", "STRING", "LPAR"},
    "CLAIM": {"STRING", "OPEN_STRING"},
    "DECIDE": _NAMES,
    "BANDS": _NAMES,
    "CASE": {"STRING", "OPEN_STRING"},
}

STARTS = (*dict.fromkeys(STATEMENTS.values()), "_stray")

QUOTES = set("'“”„«»‘’")
STRAY = {"OPEN_STRING", "OPEN_QUOTED_NAME", "BAD_NUMBER", "FOREIGN_OPERATOR", "STRAY"}
ROW_WORDS = {
    *("COMBINE", "CRITERION", "PENALTY", "ITEM", "EXCLUDE", "WHEN", "OTHERWISE", "GATE"),
    *("RUNG", "SHOW", "REQUIRE", "CLAMP", "ROUND", "RENORMALISE", "PROMPT", "BLIND"),
    "PANEL_BY",
    *("LEAVES_BY", "EXTRAS_BY", "LISTS_AS", "TYPED_BY", "BACKED_BY", "BACKED_BY_OTHER"),
}
_STEPS = {"COMBINE", "CLAMP", "ROUND", "RENORMALISE"}
_ROWS = {"WHEN", "OTHERWISE", "GATE"}
BRACKETS = {"LBRACE": "RBRACE", "LPAR": "RPAR", "LSQB": "RSQB"}

# The words that begin a clause of each block.
CLAUSE_WORDS = {
    "EVIDENCE": {"KEY", "REQUIRE"},
    "SCORE": {*_STEPS, "CRITERION", "PENALTY", "ITEM", "SHOW", "REQUIRE"},
    "CRITERION": {*_STEPS, *_ROWS, "CRITERION", "PENALTY", "ITEM"},
    "PENALTY": {*_STEPS, *_ROWS, "CRITERION", "PENALTY", "ITEM"},
    "ITEM": {*_STEPS, *_ROWS},
    "LADDER": {"RUNG"},
    "RUNG": {"WHEN", "OTHERWISE"},
    "ASK": {"PROMPT", "GIVEN", "BLIND", "PANEL_BY"},
    "COMPARE": {"LEAVES_BY", "EXTRAS_BY", "LISTS_AS", "TYPED_BY", "BACKED_BY", "BACKED_BY_OTHER"},
    "COMBINE": {"EXCLUDE"},
    "BANDS": {"FROM", "BELOW", "WHEN"},
    "CASE": {"GIVEN", "GIVEN_PARAMS", "EXPECT"},
}

# What a clause can end with, or its block begin with: a name that begins a line after one of these
# begins a clause.
ENDS = {
    "NAME",
    "QUOTED_NAME",
    "STRING",
    "NUMBER",
    "PERCENT",
    "DATE",
    "RPAR",
    "RSQB",
    "LBRACE",
    "RBRACE",
    "STOP",
    "MISSING",
    "GIVEN",
    "UNSCORED",
    "FAILED",
    "YES",
    "NO",
    "SCALE",
    "AWARDED",
    "QUESTION_MARK",
    "YES_NO",
    "IN_EACH_ITEM",
    "IN_BOTH_ORDERS",
}

# What stands between the word that heads a block and its brace, at the least.
HEADS = {
    "SCORE": ("EACH", "NAME"),
    "EVIDENCE": (),
    "BANDS": ("NAME",),
    "CASE": ("STRING",),
    "CRITERION": ("NAME", "WORTH", "NUMBER"),
    "PENALTY": ("NAME", "WORTH", "NUMBER"),
    "RUNG": ("NAME",),
    "ASK": ("NAME", "LPAR", "NAME", "RPAR", "ARROW", "YES_NO"),
    "COMPARE": ("NAME", "WITH", "NAME", "AS", "NAME"),
    "DECIDE": ("NAME", "BY", "NAME"),
    "ITEM": ("NAME", "WORTH", "NUMBER"),
    "COMBINE": ("NAME", "BY", "NAME"),
    "GIVEN": (),
    "GIVEN_PARAMS": (),
    "EXPECT": ("EXCLUDED",),
}


def spelt(kind: str) -> str | None:
    """Return a word of the language, or words that go together; None for any other token."""
    if kind == "YES_NO":
        return "yes/no"
    return None if kind in ENGLISH or not kind.isupper() else kind.lower().replace("_", " ")


def token_span(token: Token, source: Source) -> Span:
    """Return the place of a token; a byte order mark before the text was not lexed."""
    offset = 1 if source.text.startswith("\ufeff") else 0
    return Span(source, token.start_pos + offset, token.end_pos + offset)
