"""The saved table: read where it is that of the grammar, and made anew where it is not.

So no upgrade of Lark changes what a user sees (fault L43): an installed package reads its table without Lark.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulesengine
from rulesengine.resources import parser_table

PACKAGE = Path(rulesengine.__file__).parent
ASKS = """
import sys
import rulesengine
from rulesengine.source import Source
from rulesengine.syntax.parser import parse

text = 'rubric a version "1" language 1 about "b"'
print(rulesengine.__file__, parse(Source("a.rubric", text)).diagnostics, "lark" in sys.modules)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its grammar, as in a checkout."""
    shutil.copytree(PACKAGE, tmp_path / "rulesengine", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "grammar", tmp_path / "grammar")
    return tmp_path


def _asked(copy: Path) -> str:
    """What a copy finds in a sound text, and whether it had to ask Lark."""
    done = subprocess.run(
        [sys.executable, "-c", ASKS], cwd=copy, capture_output=True, text=True, check=True
    )
    return done.stdout.removeprefix(str(copy / "rulesengine" / "__init__.py")).strip()


def test_a_current_table_is_read(copy: Path) -> None:
    """Nothing imports Lark where the table is that of the grammar."""
    assert _asked(copy) == "() False"


def test_another_grammar_gets_its_own_table(copy: Path) -> None:
    """Where the grammar says something else, the saved table is left alone."""
    grammar = copy / "grammar" / "rubric.lark"
    text = grammar.read_text("utf-8")
    grammar.write_text(text.replace('ABOUT: "about"', 'ABOUT: "concerning"'), "utf-8")

    assert _asked(copy).startswith("(Diagnostic(")
    assert _asked(copy).endswith(" True")


@pytest.mark.parametrize("table", [None, b"", parser_table()[:-1], b"\x81" + parser_table()[1:]])
def test_a_table_that_cannot_be_read_is_made_anew(copy: Path, table: bytes | None) -> None:
    """A table that is not there, cut short or of another form costs time, and nothing else."""
    file = copy / "rulesengine" / "syntax" / "rubric.table"
    file.unlink()
    if table is not None:
        file.write_bytes(table)

    assert _asked(copy) == "() True"
