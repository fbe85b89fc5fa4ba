"""The tables of a ledger.

What stands in them is only ever added to; triggers refuse the rest, also to other programs. Only `owners` and `leases`
change: they say who asks what at the moment, and hold nothing that anyone would miss.
"""

from __future__ import annotations

APPLICATION = 0x52754C67  # `RuLg`, by which the file is known
VERSION = 1

TABLES = """
CREATE TABLE calls (                -- every exchange with a judge, whatever came of it
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL,              -- of which opening of the ledger it is
    question TEXT NOT NULL,         -- its key
    judge TEXT NOT NULL,
    ask TEXT NOT NULL,              -- what the rubric called it then
    scope TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    reply TEXT,
    error TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cost TEXT,                      -- exact: `0.0125` or `1/3`
    seconds REAL,
    started REAL                    -- since 1970
);
CREATE INDEX calls_question ON calls (question);

CREATE TABLE answers (              -- one to a question: the first
    question TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    judge TEXT NOT NULL,
    ask TEXT NOT NULL,
    scope TEXT NOT NULL,
    inputs TEXT NOT NULL,           -- for people: [["candidate", "…"], …]
    given TEXT NOT NULL,            -- likewise
    type TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('value', 'fraction', 'undecided')),
    value TEXT,                     -- canonical JSON; of a fraction `1/3`; of what is undecided none
    note TEXT NOT NULL,             -- what weakens the answer, or why it is undecided
    calls TEXT NOT NULL,            -- the ids of the calls that it came of
    written REAL NOT NULL,
    CHECK ((kind = 'undecided') = (value IS NULL))
);

CREATE TABLE hits (                 -- what was answered from here, counted
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('answers', 'vectors')),
    name TEXT NOT NULL,             -- of the judge or the model
    ask TEXT NOT NULL,
    count INTEGER NOT NULL,
    written REAL NOT NULL
);

CREATE TABLE vectors (
    model TEXT NOT NULL,
    text TEXT NOT NULL,             -- the hash of the text
    run TEXT NOT NULL,
    vector BLOB NOT NULL,           -- float32, little end first
    PRIMARY KEY (model, text)
);

CREATE TABLE owners (               -- who asks
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    process INTEGER NOT NULL,
    until REAL NOT NULL             -- what is not renewed by then holds no longer
);
CREATE TABLE leases (               -- what is being asked
    question TEXT PRIMARY KEY,
    owner TEXT NOT NULL
);
CREATE INDEX leases_owner ON leases (owner);
"""

KEPT = ("calls", "answers", "hits", "vectors")

# `INSERT OR REPLACE` takes rows away without asking a trigger of deletion; hence the one of insertion.
_SAME = {
    "calls": "id = NEW.id",
    "answers": "question = NEW.question",
    "hits": "id = NEW.id",
    "vectors": "model = NEW.model AND text = NEW.text",
}

TRIGGERS = "".join(
    f"""
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER {table}_first BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE {_SAME[table]})
BEGIN SELECT RAISE(IGNORE); END;
"""
    for table in KEPT
)

STATEMENTS = tuple(part.strip() for part in TABLES.split(";\n") if part.strip()) + tuple(
    f"{part.strip()} END" for part in TRIGGERS.split(" END;") if part.strip()
)
"""One by one: what runs them all at once would end the transaction that they stand in."""
