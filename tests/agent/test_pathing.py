"""A base of the pages read in the state machine: its step, what ledger and answer get, and what a fault costs."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.asking import ask
from agent.extractive.paths import draft_of
from agent.pathing import along_paths
from heliograph.types import Document, DraftCell, EvidenceId, FoundPaths, Observation, Quote, Verdict
from tests.agent.test_graph import ROUND, steps
from tests.fakes import FakeReflector, make_page, make_services, paragraph

ALPHA, BETA = make_page("Alpha", "Alpha has a ground."), make_page("Beta", "Beta opened in 1912.")
QUESTION = "Which clubs play in grounds opened before 1930?"


def cell(text: str, page: str) -> DraftCell:
    return DraftCell(text, Quote(paragraph(page), text))


FOUND = FoundPaths(
    "club: ground opened below 1930",
    ("club", "ground", "ground opened"),
    ((cell("Alpha", "Alpha"), cell("Beta", "Alpha"), cell("1912", "Beta")),),
    0.9,
)


@dataclass
class SaidPaths:
    """A search for paths whose result is known."""

    found: FoundPaths
    asked: list[tuple[str, int]] = field(default_factory=list)
    closed: int = 0

    async def paths(self, question: str, documents: Sequence[Document]) -> FoundPaths:
        self.asked.append((question, len(documents)))
        return self.found

    async def aclose(self) -> None:
        self.closed += 1


async def test_a_round_follows_paths_over_all_pages_and_their_pieces_enter_the_ledger() -> None:
    search = SaidPaths(FOUND)
    agent = make_services((ALPHA, BETA), {"a": ["Alpha", "Beta"]}, paths=search)
    answer = await ask(QUESTION, agent)
    path = [*ROUND[:4], "follow_paths", *ROUND[4:]]
    assert steps(agent)[3 : 3 + len(path)] == path
    assert (search.asked[0], search.closed) == ((QUESTION, 2), 1)
    raised = {seen.evidence: seen.via for seen in answer.evidence}
    assert raised.keys() >= {paragraph("Alpha"), paragraph("Beta")}


async def test_a_fault_of_the_base_is_a_note_and_the_question_is_answered() -> None:
    reflector = FakeReflector([Verdict(True)])
    agent = make_services(
        (ALPHA, BETA), {"a": ["Alpha"]}, paths=SaidPaths(FoundPaths(failure="the disk is full")), reflector=reflector
    )
    answer = await ask(QUESTION, agent)
    assert "no paths over the pages were found: the disk is full" in answer.notes
    assert not answer.abstained


def test_each_answer_is_said_with_its_path_and_cites_every_step() -> None:
    draft = draft_of(FOUND, QUESTION)
    assert draft is not None
    (claim,) = draft.claims
    assert claim.text == "Alpha: ground Beta; opened 1912"
    assert [quote.evidence for quote in claim.quotes] == [paragraph("Alpha"), paragraph("Alpha"), paragraph("Beta")]


@pytest.mark.parametrize(
    "question",
    [
        "How many clubs play in grounds opened before 1930?",
        "Do clubs play in grounds opened before 1930?",
        "When was the ground of Alpha opened?",
    ],
)
def test_paths_do_not_answer_what_asks_for_a_number_a_time_or_yes_and_no(question: str) -> None:
    assert draft_of(FOUND, question) is None


def test_what_one_piece_states_needs_no_path() -> None:
    alone = replace(FOUND, rows=((cell("Alpha", "Alpha"), cell("Beta", "Alpha"), cell("1912", "Alpha")),))
    assert draft_of(alone, QUESTION) is None
    assert draft_of(FoundPaths(), QUESTION) is None
    assert draft_of(None, QUESTION) is None


@given(st.floats(-1, 1), st.floats(0, 1))
def test_what_paths_rest_on_rises_and_nothing_else_moves(score: float, probability: float) -> None:
    own = Observation(paragraph("Alpha"), "text", round(score, 3), 1)
    other = Observation(EvidenceId(f"{paragraph('Alpha')}0"), "text", round(score, 3), 1)
    first, second = along_paths((own, other), replace(FOUND, probability=probability))
    assert first.via == own.evidence and first.score >= own.score
    assert first.score > own.score or probability < 0.1 or own.score > 0.9
    assert second == other
