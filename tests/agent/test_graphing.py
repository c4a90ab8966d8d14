"""The tiers of the table-text graph in the state machine: steps, pages that are read, what the ledger gets."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.asking import ask
from agent.graphing import EDGE_WEIGHT, raise_by_edges
from agent.language.falling_back import Attempts, CountedLLM
from agent.services import GraphTools, Limits, Services
from heliograph.errors import ModelTimeout
from heliograph.types import Answer, Edge, EvidenceId, Observation, Subgraph, Verdict
from indexers.pieces import ROWS_A_TABLE
from memory.recorded_graph import RecordedTableText
from memory.trace import ReplayRecorder, SystemClock, TraceRecorder, compare, load_trace
from tests.agent.test_graph import ROUND, steps
from tests.fakes import FakePages, FakeReflector, FakeScorer, key_of, make_page, make_services, paragraph
from tests.indexers.edges.test_pages import LIGHTS, SKERRY, search
from tests.tools.refinement.varn import FakeRefineLLM
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import TableReader
from tools.refinement import ListwiseRefiner

COAST = make_page("Coast of Brandt", html=LIGHTS)
LIGHT = make_page("Skerry Light", SKERRY)
QUESTION = "Which light was built by Ada Brandt?"
TABLE = f"{key_of('Coast of Brandt')}#s1/t1"
ROW = EvidenceId(f"{TABLE}/r1")
STEPS = {
    "off": ROUND,
    "light": [*ROUND[:5], "retrieve_subgraph", *ROUND[5:]],
    "full": [*ROUND[:5], "retrieve_subgraph", "expand_nodes", "refine_stars", *ROUND[5:]],
}


def services(folder: Path, tier: str, linked_pages: int = 10, **changes: object) -> Services:
    """Return an agent that finds the page with the table, and not the page that its best row links to."""
    tools = None if tier == "off" else GraphTools(search(folder, "edge")[0], tier, linked_pages)
    parts = {"graph": tools, "reflector": FakeReflector([Verdict(True)]), **changes}
    return make_services((COAST, LIGHT), {"brandt": ["Coast of Brandt"]}, **parts)


def seen(answer: Answer) -> dict[EvidenceId, Observation]:
    return {one.evidence: one for one in answer.evidence}


@pytest.mark.parametrize("tier", sorted(STEPS))
async def test_a_tier_decides_which_steps_a_round_has(tmp_path: Path, tier: str) -> None:
    agent = services(tmp_path, tier)
    await ask(QUESTION, agent)
    assert steps(agent) == ["ask", "recall", "plan", *STEPS[tier], "write_answer", "verify_citations"]


async def test_light_reads_no_further_page(tmp_path: Path) -> None:
    agent = services(tmp_path, "light")
    answer = await ask(QUESTION, agent)
    assert agent.pages.asked == ["Coast of Brandt"]
    assert paragraph("Skerry Light") not in seen(answer)


async def test_full_reads_what_the_best_rows_link_to_and_says_what_could_not_be_read(tmp_path: Path) -> None:
    agent = services(tmp_path, "full")
    answer = await ask(QUESTION, agent)
    assert agent.pages.asked == ["Coast of Brandt", "Skerry Light", "Far Light"]
    assert 'no page "Far Light"' in answer.notes
    assert answer.rounds[0].documents == (key_of("Coast of Brandt"), key_of("Skerry Light"))
    assert seen(answer)[paragraph("Skerry Light")].via == ROW
    assert seen(answer)[ROW].via == paragraph("Skerry Light")


@pytest.mark.parametrize(("linked_pages", "limits"), [(1, Limits()), (10, Limits(max_pages=2))])
async def test_full_reads_no_more_pages_than_it_may(tmp_path: Path, linked_pages: int, limits: Limits) -> None:
    agent = services(tmp_path, "full", linked_pages, limits=limits)
    await ask(QUESTION, agent)
    assert agent.pages.asked == ["Coast of Brandt", "Skerry Light"]


async def test_a_page_without_tables_leaves_the_graph_empty(tmp_path: Path) -> None:
    tools = GraphTools(search(tmp_path)[0], "full", 10)
    agent = make_services((LIGHT,), {"a": ["Skerry Light"]}, graph=tools, reflector=FakeReflector([Verdict(True)]))
    answer = await ask(QUESTION, agent)
    assert [one.evidence for one in answer.evidence] == [paragraph("Skerry Light")]


async def test_the_best_edge_leads_the_ledger(tmp_path: Path) -> None:
    answer = await ask(QUESTION, services(tmp_path, "full", evidence_reranker=FakeScorer(other=0.4)))
    assert answer.evidence[0].evidence == paragraph("Skerry Light")
    assert seen(answer)[ROW].score > 0.4
    assert all(one.score >= 0.4 for one in answer.evidence)


async def test_what_a_model_refuses_is_not_raised(tmp_path: Path) -> None:
    found, scorer = search(tmp_path, "edge")[0], FakeScorer(other=0.4)
    refusing = FakeRefineLLM(False, refused=frozenset({"Skerry Light", "Coast of Brandt"}))
    agent = services(
        tmp_path, "full", graph=GraphTools(found, "full", 10, ListwiseRefiner(refusing)), evidence_reranker=scorer
    )
    answer = await ask(QUESTION, agent)
    assert (seen(answer)[ROW].score, seen(answer)[ROW].via) == (0.4, None)
    assert paragraph("Skerry Light") not in seen(answer)


LAST = TableReader(SaidSlots({"Which light was lit last?": Plan("most", "Light", "Lit")}))
"""Code that finds the light that was lit last."""


@pytest.mark.parametrize("by_model", [3, 2])
async def test_a_row_that_code_and_model_select_is_as_sure_as_the_graph_gets(tmp_path: Path, by_model: int) -> None:
    found, scorer = search(tmp_path, "edge")[0], FakeScorer(other=0.4)
    selecting = FakeRefineLLM(rows={"Coast of Brandt": (by_model,)})
    agent = services(
        tmp_path,
        "full",
        graph=GraphTools(found, "full", 10, ListwiseRefiner(selecting, LAST)),
        evidence_reranker=scorer,
    )
    answer = await ask("Which light was lit last?", agent)
    last = EvidenceId(f"{TABLE}/r3")
    sure = [one.evidence for one in answer.evidence if one.score == pytest.approx(1 - 0.6 * (1 - EDGE_WEIGHT))]
    assert sure == ([last] if by_model == 3 else [])
    assert (answer.evidence[0].evidence == last) == (by_model == 3)
    (refined,) = (span.output for span in agent.recorder.spans if span.name == "refine_stars")
    assert refined["agreed"] == (tuple(sure),)


async def test_what_code_and_model_agreed_on_counts_in_its_round_alone(tmp_path: Path) -> None:
    selecting = FakeRefineLLM(rows={"Coast of Brandt": (3,)})
    agent = make_services(
        (COAST, LIGHT),
        {"a": ["Coast of Brandt"], "b": ["Skerry Light"]},
        graph=GraphTools(search(tmp_path, "edge")[0], "full", 0, ListwiseRefiner(selecting, LAST)),
        limits=Limits(max_seconds=5.0),
        evidence_reranker=FakeScorer(other=0.4),
    )
    agent.pages.seconds = 3.0
    await ask("Which light was lit last?", agent)
    last = EvidenceId(f"{TABLE}/r3")
    assert [entered[last].score for entered in observed(agent)] == [pytest.approx(0.94), 0.4]


async def test_a_refiner_that_fails_costs_no_edge_and_is_counted_and_asked_no_more(tmp_path: Path) -> None:
    agent = services(tmp_path, "full", evidence_reranker=FakeScorer(other=0.4))
    silent = FakeRefineLLM(failing={("refine_stars", ""): ModelTimeout("silent")}, role="refine")
    refiner = ListwiseRefiner(CountedLLM(silent, Attempts(agent.meter)))
    answer = await ask(QUESTION, replace(agent, graph=replace(agent.graph, refiner=refiner)))
    assert seen(answer)[paragraph("Skerry Light")].via == ROW
    assert {(failure.role, failure.kind) for failure in answer.model_failures} == {("refine", "ModelTimeout")}
    assert any("refinement of stars" in note for note in answer.notes)
    assert len(silent.prompts) == 1


async def test_a_refiner_is_asked_once_a_round_and_about_no_pair_twice(tmp_path: Path) -> None:
    llm = FakeRefineLLM(False)
    tools = GraphTools(search(tmp_path, "edge")[0], "full", 1, ListwiseRefiner(llm))
    found = {"a": ["Coast of Brandt"], "b": ["Skerry Light"], "c": ["Far Light"]}
    pages = (COAST, LIGHT, make_page("Far Light", "Far Light was built by Bo Lund."))
    agent = make_services(pages, found, graph=tools, limits=Limits(rounds=3, pages_per_round=1))
    await ask(QUESTION, agent)
    assert steps(agent).count("refine_stars") == 3
    judged = [set(re.findall(r"(?m)^\[E\d+\] \(text\) (.*?) ::", prompt.parts[1])) for prompt in llm.prompts]
    assert judged == [{"Coast of Brandt", "Skerry Light"}, {"Far Light"}]


async def test_time_that_is_up_leaves_the_graph_alone(tmp_path: Path) -> None:
    agent = services(tmp_path, "full", limits=Limits(max_seconds=5.0))
    agent.pages.seconds = 10.0
    await ask(QUESTION, agent)
    assert "retrieve_subgraph" not in steps(agent)


async def test_the_graph_of_a_round_raises_nothing_in_a_later_one_that_has_no_time_for_its_own(tmp_path: Path) -> None:
    tools = GraphTools(search(tmp_path, "edge")[0], "light", 10)
    found = {"a": ["Coast of Brandt"], "b": ["Skerry Light"]}
    agent = make_services(
        (COAST, LIGHT), found, graph=tools, limits=Limits(max_seconds=5.0), evidence_reranker=FakeScorer(other=0.4)
    )
    agent.pages.seconds = 3.0
    await ask(QUESTION, agent)
    assert steps(agent).count("retrieve_subgraph") == 1
    first, second = observed(agent)
    assert (first[ROW].score > 0.4, first[ROW].via) == (True, ROW)
    assert second[ROW] == Observation(ROW, "table", 0.4, 2)


def observed(agent: Services) -> list[dict[EvidenceId, Observation]]:
    """Return what each round has entered into the ledger."""
    outputs = [span.output for span in agent.recorder.spans if span.name == "rerank_evidence"]
    return [{one.evidence: one for one in output["observations"]} for output in outputs]


async def test_a_link_to_a_redirect_is_an_edge_to_the_page_that_was_read(tmp_path: Path) -> None:
    moved = {"Coast of Brandt": COAST, "Skerry Light": make_page("Brandt Rock", SKERRY)}
    agent = services(tmp_path, "full", pages=FakePages(moved))
    answer = await ask(QUESTION, agent)
    assert seen(answer)[paragraph("Brandt Rock")].via == ROW


async def test_a_long_table_is_cut_where_the_indexes_cut_it(tmp_path: Path) -> None:
    body = "".join(f"<tr><td>Light {number}</td><td>{number}</td></tr>" for number in range(1, ROWS_A_TABLE + 200))
    page = make_page("Lights", html=f"<p>Lights.</p><table><tr><th>Light</th><th>Height</th></tr>{body}</table>")
    tools = GraphTools(search(tmp_path, "edge")[0], "full", 0)
    agent = make_services((page,), {"a": ["Lights"]}, graph=tools, reflector=FakeReflector([Verdict(True)]))
    answer = await ask("Which light has the greatest height?", agent)
    assert answer.evidence


async def test_a_run_with_a_graph_is_replayed_without_its_vectors(tmp_path: Path) -> None:
    class Silent:
        """Says what the nodes hold, and nothing else."""

        data = staticmethod(search(tmp_path / "unused")[0].data)

    async def run(recorder: TraceRecorder | ReplayRecorder, found: object) -> Answer:
        agent = services(tmp_path / "home", "full", recorder=recorder)
        selecting = FakeRefineLLM(rows={"Coast of Brandt": (3,)})
        tools = GraphTools(RecordedTableText(found, recorder), "full", 10, ListwiseRefiner(selecting, LAST))
        parts = {name: getattr(agent, name) for name in Services.__dataclass_fields__}
        return await ask("Which light was lit last?", Services(**{**parts, "graph": tools}))

    with TraceRecorder(tmp_path / "run", "run", SystemClock()) as recorder:
        asked = await run(recorder, search(tmp_path / "home", "edge")[0])
    replayed = ReplayRecorder(tmp_path / "run")
    assert await run(replayed, Silent()) == asked
    assert compare(load_trace(tmp_path / "run"), replayed.events).same
    assert f'"agreed":[["{TABLE}/r3"]]' in (tmp_path / "run" / "trace.jsonl").read_text(encoding="utf-8")


R1, R2, P1, P2 = (EvidenceId(name) for name in ("r1", "r2", "p1", "p2"))
scores, numbers = st.floats(-1, 1), st.floats(-50, 50)
names = st.sampled_from([R1, R2, P1, P2])
ends = st.tuples(st.sampled_from([R1, R2]), st.sampled_from([P1, P2, None]))


@given(
    st.lists(st.tuples(names, scores), unique_by=lambda one: one[0]),
    st.lists(st.tuples(ends, numbers), max_size=5),
    st.sets(st.sampled_from([R1, R2])),
)
def test_no_score_falls_and_only_nodes_of_edges_rise(
    pieces: list[tuple[EvidenceId, float]],
    drawn: list[tuple[tuple[EvidenceId, EvidenceId | None], float]],
    agreed: set[EvidenceId],
) -> None:
    before = [Observation(name, "text", score, 1) for name, score in pieces]
    graph = Subgraph(tuple(Edge(row, passage, score) for (row, passage), score in drawn))
    touched = {end for edge in graph.edges for end in (edge.segment, edge.passage)}
    for old, new, sure in zip(
        before, raise_by_edges(before, graph), raise_by_edges(before, graph, agreed), strict=True
    ):
        assert old.score <= new.score <= sure.score <= 1
        assert sure == new or new.evidence in agreed & touched
        if old.evidence not in touched:
            assert new == old


def test_a_node_is_as_likely_as_its_edges_together_and_explained_by_the_best() -> None:
    graph = Subgraph((Edge(R1, P1, 0.0), Edge(R1, P2, math.log(2)), Edge(R2, P1, 0.0)))  # chances 1/4, 1/2, 1/4
    found = [Observation(node, "text", 0.5, 1) for node in (R1, R2, P1, P2)]
    raised = raise_by_edges(found, graph)
    assert [(one.evidence, one.via) for one in raised] == [(R1, P2), (R2, P1), (P1, R1), (P2, R1)]
    expected = [1 - 0.5 * (1 - EDGE_WEIGHT * chance) for chance in (0.75, 0.25, 0.5, 0.5)]
    assert [one.score for one in raised] == pytest.approx(expected)
    sure = replace(raised[1], score=pytest.approx(1 - 0.5 * (1 - EDGE_WEIGHT)))
    assert raise_by_edges(found, graph, [R2]) == (raised[0], sure, *raised[2:])
