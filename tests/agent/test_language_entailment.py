"""The table of agent.language.entailment, row by row: a model never makes good what code can refute."""

import pytest

from agent.language.entailment import EntailmentClaimVerifier, combined
from heliograph.types import (
    CitedMarker,
    Claim,
    ClaimVerdict,
    Computation,
    DraftClaim,
    EvidenceId,
    PageKey,
    Place,
    Quote,
    TextEvidence,
)
from tests.fakes_language import ScriptedLLM

PIECE = TextEvidence(
    EvidenceId("w:Holm@1#s0/p1"),
    Place(PageKey("w:Holm@1"), "Holm Light", "s0"),
    "paragraph",
    "The wooden house with a lantern on its roof was first lit in 1889. It was not closed by the council.",
)
FIRST = "The wooden house with a lantern on its roof was first lit in 1889."
SECOND = "It was not closed by the council."


async def verify(text: str, chance: float, quote: str = FIRST) -> tuple[Claim, int]:
    llm = ScriptedLLM(chances=[chance])
    claim = DraftClaim(text, (Quote(PIECE.id, quote),))
    return await EntailmentClaimVerifier(llm).verify(claim, {PIECE.id: PIECE}, 1), llm.chosen


def checked(text: str, verdict: ClaimVerdict) -> Claim:
    return Claim(text, (CitedMarker(1, verdict),), verdict)


PARAPHRASE = "The wooden house of Holm Light, crowned by a lantern, started shining in 1889."
SUPPORTED = "Holm Light was first lit in 1889."
OLDEST = "The wooden house with a lantern, the oldest of Norway, was first lit in 1889."


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (PARAPHRASE, ("unsupported", "partial", "partial", "supported")),
        (SUPPORTED, ("unsupported", "partial", "supported", "supported")),
        (OLDEST, ("unsupported", "partial", "partial", "partial")),
    ],
)
async def test_where_code_leaves_room_the_model_decides(text, verdicts):
    for chance, verdict in zip((0.1, 0.4, 0.6, 0.9), verdicts, strict=True):
        assert await verify(text, chance) == (checked(text, verdict), 1)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The wooden house was first lit in 1890.", FIRST),
        ("Holm Light was closed by the council.", SECOND),
        ("The wooden house was first lit in 1889.", "The house was lit in 1889"),
        ("Zebras graze happily near distant rivers of gold in 1889.", FIRST),
    ],
)
async def test_what_code_refutes_the_model_is_not_asked_about(text, quote):
    claim, asked = await verify(text, 1.0, quote)
    assert (claim.verdict, asked) == ("unsupported", 0)


async def test_the_very_words_of_a_quote_need_no_model():
    assert await verify(FIRST, 0.0) == (checked(FIRST, "supported"), 0)


async def test_evidence_that_is_not_at_hand_stays_unchecked():
    claim = DraftClaim(SUPPORTED, (Quote(EvidenceId("w:Gone@1#s0/p1"), FIRST),))
    llm = ScriptedLLM(chances=[1.0])
    assert (await EntailmentClaimVerifier(llm).verify(claim, {}, 1)).verdict == "unchecked"
    assert llm.chosen == 0


async def test_a_computation_stays_with_the_code():
    claim = DraftClaim("2", (), Computation("count", EvidenceId("w:Gone@1#s0/t1"), "Name", (), "2"))
    llm = ScriptedLLM(chances=[1.0])
    assert (await EntailmentClaimVerifier(llm).verify(claim, {}, 1)).verdict == "unchecked"
    assert llm.chosen == 0


async def test_the_model_sees_quotes_with_their_place_and_the_claim():
    llm = ScriptedLLM(chances=[1.0])
    await EntailmentClaimVerifier(llm).verify(
        DraftClaim(SUPPORTED, (Quote(PIECE.id, "first lit in 1889"),)), {PIECE.id: PIECE}, 1
    )
    quotes, claim = llm.prompts[0].parts
    assert "\n[E1] (text) Holm Light :: first lit in 1889\n" in quotes
    assert claim == f"Claim: {SUPPORTED}"


@pytest.mark.parametrize("words", ["computed", "unchecked", "unsupported"])
@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_other_verdicts_of_code_stand(words, chance):
    assert combined(words, chance, True) == words


@pytest.mark.parametrize("liftable", [True, False])
def test_the_verdict_never_falls_when_the_chance_rises(liftable):
    worst_first = ("unsupported", "partial", "supported")
    for words in ("partial", "supported"):
        places = [worst_first.index(combined(words, tenth / 10, liftable)) for tenth in range(11)]
        assert places == sorted(places)
