"""The names of tokens in English, and which tokens begin what."""

from __future__ import annotations

# Signs and kinds of token, as a message calls them. A word of the language is called by itself.
ENGLISH = {
    "$END": "the end of the statement",
    "NAME": "a name",
    "QUOTED_NAME": "a name",
    "NUMBER": "a number",
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

# Said together where several are possible, so that no message lists twenty tokens.
GROUPS = (
    (
        frozenset({"NAME", "QUOTED_NAME", "NUMBER", "STRING", "LPAR", "ALL_OF", "NOT"}),
        frozenset(
            "NAME QUOTED_NAME NUMBER STRING LPAR LSQB ALL_OF ANY_OF NONE_OF NOT MINUS YES NO AWARDED SCALE "
            "SCORE".split()
        ),
        "a condition or value",
    ),
    (
        frozenset({"NAME", "QUOTED_NAME", "NUMBER", "STRING", "LPAR", "ALL_OF"}),
        frozenset(
            "NAME QUOTED_NAME NUMBER STRING LPAR LSQB ALL_OF ANY_OF NONE_OF MINUS YES NO AWARDED SCALE "
            "SCORE".split()
        ),
        "a value",
    ),
    (
        frozenset({"EQUALS", "LESS", "PLUS"}),
        frozenset(
            "EQUALS NOT_EQUALS LESS AT_MOST MORE AT_LEAST PLUS MINUS TIMES DIVIDED_BY AND OR IN IS NOT ELSE "
            "DOT LPAR".split()
        ),
        "an operator",
    ),
    (
        frozenset({"EQUALS", "AND"}),
        frozenset("EQUALS NOT_EQUALS LESS AT_MOST MORE AT_LEAST AND OR IN IS NOT ELSE".split()),
        "an operator",
    ),
)

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
    "%": "write the number itself: 0.7 for 70 %",
    "'": 'a text stands in double quotes: "…"',
    "“": 'a text stands in straight quotes: "…"',
    "”": 'a text stands in straight quotes: "…"',
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
    "BANDS": "bands",
    "CASE": "case",
}
STARTS = (*dict.fromkeys(STATEMENTS.values()), "_stray")

STRAY = {"OPEN_STRING", "OPEN_QUOTED_NAME", "BAD_NUMBER", "FOREIGN_OPERATOR", "STRAY"}
CLAUSES = set(
    "KEY CRITERION ITEM COMBINE EXCLUDE WHEN OTHERWISE GATE FROM BELOW GIVEN EXPECT".split()
)
BRACKETS = {"LBRACE": "RBRACE", "LPAR": "RPAR", "LSQB": "RSQB"}
