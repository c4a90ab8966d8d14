"""The HTTP of the scripted server: routes of the contract over its state."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.web.page.scripted import ROOT, Job, ScriptedServer

STATIC = ROOT / "web" / "static"
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
COOKIE = "heliograph=scripted"


def handler_of(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    """Return a handler that serves this server's state."""
    return type("Bound", (ScriptedHandler,), {"scripted": server})


class ScriptedHandler(BaseHTTPRequestHandler):
    """One request of the page."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a head and its body are two writes
    scripted: ScriptedServer

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Serve pages, lists, evidence, traces and events."""
        path, query = self._path()
        match path:
            case [""]:
                self._file("index.html", {"Set-Cookie": f"{COOKIE}; HttpOnly; SameSite=Strict; Path=/"})
            case ["static", name]:
                self._file(name, {})
            case _ if self._stranger():
                self._error(401, "session", "This page has no session.")
            case ["api", *rest]:
                self._api(rest, query)
            case ["evidence", sha]:
                self._json(self.scripted.evidence.get(sha))
            case ["images", sha] if sha in self.scripted.images:
                self._send(200, "image/png", (ROOT / self.scripted.images[sha]).read_bytes(), {})
            case _:
                self._error(404, "unknown", "There is no such thing.")

    def _api(self, path: list[str], query: dict[str, list[str]]) -> None:
        match path:
            case ["about"]:
                self._json(self.scripted.about)
            case ["jobs"]:
                self._json({"jobs": [{"job": job.name} for job in self.scripted.jobs.values() if not job.ended]})
            case ["jobs", name, "events"]:
                self._events(self.scripted.jobs.get(name))
            case ["conversations"]:
                listed = [{**c, "questions": len(c["turns"])} for c in self.scripted.conversations.values()]
                self._json({"conversations": listed[::-1]})
            case ["conversations", name]:
                self._json(self.scripted.conversations.get(name))
            case ["conversations", name, "export"]:
                self._export(name, query["format"][0])
            case ["runs", run, "trace"]:
                self._json(self._trace(run))
            case ["runs", run, "spans", span]:
                self._json(next((s["detail"] for s in self._spans(run) if s["span"] == span), None))
            case _:
                self._error(404, "unknown", "There is no such thing.")

    def do_POST(self) -> None:
        """Take questions and ratings."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        path, _ = self._path()
        match path:
            case _ if self._stranger():
                self._error(401, "session", "This page has no session.")
            case ["api", "questions"]:
                self._ask(body)
            case ["api", "runs", run, "rating"]:
                self.scripted.rated.append((run, body["thumb"]))
                for conversation in self.scripted.conversations.values():
                    for turn in conversation["turns"]:
                        turn["thumb"] = body["thumb"] if turn["run"] == run else turn["thumb"]
                self._send(204, "", b"", {})

    def do_PATCH(self) -> None:
        """Rename a conversation."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        conversation = self.scripted.conversations[self._path()[0][2]]
        conversation["title"] = body["title"]
        self._json({**conversation, "questions": len(conversation["turns"])})

    def do_DELETE(self) -> None:
        """Stop a job or delete a conversation."""
        match self._path()[0]:
            case ["api", "jobs", name]:
                self.scripted.stop(self.scripted.jobs[name])
            case ["api", "conversations", name]:
                del self.scripted.conversations[name]
        self._send(204, "", b"", {})

    def _path(self) -> tuple[list[str], dict[str, list[str]]]:
        split = urlsplit(self.path)
        return [unquote(part) for part in split.path[1:].split("/")], parse_qs(split.query)

    def _stranger(self) -> bool:
        return self.scripted.session_over or COOKIE not in self.headers.get("Cookie", "")

    def _ask(self, body: Mapping[str, Any]) -> None:
        self.scripted.asked.append(dict(body))
        taken = self.scripted.ask(body["question"], body["conversation"], body["instead"])
        if isinstance(taken, Job):
            self._json({"job": taken.name, "conversation": taken.conversation}, 202)
        else:
            status, code, message, wait = taken
            self._error(status, code, message, {} if wait is None else {"Retry-After": str(wait)})

    def _events(self, job: Job | None) -> None:
        if job is None:
            return self._error(404, "unknown", "There is no such question.")
        behind = int(self.headers.get("Last-Event-ID", 0))
        if behind:
            self.scripted.resumed.append(self.headers["Last-Event-ID"])
        self.send_response(200)
        self._head("text/event-stream", {"Connection": "close"})
        self.close_connection = True
        self.wfile.write(b"retry: 50\n\n")
        for number, (name, data) in self.scripted.heard(job, behind):
            self.wfile.write(f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode())
            self.wfile.flush()
            if job.script.drop == number and not job.dropped:
                job.dropped = True
                return None
        return None

    def _export(self, name: str, kind: str) -> None:
        conversation = self.scripted.conversations[name]
        answers = "\n".join(turn["answer"].get("markdown", "") for turn in conversation["turns"] if "answer" in turn)
        text = json.dumps(conversation) if kind == "json" else f"# {conversation['title']}\n\n{answers}"
        self._send(200, "text/plain", text.encode(), {"Content-Disposition": f'attachment; filename="talk.{kind}"'})

    def _spans(self, run: str) -> list[dict[str, Any]]:
        return next((s["spans"] for s in self.scripted.stories.values() if s["answer"]["run"] == run), [])

    def _trace(self, run: str) -> dict[str, Any]:
        return {"run": run, "spans": [{k: v for k, v in s.items() if k != "detail"} for s in self._spans(run)]}

    def _file(self, name: str, headers: Mapping[str, str]) -> None:
        path = STATIC / name
        if path.parent != STATIC or not path.is_file():
            return self._error(404, "unknown", "There is no such file.")
        return self._send(200, KINDS[path.suffix], path.read_bytes(), headers)

    def _json(self, value: Any, status: int = 200) -> None:
        if value is None:
            self._error(404, "unknown", "There is no such thing.")
        else:
            self._send(status, "application/json", json.dumps(value).encode(), {})

    def _error(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        body = json.dumps({"error": {"message": message, "code": code}}).encode()
        self._send(status, "application/json", body, headers or {})

    def _send(self, status: int, kind: str, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        self._head(kind, {**headers, "Content-Length": str(len(body))})
        self.wfile.write(body)

    def _head(self, kind: str, headers: Mapping[str, str]) -> None:
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", CSP)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
