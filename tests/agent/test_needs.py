"""Needs in a run: which a round asks for, what reflection adds, and what reaches the record."""

from hypothesis import given
from hypothesis import strategies as st

from agent.asking import ask
from agent.needs import ACTIVE, active_needs, born_needs, brief_of, needs_of, open_needs
from agent.services import Limits
from agent.state import State
from heliograph.types import (
    MOST_NEEDS,
    AnsweredNeed,
    Brief,
    EvidenceId,
    Hit,
    Need,
    NeedVerdict,
    Observation,
    Plan,
    Query,
    Verdict,
)
from tests.fakes import (
    WIKI,
    FakePlanner,
    FakeReflector,
    FakeRewriter,
    FakeScorer,
    FakeSearch,
    make_page,
    make_services,
    paragraph,
)

QUESTION = "Where was the designer of Holm Light born?"
HOLM = make_page("Holm Light", "Holm Light was drawn by Ada Holm.")
ADA = make_page("Ada Holm", "Ada Holm was born in Torvik.")
BORN = Need("birthplace of Ada Holm", "reflection")


def state(needs: int, met: tuple[int, ...] = (), activated: tuple[int, ...] = ()) -> State:
    verdict = Verdict(False, needs=tuple(NeedVerdict(place, place in met) for place in range(needs)))
    given = tuple(Need(f"need {place}") for place in range(needs))
    return State(question="need 0", needs=given, verdict=verdict, activated=activated)


def test_a_run_without_a_plan_needs_its_question() -> None:
    assert needs_of(State(question=QUESTION)) == (Need(QUESTION),)
    assert active_needs(State(question=QUESTION)) == (0,)


def test_a_round_asks_for_the_question_and_for_the_needs_that_fewest_rounds_have_asked_for() -> None:
    assert active_needs(state(7)) == (0, 1, 2, 3)
    assert active_needs(state(7, activated=(0, 1, 2, 3))) == (0, 4, 5, 6)
    assert active_needs(state(7, met=(0, 4), activated=(0, 1, 2, 3))) == (5, 6, 1, 2)
    assert open_needs(state(3, met=(1,))) == (0, 2)
    assert active_needs(state(2, met=(0, 1))) == (0,)


@given(st.integers(1, MOST_NEEDS), st.integers(1, 3))
def test_three_rounds_ask_for_every_need_of_a_report(needs: int, rounds: int) -> None:
    activated: tuple[int, ...] = ()
    for _ in range(rounds):
        activated += active_needs(state(needs, activated=activated))
    assert len(set(activated)) == min(needs, 1 + rounds * (ACTIVE - 1))


def test_a_brief_has_what_was_found_for_each_need_best_first() -> None:
    seen = [
        Observation(EvidenceId(name), "text", score, 1, need=need)
        for name, score, need in (("a", 0.2, 0), ("b", 0.9, 0), ("c", 0.1, 2))
    ]
    needs = (Need(QUESTION), Need("x", "plan"), BORN)
    of = brief_of(
        State(question=QUESTION, needs=needs, observations=tuple(seen), plan=Plan("report", needs, (), "Lights"))
    )
    assert of == Brief("report", needs, "Lights", (0, 1, 2), (("b", "a"), (), ("c",)))


def test_what_a_reflection_adds_is_new_and_bounded() -> None:
    verdict = Verdict(False, born=(Need("Need 1", "bridge"), BORN, BORN, *(Need(f"x{n}") for n in range(20))))
    added = born_needs(state(3), verdict)
    assert added[0] == BORN
    assert len(added) == MOST_NEEDS - 3


async def test_a_need_that_reflection_adds_is_asked_for_and_every_known_piece_is_scored_against_it() -> None:
    verdicts = [
        Verdict(False, needs=(NeedVerdict(0, False),), born=(BORN,), queries=("Ada Holm",)),
        Verdict(True, needs=(NeedVerdict(0, True), NeedVerdict(1, True, (paragraph("Ada Holm"),)))),
    ]
    services = make_services(
        (HOLM, ADA),
        {"a": ["Holm Light"], "Ada Holm": ["Ada Holm"]},
        reflector=FakeReflector(verdicts),
        rewriter=FakeRewriter([["a"]]),
    )
    answer = await ask(QUESTION, services)
    assert services.index.asked.count(BORN.text) == 3
    assert answer.rounds[1].queries == ("Ada Holm",)
    assert answer.needs == (
        AnsweredNeed(QUESTION, "question", True),
        AnsweredNeed(BORN.text, "reflection", True, (paragraph("Ada Holm"),)),
    )
    outputs = [span.output for span in services.recorder.spans if span.name == "rerank_evidence"]
    scored = [{(seen.evidence, seen.need) for seen in output["observations"]} for output in outputs]
    assert scored[0] == {(paragraph("Holm Light"), 0)}
    assert scored[1] >= {(paragraph("Holm Light"), 1), (paragraph("Ada Holm"), 0), (paragraph("Ada Holm"), 1)}


async def test_pages_and_evidence_are_chosen_by_turns_over_the_needs() -> None:
    """The page of the bridge is the last that the question would choose, and its evidence scores least against it."""
    pages = [make_page(f"Light {n}", f"Light {n} is a light.") for n in range(5)]
    found = {"a": [*(page.title for page in pages), "Ada Holm"]}

    class Choosing:
        async def rerank(self, question, results, read, limit):
            hits = [hit for result in results for hit in result.hits]
            return tuple(reversed(hits))[:limit] if question == BORN.text else tuple(hits)[:limit]

    class Scoring(FakeScorer):
        async def rerank(self, question, evidence, known, round):
            other = 0.9 if question == BORN.text else 0.1
            return tuple(
                Observation(each.id, "text", other if each.id == paragraph("Ada Holm") else 0.5, round)
                for each in evidence
            )

    services = make_services(
        (*pages, ADA),
        found,
        planner=FakePlanner((BORN.text,)),
        document_reranker=Choosing(),
        evidence_reranker=Scoring(),
        limits=Limits(rounds=1, pages_per_round=3, evidence_k=2),
    )
    answer = await ask(QUESTION, services)
    assert paragraph("Ada Holm") in [seen.evidence for seen in answer.evidence]


async def test_a_page_whose_table_answers_a_need_is_read_first_and_the_need_names_it() -> None:
    pages = [make_page(f"Light {n}", f"Light {n} is a light.") for n in range(5)]

    class Choosing:
        async def rerank(self, question, results, read, limit):
            return tuple(hit for result in results for hit in result.hits if hit.title != "Ada Holm")[:limit]

    class Reflecting(FakeReflector):
        async def reflect(self, needs, evidence, memory, read, queries):
            tables.extend(need.table for need in needs)
            return await super().reflect(needs, evidence, memory, read, queries)

    tables: list[Hit | None] = []
    services = make_services(
        (*pages, ADA),
        {},
        searches=[FakeSearch({QUESTION: [*(page.title for page in pages), "Ada Holm"]}, answers={"Ada Holm": 0.8})],
        reflector=Reflecting([Verdict(True)]),
        rewriter=FakeRewriter([[QUESTION]]),
        document_reranker=Choosing(),
        limits=Limits(rounds=1, pages_per_round=1),
    )
    answer = await ask(QUESTION, services)
    assert [seen.evidence for seen in answer.evidence] == [paragraph("Ada Holm")]
    assert tables == [Hit("Ada Holm", 6, WIKI, 0.8)]


async def test_a_query_whose_results_were_all_read_is_replaced_within_the_round() -> None:
    found = {"a": ["Holm Light"], "again": ["Holm Light"], "nothing": [], "Ada": ["Ada Holm"], "rest": ["Ada Holm"]}
    verdicts = [Verdict(False, queries=("again", "nothing")), Verdict(True)]
    services = make_services(
        (HOLM, ADA),
        found,
        reflector=FakeReflector(verdicts),
        rewriter=FakeRewriter([["a"], [*(f"w{n}" for n in range(10)), "Ada", "rest"]]),
    )
    answer = await ask(QUESTION, services)
    asked = answer.rounds[1].queries
    assert asked[:2] == ("again", "nothing")
    assert {"Ada", "rest"} <= set(asked)
    assert services.searches[0].asked.count("again") == 1
    assert Query("again") not in [Query(text) for text in asked[2:]]
