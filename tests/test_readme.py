"""README.md and the tutorial: every example is run in order, and shows what happens."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from rulesengine_cli.main import run

ROOT = Path(__file__).parent.parent
# Each page with the name under which its rubric is saved.
PAGES = {"README.md": "essay.rubric", "grammar/TUTORIAL.md": "talk.rubric"}
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _commands(block: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the commands of a block; return it with what they print: output, then messages."""
    lines = []
    for command in re.findall(r"^\$ rubric (.*)$", block, re.MULTILINE):
        run(shlex.split(command))
        output, messages = capsys.readouterr()
        lines.append(f"$ rubric {command}\n{output}{messages}")
    return "".join(lines)


def _save(block: str, path: Path) -> None:
    """Save a block of the language where the text says: a file, its last block anew, or one more case."""
    if block.startswith("rubric "):
        path.write_text(block, "utf-8")
    elif block.startswith("bands "):
        text = path.read_text("utf-8")
        path.write_text(text[: text.index("bands ")] + block, "utf-8")
    else:
        path.write_text(f"{path.read_text('utf-8')}\n{block}", "utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    update_expected: bool,
) -> None:
    """Files are saved, commands and Python run as a reader would; each prints what stands below it."""
    monkeypatch.chdir(tmp_path)
    path = ROOT / page
    text = path.read_text("utf-8")
    printed: str | None = None

    def shown(match: re.Match[str]) -> str:
        nonlocal printed
        language, block = match[1], match[2]
        if language == "rubric":
            _save(block, Path(PAGES[page]))
        elif language == "csv":
            Path("evidence.csv").write_text(block, "utf-8")
        elif language == "jsonl":
            Path("evidence.jsonl").write_text(block, "utf-8")
        elif language == "console":
            block = _commands(block, capsys)
        elif language == "python":
            stream = io.StringIO()
            with contextlib.redirect_stdout(stream):
                exec(compile(block, page, "exec"), {})
            printed = stream.getvalue()
        elif language == "" and printed is not None:
            block, printed = printed, None
        return f"```{language}\n{block}```"

    actual = _FENCE.sub(shown, text)

    if update_expected:
        path.write_text(actual, "utf-8")
    assert actual == path.read_text("utf-8")
