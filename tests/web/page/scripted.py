"""A server that keeps the contract of the chat page and plays scripts instead of answering questions."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
STORIES = ROOT / "tests" / "data" / "page_stories.json"
ABOUT = {
    "version": "0.2.0",
    "mode": "extractive",
    "model": "",
    "presets": ["demo"],
    "preset": "demo",
    "sources": ["demo"],
    "rounds": 3,
    "longest_question": 2000,
    "remembers": True,
}
OPEN = {"ending": "open", "message": "", "code": ""}
GONE = (409, "gone", "The question that this is asked instead of is no longer there.", None)
LAST = frozenset({"answer", "failed", "stopped"})
Event = tuple[str, dict[str, Any]]


@dataclass(slots=True)
class Script:
    """What happens to a question: events with a pause (seconds) before each, and faults.

    `hold` stops before that event until the server's `go` is set; `drop` breaks the connection behind that event,
    once; `refusal` is status, code, message and Retry-After of a question that is not taken.
    """

    events: Sequence[Event]
    answer: Mapping[str, Any] | None = None
    pause: float = 0.0
    hold: int | None = None
    drop: int | None = None
    refusal: tuple[int, str, str, int | None] | None = None


@dataclass(slots=True)
class Job:
    """A question that plays: its events so far grow under `news`."""

    name: str
    question: str
    conversation: str
    script: Script
    news: threading.Condition = field(default_factory=threading.Condition)
    events: list[Event] = field(default_factory=list)
    stopped: bool = False
    dropped: bool = False

    @property
    def ended(self) -> bool:
        """Whether the last event was told."""
        return bool(self.events) and self.events[-1][0] in LAST


class ScriptedServer:
    """The state behind the contract; `url` is where it listens. A test reads `asked`, `resumed` and `rated`."""

    def __init__(self) -> None:
        told = json.loads(STORIES.read_text(encoding="utf8"))
        self.stories: dict[str, Any] = {story["typed"]: story for story in told["stories"].values()}
        self.evidence: dict[str, Any] = told["evidence"]
        self.images: dict[str, str] = told["images"]
        self.about: dict[str, Any] = dict(ABOUT)
        self.scripts: dict[str, list[Script]] = {}
        self.jobs: dict[str, Job] = {}
        self.conversations: dict[str, dict[str, Any]] = {}
        self.go = threading.Event()
        self.closing = threading.Event()
        self.session_over = False
        self.prefix = ""
        """What the names of jobs and conversations begin with."""
        self.asked: list[dict[str, Any]] = []
        self.resumed: list[str] = []
        self.rated: list[tuple[str, Any]] = []
        self.url = ""

    def play(self, question: str, *scripts: Script) -> None:
        """Play these, one after the other, when `question` is asked; without any the story of that question plays."""
        self.scripts.setdefault(question, []).extend(scripts)

    def story(self, question: str, **changes: Any) -> Script:
        """Return the script of the story of a question; of one that has none, that nothing was found."""
        story = self.stories.get(question) or next(s for s in self.stories.values() if s["answer"]["abstained"])
        told = [(name, data) for name, data in story["events"]]
        return Script(told, story["answer"], **changes)

    def ask(
        self, question: str, conversation: str | None, instead: str | None
    ) -> Job | tuple[int, str, str, int | None]:
        """Begin to play, in a new conversation where none is named, or return the refusal."""
        if instead is not None and not self._keeps(conversation, instead):
            return GONE
        waiting = self.scripts.get(question)
        script = waiting.pop(0) if waiting else self.story(question, pause=0.01)
        if script.refusal:
            return script.refusal
        name = f"{self.prefix}job-{len(self.jobs) + 1}"
        job = self.jobs[name] = Job(name, question, conversation or self.add_conversation(question, ()), script)
        turns = self.conversations[job.conversation]["turns"]
        turns[:] = [turn for turn in turns if turn.get("question") != instead or instead is None]
        turns.append({"typed": question, "asked": "", "run": "", "question": name, "job": name, **OPEN})
        threading.Thread(target=self._perform, args=(job,), daemon=True).start()
        return job

    def stop(self, job: Job) -> None:
        """End a job before its answer."""
        with job.news:
            job.stopped = True
        if not job.ended:
            self._tell(job, ("stopped", {}))

    def add_conversation(self, title: str, questions: Sequence[str], started: float = 1_795_000_000.0) -> str:
        """Keep a conversation of stories as if they had been asked before."""
        name = self.prefix + hashlib.sha256(f"{title}{len(self.conversations)}".encode()).hexdigest()[:24]
        self.conversations[name] = {"id": name, "title": title, "started": started, "turns": []}
        for question in questions:
            self._keep(name, question, self.story(question).answer or {})
        return name

    def _keeps(self, conversation: str | None, unanswered: str) -> bool:
        turns = self.conversations.get(conversation or "", {"turns": []})["turns"]
        return any(turn.get("question") == unanswered for turn in turns)

    def _perform(self, job: Job) -> None:
        for number, event in enumerate(job.script.events):
            while job.script.hold == number and not self.go.is_set() and not job.stopped and not self.closing.is_set():
                self.go.wait(0.02)
            self.closing.wait(job.script.pause)
            if job.stopped or self.closing.is_set():
                return
            self._tell(job, event)
        if job.script.answer is not None:
            number = self._keep(job.conversation, job.question, job.script.answer, job.name)
            told = {"conversation": job.conversation, "number": number, "answer": job.script.answer}
            self._tell(job, ("answer", told))

    def _keep(self, conversation: str, typed: str, answer: Mapping[str, Any], name: str = "") -> int:
        turns = self.conversations[conversation]["turns"]
        turns[:] = [turn for turn in turns if turn.get("question") != name or not name]
        asked = answer.get("question", typed)
        number = len(turns) + 1
        turns.append(
            {
                "number": number,
                "typed": typed,
                "asked": asked,
                "run": answer.get("run"),
                "thumb": None,
                "answer": answer,
            }
        )
        return number

    def _tell(self, job: Job, event: Event) -> None:
        for turn in self.conversations.get(job.conversation, {"turns": []})["turns"]:
            if turn.get("question") == job.name and event[0] in ("started", "failed", "stopped"):
                turn.update(event[1] if event[0] == "started" else {"ending": event[0], **event[1]})
        with job.news:
            job.events.append(event)
            job.news.notify_all()

    def heard(self, job: Job, behind: int) -> Iterator[tuple[int, Event]]:
        """Yield events with their numbers (from 1) as they come, those behind a number only, to the last."""
        at = behind
        while True:
            with job.news:
                while len(job.events) <= at and not self.closing.is_set():
                    job.news.wait(0.05)
                if self.closing.is_set():
                    return
                event = job.events[at]
            at += 1
            yield at, event
            if event[0] in LAST:
                return


@contextmanager
def serving(server: ScriptedServer, port: int = 0) -> Iterator[ScriptedServer]:
    """Listen on loopback while the block runs."""
    from tests.web.page.scripted_http import handler_of

    listener = _Listener(("127.0.0.1", port), handler_of(server))
    server.closing.clear()
    server.url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        listener.shutdown()
        listener.server_close()
        listener.drop_all()
        thread.join()


class _Listener(ThreadingHTTPServer):
    """Remembers its connections, so that a server that is gone is gone at once."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.open: set[Any] = set()

    def get_request(self) -> Any:
        request, address = super().get_request()
        self.open.add(request)
        return request, address

    def shutdown_request(self, request: Any) -> None:
        self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle of a reply is no error of a test."""

    def drop_all(self) -> None:
        for request in list(self.open):
            try:
                request.shutdown(2)
            except OSError:
                continue
        time.sleep(0)
