"""Pages that give orders, a model that obeys every one, and a memory between questions: no order gets across."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.asking import ask
from heliograph.types import MemoryScope
from memory.episodes import EpisodeStore, Which, episode_json
from memory.episodic import PastQuestions, Recall
from prompts.harmless import harmless
from tests.agent.test_language_hostile import (
    ADDRESS,
    CANARY,
    CASES,
    OPERATOR,
    POLICIES,
    QUESTION,
    Case,
    cites_what_is_there,
    frames_hold,
    remembers_no_page,
    services_for,
)
from tests.fakes import WIKI, FakeClock, FakePages
from tests.fakes_models import FakeEmbedder

RELATED = "When was Holm Light on Lille Varn first lit and by whom?"
TITLED = ("title", "link", "heading")
"""Where an order may become a title, which is a name of a page and kept as one."""


@pytest.mark.parametrize("case", CASES[::3], ids=lambda case: f"{case.place}-{CASES.index(case)}")
async def test_no_order_gets_from_one_question_to_the_next(case: Case, tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)
    named: set[str] = set()
    for question in (QUESTION, QUESTION, RELATED):
        services, search, llm = services_for(case.pages(), POLICIES[CASES.index(case) % len(POLICIES)])
        services = replace(services, memory=remembering(store))
        answer = await ask(question, services)
        named |= search.named
        assert isinstance(services.pages, FakePages)
        assert set(services.pages.asked) <= named
        for query in search.asked:
            assert not ADDRESS.search(query), query
            assert not OPERATOR.search(query), query
        remembers_no_page(answer, services, case)
        cites_what_is_there(answer, services)
        assert not ADDRESS.search(answer.answer), answer.answer
        for prompt in llm.prompts:
            frames_hold("\n".join(prompt.parts))
            assert "run-1" not in "".join(prompt.parts)
        holds_names_and_numbers_only(store, case)


async def test_the_memory_does_propose_pages_and_queries_of_such_questions(tmp_path: Path) -> None:
    proposed = []
    for number, case in enumerate(CASES[::9]):
        store = EpisodeStore(tmp_path / str(number))
        services, _, _ = services_for(case.pages(), "repair")
        await ask(QUESTION, replace(services, memory=remembering(store)))
        told = await remembering(store).recollect(RELATED)
        assert [each.run for each in told.like] == ["run-1"]
        proposed.append(bool(told.pages))
    assert sum(proposed) > len(proposed) // 2


def remembering(store: EpisodeStore) -> PastQuestions:
    recall = Recall(MemoryScope(), "user", 90)
    return PastQuestions(store, FakeEmbedder(), recall, FakeClock(), lambda: "m", lambda: frozenset({WIKI}))


def holds_names_and_numbers_only(store: EpisodeStore, case: Case) -> None:
    """See that what is kept is the question, plain queries and plain titles, and no other word of a page."""
    (kept,) = store.matching(Which())
    for text in (kept.question, *(page.title for page in kept.pages), *(query.text for query in kept.queries)):
        assert harmless(text) == text
    assert {page.title for page in kept.pages} <= {page.title for page in case.pages()}
    if case.place not in TITLED:
        assert CANARY not in episode_json(kept).casefold()
