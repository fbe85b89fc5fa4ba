"""A model server for tests, in a process of its own: it speaks as OpenAI's and Anthropic's do, and does as it is told.

Told by one line of JSON on standard input:

- `script`: what it does with each request, one after the other; a step is an object with `do` and what that takes.
- `rules`: steps with `when`, a text: done with each request whose message holds it, before the script is looked at.
- `default`: the step for all other requests; an answer that fits the schema or the wording, if left out.
- `structured`: whether it takes the schema of a reply; true if left out.
- `delay`: seconds that each request takes at the least.

Steps: `answer` (`verdict`), `say` (`text`), `status` (`status`, `headers`, `body`), `slow` (`seconds`), `drip`
(`seconds` between two bytes), `cut` (half a body), `hang up` (none), `end` (`reason`, `text`), `refuse` (`text`),
`body` (`text` in place of JSON), `obey` (the last verdict that stands in the evidence).

It prints its port, tells by `GET /seen` what it was asked, and ends by itself after `seconds`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

VERDICT = re.compile(r'"verdict"\s*:\s*(true|false|"[^"]*"|[-0-9.]+)')


class Told:
    """What the server does, and what it saw."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.script = list(told.get("script", []))
        self.rules = told.get("rules", [])
        self.default = told.get("default", {"do": "answer"})
        self.structured = told.get("structured", True)
        self.delay = told.get("delay", 0.0)
        self.seen: list[dict[str, Any]] = []
        self.under_way = 0
        self.most_under_way = 0
        self.lock = threading.Lock()

    def begin(self, seen: dict[str, Any]) -> dict[str, Any]:
        """Take a request, and return the step for it."""
        with self.lock:
            self.seen.append(seen)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
            has_schema = "response_format" in seen["body"] or "output_config" in seen["body"]
            if has_schema and not self.structured:
                return {
                    "do": "status",
                    "status": 400,
                    "body": {"error": {"message": "no schema here"}},
                }
            text = seen["body"]["messages"][0]["content"]
            for rule in self.rules:
                if rule["when"] in text:
                    return dict(rule)
            return dict(self.script.pop(0) if self.script else self.default)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    told: Told

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Tell what was asked."""
        with self.told.lock:
            seen = {"seen": self.told.seen, "most_under_way": self.told.most_under_way}
        self.send(200, json.dumps(seen).encode())

    def do_POST(self) -> None:
        """Do the next step."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        step = self.told.begin({"path": self.path, "body": body, "at": time.time()})
        try:
            time.sleep(self.told.delay)
            getattr(self, step.pop("do").replace(" ", "_"))(body, **step)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with self.told.lock:
                self.told.under_way -= 1

    def send(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def reply(
        self, body: dict[str, Any], text: str | None, finish: str = "stop", **more: Any
    ) -> bytes:
        """Return a reply in the form of the server that is spoken to."""
        model = f"{body['model']}-0613"
        if self.path.endswith("/messages"):
            finish = {"stop": "end_turn", "length": "max_tokens"}.get(finish, finish)
            content = [] if text is None else [{"type": "text", "text": text}]
            usage = {"input_tokens": 100, "output_tokens": 10}
            reply = {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": content,
            }
            return json.dumps({**reply, "stop_reason": finish, "usage": usage}).encode()
        message = {"role": "assistant", "content": text, **more}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        reply = {"id": "c", "object": "chat.completion", "created": 1, "model": model}
        return json.dumps({**reply, "choices": [choice], "usage": usage}).encode()

    def answer(self, body: dict[str, Any], verdict: Any = None, **_: Any) -> None:
        """Answer in the slot."""
        verdict = fitting(body) if verdict is None else verdict
        self.say(body, json.dumps({"reason": "as told", "verdict": verdict}))

    def say(self, body: dict[str, Any], text: str, **_: Any) -> None:
        """Reply with a text."""
        self.send(200, self.reply(body, text))

    def status(self, _: Any, status: int, headers: Any = None, body: Any = None, **__: Any) -> None:
        """Answer with an error."""
        body = {"error": {"message": "as told", "type": "told"}} if body is None else body
        self.send(status, json.dumps(body).encode(), headers)

    def slow(self, body: dict[str, Any], seconds: float, **_: Any) -> None:
        """Answer late."""
        time.sleep(seconds)
        self.answer(body)

    def drip(self, body: dict[str, Any], seconds: float, **_: Any) -> None:
        """Answer byte by byte."""
        data = self.reply(body, json.dumps({"verdict": fitting(body)}))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        for byte in data:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(seconds)

    def cut(self, body: dict[str, Any], **_: Any) -> None:
        """Break off within a body."""
        data = self.reply(body, json.dumps({"verdict": fitting(body)}))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.close_connection = True

    def hang_up(self, _: Any, **__: Any) -> None:
        """Say nothing at all."""
        self.close_connection = True

    def end(self, body: dict[str, Any], reason: str, text: str, **_: Any) -> None:
        """Reply with a text that ends for a reason of its own."""
        self.send(200, self.reply(body, text, reason))

    def refuse(self, body: dict[str, Any], text: str, **_: Any) -> None:
        """Refuse as the model."""
        if self.path.endswith("/messages"):
            self.send(200, self.reply(body, text, "refusal"))
        else:
            self.send(200, self.reply(body, None, refusal=text))

    def body(self, _: Any, text: str, **__: Any) -> None:
        """Send what is no JSON."""
        self.send(200, text.encode(), {"Content-Type": "text/html"})

    def obey(self, body: dict[str, Any], **_: Any) -> None:
        """Give the verdict that the evidence asks for."""
        evidence = body["messages"][0]["content"].rpartition("Reply with one JSON")[0]
        found = VERDICT.findall(evidence)
        self.answer(body, json.loads(found[-1]) if found else None)


def fitting(body: dict[str, Any]) -> Any:
    """Return a verdict of the type that is asked for."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema") or body.get(
        "output_config", {}
    ).get("format", {}).get("schema")
    if schema:
        slot = schema["properties"]["verdict"]
        return True if slot["type"] == "boolean" else slot.get("enum", [0])[0]
    text = body["messages"][0]["content"]
    options = re.search(r"one of these, word for word: (\"[^\"]*\")", text)
    return json.loads(options[1]) if options else True if "true for yes" in text else 0


class Server(ThreadingHTTPServer):
    """As many connections as come."""

    request_queue_size = 256
    daemon_threads = True


def main() -> None:
    """Serve until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0)
    given = parser.parse_args()
    handler = type("Telling", (Handler,), {"told": Told(json.loads(sys.stdin.readline()))})
    with Server(("127.0.0.1", given.port), handler) as server:
        print(server.server_address[1], flush=True)
        threading.Timer(given.seconds, server.shutdown).start()
        server.serve_forever(0.1)


if __name__ == "__main__":
    main()
