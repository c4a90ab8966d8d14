"""On a large base the entities that words and the graph propose have vectors, and no others."""

import numpy as np
import pytest

from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.tools.skb.test_dense_retrieval import CountingEmbedder
from tools.skb.candidates import NO_SCORES, Candidates, EntityScores
from tools.skb.dense_retrieval import DenseRetriever
from tools.skb.planning import proposals as proposing
from tools.skb.planning.linking import EntityMention
from tools.skb.planning.proposals import MOST_LINKED, proposals
from tools.skb.systems import SystemModels, retriever_named


async def test_the_first_by_words_the_linked_and_their_neighbours_are_proposed(
    moons: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposing, "PROPOSED", 2)
    every = Candidates(moons).numbers("")
    hub = int(np.argmax([len(moons.graph.neighbours(np.array([each]))) for each in every.tolist()]))
    near = moons.graph.neighbours(np.array([hub]))
    words = EntityScores(np.array([0, 1, 2, near[-1]]), np.array([0.5, 3.0, 2.0, 1.0]))
    found = proposals(moons.graph, every, [words], [EntityMention(0, 4, "hub", (hub,), whole=True)])
    assert {1, 2, hub, int(near[-1])} <= set(found.tolist())
    assert len(found) <= 5 and found.tolist() == sorted(set(found.tolist()))
    assert proposals(moons.graph, every[:0], [words], []).tolist() == []
    assert proposals(moons.graph, every, [NO_SCORES], []).tolist() == []


def test_of_linked_entities_without_a_score_those_propose_neighbours_whose_name_the_fewest_share(
    moons: BuiltKnowledgeBase,
) -> None:
    every = Candidates(moons).numbers("")
    hub = int(np.argmax([len(moons.graph.neighbours(np.array([each]))) for each in every.tolist()]))
    shared = tuple(each for each in every.tolist() if each < hub)[:6]
    near = set(moons.graph.neighbours(np.array([hub])).tolist()) - {*shared}
    mentions = [EntityMention(0, 3, "ada", shared, whole=True), EntityMention(4, 7, "hub", (hub,), whole=True)]
    found = set(proposals(moons.graph, every, [NO_SCORES], mentions).tolist())
    assert len(shared) > MOST_LINKED and hub in found and near & found


async def test_some_entities_score_what_they_score_among_all_and_are_embedded_once(
    moons: BuiltKnowledgeBase,
) -> None:
    embedder, some = CountingEmbedder(name="some words"), np.array([3, 5, 8])
    dense = DenseRetriever(moons, embedder)
    found = await dense.scores_among("icy moons", some)
    assert len(embedder.texts) == 4  # the query, and three entities
    again = await dense.scores_among("icy moons", some)
    assert len(embedder.texts) == 5
    every = await dense.scores("icy moons")
    expected = every.values[np.searchsorted(every.numbers, some)]
    assert found.values == pytest.approx(expected) and again.values == pytest.approx(expected)
    assert (await dense.scores_among("", some)).numbers.size == 0


async def test_a_base_that_is_embedded_in_part_is_asked_as_one_that_is_whole(moons: BuiltKnowledgeBase) -> None:
    whole, part = (retriever_named(name, moons, SystemModels()) for name in ("plan", "plan-proposed"))
    query = "Which missions were launched on a Titan IIIE?"
    first = [{each.item for each in await one.retrieve(query, 4, "mission")} for one in (whole, part)]
    assert first[0] == first[1]
