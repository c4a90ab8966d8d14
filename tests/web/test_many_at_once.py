"""Two hundred conversations at one server: all are answered, each its own, and the next is told to come later."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import httpx

from heliograph.types import EvidenceId
from heliograph.types.streaming import StreamEvent
from tests.web.researchers import Scripted, answer_to, office, served, told
from web.desk import Desk

MANY = 200
SECONDS = 600
"""For replies and for listeners: two hundred clients share the processor with the server, and with what else runs."""


class Counted:
    """Answers each question with itself, and counts how many are at work together."""

    def __init__(self) -> None:
        self.most = 0
        self.researcher: Scripted | None = None
        self.full = threading.Event()

    async def __call__(self, question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
        assert self.researcher is not None
        self.most = max(self.most, self.researcher.at_work)
        while not self.full.is_set():
            await asyncio.sleep(0.01)
        async for event in told(answer_to(question, f"{question} is answered.", run=f"run-{question}")):
            await asyncio.sleep(0.001)
            yield event


async def ask(address: str, number: int) -> str:
    """Ask one question as a page does, with a session of its own, and return the answer's text."""
    last = ""
    async with httpx.AsyncClient(base_url=address, timeout=SECONDS, verify=False) as client:
        page = await client.get("/")
        assert page.status_code == 200, page.text
        reply = await client.post("/api/questions", json={"question": f"Question {number}"})
        assert reply.status_code == 202, reply.text
        async with client.stream("GET", f"/api/jobs/{reply.json()['job']}/events") as lines:
            async for line in lines.aiter_lines():
                last = line.removeprefix("data: ") if line.startswith("data: ") else last
    answer: str = json.loads(last)["answer"]["text"]
    return answer


async def health(client: httpx.AsyncClient, accepted: int, at_work: int) -> dict[str, object]:
    """Return what the server says of itself once it has accepted and begun so many questions."""
    while True:
        said: dict[str, object] = (await client.get("/health")).json()
        if (said["accepted"], said["at_work"]) == (accepted, at_work):
            return said
        await asyncio.sleep(0.05)


async def test_two_hundred_are_answered_each_its_own_and_the_next_is_told_to_come_later(tmp_path: Path) -> None:
    counted = Counted()
    parts, counted.researcher = office(tmp_path, counted, Desk(8, MANY, SECONDS))
    with served(parts) as address:
        async with httpx.AsyncClient(base_url=address, timeout=SECONDS, verify=False) as client:
            asking = asyncio.gather(*(ask(address, number) for number in range(MANY)))
            said = asyncio.create_task(health(client, accepted=MANY, at_work=8))
            await asyncio.wait((asking, said), return_when=asyncio.FIRST_COMPLETED)
            assert not asking.done(), asking.exception()
            assert ((await said)["running"], (await said)["places"]) == (8, MANY)
            while counted.researcher.at_work < 8:
                await asyncio.sleep(0.05)
            body = {"model": "heliograph", "messages": [{"role": "user", "content": "one too many"}]}
            refused = await client.post("/v1/chat/completions", json=body)
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
            assert refused.json()["error"]["code"] == "server_full"
            counted.full.set()
            answers = await asking
            await health(client, accepted=0, at_work=0)
    assert answers == [f"Question {number} is answered. [1]" for number in range(MANY)]
    assert counted.most == 8
