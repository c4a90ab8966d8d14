"""The state machine on fakes: which steps run, when another round follows, and why a run stops."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.asking import ask
from agent.graph import RECURSION_LIMIT, build_graph
from agent.nodes import route_queries, route_round
from agent.services import Limits, Services
from agent.state import State
from heliograph.errors import HeliographError
from heliograph.types import Answer, EvidenceId, Need, Plan, Query, Verdict
from memory.ledger import FIRST, FLOOR
from tests.fakes import (
    FakeRecorder,
    FakeReflector,
    FakeRewriter,
    FakeScorer,
    FakeSearch,
    FakeVerifier,
    key_of,
    make_page,
    make_services,
    paragraph,
)

ALPHA = make_page("Alpha", "Alpha is the first letter.")
BETA = make_page("Beta", "Beta is the second letter.")
GAMMA = make_page("Gamma", "Gamma is the third letter.")
GREEK = (ALPHA, BETA, GAMMA)
FOUND = {"a": ["Alpha"], "b": ["Beta"], "c": ["Gamma"]}
ENOUGH = Verdict(True)
LACKING = Verdict(False, missing=("the rest",))

ROUND = [
    "rewrite_query",
    "search_documents",
    "rerank_documents",
    "index_evidence",
    "retrieve_evidence",
    "rerank_evidence",
    "reflect",
]


def steps(services: Services) -> list[str]:
    recorder = services.recorder
    assert isinstance(recorder, FakeRecorder)
    return [span.name for span in recorder.spans]


async def test_only_searches_that_take_questions_are_asked_the_needs_as_they_are_said() -> None:
    words, base = FakeSearch(FOUND), FakeSearch(FOUND, "base", takes_questions=True)
    services = make_services(GREEK, FOUND, searches=(words, base), reflector=FakeReflector([ENOUGH]))
    await ask("Which letter is first?", services)
    assert words.asked == ["a"]
    assert base.asked == ["Which letter is first?", "a"]


async def test_one_sufficient_round_runs_each_step_once_in_its_order() -> None:
    services = make_services(GREEK, FOUND, reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter is first?", services)
    assert steps(services) == ["ask", "recall", "plan", *ROUND, "write_answer", "verify_citations"]
    assert (answer.stop_reason, answer.answer) == ("sufficient", "Alpha is the first letter. [1]")
    assert [record.documents for record in answer.rounds] == [(key_of("Alpha"),)]


async def test_a_second_round_follows_an_insufficient_first() -> None:
    reflector = FakeReflector([LACKING, ENOUGH])
    services = make_services(GREEK, FOUND, reflector=reflector)
    answer = await ask("Which letters are first and second?", services)
    assert reflector.asked == [record.queries for record in answer.rounds]
    assert steps(services) == ["ask", "recall", "plan", *ROUND, *ROUND, "write_answer", "verify_citations"]
    assert answer.stop_reason == "sufficient"
    assert [record.verdict for record in answer.rounds] == [LACKING, ENOUGH]


async def test_the_rewriter_of_a_round_remembers_all_rounds_before_it() -> None:
    rewriter = FakeRewriter([["a"], ["b"], ["c"]])
    answer = await ask("Which letters?", make_services(GREEK, FOUND, rewriter=rewriter))
    assert rewriter.memories == [(), answer.rounds[:1], answer.rounds[:2]]


async def test_evidence_of_earlier_turns_that_suffices_needs_no_round() -> None:
    services = make_services(GREEK, FOUND, earlier=(paragraph("Beta"),), reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter is second?", services)
    assert steps(services) == ["ask", "recall", "plan", "reflect", "write_answer", "verify_citations"]
    assert (answer.answer, answer.rounds, answer.sources) == ("Beta is the second letter. [1]", (), ())
    assert [(seen.evidence, seen.round) for seen in answer.evidence] == [(paragraph("Beta"), 0)]


async def test_evidence_of_earlier_turns_is_ranked_with_what_the_rounds_find() -> None:
    scores = FakeScorer({paragraph("Beta"): 0.9, paragraph("Alpha"): 0.4})
    reflector = FakeReflector([LACKING])
    services = make_services(
        GREEK,
        FOUND,
        earlier=(paragraph("Beta"),),
        evidence_reranker=scores,
        reflector=reflector,
        limits=Limits(rounds=1),
    )
    answer = await ask("Which letters?", services)
    assert [(seen.evidence, seen.round) for seen in answer.evidence] == [
        (paragraph("Beta"), 0),
        (paragraph("Alpha"), 1),
    ]
    assert [record.number for record in answer.rounds] == [1]


async def test_pages_of_earlier_turns_take_nothing_from_the_budget_of_pages() -> None:
    parts = {"reflector": FakeReflector([LACKING]), "limits": Limits(rounds=1, max_pages=1)}
    answer = await ask("Which letters?", make_services(GREEK, FOUND, earlier=(paragraph("Beta"),), **parts))
    assert [record.documents for record in answer.rounds] == [(key_of("Alpha"),)]


@pytest.mark.parametrize("gone", [EvidenceId("varn:Delta@1#s0/p1"), paragraph("Beta", 7), EvidenceId("no id")])
async def test_earlier_evidence_that_is_not_kept_any_more_is_passed_over(gone: EvidenceId) -> None:
    services = make_services(GREEK, FOUND, earlier=(gone,), reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter is first?", services)
    assert steps(services) == ["ask", "recall", "plan", *ROUND, "write_answer", "verify_citations"]
    assert answer.answer == "Alpha is the first letter. [1]"


async def test_three_insufficient_rounds_end_exhausted() -> None:
    answer = await ask("Which letters?", make_services(GREEK, FOUND))
    assert answer.stop_reason == "rounds_exhausted"
    assert [record.documents for record in answer.rounds] == [(key_of("Alpha"),), (key_of("Beta"),), (key_of("Gamma"),)]


@pytest.mark.parametrize("rounds", [1, 2, 3])
async def test_no_more_rounds_run_than_are_allowed(rounds: int) -> None:
    answer = await ask("Which letters?", make_services(GREEK, FOUND, limits=Limits(rounds=rounds)))
    assert (len(answer.rounds), answer.stop_reason) == (rounds, "rounds_exhausted")


async def test_every_third_page_of_a_later_round_is_one_that_its_queries_name() -> None:
    more = [make_page(title, f"{title} is a letter.") for title in ("Delta", "Epsilon")]
    found = {"a": ["Alpha"], '"Epsilon"': ["Beta", "Gamma", "Delta", "Epsilon"]}
    services = make_services((*GREEK, *more), found, limits=Limits(rounds=2, pages_per_round=3))
    answer = await ask("Which letters?", services)
    assert answer.rounds[1].documents == (key_of("Beta"), key_of("Gamma"), key_of("Epsilon"))


async def test_a_first_round_reads_the_pages_that_are_found_best() -> None:
    pages = (*GREEK, make_page("Delta", "Delta is a letter."))
    found = {'"Gamma"': ["Alpha", "Beta", "Delta", "Gamma"]}
    answer = await ask("Which letters?", make_services(pages, found, limits=Limits(rounds=1, pages_per_round=3)))
    assert answer.rounds[0].documents == (key_of("Alpha"), key_of("Beta"), key_of("Delta"))


async def test_a_round_whose_queries_were_all_asked_stops_as_repeated() -> None:
    services = make_services(GREEK, FOUND, rewriter=FakeRewriter([["a"]]))
    answer = await ask("Which letter?", services)
    assert (len(answer.rounds), answer.stop_reason) == (1, "repeated_query")
    assert not answer.abstained


async def test_a_round_that_adds_nothing_to_the_ledger_is_the_last() -> None:
    services = make_services(GREEK, {"a": ["Alpha"], "again": ["Alpha"], "c": ["Gamma"]})
    answer = await ask("Which letter?", services)
    assert (len(answer.rounds), answer.stop_reason) == (2, "no_new_evidence")
    assert answer.rounds[1].documents == ()


async def test_nothing_found_in_the_only_round_abstains() -> None:
    answer = await ask("Which letter?", make_services(GREEK, {"z": []}, limits=Limits(rounds=1)))
    assert (answer.stop_reason, answer.abstained, answer.citations, answer.evidence) == ("nothing_found", True, (), ())
    assert answer.answer == "I found no answer: nothing was found. Rounds: 1. Pages read: 0."


async def test_rounds_that_never_find_anything_end_as_nothing_found() -> None:
    answer = await ask("Which letter?", make_services(GREEK, {"x": [], "y": [], "z": []}))
    assert (answer.stop_reason, answer.abstained) == ("nothing_found", True)


async def test_a_second_round_can_find_what_the_first_did_not() -> None:
    services = make_services(GREEK, {"z": [], "a": ["Alpha"]}, reflector=FakeReflector([LACKING, ENOUGH]))
    answer = await ask("Which letter?", services)
    assert (answer.stop_reason, answer.answer) == ("sufficient", "Alpha is the first letter. [1]")
    assert [record.evidence for record in answer.rounds] == [(), (paragraph("Alpha"),)]


async def test_a_question_without_a_query_is_not_searched_for() -> None:
    services = make_services(GREEK, FOUND, rewriter=FakeRewriter([]))
    answer = await ask("What is it?", services)
    assert steps(services) == ["ask", "recall", "plan", "rewrite_query", "write_answer", "verify_citations"]
    assert (answer.rounds, answer.stop_reason, answer.abstained) == ((), "nothing_found", True)


async def test_a_claim_that_is_not_believed_is_not_made() -> None:
    services = make_services(GREEK, FOUND, verifier=lambda _: FakeVerifier(believes=False))
    answer = await ask("Which letter?", services)
    assert (answer.abstained, answer.claims, answer.citations) == (True, (), ())
    assert answer.answer.startswith("I found no answer: no claim of the answer was supported by what it cites.")


scores = st.lists(st.integers(0, 99).map(lambda hundredths: hundredths / 100), min_size=1, max_size=4)


@settings(max_examples=40)
@given(scores, scores, st.integers(1, 4))
def test_evidence_of_round_one_leaves_only_for_better_evidence(first: list[float], second: list[float], k: int) -> None:
    def answered(rounds: int) -> Answer:
        pages = [make_page("One", *(f"One {n}." for n in range(len(first))))]
        pages.append(make_page("Two", *(f"Two {n}." for n in range(len(second)))))
        known = {paragraph("One", n): score for n, score in enumerate(first, start=1)}
        known |= {paragraph("Two", n): score for n, score in enumerate(second, start=1)}
        services = make_services(
            pages,
            {"one": ["One"], "two": ["Two"]},
            evidence_reranker=FakeScorer(known),
            limits=Limits(rounds=rounds, evidence_k=k),
        )
        return asyncio.run(ask("Which?", services))

    # a lead of a page stands at the score of the best piece of its page and gives way to any chosen piece
    before, after = ([seen for seen in answered(rounds).evidence if seen.via is None] for rounds in (1, 2))
    kept = {seen.evidence for seen in after}
    for lost in (seen for seen in before if seen.evidence not in kept):
        if lost.score <= FLOOR:  # such a piece is shown only while it is among the first of its need
            assert sum(seen.score >= lost.score for seen in after) >= FIRST or len(after) == k
            continue
        better = [seen for seen in after if seen.score >= lost.score and seen.round == 2]
        assert len(after) == k and better
    assert [seen.score for seen in after[: len(before)]] >= [seen.score for seen in before]


@given(st.permutations(["a", "b", "c"]))
def test_the_order_of_rounds_does_not_change_the_ranking(order: list[str]) -> None:
    known = {paragraph("Alpha"): 0.7, paragraph("Beta"): 0.9, paragraph("Gamma"): 0.8}
    found = {query: FOUND[query] for query in order}
    answer = asyncio.run(ask("Which?", make_services(GREEK, found, evidence_reranker=FakeScorer(known))))
    assert [seen.evidence for seen in answer.evidence] == [paragraph("Beta"), paragraph("Gamma"), paragraph("Alpha")]


async def test_the_state_holds_ids_and_small_records_and_no_page_text() -> None:
    long = "A very long paragraph goes on about letters and never ends. " * 2000
    pages = [make_page(page.title, f"{page.title} is a letter.", long, html=None) for page in GREEK]
    services = make_services(pages, FOUND)
    state = State(question="Which letters?", started=0.0)
    largest = 0
    async for values in build_graph().astream(state, context=services, stream_mode="values"):
        written = json.dumps(values, default=repr)
        assert "goes on about letters" not in written
        largest = max(largest, len(written))
    assert 1000 < largest < 20_000


NEEDS = (Need("Which letter?"),)


async def test_every_step_is_traced_with_what_it_changed() -> None:
    services = make_services(GREEK, FOUND, reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter?", services)
    assert isinstance(services.recorder, FakeRecorder)
    outputs = {span.name: span.output for span in services.recorder.spans}
    assert outputs["ask"] == answer
    assert outputs["plan"] == {"plan": Plan("short", NEEDS), "needs": NEEDS}
    assert outputs["rewrite_query"] == {
        "round": 1,
        "queries": (Query("a"),),
        "spare": (),
        "active": (0,),
        "activated": (0,),
    }
    assert outputs["verify_citations"] == {"answer": answer}


async def test_progress_is_told_in_words() -> None:
    told: list[str] = []
    await ask("Which?", make_services(GREEK, FOUND, reflector=FakeReflector([ENOUGH]), progress=told.append))
    assert told == [
        "round 1: searching a",
        "round 1: reading 1 pages",
        "round 1: reflecting",
        "writing the answer",
        "checking claims",
    ]


async def test_an_error_of_the_store_ends_the_run() -> None:
    class Broken(FakeScorer):
        async def rerank(self, *_: object):
            raise HeliographError("the store is gone")

    with pytest.raises(HeliographError, match="the store is gone"):
        await ask("Which?", make_services(GREEK, FOUND, evidence_reranker=Broken()))


def test_the_routers_follow_the_queries_and_the_reason() -> None:
    assert route_queries(State(queries=(Query("a"),))) == "search_documents"
    assert route_queries(State(queries=())) == "write_answer"
    assert route_round(State()) == "rewrite_query"
    assert route_round(State(stop_reason="budget")) == "write_answer"


def test_three_rounds_fit_the_recursion_limit() -> None:
    assert len(ROUND) * 3 + 4 < RECURSION_LIMIT


def test_the_drawing_in_the_readme_is_the_graph() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf8")
    if "```mermaid" not in readme:
        pytest.skip("the README draws no graph")
    drawn = readme.split("```mermaid\n", 1)[1].split("```", 1)[0]
    assert len(edges(drawn)) == 22
    assert edges(drawn) == edges(build_graph().get_graph().draw_mermaid())


def edges(mermaid: str) -> set[tuple[str, str, str]]:
    """Return the arrows of a drawing by their ends and their kind; labels, shapes and styles do not matter."""
    arrow = re.compile(r"(\w+)(?:\(\S*\))? (-->|-\.(?: .* \.)?->) (\w+)")
    return {(start, "-->" if line == "-->" else "-.->", end) for start, line, end in arrow.findall(mermaid)}
