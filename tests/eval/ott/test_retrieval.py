"""HELIOS in the harness: its stages, its units, and how single edges and nodes are scored."""

from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from unittest.mock import ANY

import numpy as np
import pytest

from eval.ott.building import Searched, Workshop, build_retriever
from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.expansion_models import ExpansionRetrievers
from eval.ott.graph import OttGraph
from eval.ott.helios import scores_in_order
from eval.ott.models import Fusion, Models
from eval.ott.nodes import edge_lines, line_of_passage, segment_line
from eval.ott.ranking import Ranking, Unit
from eval.ott.recipe import Recipe
from eval.ott.retriever import Retrieval
from eval.ott.scorers import PairEdges, PairNodes
from eval.ott.sides import bipartite
from eval.ott.tokens import cost, encode_all, open_tokens
from heliograph.errors import StoreLocked
from heliograph.types import Edge, EvidenceId
from indexers.edges.fusion import JUDGED, FusionWeights
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.scorers import LateInteractionEdges, LateInteractionNodes
from indexers.edges.token_store import TokenStore
from tests.eval.ott.words import DIMENSIONS, OneWord, SaysPhrase, SharedWords, WordEncoder, vectors

QUESTION = "Which light was lit in 1871 by Ada Brandt?"
ROUNDING = 0.05
"""By which a similarity may differ from that of vectors that are kept whole."""
LIGHT = Recipe(scope="mini")
FULL = replace(LIGHT, tier="full")
EXPANDED = replace(FULL, beam_width=1, without=frozenset({"refinement"}))
SAYS_ALL = "Which tall tower of 1871 or 1889, in which year, by Ada Brandt, on Gull Rock or Holm Light of the Towers?"
"""A question for which BM25 proposes every node."""


async def asked(
    recipe: Recipe,
    corpus: OttCorpus,
    folder: Path,
    models: Models | None = None,
    question: str = QUESTION,
    *,
    whole: bool = False,
) -> Retrieval:
    with ExitStack() as stack:
        workshop = Workshop(folder, lambda _: None, stack, whole)
        searched = Searched(corpus, corpus.edges, "corpus")
        retriever = await build_retriever(recipe, "digest", searched, models or Models(WordEncoder()), workshop)
        assert (retriever.kind, retriever.digest) == (recipe.units, "digest")
        return await retriever.retrieve(question)


def sim(question: str, *lines: str) -> float:
    """Return equation 4 as it is written: the closest token of all lines, summed over the question's."""
    tokens = np.concatenate([vectors(line) for line in lines])
    return float((vectors(question) @ tokens.T).max(axis=1).sum())


def worth(corpus: OttCorpus, unit: Unit) -> float:
    """Return the similarity of a unit and QUESTION."""
    rows = [] if unit.row is None else [segment_line(corpus, unit.row)]
    return sim(QUESTION, *rows, *(line_of_passage(corpus, passage) for passage in unit.passages))


def falls(corpus: OttCorpus, ranking: Ranking) -> bool:
    """Tell whether a ranking falls by similarity, but for what a byte a number leaves out."""
    worths = [worth(corpus, unit) for unit in ranking]
    return all(first > second - ROUNDING for first, second in pairwise(worths))


async def test_the_light_tier_ranks_edges_by_late_interaction(corpus: OttCorpus, tmp_path: Path) -> None:
    found = await asked(LIGHT, corpus, tmp_path)
    assert set(found.ranking) == {Unit.edge(row, passage) for row, passage in corpus.edges.tolist()}
    assert falls(corpus, found.ranking)
    assert set(found.seconds) == {"retrieve"}
    assert found.scores == pytest.approx([worth(corpus, unit) for unit in found.ranking], abs=ROUNDING)


def test_scores_that_are_not_the_order_of_their_edges_are_left_out() -> None:
    edges = [Edge(EvidenceId(f"e{place}"), None, score) for place, score in enumerate((3.0, 3.0, 1.0))]
    assert scores_in_order(edges) == (3.0, 3.0, 1.0)
    assert scores_in_order([edges[2], *edges[:2]]) == ()


async def test_the_full_tier_adds_edges_that_no_link_draws(corpus: OttCorpus, tmp_path: Path) -> None:
    linked = {Unit.edge(row, passage) for row, passage in corpus.edges.tolist()}
    found = await asked(replace(FULL, beam_width=3), corpus, tmp_path)
    assert linked < set(found.ranking)
    assert len(found.ranking) == len(linked) + 3
    assert falls(corpus, found.ranking)
    assert set(found.seconds) == {"retrieve", "expand", "refine"}


@pytest.mark.parametrize("stage", ["expansion", "refinement"])
async def test_a_stage_that_is_left_out_takes_no_seconds(corpus: OttCorpus, tmp_path: Path, stage: str) -> None:
    found = await asked(replace(FULL, without=frozenset({stage})), corpus, tmp_path)
    other = {"expansion": "refine", "refinement": "expand"}[stage]
    assert set(found.seconds) == {"retrieve", other}


async def test_a_reranker_orders_what_was_found_and_leaves_k2(corpus: OttCorpus, tmp_path: Path) -> None:
    recipe = replace(LIGHT, reranker="shared-words", k2=2)
    models = Models(WordEncoder(), pairs=SharedWords())
    found = await asked(recipe, corpus, tmp_path, models, "Skerry Head Lit A year .")
    assert found.ranking == (Unit(1, (0,)), Unit(1, (2,)))
    assert set(found.seconds) == {"retrieve", "rerank"}
    assert all(seconds >= 0 for seconds in found.seconds.values())


async def test_a_reranker_scores_what_the_full_tier_adds(corpus: OttCorpus, tmp_path: Path) -> None:
    recipe = replace(FULL, reranker="shared-words", beam_width=2)
    found = await asked(recipe, corpus, tmp_path, Models(WordEncoder(), pairs=SharedWords()))
    edges = [edge_lines(corpus, unit.row or 0, *(unit.passages or (NO_PASSAGE,))) for unit in found.ranking]
    scores = await SharedWords().score(QUESTION, [" | ".join(lines) for lines in edges])
    assert list(scores) == sorted(scores, reverse=True)
    assert len(found.ranking) == len(corpus.edges) + 2


async def test_the_fused_reranker_scores_all_edges_of_the_full_tier_together(corpus: OttCorpus, tmp_path: Path) -> None:
    ones = (1.0,) * len(JUDGED)
    fused = Models(WordEncoder(), fusion=Fusion("fused", FusionWeights("words", ones, ones, ones)))
    recipe = replace(FULL, reranker="fused", beam_width=2)
    found = await asked(recipe, corpus, tmp_path, fused)
    assert len(found.ranking) == len(corpus.edges) + 2
    assert set(found.seconds) == {"retrieve", "rerank", "expand", "refine"}
    assert await asked(recipe, corpus, tmp_path, fused) == replace(found, seconds=ANY)


async def added(corpus: OttCorpus, folder: Path, models: Models) -> Unit:
    """Return the one edge that expansion adds."""
    found = await asked(EXPANDED, corpus, folder, models, SAYS_ALL)
    (unit,) = set(found.ranking) - {Unit.edge(row, passage) for row, passage in corpus.edges.tolist()}
    return unit


async def test_expansion_starts_from_the_node_that_the_node_reranker_puts_first(
    corpus: OttCorpus, tmp_path: Path
) -> None:
    for reranker in (None, SharedWords()):
        models = Models(WordEncoder(), pairs=reranker)
        row = await added(corpus, tmp_path, replace(models, nodes=SaysPhrase("Gull Rock")))
        passage = await added(corpus, tmp_path, replace(models, nodes=SaysPhrase("Ada Brandt")))
        assert (row.row, passage.passages) == (2, (2,))


@pytest.mark.parametrize(
    ("seed", "passages", "segments", "unit"),
    [
        ("Gull Rock", "tall", "holm", Unit(2, (3,))),
        ("Gull Rock", "1889", "holm", Unit(2, (1,))),
        ("Gull Rock", "year", "holm", Unit(2, (0,))),
        ("Ada Brandt", "year", "gull", Unit(2, (2,))),
        ("Ada Brandt", "year", "towers", Unit(3, (2,))),
    ],
)
async def test_retrievers_of_their_own_find_what_a_seed_leads_to(
    corpus: OttCorpus, tmp_path: Path, seed: str, passages: str, segments: str, unit: Unit
) -> None:
    retrievers = ExpansionRetrievers(OneWord(passages), OneWord(segments))
    models = Models(WordEncoder(), nodes=SaysPhrase(seed), expansion=retrievers)
    assert await added(corpus, tmp_path, models) == unit


async def test_retrievers_of_their_own_encode_one_side_each(corpus: OttCorpus, tmp_path: Path) -> None:
    edges, passages, segments = WordEncoder(), OneWord("tall"), OneWord("gull")
    models = Models(edges, expansion=ExpansionRetrievers(passages, segments))
    await asked(EXPANDED, corpus, tmp_path, models, whole=True)
    assert sorted(segments.encoded) == sorted(segment_line(corpus, row) for row in range(4))
    assert sorted(passages.encoded) == sorted(line_of_passage(corpus, at) for at in range(4))
    assert sorted(edges.encoded) == sorted(segments.encoded + passages.encoded)


async def test_one_model_in_several_places_shares_its_vectors(corpus: OttCorpus, tmp_path: Path) -> None:
    one, other, third = WordEncoder(), WordEncoder(), WordEncoder()
    shared = await asked(FULL, corpus, tmp_path / "shared", Models(one, expansion=ExpansionRetrievers(other, third)))
    assert shared == replace(await asked(FULL, corpus, tmp_path / "alone"), seconds=ANY)
    encoded = one.encoded + other.encoded + third.encoded
    assert len(encoded) == len(set(encoded)) == 8


async def test_k1_bounds_what_is_retrieved(corpus: OttCorpus, tmp_path: Path) -> None:
    every = (await asked(LIGHT, corpus, tmp_path)).ranking
    assert (await asked(replace(LIGHT, k1=2), corpus, tmp_path)).ranking == every[:2]


async def test_stars_and_nodes_are_ranked_by_late_interaction_too(corpus: OttCorpus, tmp_path: Path) -> None:
    stars = (await asked(replace(LIGHT, units="star"), corpus, tmp_path)).ranking
    nodes = (await asked(replace(LIGHT, units="node"), corpus, tmp_path)).ranking
    assert set(stars) == {Unit(0, (1,)), Unit(1, (2, 0)), Unit(2), Unit(3, (1,))}
    assert all((unit.row is None) == (len(unit.passages) == 1) for unit in nodes)
    assert falls(corpus, stars)
    assert falls(corpus, nodes)


@pytest.mark.parametrize("units", ["edge", "star", "node"])
async def test_a_question_whose_words_nobody_says_finds_nothing(corpus: OttCorpus, tmp_path: Path, units: str) -> None:
    assert (await asked(replace(LIGHT, units=units), corpus, tmp_path, question="zzz")).ranking == ()
    assert (await asked(replace(FULL, units="edge"), corpus, tmp_path, question="zzz")).ranking == ()


async def test_only_what_bm25_proposes_is_encoded(corpus: OttCorpus, tmp_path: Path) -> None:
    encoder = WordEncoder()
    await asked(replace(LIGHT, proposed=1, k1=1), corpus, tmp_path, Models(encoder), "Ferry Skerry Head tower Ada")
    assert set(encoder.encoded) == {segment_line(corpus, 1), line_of_passage(corpus, 2)}


async def test_edges_and_nodes_are_scored_as_equation_4_has_it(corpus: OttCorpus, tmp_path: Path) -> None:
    data = OttGraph(corpus)
    graph = bipartite(corpus, data, corpus.edges)
    tokens = NodeTokens(WordEncoder(), TokenStore(tmp_path, "words", DIMENSIONS))
    pairs = [(1, 2), (2, NO_PASSAGE), (0, 2)]
    edges = [data.edge(row, passage) for row, passage in pairs]
    lines = [edge_lines(corpus, row, passage) for row, passage in pairs]
    found = await LateInteractionEdges(graph, tokens).score(QUESTION, edges)
    assert found == pytest.approx([sim(QUESTION, *each) for each in lines], abs=ROUNDING)
    texts = [" | ".join(each) for each in lines]
    assert await PairEdges(graph, SharedWords()).score(QUESTION, edges) == await SharedWords().score(QUESTION, texts)
    nodes = [data.segment_id(3), data.passage_id(0)]
    alone = [segment_line(corpus, 3), line_of_passage(corpus, 0)]
    near = await LateInteractionNodes(graph, tokens).score(QUESTION, nodes)
    assert near == pytest.approx([sim(QUESTION, line) for line in alone], abs=ROUNDING)
    assert await PairNodes(graph, SharedWords()).score(QUESTION, nodes) == await SharedWords().score(QUESTION, alone)


async def test_the_whole_corpus_is_encoded_once(corpus: OttCorpus, tmp_path: Path) -> None:
    graph = bipartite(corpus, OttGraph(corpus), corpus.edges)
    sides, encoder, said = (graph.segments.lines, graph.passages.lines), WordEncoder("owner/words"), list[str]()
    for _ in range(2):
        with ExitStack() as stack:
            await encode_all(sides, open_tokens(encoder, tmp_path, stack), said.append)
    lines = [segment_line(corpus, row) for row in range(4)] + [line_of_passage(corpus, at) for at in range(4)]
    assert sorted(encoder.encoded) == sorted(lines)
    assert [line.partition(",")[0] for line in said] == ["nodes encoded: 8 of 8"]
    assert cost(sides).startswith("8 nodes, about ")
    assert cost(sides[1:]).startswith("4 nodes, about ")


async def test_two_processes_do_not_write_one_store(tmp_path: Path) -> None:
    with ExitStack() as one, ExitStack() as other:
        open_tokens(WordEncoder(), tmp_path, one)
        with pytest.raises(StoreLocked):
            open_tokens(WordEncoder(), tmp_path, other)


def test_a_store_is_not_read_while_another_process_writes_it(tmp_path: Path) -> None:
    encoder = WordEncoder()
    with ExitStack() as one, ExitStack() as other:
        open_tokens(encoder, tmp_path, one)
        (tmp_path / encoder.name / "manifest.json").write_bytes(b"half")
        with pytest.raises(StoreLocked):
            open_tokens(encoder, tmp_path, other)
