"""The codes of diagnostics: unique, in order, each with its page and its case."""

import re
from pathlib import Path

import pytest
from corpus import ROOT, marks

import rulesengine.diagnostics
from rulesengine.diagnostics import Code, codes
from rulesengine.diagnostics.codes import all_codes
from rulesengine.files import check_file

PAGES = Path(rulesengine.diagnostics.__file__).parent / "pages"
UNIT = Path(__file__).parent / "unit"
HEADINGS = ["What", "Avoid", "Prefer", "Why", "How to suppress"]
CODES = list(all_codes().values())
OF_RUBRICS = [code for code in CODES if code.id < "R5"]
# What no marked line of a rubric can show, with the test that shows it.
ELSEWHERE = {"R115": "test_not_utf8_is_told_by_its_first_wrong_byte"}
_BLOCK = re.compile(r"^```rubric\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _page(code: Code) -> str:
    return (PAGES / f"{code.id}.md").read_text("utf-8")


def _block(page: str, heading: str) -> str | None:
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = _BLOCK.search(section)
    return found[1] if found else None


def test_ids_are_unique_and_in_order() -> None:
    """No id stands for two things, and codes.py lists them in order."""
    ids = [value.id for value in vars(codes).values() if isinstance(value, Code)]

    assert ids == sorted(set(ids))


def test_every_page_has_its_code() -> None:
    """There is a page for each code and no other."""
    pages = {path.stem for path in PAGES.glob("*.md")}

    assert {code.id for code in CODES} == pages


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_a_page_has_its_title_and_headings(code: Code) -> None:
    """A page bears the code's title and the five headings, none of them empty."""
    title, *sections = re.split(r"^## ", _page(code), flags=re.MULTILINE)

    headings = [section.split("\n", 1)[0] for section in sections]

    assert (title.strip(), headings) == (f"# {code.id}: {code.title}", HEADINGS)
    assert all(section.split("\n", 1)[1].strip() for section in sections)


@pytest.mark.parametrize(
    "code", [code for code in OF_RUBRICS if code.id not in ELSEWHERE], ids=lambda code: code.id
)
def test_the_examples_of_a_page_are_what_it_says(code: Code, tmp_path: Path) -> None:
    """What is to be avoided reports the code alone; what is preferred reports nothing."""
    path = tmp_path / "example.rubric"
    reported = []
    for heading in ("Avoid", "Prefer"):
        block = _block(_page(code), heading)
        assert block is not None
        path.write_text(block, "utf-8")
        reported.append({each.code.id for each in check_file(path).diagnostics})

    assert reported == [{code.id}, set()]


@pytest.mark.parametrize("code", OF_RUBRICS, ids=lambda code: code.id)
def test_a_code_has_a_case(code: Code) -> None:
    """Each code of a rubric has a marked line in the corpus, or the unit test named here."""
    marked = {
        id_ for path in ROOT.glob("*/bad/*.rubric") for _, id_ in marks(path.read_text("utf-8"))
    }
    tests = "".join(path.read_text("utf-8") for path in UNIT.rglob("test_*.py"))

    shown = code.id in marked or f"def {ELSEWHERE[code.id]}(" in tests

    assert shown
