"""Rubric files: encodings, and files that use each other."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulesengine.files import check_file, tidy

RUBRIC = """\
rubric sample version "1" language 1
evidence {
  key who : text
  right : yes/no default no
}
score each who out of 10 {
  criterion c worth 10 {
    when right -> 10
    otherwise -> 0
  }
}
"""


def _write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / f"{name}.rubric"
        path.write_text(text, "utf-8")


def _found(path: Path) -> list[tuple[str, str, int, str]]:
    checked = check_file(path)
    return [
        (each.code.id, Path(each.span.name).name, each.span.line, each.message)
        for each in checked.diagnostics
    ]


def test_not_utf8_is_told_by_its_first_wrong_byte(tmp_path: Path) -> None:
    """A file in another encoding is refused as a whole."""
    path = tmp_path / "a.rubric"
    path.write_bytes("# né\n".encode("latin-1"))

    found = _found(path)

    assert found == [
        ("R115", "a.rubric", 1, "this file is not UTF-8 text: byte 4 does not fit"),
    ]


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_line_ends_of_every_system_count_lines(tmp_path: Path, ending: bytes) -> None:
    """The place of a finding is the line that an editor shows."""
    path = tmp_path / "a.rubric"
    path.write_bytes(RUBRIC.replace("when right", "when rihgt").encode().replace(b"\n", ending))

    found = _found(path)

    assert [(code, line) for code, _, line, _ in found] == [("R211", 4), ("R201", 8)][1:]


def test_a_file_of_cases_is_checked_against_its_rubric(tmp_path: Path) -> None:
    """Its records keep to the rubric's evidence, and it asks for the rubric's parts."""
    _write(
        tmp_path,
        a=RUBRIC,
        a_cases="""\
cases of ./a language 1
case "right" {
  given { who: "m", right: yes }
  expect c = 10
}
case "misspelt" {
  given { who: "m", rihgt: yes }
  expect d = 10
}
evidence { key other : text }
""",
    )

    found = _found(tmp_path / "a_cases.rubric")

    assert [(code, line) for code, _, line, _ in found] == [("R116", 10)]


def test_a_file_of_cases_names_what_is_wrong_in_it(tmp_path: Path) -> None:
    """A part that there is not, and a record that breaks the evidence."""
    bad = 'cases of ./a language 1\ncase "one" {\n  given { who: "m" }\n  expect d = 10\n}\n'
    _write(
        tmp_path, a=RUBRIC, names=bad, records=bad.replace("who:", "whom:").replace(" d ", " c ")
    )

    found = [_found(tmp_path / f"{name}.rubric") for name in ("names", "records")]

    assert [(code, line) for file in found for code, _, line, _ in file] == [
        ("R201", 4),
        ("R420", 3),
    ]


def test_cases_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The path is told, and nothing of the cases, which cannot be judged."""
    _write(tmp_path, a='cases of ./b language 1\ncase "one" { expect c = 10 }\n')

    found = _found(tmp_path / "a.rubric")

    assert found == [("R204", "a.rubric", 1, "there is no file for `./b`")]


def test_an_error_in_a_used_file_is_told_where_it_stands(tmp_path: Path) -> None:
    """What is wrong in a library is told in the library."""
    uses = RUBRIC.replace("evidence", "use ./half\nevidence", 1)
    _write(tmp_path, a=uses, half="library half language 1\nlet half(x) = y / 2\n")

    found = _found(tmp_path / "a.rubric")

    assert found == [("R201", "half.rubric", 2, "nothing is called `y`")]


def test_files_that_use_each_other_are_a_cycle(tmp_path: Path) -> None:
    """A file never comes back to itself."""
    _write(
        tmp_path,
        a=RUBRIC.replace("evidence", "use ./b\nevidence", 1),
        b="library b language 1\nuse ./c\nlet f(x) = x\n",
        c="library c language 1\nuse ./b\nlet g(x) = x\n",
    )

    found = _found(tmp_path / "a.rubric")

    assert [(code, name, line) for code, name, line, _ in found] == [("R205", "c.rubric", 2)]


def test_a_path_stays_in_the_folder_of_the_file(tmp_path: Path) -> None:
    """A rubric reads nothing outside the folder that it was given in."""
    inner = tmp_path / "inner"
    inner.mkdir()
    _write(tmp_path, secret="library secret language 1\nlet f(x) = x\n")
    _write(inner, a=RUBRIC.replace("evidence", "use ../secret\nevidence", 1))

    found = _found(inner / "a.rubric")

    assert found == [("R204", "a.rubric", 2, "there is no file for `../secret`")]


@given(st.text(alphabet="a./ \\", max_size=12))
@example("")
@example("//a/./b//..")
@example("///a")
def test_a_path_is_shown_as_pathlib_writes_it(path: str) -> None:
    """Done without `pathlib`, and in the same way."""
    assert str(Path(path)) == tidy(path)
