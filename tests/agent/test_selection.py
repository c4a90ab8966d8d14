"""Which evidence of the ledger goes on: seeds that link, queries expanded by them, the final k with their tables."""

from dataclasses import replace

from agent.library import Library
from agent.selection import (
    EXPANSIONS,
    KNOWN,
    REPORT_BUDGET,
    expanded_queries,
    final_evidence,
    final_ledger,
    first_leaves,
    known_evidence,
    tokens_of,
    with_tables,
)
from agent.services import Limits
from heliograph.types import EvidenceId, Form, Hit, Observation, Scored
from indexers.parser import page_of
from tests.fakes import key_of, make_page, make_services, paragraph

TABLE = (
    "<p>Plain.</p><p>See <a href='/wiki/Beta'>Beta</a>.</p>"
    "<table><tr><th>Name<th>Size<tr><td><a href='/wiki/Gamma'>Gamma</a><td>3<tr><td>Delta<td>4</table>"
)
ALPHA = make_page("Alpha", html=TABLE)
KEY = key_of("Alpha")
TABLE_ID, ROW = EvidenceId(f"{KEY}#s0/t1"), EvidenceId(f"{KEY}#s0/t1/r1")


async def library() -> Library:
    shelf = Library()
    await shelf.add(ALPHA, Hit("Alpha", 1))
    await shelf.add(make_page("Beta", "Beta is second."), Hit("Beta", 1))
    return shelf


def seen(evidence: EvidenceId, score: float, modality: str = "text") -> Observation:
    return Observation(evidence, modality, score, 1)


async def test_seeds_are_the_best_pieces_of_the_ledger() -> None:
    ledger = [seen(paragraph("Alpha", 1), 0.4), seen(paragraph("Alpha", 2), 0.5), seen(ROW, 0.7, "table")]
    assert [piece.id for piece in known_evidence(ledger, await library())] == [
        ROW,
        paragraph("Alpha", 2),
        paragraph("Alpha", 1),
    ]
    assert known_evidence([], await library()) == ()


async def test_seeds_are_few() -> None:
    shelf = Library()
    await shelf.add(make_page("Many", *(f"Paragraph {n}." for n in range(20))), Hit("Many", 1))
    ledger = [seen(paragraph("Many", n), n / 20) for n in range(1, 21)]
    best = [paragraph("Many", n) for n in range(20, 20 - KNOWN, -1)]
    assert [piece.id for piece in known_evidence(ledger, shelf)] == best


async def test_a_query_is_expanded_by_the_seeds_that_link_to_a_page_just_read() -> None:
    shelf = await library()
    known = known_evidence([seen(paragraph("Alpha", 2), 0.5), seen(ROW, 0.7, "table")], shelf)
    assert expanded_queries("Which?", known, shelf.documents([key_of("Beta")])) == ("Which?", "Which? Alpha: See Beta.")
    assert expanded_queries("Which?", known, ()) == ("Which?",)
    assert len(expanded_queries("Which?", known * 9, shelf.documents([key_of("Beta")]))) == 1 + EXPANSIONS


async def test_the_final_evidence_is_the_best_k_with_the_table_behind_a_row() -> None:
    services = make_services((), {}, library=await library(), limits=Limits(evidence_k=2))
    ledger = [seen(paragraph("Alpha", 1), 0.9), seen(paragraph("Beta"), 0.1), seen(ROW, 0.7, "table")]
    assert [each.evidence for each in final_ledger(ledger, services)] == [paragraph("Alpha", 1), ROW]
    assert [(each.item.id, each.score) for each in final_evidence(ledger, services)] == [
        (paragraph("Alpha", 1), 0.9),
        (ROW, 0.7),
        (TABLE_ID, 0.7),
    ]


async def test_the_final_evidence_keeps_within_its_tokens_and_leads_come_last_as_far_as_they_fit() -> None:
    shelf = await library()
    ledger = [seen(paragraph("Alpha", 2), 0.9), seen(ROW, 0.7, "table")]
    both = sum(tokens_of(shelf.evidence(each.evidence)) for each in ledger)

    def chosen(tokens: int) -> list[EvidenceId]:
        services = make_services((), {}, library=shelf, limits=Limits(evidence_tokens=tokens))
        return [each.evidence for each in final_ledger(ledger, services)]

    assert chosen(1) == [paragraph("Alpha", 2)]
    assert chosen(both) == [paragraph("Alpha", 2), ROW]
    assert chosen(1000) == [paragraph("Alpha", 2), ROW, paragraph("Alpha", 1)]


async def test_steps_that_ask_for_the_same_choice_share_it_and_another_ledger_or_limit_makes_another() -> None:
    services = make_services((), {}, library=await library())
    ledger = (seen(paragraph("Alpha", 1), 0.9), seen(ROW, 0.7, "table"))
    chosen = final_ledger(ledger, services)
    assert final_ledger(list(ledger), services) is chosen
    assert final_ledger(list(ledger), replace(services, form="long")) is chosen
    assert final_ledger(ledger[:1], services) == ledger[:1]
    assert final_ledger(ledger, replace(services, limits=Limits(evidence_k=1))) == ledger[:1]
    assert final_ledger(ledger, services) == chosen


async def test_the_first_leaves_keep_rows_of_one_table_and_the_leads_of_their_pages() -> None:
    shelf = await library()
    rows = [EvidenceId(f"{KEY}#s0/t1/r{n}") for n in (1, 2)]
    names = [*rows, paragraph("Beta"), paragraph("Alpha", 1), TABLE_ID]
    evidence = [Scored(shelf.evidence(name), 0.5) for name in names]
    kept = [each.item.id for each in first_leaves(evidence, 1)]
    assert kept == [*rows, *([paragraph("Alpha", 1)] if page_of(rows[0]) == key_of("Alpha") else []), TABLE_ID]


async def test_a_table_is_added_once_and_not_where_it_stands_already() -> None:
    shelf = await library()
    rows = [Scored(shelf.evidence(EvidenceId(f"{KEY}#s0/t1/r{n}")), 0.5) for n in (1, 2)]
    table = Scored(shelf.evidence(TABLE_ID), 0.9)
    assert [each.item.id for each in with_tables(rows, shelf)] == [ROW, f"{KEY}#s0/t1/r2", TABLE_ID]
    assert with_tables([table, *rows], shelf) == (table, *rows)


SECTIONS = (
    "<p>Alpha is a country.</p><h2>History</h2><p>It is old.</p><p>A king was crowned in 988.</p>"
    "<h2>Economy</h2><p>People fish.</p><h2>Sports</h2><p>People ski.</p>"
)


async def test_a_report_is_shown_what_stands_around_the_best_pieces_and_a_short_answer_is_not() -> None:
    shelf = Library()
    await shelf.add(make_page("Alpha", html=SECTIONS), Hit("Alpha", 1))
    leaves = [leaf.id for leaf in shelf.shelf[key_of("Alpha")].leaves]
    ledger = [seen(leaves[1], 0.9)]

    def chosen(form: Form, budget: int = 4096) -> list[EvidenceId]:
        services = make_services((), {}, library=shelf, limits=Limits(evidence_tokens=budget))
        return [each.evidence for each in final_ledger(ledger, services, form)]

    lead, old, king, fish, ski = leaves
    assert chosen("short") == [old, lead]
    assert chosen("report") == [old, lead, king, fish, ski]
    first = sum(tokens_of(shelf.evidence(name)) for name in (old, lead, king))
    assert chosen("report", round(first / REPORT_BUDGET + 0.5)) == [old, lead, king]
    services = make_services((), {}, library=shelf)
    around = final_ledger(ledger, services, "report")[2]
    assert around == Observation(king, "text", 0.9, 1, old)
    assert [each.evidence for each in final_ledger(ledger, services, "short")] == [old, lead]


async def test_of_a_page_that_holds_few_of_the_best_pieces_a_report_is_shown_their_sections_alone() -> None:
    shelf = Library()
    for title in ("Alpha", "Beta"):
        await shelf.add(make_page(title, html=SECTIONS), Hit(title, 1))
    alpha, beta = ([leaf.id for leaf in shelf.shelf[key_of(title)].leaves] for title in ("Alpha", "Beta"))
    ledger = [replace(seen(name, 0.9), need=need) for need in range(3) for name in alpha[:4]]
    ledger.append(replace(seen(beta[1], 0.8), need=2))
    services = make_services((), {}, library=shelf)
    shown = [each.evidence for each in final_ledger(ledger, services, "report")]
    assert set(shown) == {*alpha, *beta[:3]}


async def test_a_table_whose_row_was_chosen_is_not_added_around_it() -> None:
    services = make_services((), {}, library=await library())
    names = [each.evidence for each in final_ledger([seen(ROW, 0.9, "table")], services, "report")]
    assert names == [ROW, paragraph("Alpha", 1), paragraph("Alpha", 2)]
