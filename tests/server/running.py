"""The model server of tests, started and ended."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("model_server.py")


class Server:
    """A server that runs: where it is, and what it was asked."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.root = f"http://127.0.0.1:{port}"  # as Anthropic's client wants it
        self.url = f"{self.root}/v1"  # as OpenAI's client wants it

    def told(self) -> dict[str, Any]:
        """Return all that it noted."""
        with urllib.request.urlopen(f"{self.root}/seen", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    @property
    def seen(self) -> list[dict[str, Any]]:
        """The requests that came, in order."""
        found: list[dict[str, Any]] = self.told()["seen"]
        return found

    @property
    def calls(self) -> int:
        """How many requests came."""
        return len(self.seen)

    @property
    def messages(self) -> list[str]:
        """The messages that came, in order."""
        return [each["body"]["messages"][0]["content"] for each in self.seen]

    def kill(self) -> None:
        """End it as a machine that loses its power would."""
        self.process.kill()
        self.process.wait()


@contextmanager
def running(*script: dict[str, Any], port: int = 0, **told: Any) -> Iterator[Server]:
    """Run a server that is told a script, and what else it takes; see `model_server`."""
    process = subprocess.Popen(
        [sys.executable, "-S", str(PROGRAM), "--port", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"script": script, **told}) + "\n")
        process.stdin.flush()
        yield Server(process, int(process.stdout.readline()))
    finally:
        process.kill()
        process.communicate()
