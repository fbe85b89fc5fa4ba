"""`rubric fmt`: what it writes, when it writes nothing, and how it ends."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from rulesengine_cli import exits
from rulesengine_cli.main import run

UNTIDY = """rubric sample version "1" language 1
# before a block
evidence { key who : text } # after END
# the last"""
TIDY = """rubric sample version "1" language 1
# before a block
evidence { key who : text }  # after END
# the last
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is not laid out."""
    path = tmp_path / "sample.rubric"
    path.write_bytes(UNTIDY.encode())
    return path


def test_saving_again_adds_nothing(file: Path) -> None:
    """Fault L71: however often a file is laid out, each comment stays once."""
    texts = []
    for _ in range(3):
        assert run(["fmt", str(file)]) == exits.CLEAN
        texts.append(file.read_bytes().decode())

    assert texts == [TIDY] * 3


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_what_only_looks_writes_nothing(
    option: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that would change is told by the exit code and on standard output, and left as it is."""
    code = run(["fmt", option, str(file)])

    assert (code, file.read_bytes().decode()) == (exits.FINDINGS, UNTIDY)
    assert str(file) in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_what_is_laid_out_passes(option: str, file: Path) -> None:
    """A file that would stay as it is has no finding."""
    file.write_bytes(TIDY.encode())

    assert run(["fmt", option, str(file)]) == exits.CLEAN


def test_a_file_with_errors_is_left_as_it_was(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be read is told and not written."""
    broken = UNTIDY + "\nlet a = \n"
    file.write_bytes(broken.encode())
    code = run(["fmt", str(file)])

    assert (code, file.read_bytes().decode()) == (exits.FINDINGS, broken)
    assert "left as it was" in capsys.readouterr().err


def test_standard_input_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`-` lays out what comes in, and writes nothing else there."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(UNTIDY.encode())))
    code = run(["fmt", "-"])

    assert (code, capsys.readouterr().out) == (exits.CLEAN, TIDY)
