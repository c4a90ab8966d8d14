"""Refinement by one list: what a round asks, what is kept for the run, and what a failing model costs."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ModelError, ModelMalformed, ModelTimeout
from heliograph.types import Edge, Prompt, Subgraph
from tests.tools.refinement.test_prompts import HOSTILE, lines_of
from tests.tools.refinement.test_properties import FEW, GRAPHS, QUESTIONS, REFUSED, ROWS
from tests.tools.refinement.varn import (
    CANDIDATES,
    LIGHTS,
    PLAIN,
    QUESTION,
    VARN,
    FakeEdgeScorer,
    FakeGraph,
    FakeRefineLLM,
    code_listwise,
    code_refiner,
    make_graph,
    make_table,
    passage_of,
    row_of,
)
from tools.refinement import Candidates, ListwiseRefiner, Refinement, TablePicks
from tools.refinement.replies import NeedVerdict, NeedVerdicts

OTHER = "Who is the captain of the Solveig?"
HOLM = (Edge(row_of(1), passage_of("Ada Holm"), 0.9), Edge(row_of(1), passage_of("Holm Light"), 0.8))


@dataclass(slots=True)
class Saying(FakeRefineLLM):
    """A model that says one thing whatever it is asked."""

    said: NeedVerdicts = field(default_factory=lambda: NeedVerdicts(needs=[]))

    def _said(self, prompt: Prompt) -> object:
        return self.said


def verdict(need: int, passages: Sequence[int] = (), rows: Sequence[str] = ()) -> NeedVerdict:
    """Return what a model says of one need."""
    return NeedVerdict(need=need, reason="", rows=list(rows), passages=list(passages))


async def refine(refiner: ListwiseRefiner, *asked: Candidates, data: FakeGraph = VARN) -> tuple[Refinement, ...]:
    return await refiner.refine(asked, data, FakeEdgeScorer())


async def test_all_stars_of_all_needs_are_one_call_in_the_order_of_ids() -> None:
    llm = FakeRefineLLM(aggregates=False)
    await refine(code_listwise(llm), Candidates(PLAIN, CANDIDATES), Candidates(OTHER, Subgraph(HOLM[:1])))
    (prompt,) = llm.prompts
    assert prompt.name == "refine_stars"
    assert lines_of(prompt.parts[1]) == [
        "[E1] (table) Ferries of Varn :: Ferry | Captain | Built (1 of 2 rows)",
        "[E1.1] Solveig | Per Gam | 1931",
        "[E2] (text) Solveig :: Solveig is known on Varn.",
        "[E3] (table) Lighthouses of Varn :: Lighthouse | Keeper | Height (m) (2 of 4 rows)",
        "[E3.1] Holm Light | Ada Holm | 31",
        "[E4] (text) Ada Holm :: Ada Holm is known on Varn.",
        "[E5] (text) Holm Light :: Holm Light is known on Varn.",
        "[E3.2] Skerry Light | Jon Skar | 44",
        "[E6] (text) Jon Skar :: Jon Skar is known on Varn.",
    ]
    assert prompt.parts[0].splitlines()[2:4] == [f"[N1] {PLAIN}", f"[N2] {OTHER}"]
    assert prompt.parts[2].splitlines() == ["To judge:", "N1: E2, E4-E6", "N2: E4"]


async def test_a_table_is_shown_whole_where_the_wording_of_a_need_compares_rows() -> None:
    llm = FakeRefineLLM(rows={"Lighthouses": (3,)})
    (done,) = await refine(code_listwise(llm), Candidates(QUESTION, Subgraph(CANDIDATES.edges[:1])))
    assert lines_of(llm.prompts[0].parts[1])[0].endswith("(4 of 4 rows)")
    assert (done.detected, done.picks) == (("code", "model"), (TablePicks(LIGHTS.id, (row_of(3),), (row_of(3),)),))
    assert {edge.segment for edge in done.graph.edges[:2]} == {row_of(3)}


async def test_a_passage_of_two_rows_is_written_once_and_judged_with_each() -> None:
    table = make_table("lights", "Lights", ("Light", "Keeper"), (("Holm Light", "Ida Nord"), ("Far Light", "Ida Nord")))
    data = make_graph((table,))
    ida = passage_of("Ida Nord")
    graph = Subgraph((Edge(row_of(1), ida, 0.9), Edge(row_of(2), ida, 0.8)))
    llm = Saying(said=NeedVerdicts(needs=[verdict(1, [3])]))
    (done,) = await refine(code_listwise(llm), Candidates(PLAIN, graph), data=data)
    told = [line for line in lines_of(llm.prompts[0].parts[1]) if "(text)" in line]
    assert told == ["[E2] (text) Ida Nord :: Ida Nord is known on Varn.", "[E3] (text) Ida Nord :: as E2"]
    assert done.refused == graph.edges[:1]


async def test_the_same_pair_is_never_judged_twice_and_the_first_verdict_stays() -> None:
    llm = FakeRefineLLM(aggregates=False, refused=frozenset({"Ada Holm"}))
    refiner = code_listwise(llm)
    await refine(refiner, Candidates(PLAIN, Subgraph(HOLM)))
    llm.refused = frozenset({"Holm Light", "Jon Skar"})
    done = [await refine(refiner, Candidates(PLAIN, graph)) for graph in (Subgraph(HOLM), CANDIDATES, CANDIDATES)]
    assert [[edge.passage for edge in each[0].refused] for each in done] == [
        [passage_of("Ada Holm")],
        [passage_of("Ada Holm"), passage_of("Jon Skar")],
        [passage_of("Ada Holm"), passage_of("Jon Skar")],
    ]
    assert [prompt.parts[2].splitlines()[1] for prompt in llm.prompts] == ["N1: E2-E3", "N1: E2, E4"]


async def test_another_need_is_another_pair() -> None:
    llm = FakeRefineLLM(aggregates=False)
    refiner = code_listwise(llm)
    for need in (PLAIN, OTHER, PLAIN):
        await refine(refiner, Candidates(need, Subgraph(HOLM)))
    assert len(llm.prompts) == 2


async def test_the_rows_that_were_first_selected_of_a_table_stay() -> None:
    llm = FakeRefineLLM(rows={"Lighthouses": (3,)})
    refiner = code_listwise(llm)
    await refine(refiner, Candidates(QUESTION, Subgraph(HOLM)))
    llm.rows = {"Lighthouses": (2,)}
    (done,) = await refine(refiner, Candidates(QUESTION, CANDIDATES))
    assert [picks.model for picks in done.picks if picks.table == LIGHTS.id] == [(row_of(3),)]
    assert "(1 of 4 rows)" in llm.prompts[1].parts[1]


async def test_a_table_of_which_no_row_was_selected_is_not_shown_again_to_be_compared() -> None:
    llm = FakeRefineLLM()
    refiner = code_listwise(llm)
    for _ in range(2):
        await refine(refiner, Candidates(QUESTION, Subgraph(HOLM)))
    assert len(llm.prompts) == 1


@pytest.mark.parametrize("error", [ModelTimeout("silent"), ModelMalformed("no JSON")])
async def test_a_model_that_fails_loses_nothing_and_is_asked_again_in_the_next_round(error: ModelError) -> None:
    llm = FakeRefineLLM(aggregates=False, refused=frozenset({"Ada Holm"}), failing={("refine_stars", ""): error})
    refiner = code_listwise(llm)
    failed = await refine(refiner, Candidates(PLAIN, CANDIDATES), Candidates(QUESTION, CANDIDATES))
    alone = [await code_refiner(FakeEdgeScorer()).refine(each, CANDIDATES, VARN) for each in (PLAIN, QUESTION)]
    assert [replace(each, notes=()) for each in failed] == alone
    kind = type(error).__name__
    assert [each.notes for each in failed] == [(f"10 edges of 2 needs were not verified ({kind}); they were kept",), ()]
    llm.failing = {}
    (done,) = await refine(refiner, Candidates(PLAIN, CANDIDATES))
    assert (done.refused, done.notes, len(llm.prompts)) == (CANDIDATES.edges[:1], (), 2)


async def test_a_need_that_the_model_passes_over_loses_nothing() -> None:
    llm = Saying(said=NeedVerdicts(needs=[verdict(2), verdict(2, [2, 3]), verdict(7)]))
    asked = (Candidates(PLAIN, Subgraph(HOLM)), Candidates(OTHER, Subgraph(HOLM)))
    first, second = await refine(code_listwise(llm), *asked)
    assert (first.refused, second.refused) == ((), HOLM)
    assert first.notes == ("2 edges of 2 needs were not verified (no room, or no verdict); they were kept",)


async def test_what_was_not_shown_cannot_be_named() -> None:
    rows = ["E1.2", "E1.99", "E9.1", "D1.2", "x", "E1.row 2", "e1.2"]
    llm = Saying(said=NeedVerdicts(needs=[verdict(0, [-1, 3, 99], rows)]))
    (done,) = await refine(
        code_listwise(llm), Candidates(PLAIN, Subgraph((*HOLM, Edge(row_of(2), passage_of("Jon Skar"), 0.7))))
    )
    assert done.by_model == (row_of(2),)
    assert done.added == (Edge(row_of(2), passage_of("Skerry Light"), 0.02),)
    assert [edge.passage for edge in done.refused] == [passage_of("Ada Holm"), passage_of("Jon Skar")]


async def test_a_long_handle_is_read_in_time_that_grows_with_its_length_alone() -> None:
    """A quadratic reader took minutes; the processor's time of this thread is the same on a busy machine."""
    llm = Saying(said=NeedVerdicts(needs=[verdict(1, [2], [" " * 100_000 + "x", " [E1.2] "])]))
    began = time.thread_time()
    (done,) = await refine(code_listwise(llm), Candidates(PLAIN, Subgraph(HOLM)))
    assert time.thread_time() - began < 10
    assert done.by_model == ()


async def test_edges_without_a_passage_cost_no_call() -> None:
    llm = FakeRefineLLM()
    graph = Subgraph((Edge(row_of(4), None, 0.5),))
    assert await refine(code_listwise(llm), Candidates(PLAIN, graph)) == (Refinement(graph),)
    assert await refine(code_listwise(llm), Candidates(PLAIN, Subgraph(()))) == (Refinement(Subgraph(())),)
    assert await refine(code_listwise(llm)) == ()
    assert llm.prompts == []


def crowd(rows: int, words: int) -> tuple[FakeGraph, Subgraph]:
    """Return a table whose rows link a long passage each, and all its edges."""
    table = make_table("lights", "Lights", ("Light", "Keeper"), [(f"Light {each}", "-") for each in range(rows)])
    data = make_graph((table,), {f"Light {each}": f"{each} burns. " + "word " * words for each in range(rows)})
    return data, Subgraph(tuple(data.edge(row, 1, 1 - row / 1_000) for row in range(1, rows + 1)))


@pytest.mark.parametrize(("words", "longest"), [(100, 500), (60, 300)])
async def test_passages_are_cut_before_a_second_call_is_made(words: int, longest: int) -> None:
    data, graph = crowd(30, words)
    llm = FakeRefineLLM(aggregates=False)
    await refine(code_listwise(llm), Candidates(PLAIN, graph), data=data)
    (prompt,) = llm.prompts
    shown = [line for line in lines_of(prompt.parts[1]) if "(text)" in line]
    assert len(shown) == 30
    assert longest - 10 < max(map(len, shown)) < longest + 60


async def test_what_does_not_fit_one_list_is_in_a_second_and_what_does_not_fit_two_is_kept() -> None:
    data, graph = crowd(400, 40)
    llm = FakeRefineLLM(aggregates=False, refused=frozenset(f"Light {each}" for each in range(400)))
    (done,) = await refine(code_listwise(llm), Candidates(PLAIN, graph), data=data)
    assert len(llm.prompts) == 2
    costs = [sum(map(llm.count, (prompt.system, *prompt.parts))) for prompt in llm.prompts]
    assert all(0.85 * llm.room < cost <= llm.room for cost in costs)
    assert 100 < len(done.refused) < 400
    assert done.refused == graph.edges[: len(done.refused)]
    left = 400 - len(done.refused)
    assert done.notes == (f"{left} edges of 1 needs were not verified (no room, or no verdict); they were kept",)


async def test_the_best_edges_of_each_need_are_judged_first_where_not_all_fit() -> None:
    data, graph = crowd(400, 40)
    first, last = Subgraph(graph.edges[:300]), Subgraph(graph.edges[300:])
    llm = FakeRefineLLM(aggregates=False, refused=frozenset(f"Light {each}" for each in range(400)))
    done = await refine(code_listwise(llm, lists=1), Candidates(PLAIN, first), Candidates(OTHER, last), data=data)
    assert abs(len(done[0].refused) - len(done[1].refused)) <= 1


async def test_a_model_without_room_for_one_passage_is_not_asked() -> None:
    llm = FakeRefineLLM(aggregates=False, room=300)
    (done,) = await refine(code_listwise(llm), Candidates(PLAIN, CANDIDATES))
    assert (llm.prompts, done.graph) == ([], CANDIDATES)
    assert done.notes == ("4 edges of 1 needs were not verified (no room, or no verdict); they were kept",)


async def test_a_table_to_compare_gets_half_of_the_room_and_what_is_left() -> None:
    cells = [(f"Light {each}", "-", str(each)) for each in range(2_000)]
    long = make_table("long", "Lighthouses", ("Lighthouse", "Keeper", "Height (m)"), cells)
    data = make_graph((long,))
    graph = Subgraph(tuple(data.edge(row, 1, 1 - row / 3_000, "long") for row in range(1_000, 1_400)))
    llm = FakeRefineLLM()
    await refine(code_listwise(llm), Candidates(QUESTION, graph), data=data)
    counts = [[("(text)" in line, "(table)" in line) for line in lines_of(prompt.parts[1])] for prompt in llm.prompts]
    passages, rows = (
        [sum(kind == wanted for kind in each) for each in counts] for wanted in ((True, False), (False, False))
    )
    assert rows[0] - passages[0] > 150
    assert passages[0] > 20
    assert rows[1] == passages[1]
    await refine(code_listwise(llm), Candidates(QUESTION, Subgraph(graph.edges[:1])), data=data)
    assert 0.75 * llm.room < sum(map(llm.count, (llm.prompts[-1].system, *llm.prompts[-1].parts))) <= llm.room


@FEW
@given(GRAPHS, GRAPHS, REFUSED, ROWS, QUESTIONS, st.integers(0, 2**32))
def test_the_order_of_edges_changes_nothing(
    one: Subgraph, two: Subgraph, refused: frozenset[str], rows: dict[str, list[int]], question: str, seed: int
) -> None:
    def run(graphs: Sequence[Subgraph]) -> tuple[list[Prompt], tuple[Refinement, ...]]:
        llm = FakeRefineLLM(rows=rows, refused=refused)
        asked = [Candidates(need, graph) for need, graph in zip((question, OTHER), graphs, strict=True)]
        return llm.prompts, asyncio.run(refine(code_listwise(llm), *asked))

    chance = random.Random(seed)
    mixed = [Subgraph(tuple(chance.sample(graph.edges, len(graph.edges)))) for graph in (one, two)]
    first, second = run((one, two)), run(mixed)
    assert first[0] == second[0]
    assert [each.graph for each in first[1]] == [each.graph for each in second[1]]


@FEW
@given(GRAPHS, REFUSED, QUESTIONS)
def test_a_list_refuses_what_its_stars_would_be_refused_one_by_one(
    graph: Subgraph, refused: frozenset[str], question: str
) -> None:
    llm = FakeRefineLLM(refused=refused, aggregates=False)
    (listed,) = asyncio.run(refine(code_listwise(llm), Candidates(question, graph)))
    starwise = asyncio.run(
        code_refiner(FakeEdgeScorer(), FakeRefineLLM(refused=refused, aggregates=False)).refine(question, graph, VARN)
    )
    assert replace(listed, notes=()) == starwise


@given(
    st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)),
    st.sampled_from(("title", "text", "cell", "header", "need")),
)
def test_page_text_stays_inside_its_line(words: str, place: str) -> None:
    cell, header, title, need = (words if place == each else each for each in ("cell", "header", "title", "need"))
    table = make_table("lights", title, ("Lighthouse", "Keeper", header), (("Holm Light", "Ada Holm", cell),))
    data = make_graph((table,), {"Ada Holm": words if place == "text" else "text"})
    llm = Saying()
    asyncio.run(refine(code_listwise(llm), Candidates(need, Subgraph(HOLM)), data=data))
    (prompt,) = llm.prompts
    assert [line.partition("]")[0] for line in lines_of(prompt.parts[1])] == ["[E1", "[E1.1", "[E2", "[E3"]
    assert [line.count("[") for line in lines_of(prompt.parts[1])] == [1, 1, 1, 1]
    assert len(prompt.parts[0].splitlines()) == 4
