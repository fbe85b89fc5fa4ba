"""Decision tables in CSV files: what is read of them, and at which line what is wrong stands."""

from pathlib import Path

import pytest

from rulesengine.files import check_file

RUBRIC = """rubric sample version "1" language 1
evidence { key who : text  a : one of x, y  b : yes/no  n : integer 0 to 9? }
let c = not b
decide points by INPUTS from "t.csv"
score each who out of 5 { criterion p worth 5 = points }
"""
GOOD = "a,b,points\nx,yes,1\nx,no,2\ny,any,5\n"


def found(table: str | bytes, tmp_path: Path, inputs: str = "a, b") -> list[tuple[str, int, str]]:
    """Return the file, line and code of every error."""
    text = RUBRIC.replace("INPUTS", inputs)
    (tmp_path / "x.rubric").write_text(text, "utf-8")
    (tmp_path / "t.csv").write_bytes(table.encode() if isinstance(table, str) else table)
    return [
        (Path(each.span.name).name, each.span.line, each.code.id)
        for each in check_file(tmp_path / "x.rubric").diagnostics
        if each.severity == "error"
    ]


@pytest.mark.parametrize(
    "table",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        'A , "B",Points\n"X","Yes",1\nX,NO,2\nY,ANY,5\n',
        'a,b,note,points\nx,yes,"two\nlines, and\u2028a third",1\nx,no,,2\n\ny,,,5\n',
    ],
)
def test_ways_of_writing_one_table(table: str, tmp_path: Path) -> None:
    """Marks, quotes, ends of lines, other columns and empty lines change nothing."""
    assert found(table, tmp_path) == []


@pytest.mark.parametrize(
    ("inputs", "table"),
    [
        ("n", "n,points\nmissing,0\n>= 7,5\n3|4|5|6,2\n< 3,1\n"),
        ("c", "c,points\nyes,5\nno,0\n"),
        ("length(a)", "length(a),points\n1,5\nany,5\n"),
    ],
)
def test_cells_mean_what_they_mean_in_a_rubric(inputs: str, table: str, tmp_path: Path) -> None:
    """Comparisons, missing values and several choices stand in files too, for fields and definitions."""
    assert found(table, tmp_path, inputs) == []


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (GOOD.replace(",", ";"), ("x.rubric", 4, "R421")),
        (GOOD.encode("utf-16"), ("x.rubric", 4, "R204")),
        (b"a,b,points\nx,yes,1\xff\n", ("x.rubric", 4, "R204")),
        ("", ("x.rubric", 4, "R421")),
        ("\n\n", ("x.rubric", 4, "R421")),
        ("a,b,points\n", ("x.rubric", 4, "R403")),
        ('a,b,points\n"x,yes,1\n', ("x.rubric", 4, "R421")),
        ("a,a,b,points\nx,y,yes,1\n", ("x.rubric", 4, "R421")),
        ("a,b,points,points\nx,any,1,2\ny,any,1,2\n", ("x.rubric", 4, "R421")),
        ("a,b,points\nx,yes,\nx,no,2\ny,any,5\n", ("t.csv", 2, "R421")),
        ("a,b,points\nx,yes,1,5\nx,no,2\ny,any,5\n", ("t.csv", 2, "R421")),
        ("a,b,points\nx,yes,1\nx,yes,1\nx,no,2\ny,any,5\n", ("t.csv", 3, "R404")),
        ("a,b,points\nx,yes,1\nx,yes,5\nx,no,2\ny,any,5\n", ("t.csv", 3, "R421")),
        ('a,b,points,c\nx,yes,1,"\n\n"\nx,no,2,\ny,any,5,\nz,no,1,\n', ("t.csv", 7, "R302")),
        ("a,b,points\nx,yes,1\nx,no,one\ny,any,5\n", ("t.csv", 3, "R301")),
        ("a,b,points\nx,yes,1\nx,no,1e1\ny,any,5\n", ("t.csv", 3, "R301")),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    table: str | bytes, expected: tuple[str, int, str], tmp_path: Path
) -> None:
    """A row that cannot be read is told at its line, a table that cannot at the rubric's."""
    assert expected in found(table, tmp_path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    """A table lies in the folder of its rubric, and a link to one elsewhere does not."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "t.csv").write_text(GOOD, "utf-8")
    folder = tmp_path / "rubric"
    folder.mkdir()
    (folder / "x.rubric").write_text(RUBRIC.replace("INPUTS", "a, b"), "utf-8")
    (folder / "t.csv").symlink_to(tmp_path / "elsewhere" / "t.csv")

    codes = [each.code.id for each in check_file(folder / "x.rubric").diagnostics]

    assert "R204" in codes
