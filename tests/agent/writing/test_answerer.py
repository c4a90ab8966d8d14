"""The answer by a model: quotes in the source's words, computed values by code, no foreign address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from agent.checking.repair import NewQuote, RepairedClaim, RepairedClaims
from agent.language.addresses import holds_address, may_be_told
from agent.writing.answerer import CALCULATING_ROOM, LanguageAnswerer
from agent.writing.replies import CitedWords, FewClaims, NotFound, WrittenAnswer, WrittenBlocks, WrittenClaim
from heliograph.errors import ModelMalformed, PageUnavailable
from heliograph.types import (
    Brief,
    Cell,
    Computation,
    Draft,
    DraftBlock,
    DraftClaim,
    Evidence,
    EvidenceId,
    ImageEvidence,
    Need,
    PageKey,
    Picture,
    Place,
    Quote,
    Refusal,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
    UnsaidClaim,
)
from indexers.parser import segments
from prompts import render_prompt
from tests.fakes import brief
from tests.fakes_language import ScriptedLLM

QUESTION = "When was Holm Light lit?"
PLACE = Place(PageKey("w:Holm@1"), "Holm Light", "s0")
LIT = TextEvidence(EvidenceId("w:Holm@1#s0/p1"), PLACE, "paragraph", "It was first lit [a] in 1889. It closed in 1957.")
SHUT = TextEvidence(EvidenceId("w:Holm@1#s0/p2"), PLACE, "paragraph", "See http://holm.example/x for hours.")
TOWER = ImageEvidence(EvidenceId("w:Holm@1#s0/i1"), PLACE, "tower.png", "The tower in 1889", "")
GONE = ImageEvidence(EvidenceId("w:Holm@1#s0/i2"), PLACE, "gone.png", "The lamp", "")
EVIDENCE = tuple(Scored(piece, 0.5) for piece in (LIT, SHUT, TOWER))
COMPUTED = DraftClaim("There are 2 lights.", (), Computation("count", EvidenceId("t"), "Name", (), "2"))
QUOTED = DraftClaim("It was first lit [a] in 1889.", (Quote(LIT.id, "It was first lit [a] in 1889."),))


NO_DRAFT = Draft((), "nothing fits")


@dataclass(slots=True)
class Twin:
    """An extractive answerer with its draft and its repair written down."""

    draft: Draft = NO_DRAFT
    repaired: DraftClaim | None = None

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        return self.draft

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        return (self.repaired,) * len(refused)


def said(*claims: tuple[str, str, str], abstain: bool = False) -> WrittenAnswer:
    written = [
        WrittenClaim(text=text, citations=[CitedWords(handle=handle, quote=quote)]) for text, handle, quote in claims
    ]
    return WrittenAnswer(abstain=abstain, claims=written)


def paragraph(*claims: DraftClaim) -> Draft:
    return Draft(claims, blocks=(DraftBlock("paragraph", tuple(range(len(claims))), need=0),))


async def answer(reply: WrittenAnswer, draft: Draft = NO_DRAFT) -> Draft:
    return await LanguageAnswerer(ScriptedLLM([reply]), Twin(draft)).answer(brief(QUESTION), EVIDENCE)


async def test_a_claim_has_the_exact_words_of_the_piece_that_its_handle_means():
    claim = ("Holm Light [E1] was\nfirst lit in 1889 (E1, E2).", "[E1]", "first lit (a) in 1889")
    assert await answer(said(claim)) == paragraph(
        DraftClaim("Holm Light was first lit in 1889.", (Quote(LIT.id, "first lit [a] in 1889"),))
    )


async def test_forged_handles_and_quotes_are_dropped_and_the_rest_stays():
    text = "Holm Light was lit in 1889."
    forged = WrittenClaim(
        text=text,
        citations=[
            CitedWords(handle="E9", quote="first lit"),
            CitedWords(handle=LIT.id, quote="first lit"),
            CitedWords(handle="E2", quote="The moon is of cheese"),
            CitedWords(handle="E3", quote="The tower in 1889"),
        ],
    )
    bare = WrittenClaim(text="Nothing is cited.", citations=[])
    draft = await answer(WrittenAnswer(abstain=False, claims=[forged, bare]))
    assert replace(draft, not_said=()) == paragraph(DraftClaim(text, (Quote(TOWER.id, "The tower in 1889"),)))
    assert [each.text for each in draft.not_said] == ["Nothing is cited."]


async def test_a_quote_that_was_not_copied_gives_way_to_the_sentence_that_says_the_claim():
    assert await answer(said(("It was first lit in 1889.", "E1", "it got lit in 1889"))) == paragraph(
        DraftClaim("It was first lit in 1889.", (Quote(LIT.id, "It was first lit [a] in 1889."),))
    )


@pytest.mark.parametrize(
    "quote", ["First lit [a] in 1889.", "first lit (a) in 1889. …", "Holm Light :: First lit [a] in 1889. ..."]
)
async def test_a_quote_may_have_what_stands_around_the_words_shown(quote):
    assert await answer(said(("It was lit in 1889.", "E1", quote))) == paragraph(
        DraftClaim("It was lit in 1889.", (Quote(LIT.id, "first lit [a] in 1889."),))
    )


async def test_a_short_quote_under_the_handle_of_another_piece_cites_the_only_one_that_has_it():
    text = "Holm Light closed in 1957."
    assert await answer(said((text, "E2", "1957"))) == paragraph(DraftClaim(text, (Quote(LIT.id, "1957"),)))
    for told, quote in (("Holm Light was lit in 1889.", "1889"), ("Holm Light is shut.", "1957")):
        with pytest.raises(ModelMalformed, match="cites words that stand"):
            await answer(said((told, "E2", quote)))


async def test_a_quote_under_the_handle_of_another_piece_cites_where_it_stands():
    text = "Holm Light was lit in 1889."
    assert await answer(said((text, "E3", "It was first lit [a] in 1889"))) == paragraph(
        DraftClaim(text, (Quote(LIT.id, "It was first lit [a] in 1889"),))
    )
    for handle, quote in (("E9", "It was first lit [a] in 1889"), ("E2", "lit [a] in")):
        with pytest.raises(ModelMalformed, match="cites words that stand"):
            await answer(said(("The moon is of cheese.", handle, quote)))


MOONS = TableEvidence(
    EvidenceId("w:Moons@1#s0/t1"),
    Place(PageKey("w:Moons@1"), "Moons", "s0"),
    "table",
    "",
    ("Moon", "Year", "Discoverer"),
    ((Cell("Iapetus"), Cell("1671"), Cell("Cassini")), (Cell("Phoebe"), Cell("1899"), Cell("Pickering"))),
)


@pytest.mark.parametrize("piece", [MOONS, segments(MOONS)[0]])
async def test_a_claim_from_a_row_quotes_the_whole_row_and_keeps_its_sentence(piece):
    row = "Moon: Iapetus; Year: 1671; Discoverer: Cassini"
    handle = "E1" if isinstance(piece, TableSegment) else "E1.1"
    for quote in ("1671", "Iapetus | 1671 | Cassini", "Moon: Iapetus; Year: 1671", "Iapetus | 1671"):
        reply = said(("Cassini found it in 1671.", handle, quote))
        draft = await LanguageAnswerer(ScriptedLLM([reply]), Twin()).answer(brief(QUESTION), (Scored(piece, 0.5),))
        assert draft.claims == (DraftClaim("Cassini found it in 1671.", (Quote(segments(MOONS)[0].id, row),)),)


async def test_a_claim_may_rest_on_six_pieces_and_stands_on_those_that_are_found():
    pages = [
        TextEvidence(EvidenceId(f"w:Holm@1#s0/p{number}"), PLACE, "paragraph", f"Holm Light burned oil in {number}.")
        for number in range(1801, 1808)
    ]
    cited = [
        CitedWords(handle=f"E{place}", quote=f"burned oil in {1800 + place}" if place != 2 else "burned gas")
        for place in range(1, 8)
    ]
    reply = WrittenAnswer(claims=[WrittenClaim(text="Holm Light burned oil for years.", citations=cited)])
    evidence = tuple(Scored(piece, 0.5) for piece in pages)
    (claim,) = (await LanguageAnswerer(ScriptedLLM([reply]), Twin()).answer(brief(QUESTION), evidence)).claims
    assert [quote.text[-4:] for quote in claim.quotes] == ["1801", "802.", "1803", "1804", "1805", "1806"]


async def test_claims_that_all_cite_nothing_are_malformed():
    with pytest.raises(ModelMalformed, match="cites words that stand"):
        await answer(said(("The moon is of cheese.", "E1", "moon of cheese")))


async def test_an_abstention_has_a_reason_of_ours_and_no_claims():
    reply = said(("Holm Light was lit in 1889.", "E1", "first lit"), abstain=True)
    assert await answer(reply) == Draft((), "the language model found no answer in 3 pieces of evidence")


@pytest.mark.parametrize("abstain", [False, True])
async def test_what_is_not_found_is_named_in_words_of_the_question_or_by_its_need(abstain):
    named = [NotFound(need=1, text="closed"), NotFound(need=2), NotFound(need=9), NotFound(text="best bank is Zorb")]
    reply = said(("Holm Light was lit in 1889.", "E1", "first lit"), abstain=abstain)
    reply = reply.model_copy(update={"not_found": named})
    needs = Need("When was Holm Light closed?"), Need("keepers of Holm Light", "plan"), Need("its cost", "plan")
    draft = await LanguageAnswerer(ScriptedLLM([reply]), Twin(NO_DRAFT)).answer(Brief("short", needs), EVIDENCE)
    others = ("its cost",) if abstain else ()  # an abstention stands for every need behind the question
    assert (len(draft.claims), draft.not_found) == (not abstain, ("keepers of Holm Light", *others, "closed"))


async def test_a_value_computed_before_is_offered_and_does_not_lead():
    llm = ScriptedLLM([said(("It closed in 1957.", "E1", "It closed in 1957."))])
    looked_up = replace(COMPUTED, computation=replace(COMPUTED.computation, operation="filter"))
    draft = await LanguageAnswerer(llm, Twin(Draft((looked_up, COMPUTED, QUOTED)))).answer(brief(QUESTION), EVIDENCE)
    assert draft == paragraph(DraftClaim("It closed in 1957.", (Quote(LIT.id, "It closed in 1957."),)))
    told = llm.prompts[0].parts[2].splitlines()[1:]
    assert told == ["{k2} = 2 (a table that is not shown: count of column “Name” over rows none)"]


@pytest.mark.parametrize("text", ["There are {k1} lights.", "There are 2 lights."])
async def test_a_value_computed_before_is_told_by_name_or_in_figures(text):
    reply = WrittenAnswer(claims=[WrittenClaim(text=text)])
    assert await answer(reply, Draft((COMPUTED,))) == Draft(
        (DraftClaim("There are 2 lights.", (), COMPUTED.computation),),
        blocks=(DraftBlock("calculation", (0,), need=0),),
    )


async def test_a_figure_that_a_quote_states_is_not_taken_for_a_computed_one():
    two = Draft((DraftClaim("x", (), Computation("count", EvidenceId("t"), "Name", (), "1889")),))
    claim = ("Holm Light was lit in 1889.", "E1", "lit (a) in 1889")
    assert await answer(said(claim), two) == paragraph(DraftClaim(claim[0], (Quote(LIT.id, "lit [a] in 1889"),)))


async def test_without_evidence_the_twin_says_why():
    assert await LanguageAnswerer(ScriptedLLM(), Twin()).answer(brief(QUESTION), ()) == Draft((), "nothing fits")


@pytest.mark.parametrize(
    "text",
    [
        "See http://holm.example/x for hours.",
        "See ht\u200btp://holm.example for hours.",
        "See ｈｔｔｐｓ：／／holm.example for hours.",
        "Write to a@holm.example now.",
        "Go to holm.example/hours?x=1 now.",
        "Go to www.holm.example now.",
        "![lit](x) See hours.",
        "[See](x) for hours.",
        "<img src=x> See hours.",
        "javascript:alert(1) See hours.",
        "Ask 10.0.0.1:80/x for hours.",
    ],
)
async def test_a_claim_with_an_address_is_not_told_even_where_its_quote_has_it(text):
    assert holds_address(text)
    draft = await answer(said((text, "E2", "See http://holm.example/x for hours.")))
    assert draft == Draft((), "every claim that was written holds a web address, and none of them was asked for")


@pytest.mark.parametrize(
    "text", ["Amazon.com was founded in 1994.", "It is 1.5 km/h, i.e. slow.", "The ratio is 3:2.", "A [sic] note (x)."]
)
def test_what_is_no_address_may_be_told(text):
    assert not holds_address(text)


def test_an_address_that_was_asked_for_and_is_quoted_may_be_told():
    claim = DraftClaim("Its hours are at http://holm.example/x now.", (Quote(SHUT.id, SHUT.text),))
    assert may_be_told(claim, "What is at http://holm.example/x today?")
    assert not may_be_told(claim, "What is at http://other.example/x today?")
    assert not may_be_told(DraftClaim(claim.text, ()), "What is at http://holm.example/x today?")


async def test_pictures_are_attached_as_bytes_and_named_by_handle():
    async def picture(image: ImageEvidence) -> Picture:
        if image is GONE:
            raise PageUnavailable("no picture gone.png")
        return Picture(b"png", "image/png", 1, 1)

    llm = ScriptedLLM([said(("The tower stood in 1889.", "E3", "The tower in 1889"))])
    evidence = tuple(Scored(piece, 0.5) for piece in (LIT, GONE, TOWER))
    draft = await LanguageAnswerer(llm, Twin(), picture).answer(brief(QUESTION), evidence)
    assert draft.claims == (DraftClaim("The tower stood in 1889.", (Quote(TOWER.id, "The tower in 1889"),)),)
    (prompt,) = llm.prompts
    assert prompt.pictures == (b"png",)
    assert prompt.parts[-1].startswith("Attached are the pictures of these pieces, in this order: E3.")
    assert "tower.png" not in "".join(prompt.parts)


async def test_refused_claims_are_repaired_by_the_model_and_never_by_a_quote():
    lost = DraftClaim("Holm Light, the oldest, was lit in 1889.", (Quote(LIT.id, "first lit [a] in 1889"),))
    mended = RepairedClaim(
        claim=1, text="Holm Light was lit in 1889.", citations=[NewQuote(handle="E1", quote="lit (a) in 1889")]
    )
    refused = [Refusal(lost, "no piece says oldest"), Refusal(COMPUTED, "it does not recompute")]
    answerer = LanguageAnswerer(ScriptedLLM([RepairedClaims(claims=[mended])]), Twin(repaired=QUOTED))

    assert await answerer.repair(refused, EVIDENCE) == (
        DraftClaim("Holm Light was lit in 1889.", (Quote(LIT.id, "lit [a] in 1889"),)),
        None,
    )
    empty = LanguageAnswerer(ScriptedLLM([RepairedClaims(claims=[])]), Twin(repaired=QUOTED))
    assert await empty.repair(refused, EVIDENCE) == (None, None)


@pytest.mark.parametrize(("room", "told"), [(CALCULATING_ROOM, True), (CALCULATING_ROOM - 1, False)])
async def test_a_small_context_is_kept_for_evidence_and_not_for_calculations(room: int, told: bool) -> None:
    llm = ScriptedLLM([said(("It closed in 1957.", "E1", "It closed in 1957."))], room=room)
    draft = await LanguageAnswerer(llm, Twin()).answer(brief(QUESTION), EVIDENCE)
    assert [claim.text for claim in draft.claims] == ["It closed in 1957."]
    assert ("calculations:" in llm.prompts[0].system) == told


async def test_a_claim_that_cites_nothing_known_is_named_among_what_is_not_said():
    lit = WrittenClaim(text="It was lit in 1889.", citations=[CitedWords(handle="E1", quote="first lit (a) in 1889")])
    cites = [[CitedWords(handle="E9", quote="It is green.")], [CitedWords(handle="E1", quote="green")], []]
    bare = [
        WrittenClaim(text=text, citations=each) for text, each in zip(["Green.", "Red.", "Blue."], cites, strict=True)
    ]
    bare.append(WrittenClaim(text="See https://evil.example/x.", citations=[]))
    draft = await LanguageAnswerer(ScriptedLLM([WrittenAnswer(claims=[*bare, lit])]), Twin()).answer(
        brief(QUESTION), EVIDENCE
    )
    assert [claim.text for claim in draft.claims] == ["It was lit in 1889."]
    why = "it cites no words that stand in the evidence"
    assert draft.not_said == tuple(UnsaidClaim(text, "unsupported", why) for text in ("Green.", "Red.", "Blue."))


async def test_a_small_model_is_asked_for_claims_alone_in_few_words():
    llm = ScriptedLLM(
        [FewClaims(claims=said(("Holm Light was lit in 1889.", "E1", "It was first lit (a) in 1889.")).claims)]
    )
    draft = await LanguageAnswerer(llm, Twin(), small=True).answer(brief(QUESTION), EVIDENCE)

    assert draft == paragraph(
        DraftClaim("Holm Light was lit in 1889.", (Quote(LIT.id, "It was first lit [a] in 1889."),))
    )
    assert len(llm.prompts[0].system) < 1_000
    assert len(llm.prompts[0].system) < len(render_prompt("citing"))


async def test_a_small_model_that_writes_no_claim_finds_no_answer():
    draft = await LanguageAnswerer(ScriptedLLM([FewClaims(claims=[])]), Twin(), small=True).answer(
        brief(QUESTION), EVIDENCE
    )
    assert (draft.claims, draft.reason) == ((), render_prompt("model_abstained", pieces=3))


async def test_a_small_model_is_not_asked_for_what_code_computes():
    llm, computed = ScriptedLLM(), Draft((COMPUTED,))
    assert await LanguageAnswerer(llm, Twin(computed), small=True).answer(brief(QUESTION), EVIDENCE) == computed
    assert llm.prompts == []


async def test_a_small_model_sees_the_question_before_and_behind_the_evidence_and_no_other_need():
    llm = ScriptedLLM([FewClaims(claims=[])])
    await LanguageAnswerer(llm, Twin(), small=True).answer(brief(QUESTION, "the keeper of the lamp"), EVIDENCE)
    (prompt,) = llm.prompts
    assert prompt.parts[0] == prompt.parts[-1] == f"Question: {QUESTION}"
    assert "keeper of the lamp" not in "".join(prompt.parts)


@pytest.mark.parametrize("form", ["long", "report"])
async def test_longer_forms_are_written_by_the_same_instructions_whatever_the_model(form):
    asked = [ScriptedLLM([WrittenBlocks(abstain=True)] * 2) for _ in range(2)]
    for llm, small in zip(asked, (False, True), strict=True):
        await LanguageAnswerer(llm, Twin(), small=small).answer(brief(QUESTION, form=form), EVIDENCE)
    assert [prompt.system for prompt in asked[0].prompts] == [prompt.system for prompt in asked[1].prompts]
