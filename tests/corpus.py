"""The conformance corpus: cases are files, found and never listed.

    tests/conformance/<stage>/good/x.rubric  reports nothing
    tests/conformance/<stage>/bad/x.rubric   reports on each line the codes marked: `#! R201 R305`
    tests/conformance/run/good/x.rubric      with x.records.jsonl, gives x.expected.json; answers of a judge stand in
                                             x.answers.jsonl, vectors of texts in x.vectors.jsonl
    tests/conformance/cases/good/x.rubric    has no error, and all cases that stand in it hold

Stages: `syntax` (the text alone), `check` (a whole file), `run` (over records), `cases` (what a file expects of
itself). The first comment of a file names the clause of the language reference that it pins.
"""

import re
from pathlib import Path

from rulesengine.diagnostics import Diagnostic

ROOT = Path(__file__).parent / "conformance"
_MARK = re.compile(r"#!((?: R[0-9]{3})+)")


def cases(folder: str, pattern: str = "*.rubric") -> list[Path]:
    """Return the case files of a folder such as `check/bad`, in order.

    An empty folder is a fault of the tests.
    """
    found = sorted((ROOT / folder).glob(pattern))
    if not found:
        raise AssertionError(f"there is no case in {folder}")
    return found


def marks(text: str) -> set[tuple[int, str]]:
    """Return the (line, code) pairs that the text's own marks name."""
    return {
        (number, code)
        for number, line in enumerate(text.splitlines(), start=1)
        for match in _MARK.finditer(line)
        for code in match[1].split()
    }


def reported(diagnostics: tuple[Diagnostic, ...]) -> set[tuple[int, str]]:
    """Return the (line, code) pairs of findings."""
    return {(each.span.line, each.code.id) for each in diagnostics}
