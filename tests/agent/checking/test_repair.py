"""Refused claims are rewritten all together, by a model that sees why and all of what they cite."""

import time

import pytest

from agent.checking.repair import NewQuote, RepairedClaim, RepairedClaims, repaired
from agent.writing.replies import MOST_CITATIONS
from heliograph.types import (
    Cell,
    Computation,
    DraftClaim,
    Evidence,
    EvidenceId,
    PageKey,
    Place,
    Quote,
    Refusal,
    Scored,
    TableEvidence,
    TextEvidence,
)
from tests.fakes_language import ScriptedLLM

PLACE = Place(PageKey("w:Holm@1"), "Holm Light", "s0")
LIT = TextEvidence(EvidenceId("w:Holm@1#s0/p1"), PLACE, "paragraph", "It was first lit [a] in 1889. It closed in 1957.")
LIGHTS = TableEvidence(
    EvidenceId("w:Holm@1#s0/t1"),
    PLACE,
    "table",
    "Lights",
    ("Light", "Height (m)"),
    ((Cell("Holm Light"), Cell("31")), (Cell("North Light"), Cell("38"))),
)
ROW = EvidenceId(f"{LIGHTS.id}/r1")
EVIDENCE: tuple[Scored[Evidence], ...] = (Scored(LIT, 0.5), Scored(LIGHTS, 0.4))
OLDEST = Refusal(
    DraftClaim("The oldest light was lit in 1889.", (Quote(LIT.id, "in 1889"),)), "no piece says [E9] oldest"
)
TALLEST = Refusal(DraftClaim("Holm Light is 32 m tall.", (Quote(ROW, "31"),)), "not in its quotes: 32 m")
MENDED = DraftClaim("Holm Light was first lit in 1889.", (Quote(LIT.id, "first lit [a] in 1889"),))


def said(*claims: tuple[int, str, str, str]) -> RepairedClaims:
    return RepairedClaims(
        claims=[
            RepairedClaim(claim=number, text=text, citations=[NewQuote(handle=handle, quote=quote)])
            for number, text, handle, quote in claims
        ]
    )


async def test_one_call_shows_whole_pieces_rows_with_their_tables_and_reasons():
    llm = ScriptedLLM([said()])
    assert await repaired(llm, [OLDEST, TALLEST], EVIDENCE) == (None, None)

    (prompt,) = llm.prompts
    assert prompt.parts[0].splitlines()[2:-2] == [
        "[E1] (text) Holm Light :: It was first lit (a) in 1889. It closed in 1957.",
        "[E2] (table) Holm Light :: Lights // columns: Light | Height (m) (all 2 rows)",
        "[E2.1] Holm Light | 31",
        "[E2.2] North Light | 38",
    ]
    assert prompt.parts[1].splitlines()[2:-1] == [
        "[C1] cites E1: The oldest light was lit in 1889. (refused: no piece says (e9) oldest)",
        "[C2] cites E2.1: Holm Light is 32 m tall. (refused: not in its quotes: 32 m)",
    ]


async def test_a_repair_may_cite_as_much_as_the_writer():
    quotes = ("It was", "first", "lit", "1889", "It closed", "in 1957", "closed in")
    reply = RepairedClaims(
        claims=[RepairedClaim(claim=1, text="Lit.", citations=[NewQuote(handle="E1", quote=quote) for quote in quotes])]
    )
    (found,) = await repaired(ScriptedLLM([reply]), [OLDEST], EVIDENCE)

    assert found == DraftClaim("Lit.", tuple(Quote(LIT.id, quote) for quote in quotes[:MOST_CITATIONS]))
    assert RepairedClaim.model_json_schema()["properties"]["citations"]["maxItems"] == MOST_CITATIONS


async def test_quotes_are_the_sources_own_words_and_rows_are_whole():
    llm = ScriptedLLM(
        [
            said(
                (1, "Holm Light was [E1]\nfirst lit in 1889.", "E1", "first lit (a) in 1889"),
                (2, "Holm Light is 31 m tall.", "E2.1", "31"),
            )
        ]
    )
    assert await repaired(llm, [OLDEST, TALLEST], EVIDENCE) == (
        MENDED,
        DraftClaim("Holm Light is 31 m tall.", (Quote(ROW, "Light: Holm Light; Height (m): 31"),)),
    )


async def test_what_cannot_be_repaired_is_left_out():
    same = (1, OLDEST.claim.text, "E1", "in 1889")
    for claim in (
        same,
        (1, "Forged.", "E1", "not there"),
        (1, "Forged.", "E7", "in 1889"),
        (5, "Foreign.", "E1", "It"),
    ):
        assert await repaired(ScriptedLLM([said(claim)]), [OLDEST], EVIDENCE) == (None,)
    linked = (1, "See http://x.example/a in 1889.", "E1", "in 1889")
    assert await repaired(ScriptedLLM([said(linked)]), [OLDEST], EVIDENCE) == (None,)


async def test_a_long_reply_is_read_in_time_that_grows_with_its_length_alone():
    """A quadratic reader took minutes; the processor's time of this thread is the same on a busy machine."""
    llm = ScriptedLLM([said((1, f"Lit{' ' * 100_000}in 1889 [E1].", "E1", "in 1889"))])
    began = time.thread_time()
    found = await repaired(llm, [OLDEST], EVIDENCE)
    assert time.thread_time() - began < 10
    assert found == (DraftClaim("Lit …", (Quote(LIT.id, "in 1889"),)),)


async def test_what_cites_nothing_at_hand_is_not_shown():
    gone = Refusal(DraftClaim("It glows.", (Quote(EvidenceId("w:Gone@1#s0/p1"), "x"),)), "no")
    llm = ScriptedLLM([said((1, MENDED.text, "E1", "first lit (a) in 1889"))])

    assert await repaired(llm, [gone, OLDEST], EVIDENCE) == (None, MENDED)
    assert await repaired(ScriptedLLM(), [gone], EVIDENCE) == (None,)


@pytest.mark.parametrize(("text", "value"), [("There are 2 lights.", "2"), ("Holm Light was lit in 1889.", None)])
async def test_a_calculated_value_stays_where_the_new_words_tell_it(text, value):
    computation = Computation("count", LIGHTS.id, "Light", (), "2")
    refused = DraftClaim("There are only 2 lights in the world.", OLDEST.claim.quotes, computation)
    llm = ScriptedLLM([said((1, text, "E1", "in 1889"))])
    (found,) = await repaired(llm, [Refusal(refused, "the world is not said")], EVIDENCE)

    assert "(computed: count of column “Light” over rows none: 2)" in llm.prompts[0].parts[1]
    assert found is not None
    assert (found.text, found.computation) == (text, computation if value else None)


async def test_what_does_not_fit_two_calls_is_left_out():
    long = [Refusal(DraftClaim(f"It {'so ' * 300}{n}", OLDEST.claim.quotes), "no") for n in range(3)]
    llm = ScriptedLLM([said((1, MENDED.text, "E1", "first lit (a) in 1889"))], room=850)

    assert await repaired(llm, long, EVIDENCE) == (MENDED, MENDED, None)
    assert len(llm.prompts) == 2
