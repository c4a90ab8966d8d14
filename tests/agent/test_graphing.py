"""The tiers of the table-text graph in the state machine: steps, pages that are read, what the ledger gets."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.asking import ask
from agent.graphing import STAR_WEIGHT, explained
from agent.services import GraphTools, Limits, Services
from heliograph.types import Answer, Edge, EvidenceId, Observation, Subgraph, Verdict
from memory.recorded_graph import RecordedTableText
from memory.trace import ReplayRecorder, SystemClock, TraceRecorder
from tests.agent.test_graph import ROUND, steps
from tests.fakes import FakeReflector, FakeScorer, key_of, make_page, make_services, paragraph
from tests.indexers.edges.test_pages import LIGHTS, SKERRY, search

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
    assert steps(agent) == ["ask", "recall", *STEPS[tier], "write_answer", "verify_citations"]


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


async def test_evidence_that_says_more_by_itself_keeps_its_own_score(tmp_path: Path) -> None:
    answer = await ask(QUESTION, services(tmp_path, "full", evidence_reranker=FakeScorer(other=0.99)))
    assert {(one.score, one.via) for one in answer.evidence} == {(0.99, None)}


async def test_a_run_with_a_graph_is_replayed_without_its_models(tmp_path: Path) -> None:
    class Silent:
        """Says what the nodes hold, and nothing else."""

        data = staticmethod(search(tmp_path / "unused")[0].data)

    async def run(recorder: TraceRecorder | ReplayRecorder, found: object) -> Answer:
        agent = services(tmp_path / "home", "full", recorder=recorder)
        tools = GraphTools(RecordedTableText(found, recorder), "full", 10)
        parts = {name: getattr(agent, name) for name in Services.__dataclass_fields__}
        return await ask(QUESTION, Services(**{**parts, "graph": tools}))

    with TraceRecorder(tmp_path / "run", "run", SystemClock()) as recorder:
        asked = await run(recorder, search(tmp_path / "home", "edge")[0])
    assert await run(ReplayRecorder(tmp_path / "run"), Silent()) == asked


scores = st.floats(0, 1, allow_nan=False)
names = st.sampled_from([EvidenceId(name) for name in ("r1", "r2", "p1", "p2")])


@given(st.lists(st.tuples(names, scores), unique_by=lambda one: one[0]), scores, scores)
def test_no_score_falls_and_only_nodes_of_edges_rise(
    pieces: list[tuple[EvidenceId, float]], a: float, b: float
) -> None:
    before = [Observation(name, "text", score, 1) for name, score in pieces]
    best, other = sorted((a, b), reverse=True)
    graph = Subgraph((Edge(EvidenceId("r1"), EvidenceId("p1"), best), Edge(EvidenceId("r1"), None, other)))
    after = explained(before, graph)
    for old, new in zip(before, after, strict=True):
        if old.evidence in ("r1", "p1"):
            assert new.score == max(old.score, round(STAR_WEIGHT * best, 6))
            assert (new.via is not None) == (new.score > old.score)
        else:
            assert new == old
