"""The citation policies, and the invariant that a claim never outlives its citation."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.checking import CheckedAnswer, check_answer
from agent.citations import ExtractiveClaimVerifier
from agent.citations.numbering import without_markers
from agent.citations.verdicts import KEPT
from heliograph.types import (
    Block,
    Cell,
    CitationPolicy,
    CitedMarker,
    Claim,
    Document,
    Draft,
    DraftBlock,
    DraftClaim,
    Evidence,
    EvidenceId,
    Judgment,
    PageKey,
    Place,
    Quote,
    Refusal,
    Scored,
    Section,
    TableEvidence,
    TextEvidence,
    ToldClaim,
    UnsaidClaim,
)
from tests.tools.slots import Plan, computed_of

KEY = PageKey("made.up:Orvo@7")
PLACE = Place(KEY, "Orvo", "s1", ("Moons",))
TEXT = TextEvidence(
    EvidenceId(f"{KEY}#s1/p1"),
    PLACE,
    "paragraph",
    "Alba was found in 1789.[7] Fenn was found in 1655. Edda is [sic] grey [citation needed].",
)
TABLE = TableEvidence(
    EvidenceId(f"{KEY}#s1/t1"),
    PLACE,
    "table",
    "Moons of Orvo",
    ("Name", "Diameter (km)"),
    ((Cell("Alba"), Cell("396")), (Cell("Fenn"), Cell("5,150"))),
)
DOCUMENT = Document(
    KEY,
    "made.up",
    "Orvo",
    "7",
    "https://made.up/Orvo?7",
    (Section("s0", "", 1, None),),
    (TEXT, TABLE),
    "CC BY",
    "the makers",
)
EVIDENCE: tuple[Scored[Evidence], ...] = (Scored(TEXT, 0.0),)
ALBA = DraftClaim("Alba was found in 1789.", (Quote(TEXT.id, "Alba was found in 1789."),))
FENN = DraftClaim("Fenn was found in 1655.", (Quote(TEXT.id, "Fenn was found in 1655."),))
FALSE = DraftClaim("Fenn was found in 1656.", (Quote(TEXT.id, "Fenn was found in 1655."),))
BARE = DraftClaim("Orvo is wide.", ())


def sectioned(claims: int) -> tuple[DraftBlock, ...]:
    """Put each claim into a section of its own."""
    headed = ((DraftBlock("heading", text=f"S{n}", level=1), DraftBlock("paragraph", (n,))) for n in range(claims))
    return tuple(block for pair in headed for block in pair)


POLICIES: tuple[CitationPolicy, ...] = ("flag", "drop", "repair", "abstain")


class Repairer:
    """Rewrite every claim into one given claim, and count the calls."""

    def __init__(self, to: DraftClaim | None) -> None:
        self.to = to
        self.asked: list[tuple[str, ...]] = []
        self.reasons: list[str] = []
        self.shown: tuple[EvidenceId, ...] = ()

    async def answer(self, question: str, evidence: Sequence[Scored[Evidence]]) -> Draft:
        return Draft(())

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        self.asked.append(tuple(each.claim.text for each in refused))
        self.reasons += [each.reason for each in refused]
        self.shown = tuple(scored.item.id for scored in evidence)
        return (self.to,) * len(refused)


async def checked(policy: CitationPolicy, *claims: DraftClaim, repairs_to: DraftClaim | None = None) -> CheckedAnswer:
    return await check_answer(
        Draft(claims), policy, ExtractiveClaimVerifier(), Repairer(repairs_to), EVIDENCE, {KEY: DOCUMENT}
    )


async def test_supported_claims_are_numbered_in_order_of_first_use():
    answer = await checked("drop", ALBA, FENN, ALBA)

    assert answer.text == "Alba was found in 1789. [1] Fenn was found in 1655. [2] Alba was found in 1789. [1]"
    assert [citation.marker for citation in answer.citations] == [1, 2]


async def test_a_citation_says_where_its_words_stand():
    (citation,) = (await checked("drop", ALBA)).citations

    assert (citation.evidence, citation.modality, citation.title, citation.section) == (
        TEXT.id,
        "text",
        "Orvo",
        "Moons",
    )
    assert (citation.revision, citation.url, citation.licence) == ("7", "https://made.up/Orvo?7", "CC BY")
    assert (citation.quote, citation.attribution) == ("Alba was found in 1789.", "the makers")


async def test_drop_drops_a_claim_with_its_citation():
    answer = await checked("drop", FALSE, ALBA)

    assert answer.text == "Alba was found in 1789. [1]"
    assert answer.not_said == (
        UnsaidClaim(FALSE.text, "unsupported", "not in its quotes, titles or captions, nor in the question: 1656"),
    )


@pytest.mark.parametrize("claims", [(ALBA,), ()])
@pytest.mark.parametrize("policy", ["flag", "drop", "repair", "abstain"])
async def test_a_sentence_that_makes_no_claim_is_named_under_every_policy(policy, claims):
    bare = UnsaidClaim("Alba is green.", "unsupported", "it cites no words that stand in the evidence")
    answer = await check_answer(
        Draft(claims, not_said=(bare,)), policy, ExtractiveClaimVerifier(), Repairer(None), EVIDENCE, {KEY: DOCUMENT}
    )
    assert (answer.not_said, answer.abstained) == ((bare,), not claims)


async def test_drop_does_not_keep_what_is_only_partly_supported():
    partial = DraftClaim("Alba was found in 1789 in Paris.", ALBA.quotes)

    assert (await checked("drop", partial)).abstained


async def test_flag_keeps_a_claim_and_says_so():
    answer = await checked("flag", FALSE, BARE, ALBA)

    assert answer.text == (
        "Fenn was found in 1656. (unsupported) [1] Orvo is wide. (unsupported) Alba was found in 1789. [2]"
    )


async def test_abstain_answers_nothing_when_one_claim_fails():
    answer = await checked("abstain", ALBA, FALSE)

    assert (answer.text, answer.claims, answer.citations, answer.abstained) == ("", (), (), True)
    assert [each.text for each in answer.not_said] == [ALBA.text, FALSE.text]


async def test_repair_rewrites_a_failing_claim_once():
    repairer = Repairer(FENN)
    answer = await check_answer(
        Draft((FALSE, ALBA)), "repair", ExtractiveClaimVerifier(), repairer, EVIDENCE, {KEY: DOCUMENT}
    )

    assert answer.text == "Fenn was found in 1655. [1] Alba was found in 1789. [2]"
    assert repairer.asked == [(FALSE.text,)]


@pytest.mark.parametrize("repaired", [None, FALSE, BARE, DraftClaim(" [3] ", FENN.quotes)])
async def test_a_repair_that_fails_drops_the_claim(repaired):
    answer = await checked("repair", FALSE, ALBA, repairs_to=repaired)

    assert answer.text == "Alba was found in 1789. [1]"
    assert [each.text for each in answer.not_said] == [FALSE.text]


async def test_a_draft_without_claims_abstains_with_its_reason():
    answer = await check_answer(
        Draft((), "nothing fits"), "drop", ExtractiveClaimVerifier(), Repairer(None), EVIDENCE, {KEY: DOCUMENT}
    )

    assert answer == CheckedAnswer("", (), (), (), True, "nothing fits")


async def test_each_sentence_of_a_claim_stands_or_falls_by_itself():
    both = DraftClaim(f"{ALBA.text} Fenn was found in 1656.", (*ALBA.quotes, *FENN.quotes))
    answer = await checked("drop", both)

    assert [claim.text for claim in answer.claims] == [ALBA.text]


async def test_a_computed_claim_cites_its_computation():
    question = "What is the largest moon of Orvo?"
    computed = await computed_of(question, Plan("most", "Name", "Diameter (km)"), TABLE)
    answer = await checked("drop", DraftClaim(computed.sentence, (), computed.computation))

    assert answer.text == "Fenn (greatest by Diameter: 5,150 km). [1]"
    assert answer.claims[0].verdict == "computed"
    assert answer.citations[0].computation == computed.computation
    described = "Greatest by Diameter (km) over 2 rows, of Fenn (Orvo, Moons of Orvo): 5,150 km."
    assert answer.citations[0].quote == described


async def test_two_spellings_of_one_quote_are_one_citation():
    again = DraftClaim(ALBA.text, (Quote(TEXT.id, "Alba  was\u00a0found in 1789."),))
    answer = await checked("drop", ALBA, again)

    assert len(answer.citations) == 1


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("It was found.[7][12] So.", "It was found. So."),
        ("It [citation needed] was [note 3] found [a].", "It was found."),
        ("Brackets [like these] turn.", "Brackets (like these) turn."),
        ("A [[7]] B [１] C [ 7 , 8–9 ] D 【3】", "A () B C D"),
        ("[7", "(7"),
    ],
)
def test_marks_of_a_source_never_look_like_ours(text, clean):
    assert without_markers(text) == clean


async def test_a_claim_that_brings_marks_along_loses_them():
    answer = await checked("drop", DraftClaim("Alba was found in 1789.[7]", ALBA.quotes))

    assert answer.text == "Alba was found in 1789. [1]"


VERDICTS = ("quoted", "supported", "partial", "unsupported", "unchecked", "computed")
TEXTS = st.text(st.sampled_from("abc 17[](). ［７］【】"), min_size=1, max_size=20)
QUOTES = st.lists(
    st.builds(
        Quote, st.sampled_from([TEXT.id, TABLE.id, EvidenceId("elsewhere")]), st.sampled_from(["Alba", "Fenn", "x"])
    ),
    max_size=3,
)


@given(st.lists(st.tuples(TEXTS, QUOTES, st.data()), max_size=5), st.sampled_from(POLICIES), st.data())
async def test_a_claim_never_outlives_its_citation(parts, policy, data):
    claims = [DraftClaim(f"Claim{n} {text}", tuple(dict.fromkeys(quotes))) for n, (text, quotes, _) in enumerate(parts)]

    class Drawn:
        async def verify(
            self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]
        ) -> tuple[Judgment, ...]:
            return tuple(map(self.drawn, claims))

        def drawn(self, claim: DraftClaim) -> Judgment:
            each = [data.draw(st.sampled_from(VERDICTS)) for _ in claim.quotes]
            markers = tuple(CitedMarker(1 + n, one) for n, one in enumerate(each))
            return Judgment(Claim(claim.text, markers, data.draw(st.sampled_from(VERDICTS))))

    repairer = Repairer(data.draw(st.sampled_from([None, ALBA, BARE])))
    answer = await check_answer(Draft(tuple(claims)), policy, Drawn(), repairer, EVIDENCE, {KEY: DOCUMENT})
    used = [int(marker) for marker in re.findall(r"\[(\d+)\]", answer.text)]
    issued = [citation.marker for citation in answer.citations]

    assert issued == list(range(1, len(issued) + 1)) == sorted(set(used))
    assert used == [cited.marker for claim in answer.claims for cited in claim.citations]
    assert list(dict.fromkeys(used)) == issued
    assert re.findall(r"[\[［【][^\]］】]*[\]］】]", answer.text) == [f"[{marker}]" for marker in used]
    assert answer.abstained == (answer.text == "")
    for claim in answer.claims:
        good = claim.verdict in KEPT and any(cited.verdict in KEPT for cited in claim.citations)
        assert good or (policy == "flag" and re.search(re.escape(claim.text) + r" \((?:un|partly )", answer.text))


@given(st.lists(st.sampled_from([ALBA, FENN, FALSE, BARE]), max_size=6), st.permutations(range(6)), st.data())
async def test_claims_are_told_in_the_order_of_the_answer_whatever_ends_first(claims, turns, data):
    policy = data.draw(st.sampled_from(POLICIES))
    told: list[ToldClaim] = []

    class Late(ExtractiveClaimVerifier):
        """Let other claims go first, each as often as its turn says."""

        async def verify(
            self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]
        ) -> tuple[Judgment, ...]:
            for _ in range(next(order)):
                await asyncio.sleep(0)
            return await super().verify(claims, cited)

    order = cycle(turns)
    draft = Draft(tuple(claims), blocks=sectioned(len(claims)))
    answer = await check_answer(draft, policy, Late(), Repairer(ALBA), EVIDENCE, {KEY: DOCUMENT}, tell=told.append)

    said = [each.sentence for each in told]
    assert [line for line in answer.text.split("\n\n") if line and not line.startswith("#")] == said
    assert tuple(each.claim for each in told) == answer.claims
    for each in told:
        assert each.citations == tuple(
            citation for citation in answer.citations if citation.marker in {one.marker for one in each.claim.citations}
        )


async def test_claims_of_a_section_are_told_while_the_next_is_still_checked():
    told: list[ToldClaim] = []
    heard = asyncio.Event()

    class Waiting(ExtractiveClaimVerifier):
        async def verify(
            self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]
        ) -> tuple[Judgment, ...]:
            if claims == [FENN]:
                await heard.wait()
            return await super().verify(claims, cited)

    def tell(each: ToldClaim) -> None:
        told.append(each)
        heard.set()

    repairer = Repairer(None)
    draft = Draft((ALBA, FENN), blocks=sectioned(2))
    await check_answer(draft, "drop", Waiting(), repairer, EVIDENCE, {KEY: DOCUMENT}, tell=tell)

    assert [each.sentence for each in told] == ["Alba was found in 1789. [1]", "Fenn was found in 1655. [2]"]


async def test_all_that_fails_is_repaired_in_one_call_with_its_reasons_and_whole_tables():
    row = EvidenceId(f"{TABLE.id}/r1")
    wrong = DraftClaim("Alba has a diameter of 397 km.", (Quote(row, "396"),))
    repairer = Repairer(None)
    await check_answer(
        Draft((FALSE, ALBA, wrong)), "repair", ExtractiveClaimVerifier(), repairer, EVIDENCE, {KEY: DOCUMENT}
    )

    assert repairer.asked == [(FALSE.text, wrong.text)]
    assert [reason.rpartition(": ")[2] for reason in repairer.reasons] == ["1656", "397 km"]
    assert repairer.shown == (TEXT.id, TABLE.id)


async def test_a_draft_without_parts_is_one_paragraph_in_sentences():
    answer = await checked("drop", ALBA, FALSE, FENN)

    assert answer.blocks == (Block("paragraph", (0, 1)),)
    assert answer.text == "Alba was found in 1789. [1] Fenn was found in 1655. [2]"


async def test_sources_that_disagree_are_both_told():
    other = replace(TEXT, id=EvidenceId(f"{KEY}#s1/p2"), text="Alba was found in 1790.")
    later = DraftClaim("Alba was found in 1790.", (Quote(other.id, other.text),))
    evidence = (Scored(TEXT, 0.0), Scored(other, 0.0))
    answer = await check_answer(
        Draft((ALBA, later)), "repair", ExtractiveClaimVerifier(), Repairer(None), evidence, {KEY: DOCUMENT}
    )

    assert answer.text == "Alba was found in 1789. [1] Alba was found in 1790. [2]"
