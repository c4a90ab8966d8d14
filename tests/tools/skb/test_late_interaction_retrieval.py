"""Late interaction ranks what another system finds by the words of documents without relations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from heliograph.protocols import Vectors
from heliograph.types import EntityRecord, Scored
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.fakes_models import FakeEmbedder
from tests.tools.skb.sky import ENTITIES, RELATIONS, Records, built
from tools.skb.late_interaction_retrieval import COMPARED, LateInteractionRetriever

WIDTH = 256


@dataclass
class WordEncoder:
    """A vector per word; equal words are alike."""

    name: str = "words"
    dimensions: int = WIDTH
    documents: list[str] = field(default_factory=list)

    async def encode_queries(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        return tuple([await FakeEmbedder(dimensions=WIDTH).embed(text.split()) for text in texts])

    async def encode_documents(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        self.documents += texts
        return await self.encode_queries(texts)


@dataclass
class AllEntities:
    """Finds every entity, in the order of their numbers."""

    entities: int

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        return tuple(Scored(each, -float(each)) for each in range(min(k, self.entities)))


@pytest.fixture
def sky(tmp_path: Path) -> BuiltKnowledgeBase:
    return built(Records(ENTITIES, RELATIONS), tmp_path / "sky.skb")


async def test_a_score_sums_the_closest_word_of_each_word_of_the_query(sky: BuiltKnowledgeBase) -> None:
    retriever = LateInteractionRetriever(sky, AllEntities(5), WordEncoder())
    ranked = await retriever.retrieve("liquid many craters.", 3)
    assert [each.item for each in ranked] == [2, 3, 1]
    assert [each.score for each in ranked] == pytest.approx([2, 2, 1], abs=0.01)


async def test_relations_are_not_read_and_documents_are_encoded_once(sky: BuiltKnowledgeBase) -> None:
    encoder = WordEncoder()
    retriever = LateInteractionRetriever(sky, AllEntities(5), encoder)
    for _ in range(2):
        await retriever.retrieve("giant", 5)
    assert encoder.documents == [f"{each.name}\n{each.text}" for each in ENTITIES]


async def test_past_the_first_the_order_of_the_other_system_stands(tmp_path: Path) -> None:
    count = COMPARED + 20
    records = [EntityRecord(str(each), "t", f"n{each}", f"word{each}") for each in range(count)]
    base = built(Records(records), tmp_path / "many.skb")
    retriever = LateInteractionRetriever(base, AllEntities(count), WordEncoder())
    ranked = [each.item for each in await retriever.retrieve(f"word{count - 1} word50", count)]
    assert ranked[0] == 50
    assert ranked[COMPARED:] == list(range(COMPARED, count))


@pytest.mark.parametrize(("k", "entities"), [(0, 5), (5, 0)])
async def test_nothing_asked_or_found_is_nothing(sky: BuiltKnowledgeBase, k: int, entities: int) -> None:
    assert await LateInteractionRetriever(sky, AllEntities(entities), WordEncoder()).retrieve("giant", k) == ()


async def test_the_shipped_retriever_reads_what_is_meant(sky: BuiltKnowledgeBase) -> None:
    ranked = await LateInteractionRetriever(sky, AllEntities(5), OnnxTokenEncoder()).retrieve("seas of methane", 5)
    assert ranked[0].item == 1
    assert np.isfinite([each.score for each in ranked]).all()
