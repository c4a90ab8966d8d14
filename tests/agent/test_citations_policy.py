"""The citation policies, and the invariant that a claim never outlives its citation."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations import CheckedAnswer, ExtractiveClaimVerifier, check_answer
from agent.citations.numbering import without_markers
from heliograph.types import (
    Cell,
    CitationPolicy,
    CitedMarker,
    Claim,
    Document,
    Draft,
    DraftClaim,
    Evidence,
    EvidenceId,
    PageKey,
    Place,
    Quote,
    Scored,
    Section,
    TableEvidence,
    TextEvidence,
    ToldClaim,
)
from tools.arithmetic import compute

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
EVIDENCE: Mapping[EvidenceId, Evidence] = {TEXT.id: TEXT}
ALBA = DraftClaim("Alba was found in 1789.", (Quote(TEXT.id, "Alba was found in 1789."),))
FENN = DraftClaim("Fenn was found in 1655.", (Quote(TEXT.id, "Fenn was found in 1655."),))
FALSE = DraftClaim("Fenn was found in 1656.", (Quote(TEXT.id, "Fenn was found in 1655."),))
BARE = DraftClaim("Orvo is wide.", ())
POLICIES: tuple[CitationPolicy, ...] = ("flag", "drop", "repair", "abstain")


class Repairer:
    """Rewrite every claim into one given claim, and count the calls."""

    def __init__(self, to: DraftClaim | None) -> None:
        self.to = to
        self.asked: list[str] = []

    async def answer(self, question: str, evidence: Sequence[Scored[Evidence]]) -> Draft:
        return Draft(())

    async def repair(self, claim: DraftClaim, evidence: Sequence[Scored[Evidence]]) -> DraftClaim | None:
        self.asked.append(claim.text)
        return self.to


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
    assert [(each.text, each.verdict) for each in answer.dropped] == [(FALSE.text, "unsupported")]


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
    assert [each.text for each in answer.dropped] == [ALBA.text, FALSE.text]


async def test_repair_rewrites_a_failing_claim_once():
    repairer = Repairer(FENN)
    answer = await check_answer(
        Draft((FALSE, ALBA)), "repair", ExtractiveClaimVerifier(), repairer, EVIDENCE, {KEY: DOCUMENT}
    )

    assert answer.text == "Fenn was found in 1655. [1] Alba was found in 1789. [2]"
    assert repairer.asked == [FALSE.text]


@pytest.mark.parametrize("repaired", [None, FALSE, BARE, DraftClaim(" [3] ", FENN.quotes)])
async def test_a_repair_that_fails_drops_the_claim(repaired):
    answer = await checked("repair", FALSE, ALBA, repairs_to=repaired)

    assert answer.text == "Alba was found in 1789. [1]"
    assert len(answer.dropped) == 1


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
    computed = compute("What is the largest moon of Orvo?", [TABLE])
    assert computed is not None
    answer = await checked("drop", DraftClaim(computed.sentence, (), computed.computation))

    assert answer.text == "The largest moon of Orvo is Fenn, at 5,150 km. [1]"
    assert answer.claims[0].verdict == "computed"
    assert answer.citations[0].computation == computed.computation
    assert answer.citations[0].quote == "max of column “Diameter (km)” over rows r1–r2: Fenn"


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


VERDICTS = ("supported", "partial", "unsupported", "unchecked", "computed")
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
        async def verify(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim:
            each = [data.draw(st.sampled_from(VERDICTS)) for _ in claim.quotes]
            markers = tuple(CitedMarker(first_marker + n, one) for n, one in enumerate(each))
            return Claim(claim.text, markers, data.draw(st.sampled_from(VERDICTS)))

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
        good = claim.verdict in ("supported", "computed") and any(
            cited.verdict in ("supported", "computed") for cited in claim.citations
        )
        assert good or (policy == "flag" and re.search(re.escape(claim.text) + r" \((?:un|partly )", answer.text))


@given(st.lists(st.sampled_from([ALBA, FENN, FALSE, BARE]), max_size=6), st.permutations(range(6)), st.data())
async def test_claims_are_told_in_the_order_of_the_answer_whatever_ends_first(claims, turns, data):
    policy = data.draw(st.sampled_from(POLICIES))
    told: list[ToldClaim] = []

    class Late(ExtractiveClaimVerifier):
        """Let other claims go first, each as often as its turn says."""

        async def verify(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim:
            for _ in range(next(order)):
                await asyncio.sleep(0)
            return await super().verify(claim, cited, first_marker)

    order = cycle(turns)
    answer = await check_answer(
        Draft(tuple(claims)), policy, Late(), Repairer(ALBA), EVIDENCE, {KEY: DOCUMENT}, tell=told.append
    )

    assert " ".join(each.sentence for each in told) == answer.text
    assert tuple(each.claim for each in told) == answer.claims
    for each in told:
        assert each.citations == tuple(
            citation for citation in answer.citations if citation.marker in {one.marker for one in each.claim.citations}
        )


async def test_a_claim_is_told_while_the_next_is_still_checked():
    told: list[ToldClaim] = []
    heard = asyncio.Event()

    class Waiting(ExtractiveClaimVerifier):
        async def verify(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim:
            if claim.text == FENN.text:
                await heard.wait()
            return await super().verify(claim, cited, first_marker)

    def tell(each: ToldClaim) -> None:
        told.append(each)
        heard.set()

    repairer = Repairer(None)
    await check_answer(Draft((ALBA, FENN)), "drop", Waiting(), repairer, EVIDENCE, {KEY: DOCUMENT}, tell=tell)

    assert [each.sentence for each in told] == ["Alba was found in 1789. [1]", "Fenn was found in 1655. [2]"]
