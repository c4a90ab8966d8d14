"""Refinement of a candidate subgraph: what is added, what is refused, and in which order edges stand."""

from dataclasses import replace

from heliograph.errors import ModelMalformed, ModelTimeout
from heliograph.types import Edge, Subgraph
from tests.tools.refinement.varn import (
    CANDIDATES,
    FERRIES,
    LIGHTS,
    PLAIN,
    QUESTION,
    VARN,
    FakeEdgeScorer,
    FakeRefineLLM,
    code_refiner,
    passage_of,
    row_of,
)
from tools.refinement import Refinement, TablePicks

NORTH = (
    Edge(row_of(3), passage_of("Ida Nord"), 0.03),
    Edge(row_of(3), passage_of("North Light"), 0.03),
)
"""The edges of the second tallest lighthouse, as the fake scorer scores them."""


async def test_without_a_model_code_adds_the_row_that_the_superlative_selects_and_nothing_is_refused() -> None:
    done = await code_refiner(FakeEdgeScorer()).refine(QUESTION, CANDIDATES, VARN)
    assert replace(done, computed=None) == Refinement(
        Subgraph((*CANDIDATES.edges, *NORTH)),
        added=NORTH,
        detected=("code",),
        picks=(TablePicks(LIGHTS.id, code=(row_of(3),)),),
    )
    assert done.computed is not None
    assert done.computed.names == ("North Light",)


async def test_a_question_without_aggregation_leaves_the_graph_as_it_is() -> None:
    scorer = FakeEdgeScorer()
    done = await code_refiner(scorer).refine(PLAIN, CANDIDATES, VARN)
    assert done == Refinement(CANDIDATES)
    assert scorer.asked == []


async def test_where_the_model_sees_no_aggregation_it_is_asked_for_no_rows() -> None:
    llm = FakeRefineLLM(aggregates=False)
    done = await code_refiner(FakeEdgeScorer(), llm).refine(PLAIN, CANDIDATES, VARN)
    assert (done.detected, done.picks, llm.asked("select_rows")) == ((), (), [])


async def test_the_model_selects_rows_of_restored_tables_where_wording_shows_no_aggregation() -> None:
    llm = FakeRefineLLM(rows={"Lighthouses": (2, 99, 2, -1)})
    done = await code_refiner(FakeEdgeScorer(), llm).refine(PLAIN, CANDIDATES, VARN)
    assert done.detected == ("model",)
    assert done.picks == (TablePicks(LIGHTS.id, model=(row_of(2),)),)
    assert done.added == (Edge(row_of(2), passage_of("Skerry Light"), 0.02),)
    assert [picks.agreement for picks in done.picks] == ["model alone"]


async def test_agreement_and_disagreement_of_code_and_model_are_told() -> None:
    agreements = {}
    for rows in ((3,), (3, 1), (2,), ()):
        llm = FakeRefineLLM(rows={"Lighthouses": rows})
        done = await code_refiner(FakeEdgeScorer(), llm).refine(QUESTION, CANDIDATES, VARN)
        agreements[rows] = done.picks[0].agreement
    assert agreements == {(3,): "agreed", (3, 1): "overlapping", (2,): "disagreed", (): "code alone"}


async def test_a_row_that_links_nothing_is_added_as_an_edge_by_itself() -> None:
    llm = FakeRefineLLM(rows={"Lighthouses": (4,)})
    done = await code_refiner(FakeEdgeScorer(), llm).refine(PLAIN, CANDIDATES, VARN)
    assert done.added == (Edge(row_of(4), None, 0.04),)


async def test_under_remove_refused_edges_go_as_long_as_k_stay() -> None:
    llm = FakeRefineLLM(aggregates=False, refused=frozenset({"Ada Holm", "Jon Skar"}))
    first, second, third, *rest = CANDIDATES.edges
    done = await code_refiner(FakeEdgeScorer(), llm, "remove", k=3).refine(PLAIN, CANDIDATES, VARN)
    assert done.graph == Subgraph((second, *rest))
    assert done.refused == done.removed == (first, third)


async def test_under_remove_the_best_refused_edges_fill_up_to_k_behind_the_others() -> None:
    llm = FakeRefineLLM(aggregates=False, refused=frozenset({"Ada Holm", "Jon Skar"}))
    first, second, third, *rest = CANDIDATES.edges
    done = await code_refiner(FakeEdgeScorer(), llm, "remove", k=4).refine(PLAIN, CANDIDATES, VARN)
    assert done.graph == Subgraph((second, *rest, first))
    assert (done.refused, done.removed) == ((first, third), (third,))


async def test_under_promote_refused_edges_follow_the_others_with_their_scores() -> None:
    llm = FakeRefineLLM(aggregates=False, refused=frozenset({"Ada Holm", "Jon Skar"}))
    first, second, third, *rest = CANDIDATES.edges
    done = await code_refiner(FakeEdgeScorer(), llm, "promote", k=1).refine(PLAIN, CANDIDATES, VARN)
    assert done.graph == Subgraph((second, *rest, first, third))
    assert done.removed == ()


async def test_under_promote_a_row_on_which_code_and_model_agree_goes_first_unless_it_is_refused() -> None:
    llm = FakeRefineLLM(rows={"Lighthouses": (3,)}, refused=frozenset({"North Light"}))
    done = await code_refiner(FakeEdgeScorer(), llm, "promote").refine(QUESTION, CANDIDATES, VARN)
    assert done.graph == Subgraph((NORTH[0], *CANDIDATES.edges, NORTH[1]))


async def test_under_remove_such_a_row_competes_by_its_score() -> None:
    llm = FakeRefineLLM(rows={"Lighthouses": (3,)})
    done = await code_refiner(FakeEdgeScorer(), llm, "remove").refine(QUESTION, CANDIDATES, VARN)
    assert done.graph == Subgraph((*CANDIDATES.edges, *NORTH))


async def test_a_model_that_fails_loses_nothing_and_a_note_says_so() -> None:
    llm = FakeRefineLLM(failing={("verify_passages", "Keeper: Ada Holm"): ModelMalformed("no JSON")})
    llm.refused = frozenset({"Ada Holm", "Solveig"})
    done = await code_refiner(FakeEdgeScorer(), llm, "remove", k=1).refine(PLAIN, CANDIDATES, VARN)
    assert done.removed == (CANDIDATES.edges[3],)
    assert done.notes == ("passages of 1 of 3 stars were not verified (ModelMalformed); their edges were kept",)


async def test_where_the_model_says_nothing_code_decides_alone() -> None:
    silence = ModelTimeout("silent")
    llm = FakeRefineLLM(failing={(name, ""): silence for name in ("detect_aggregation", "verify_passages")})
    done = await code_refiner(FakeEdgeScorer(), llm).refine(QUESTION, CANDIDATES, VARN)
    assert done.graph == Subgraph((*CANDIDATES.edges, *NORTH))
    assert done.notes == (
        "the model did not say whether the question aggregates (ModelTimeout)",
        "passages of 4 of 4 stars were not verified (ModelTimeout); their edges were kept",
    )


async def test_a_table_about_which_the_model_fails_gives_no_rows_and_the_others_do() -> None:
    llm = FakeRefineLLM(rows={"Ferries": (2,)}, failing={("select_rows", "Lighthouses"): ModelTimeout("silent")})
    done = await code_refiner(FakeEdgeScorer(), llm).refine(PLAIN, CANDIDATES, VARN)
    assert done.picks == (TablePicks(FERRIES.id, model=(row_of(2, "ferries"),)),)
    assert done.notes == (f"rows of {LIGHTS.id} were not selected by the model (ModelTimeout)",)


async def test_edges_that_cannot_be_scored_are_added_as_low_as_the_last() -> None:
    done = await code_refiner(FakeEdgeScorer(ModelTimeout("silent"))).refine(QUESTION, CANDIDATES, VARN)
    assert [edge.score for edge in done.added] == [0.5, 0.5]
    assert done.notes == ("2 added edges were not scored (ModelTimeout); they stand as low as the last",)


async def test_only_the_tables_with_the_best_edges_are_restored() -> None:
    llm = FakeRefineLLM(rows={"Ferries": (2,), "Lighthouses": (2,)})
    done = await code_refiner(FakeEdgeScorer(), llm, tables=1).refine(PLAIN, CANDIDATES, VARN)
    assert [picks.table for picks in done.picks] == [LIGHTS.id]


async def test_an_empty_graph_stays_empty() -> None:
    done = await code_refiner(FakeEdgeScorer(), FakeRefineLLM()).refine(QUESTION, Subgraph(()), VARN)
    assert done == Refinement(Subgraph(()), detected=("model",))


async def test_what_arithmetic_makes_of_the_whole_question_is_kept_beside() -> None:
    done = await code_refiner(FakeEdgeScorer()).refine("What is the tallest lighthouse of Varn?", CANDIDATES, VARN)
    assert done.computed is not None
    assert done.computed.names == ("Skerry Light",)
    assert done.by_code == (row_of(2),)
    assert done.by_model == ()
