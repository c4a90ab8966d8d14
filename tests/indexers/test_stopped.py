"""Questions that are stopped while a thread works for them: the thread ends within their turn, and the next goes on."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import chromadb
import numpy as np
import pytest
from llama_index.core.schema import TextNode

from heliograph.types import PageKey
from indexers.chroma import PageVectorStore
from indexers.chroma.quiet import QuietSettings
from indexers.models.cache import CachedEmbedder, CachedImageEmbedder
from indexers.nodes import PAGE
from indexers.pictures import PictureIndex
from indexers.until_done import until_done
from tests.indexers.opening import opened
from tests.indexers.test_pictures import Album, ColourModel, page

PIECES = 6
SOME_STEPS = 20
"""More steps of the event loop than a task takes that is stopped and waits for nothing."""


class Gate:
    """Where threads wait until a test lets them go on; it counts those that came."""

    def __init__(self) -> None:
        self.came = 0
        self._somebody = threading.Event()
        self._open = threading.Event()

    def enter(self) -> None:
        self.came += 1
        self._somebody.set()
        self._open.wait()

    async def somebody(self) -> None:
        await asyncio.to_thread(self._somebody.wait)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open()


async def stopped_at(gate: Gate, question: asyncio.Task, then: asyncio.Task | None = None) -> bool:
    """Stop a question while its thread stands at the gate; tell whether it waited, then open the gate."""
    await gate.somebody()
    question.cancel()
    for _ in range(SOME_STEPS):
        await asyncio.sleep(0)
    question.cancel()
    for _ in range(SOME_STEPS):
        await asyncio.sleep(0)
    waited = not question.done() and (then is None or not then.done())
    gate.open()
    with pytest.raises(asyncio.CancelledError):
        await question
    return waited


class SlowToOpen:
    """An embedder whose dimensions, which are asked for when the files are opened, take until the gate opens."""

    def __init__(self, embedder, gate: Gate) -> None:
        self._embedder, self._gate = embedder, gate
        self.name = embedder.name
        self.embed = embedder.embed

    @property
    def dimensions(self) -> int:
        self._gate.enter()
        return self._embedder.dimensions


async def test_a_question_stopped_while_the_files_are_opened_leaves_them_to_the_next(
    tmp_path, document, word_embedder, gate
):
    model = CachedEmbedder(SlowToOpen(word_embedder(), gate), tmp_path / "embeddings.sqlite")
    with opened(tmp_path, model) as indexes:
        first = asyncio.create_task(indexes.add([document()]))
        await gate.somebody()
        second = asyncio.create_task(indexes.add([document("Saturn")]))
        assert await stopped_at(gate, first, second)
        assert (await second).embedded == PIECES
        assert (await indexes.add([document("Saturn")])).embedded == 0
    assert gate.came == 1


class SlowColourModel(ColourModel):
    """The same for pictures."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    @property
    def dimensions(self) -> int:
        self._gate.enter()
        return ColourModel.dimensions


async def test_pictures_that_are_looked_at_by_a_question_that_is_stopped_leave_their_files_to_the_next(tmp_path, gate):
    model = CachedImageEmbedder(SlowColourModel(gate), tmp_path / "pictures.sqlite")
    index = PictureIndex(tmp_path, model, [Album()])
    first = asyncio.create_task(index.add(page("red")))
    assert await stopped_at(gate, first)
    assert (await index.add(page("red"))).embedded == 1
    index.close()


async def test_a_stopped_write_ends_before_the_turn_is_given_back(tmp_path, gate):
    @contextmanager
    def slow() -> Iterator[None]:
        gate.enter()
        yield

    client = chromadb.PersistentClient(str(tmp_path), QuietSettings(anonymized_telemetry=False))
    store = PageVectorStore(client.create_collection("pages", embedding_function=None), slow, slow, 100)
    node = TextNode(id_="demo:Io@1#s0/p1", text="words", metadata={PAGE: "demo:Io@1"}, embedding=[1.0, 0.0])
    assert await stopped_at(gate, asyncio.create_task(store.async_add([node])))
    assert store.names_on(PageKey("demo:Io@1")) == {node.node_id}
    client.close()


async def test_a_call_gives_what_it_returns_or_raises():
    assert await until_done(np.add, 1, 2) == 3
    with pytest.raises(ZeroDivisionError):
        await until_done(divmod, 1, 0)


async def test_a_stopped_call_that_fails_is_stopped(gate):
    def fail() -> None:
        gate.enter()
        raise ValueError("nobody hears this")

    assert await stopped_at(gate, asyncio.create_task(until_done(fail)))
