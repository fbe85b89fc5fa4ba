"""Every kind of fault in evidence has a page, and its `Prefer` is JSON."""

import re
from pathlib import Path

import pytest

import rulesengine.diagnostics
from rulesengine.diagnostics.codes import all_codes
from rulesengine.evidence.read import read_json
from rulesengine.evidence.schema import Raw

PAGES = Path(rulesengine.diagnostics.__file__).parent / "pages"
HEADINGS = ["What", "Avoid", "Prefer", "Why", "How to suppress"]
EVIDENCE = [f"R5{number:02}" for number in (*range(1, 10), 12, 13, 30)]


@pytest.mark.parametrize("code", EVIDENCE)
def test_a_code_has_its_page(code: str) -> None:
    """A page bears the code's title and the five headings, and shows a record that can be read."""
    page = (PAGES / f"{code}.md").read_text("utf-8")
    prefer = page.split("## Prefer")[1].split("```")[1].removeprefix("json")

    read = list(read_json(prefer.encode(), code))

    assert page.startswith(f"# {code}: {all_codes()[code].title}\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == HEADINGS
    assert all(isinstance(each, Raw) for each in read)
