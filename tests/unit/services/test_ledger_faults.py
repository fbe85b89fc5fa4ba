"""Files that are no ledger, and disks that fail: a class for each, no answer lost, no file written over."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import pytest
from ledgers import Says, asked_through, paid, question

from rulesengine.services.audit import open_audit
from rulesengine.services.ledger import Ledger
from rulesengine.services.ledger_errors import (
    BusyLedgerError,
    CorruptLedgerError,
    LedgerError,
    LedgerNotFoundError,
    NewerLedgerError,
    NotALedgerError,
    ReadOnlyLedgerError,
)
from rulesengine.services.remembered import Remembered


def yes(_: object) -> object:
    """Say yes."""
    return paid("yes")


def database(path: Path, *statements: str) -> None:
    """Make a database of another program."""
    with sqlite3.connect(path) as file:
        for each in statements:
            file.execute(each)
    file.close()


def text(path: Path) -> None:
    """Make a file of text."""
    path.write_text("mine, and precious\n")


def others(path: Path) -> None:
    """Make the database of another program."""
    database(path, "CREATE TABLE t (x)")


def marked(path: Path) -> None:
    """Make one without tables, but with a mark that is not ours."""
    database(path, "PRAGMA application_id = 7")


def newer(path: Path) -> None:
    """Make a ledger of a version to come."""
    Ledger(path).close()
    database(path, "PRAGMA user_version = 99")


def cut(path: Path) -> None:
    """Make a ledger that lost its end."""
    Ledger(path).close()
    path.write_bytes(path.read_bytes()[:6000])


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (text, NotALedgerError),
        (others, NotALedgerError),
        (marked, NotALedgerError),
        (Path.mkdir, NotALedgerError),
        (newer, NewerLedgerError),
        (cut, CorruptLedgerError),
    ],
)
def test_what_is_no_ledger_stays_as_it_is(
    tmp_path: Path, make: object, error: type[LedgerError]
) -> None:
    """It is told by its class, to writers and readers, and no byte of it changes."""
    path = tmp_path / "file"
    make(path)  # type: ignore[operator]
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(error):
        Ledger(path)
    with pytest.raises(error), open_audit(path):
        pass

    assert before == (path.read_bytes() if path.is_file() else b"")


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    """It is what is left where a process was killed before it wrote anything."""
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(NotALedgerError), open_audit(path):
        pass
    asked_through(path, Says(yes), question("a"))  # type: ignore[arg-type]
    with open_audit(path) as audit:
        assert ["a" in each.prompt for each in audit.calls()] == [True]


def test_what_is_not_there(tmp_path: Path) -> None:
    """A reader makes no file, and a writer no folder."""
    with pytest.raises(LedgerNotFoundError), open_audit(tmp_path / "none"):
        pass
    with pytest.raises(LedgerNotFoundError):
        Ledger(tmp_path / "none" / "file")

    assert list(tmp_path.iterdir()) == []


def test_a_damaged_page_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    """Nobody pays for what cannot be looked up."""
    path = tmp_path / "file"
    questions = [question(f"{each:>200}") for each in range(100)]
    asked_through(path, Says(yes), *questions)  # type: ignore[arg-type]
    whole = path.read_bytes()
    path.write_bytes(whole[: 4096 * 16] + b"\xa5" * (len(whole) - 4096 * 16))
    judge = Says(yes)  # type: ignore[arg-type]
    with pytest.raises(CorruptLedgerError):
        asked_through(path, judge, *questions)
    with pytest.raises(CorruptLedgerError), open_audit(path):
        pass

    assert judge.asked == []


def test_a_ledger_that_others_keep_busy(tmp_path: Path) -> None:
    """After the time that is to be waited it is told; what was heard is written when they are done."""
    path = tmp_path / "file"
    ledger = Ledger(path, wait=0.05)
    judge = Remembered(Says(yes), ledger)  # type: ignore[arg-type]
    other = sqlite3.connect(path, isolation_level=None)
    came: dict[int, object] = {}

    class Blocks(Says):
        def ask(self, questions: object, hear: object) -> None:
            other.execute("BEGIN IMMEDIATE")
            super().ask(questions, hear)  # type: ignore[arg-type]

    judge.judge = Blocks(yes)  # type: ignore[arg-type]
    with pytest.raises(BusyLedgerError):
        judge.ask([question("a"), question("b")], came.__setitem__)
    with pytest.raises(BusyLedgerError):
        judge.ask([question("c")], came.__setitem__)
    other.execute("ROLLBACK")
    other.close()
    ledger.close()
    with Ledger(path) as again:
        known = Remembered(judge.judge, again).known([question(each) for each in "abc"])

    assert (len(came), judge.judge.asked) == (2, ["a", "b"])
    assert known == [True, True, False]


FILLS = """
import resource, sys
sys.path.insert(0, sys.argv[2])
from ledgers import Says, paid, question
from rulesengine.services.ledger import Ledger
from rulesengine.services.ledger_errors import NoRoomError
from rulesengine.services.remembered import Remembered
ledger = Ledger(sys.argv[1])
judge = Says(lambda each: paid("yes" * 1000))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
remembered = Remembered(judge, ledger)
questions = [question(each) for each in range(200)]
heard = []
try:
    remembered.ask(questions, lambda index, reply: heard.append(index))
except NoRoomError:
    try:
        remembered.ask([question("more")], print)
    except NoRoomError:
        print(len(heard), len(judge.asked), sum(remembered.known(questions)))
if len(sys.argv) > 3:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    ledger.close()
"""


@pytest.mark.parametrize("room", [False, True])
def test_a_disk_that_takes_no_more(tmp_path: Path, room: bool) -> None:
    """All replies are handed on, and it is told; nothing more is asked. With room again, all are written."""
    path = tmp_path / "file"
    line = [sys.executable, "-c", FILLS, str(path), str(Path(__file__).parents[2])]
    done = subprocess.run(
        line + ["later"] * room, capture_output=True, text=True, check=True, timeout=60
    )
    heard, asked, kept = map(int, done.stdout.split())
    with Ledger(path) as ledger:
        judge = Remembered(Says(yes), ledger)  # type: ignore[arg-type]
        known = sum(judge.known([question(each) for each in range(200)]))

    assert (heard, asked) == (200, 200)
    assert 0 < kept < 200
    assert (200 if room else kept) == known


def read_without_rights(path: Path) -> str:
    """Return how many calls an audit finds and what a ledger raises, for who may not write."""
    given, taken = os.pipe()
    process = os.fork()
    if not process:
        said = "nothing"
        try:
            if os.geteuid() == 0:  # who may do everything
                os.setgid(65534)
                os.setuid(65534)
            with open_audit(path) as audit:
                said = f"{len(list(audit.calls()))} "
            Ledger(path)
        except LedgerError as error:
            said += type(error).__name__
        finally:
            os.write(taken, said.encode())
            os._exit(0)
    os.waitpid(process, 0)
    return os.read(given, 1000).decode()


@pytest.mark.skipif(os.name != "posix", reason="rights of files are other elsewhere")
def test_a_file_that_is_read_only() -> None:
    """It cannot be written; an audit reads it all the same, also where its folder cannot be written."""
    folder = Path(mkdtemp())
    path = folder / "file"
    try:
        asked_through(path, Says(yes), question("a"))  # type: ignore[arg-type]
        path.chmod(0o444)
        folder.chmod(0o555)
        said = read_without_rights(path)
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)

    assert said == f"1 {ReadOnlyLedgerError.__name__}"
