"""The claim check: what its quotes bear out is supported, and nothing else."""

from dataclasses import replace

import pytest

from agent.citations import ExtractiveClaimVerifier
from heliograph.types import (
    Cell,
    CitedMarker,
    DraftClaim,
    EvidenceId,
    ImageEvidence,
    PageKey,
    Place,
    Quote,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from tests.tools.slots import Plan, computed_of
from tools.arithmetic import Computed

KEY = PageKey("made.up:Orvo@7")
PLACE = Place(KEY, "Orvo", "s2", ("Moons", "Discovery"))
TEXT = TextEvidence(
    EvidenceId(f"{KEY}#s2/p1"),
    PLACE,
    "paragraph",
    "Ida Wren discovered Alba on 20 August 1789 with a telescope of 1.2 m. Fenn was not discovered by Wren; "
    "Nils Holt had found it in 1655. Fenn is larger than Edda. About 40 craters of Alba have names.",
)
TABLE = TableEvidence(
    EvidenceId(f"{KEY}#s2/t1"),
    PLACE,
    "table",
    "Moons of Orvo",
    ("Name", "Diameter (km)", "Discovered by"),
    tuple(
        (Cell(name), Cell(size), Cell(finder))
        for name, size, finder in (
            ("Alba", "396", "Ida Wren"),
            ("Edda", "1,527", "Paul Stagg"),
            ("Fenn", "5,150", "Nils Holt"),
        )
    ),
)
ROW = TableSegment(EvidenceId(f"{TABLE.id}/r2"), PLACE, TABLE.id, 2, TABLE.caption, TABLE.header, TABLE.rows[1])
IMAGE = ImageEvidence(
    EvidenceId(f"{KEY}#s2/i1"), PLACE, "fenn.png", "Fenn seen by Pathway 4", "A grey ball with two bright spots"
)
CITED = {each.id: each for each in (TEXT, TABLE, ROW, IMAGE)}
EDDA = "Name: Edda; Diameter (km): 1,527; Discovered by: Paul Stagg"
FOUND = "Ida Wren discovered Alba on 20 August 1789 with a telescope of 1.2 m."
NOT_FOUND = "Fenn was not discovered by Wren; Nils Holt had found it in 1655."


async def verdicts(text: str, *quotes: tuple[EvidenceId, str], question: str = "", **changes):
    claim = replace(DraftClaim(text, tuple(Quote(*quote) for quote in quotes)), **changes)
    checked = ExtractiveClaimVerifier(question).check(claim, CITED).claim
    return checked.verdict, tuple(cited.verdict for cited in checked.citations)


SUPPORTED = [
    ("Ida Wren discovered Alba on August 20, 1789.", TEXT.id, FOUND),
    ("Alba was discovered by Ida Wren in 1789.", TEXT.id, FOUND),
    ("Wren's telescope that discovered Alba was 120 cm.", TEXT.id, FOUND),
    ("Fenn was not discovered by Wren.", TEXT.id, NOT_FOUND),
    ("Nils Holt had found Fenn in 1655.", TEXT.id, NOT_FOUND),
    ("Edda has a diameter of 1,527 km.", ROW.id, "1,527"),
    ("Edda, discovered by Paul Stagg, has a diameter of about 1,500 km.", ROW.id, EDDA),
    ("Edda was discovered by Paul Stagg.", ROW.id, "Edda | 1,527 | Paul Stagg"),
    ("Fenn has a diameter of 5,150 km.", TABLE.id, "Name: Fenn; Diameter (km): 5,150"),
    ("Fenn was seen by Pathway 4.", IMAGE.id, "Fenn seen by Pathway 4"),
    ("Two bright spots stand on the grey ball.", IMAGE.id, "A grey ball with two bright spots"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "evidence", "quote"), SUPPORTED, ids=[row[0] for row in SUPPORTED])
async def test_what_the_quote_says_is_supported(text, evidence, quote):
    assert await verdicts(text, (evidence, quote)) == ("supported", ("supported",))


FAILING = [
    ("Ida Wren discovered Alba on 21 August 1789.", TEXT.id, FOUND, "unsupported"),
    ("Ida Wren discovered Alba in 1798.", TEXT.id, FOUND, "unsupported"),
    ("Wren's telescope that discovered Alba was 1.2 km.", TEXT.id, FOUND, "unsupported"),
    ("Fenn was discovered by Wren.", TEXT.id, NOT_FOUND, "unsupported"),
    ("Ida Wren did not discover Alba in 1789.", TEXT.id, FOUND, "unsupported"),
    ("Edda is larger than Fenn.", TEXT.id, "Fenn is larger than Edda.", "unsupported"),
    ("Fenn is smaller than Edda.", TEXT.id, "Fenn is larger than Edda.", "unsupported"),
    ("Edda has a diameter of 1,500 km.", ROW.id, "1,527", "partial"),
    ("Edda has a diameter of 5,150 km.", ROW.id, "1,527", "unsupported"),
    ("Edda has a diameter of 1,527 miles.", ROW.id, "1,527", "unsupported"),
    ("Three bright spots stand on the grey ball.", IMAGE.id, "A grey ball with two bright spots", "partial"),
    ("Quite another thing was sung in the streets.", TEXT.id, FOUND, "unsupported"),
    ("Ida Wren discovered Alba on 20 August 1789 in Paris.", TEXT.id, FOUND, "partial"),
    ("Nils Holt had found the largest, Fenn, in 1655.", TEXT.id, NOT_FOUND, "partial"),
    ("Alba was discovered by Ida Wren with a borrowed brass telescope.", TEXT.id, FOUND, "partial"),
]


@pytest.mark.parametrize(("text", "evidence", "quote", "verdict"), FAILING, ids=[row[0] for row in FAILING])
async def test_what_the_quote_does_not_say_is_not_supported(text, evidence, quote, verdict):
    assert await verdicts(text, (evidence, quote)) == (verdict, (verdict,))


@pytest.mark.parametrize("quote", ["Ida Wren discovered Fenn", "527", "Ida Wren … with a telescope", "", "1789 with"])
async def test_a_quote_that_is_not_in_its_evidence_supports_nothing(quote):
    expected = "supported" if quote == "1789 with" else "unsupported"
    (judged,) = await ExtractiveClaimVerifier().verify([DraftClaim("In 1789.", (Quote(TEXT.id, quote),))], CITED)

    assert judged.claim.citations == (CitedMarker(1, expected),)


async def test_two_quotes_may_bear_a_claim_out_together():
    text = "Alba was discovered by Ida Wren in 1789, and Nils Holt had found Fenn in 1655."

    assert await verdicts(text, (TEXT.id, FOUND), (TEXT.id, NOT_FOUND)) == ("supported", ("supported", "supported"))


async def test_a_quote_that_has_nothing_to_do_with_the_claim_spoils_it():
    text = "Edda was discovered by Paul Stagg."
    found = await verdicts(text, (ROW.id, "Edda | 1,527 | Paul Stagg"), (IMAGE.id, "A grey ball with two bright spots"))

    assert found == ("unsupported", ("supported", "unsupported"))


async def test_evidence_that_is_not_at_hand_is_unchecked():
    assert await verdicts("Anything.", (EvidenceId("elsewhere"), "Anything.")) == ("unchecked", ("unchecked",))


async def test_a_claim_without_citations_is_unsupported():
    assert await verdicts(FOUND) == ("unsupported", ())


async def test_a_row_is_found_in_its_table():
    claim = DraftClaim("Edda has a diameter of 1,527 km.", (Quote(ROW.id, "1,527"),))
    (judged,) = await ExtractiveClaimVerifier().verify([claim], {TABLE.id: TABLE})

    assert judged.claim.verdict == "supported"


async def test_a_name_of_the_question_may_stand_in_a_claim():
    text = "Ida Wren discovered Alba, moon of Orvo in the Sarn System, on 20 August 1789 with a telescope of 1.2 m."

    assert (await verdicts(text, (TEXT.id, FOUND)))[0] == "partial"
    assert (await verdicts(text, (TEXT.id, FOUND), question="Who found Alba in the Sarn System?"))[0] == "supported"


async def test_markers_of_each_claim_count_up_from_1():
    claims = [DraftClaim(FOUND, (Quote(TEXT.id, FOUND), Quote(TEXT.id, "Alba"))), DraftClaim(FOUND, ())]
    judged = await ExtractiveClaimVerifier().verify(claims, CITED)

    assert [[cited.marker for cited in each.claim.citations] for each in judged] == [[1, 2], []]


EXTRACTS = [
    (FOUND, TEXT.id, FOUND),
    (f"Orvo: {FOUND}", TEXT.id, FOUND),
    ("Fenn is larger than Edda", TEXT.id, "Fenn is larger than Edda."),
    (f"Moons of Orvo: {EDDA}.", ROW.id, EDDA),
    ("Fenn seen by Pathway 4", IMAGE.id, "Fenn seen by Pathway 4"),
]


@pytest.mark.parametrize(("text", "evidence", "quote"), EXTRACTS, ids=[row[0] for row in EXTRACTS])
async def test_a_whole_sentence_row_or_caption_is_quoted(text, evidence, quote):
    assert await verdicts(text, (evidence, quote)) == ("quoted", ("quoted",))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Ida Wren discovered Alba.", "quoted"),
        ("Alba was discovered by Ida Wren on 20 August 1789.", "supported"),
        ("Paul Stagg discovered Alba.", "partial"),
        ("Ida Wren painted Alba.", "partial"),
    ],
)
async def test_words_of_a_quote_in_the_words_of_the_question_are_quoted_and_no_others(text, verdict):
    assert (await verdicts(text, (TEXT.id, FOUND), question="Who discovered Alba?"))[0] == verdict


async def test_a_part_of_a_sentence_is_not_quoted():
    assert (await verdicts("Nils Holt had found it in 1655.", (TEXT.id, NOT_FOUND)))[0] == "supported"


REASONS = [
    ("Anything.", (), "it cites nothing"),
    ("Anything.", (Quote(EvidenceId("elsewhere"), "Anything."),), "the evidence that it cites is not at hand"),
    ("Alba.", (Quote(TEXT.id, "Alba is round"),), "the quote “Alba is round” is not in what it cites"),
    (
        "Ida Wren discovered Alba in 1798 with 3 telescopes.",
        (Quote(TEXT.id, FOUND),),
        "not in its quotes, titles or captions, nor in the question: 1798, 3 telescopes",
    ),
    ("Fenn was discovered by Wren.", (Quote(TEXT.id, NOT_FOUND),), "its quotes say the opposite"),
    (
        "Edda is 1,527 km wide, with poles.",
        (Quote(ROW.id, "1,527"), Quote(IMAGE.id, "A grey ball with two bright spots")),
        "these words stand nowhere in what it cites: wide, poles",
    ),
    (
        "Edda was discovered by Paul Stagg.",
        (Quote(ROW.id, EDDA), Quote(IMAGE.id, "A grey ball with two bright spots")),
        "the quote “A grey ball with two bright spots” has nothing to do with it",
    ),
]


@pytest.mark.parametrize(("text", "quotes", "reason"), REASONS, ids=[row[2] for row in REASONS])
def test_what_does_not_hold_has_a_reason(text, quotes, reason):
    assert ExtractiveClaimVerifier().check(DraftClaim(text, quotes), CITED).reason == reason


def test_what_holds_has_none():
    assert ExtractiveClaimVerifier().check(DraftClaim(FOUND, (Quote(TEXT.id, FOUND),)), CITED).reason == ""


ONLY = "The only moon with a ring is Fenn."


@pytest.mark.parametrize(
    ("text", "said", "title", "question"),
    [
        ("Pathway 2 saw Fenn.", "The probe saw Fenn.", "Pathway 2", ""),
        ("The second probe saw Fenn.", "The probe saw Fenn.", "Orvo", "What did the second probe see?"),
        ("The probe saw Fenn within 12 days.", "The probe saw Fenn.", "Orvo", "What did the probe see within 12 days?"),
        ("No other moon than Fenn has a ring.", ONLY, "Orvo", "Which other moon has a ring?"),
    ],
)
def test_words_that_the_title_or_the_question_says_are_no_reason_to_refuse(text, said, title, question):
    piece = replace(TEXT, place=replace(PLACE, title=title), text=said)
    judged = ExtractiveClaimVerifier(question).check(DraftClaim(text, (Quote(piece.id, said),)), {piece.id: piece})

    assert judged.claim.verdict != "unsupported"


LARGEST = "What is the largest moon of Orvo?"
WIDE = "How many moons of Orvo have a diameter above 1,000 km?"
PLANS = {
    LARGEST: Plan("most", "Name", "Diameter (km)"),
    "What is the second largest moon of Orvo?": Plan("most", "Name", "Diameter (km)", 2),
    "How many did Paul Stagg discover?": Plan("count", where={"Discovered by Paul Stagg": "is"}),
    WIDE: Plan("count", where={"Diameter (km) 1,000 km": "above"}),
    "What is the total diameter of the moons of Orvo?": Plan("sum", "Diameter (km)"),
    "What is the average diameter of the moons of Orvo?": Plan("mean", "Diameter (km)"),
    "How large is the smallest moon of Orvo?": Plan("least", "Diameter (km)", "Diameter (km)"),
}


async def computed_for(question: str) -> Computed:
    return await computed_of(question, PLANS[question], TABLE)


@pytest.mark.parametrize("question", PLANS)
async def test_a_computed_claim_is_computed_again(question):
    computed = await computed_for(question)
    checked = await verdicts(computed.sentence, question=question, computation=computed.computation)
    assert checked == ("computed", ("computed",))


@pytest.mark.parametrize(
    ("question", "said", "instead"),
    [
        (LARGEST, "Fenn", "Edda"),
        (LARGEST, "5,150", "1,527"),
        ("How many did Paul Stagg discover?", "1 (", "2 ("),
        (WIDE, "Edda", "Alba"),
        ("What is the total diameter of the moons of Orvo?", "7,073", "7,074"),
    ],
)
async def test_a_computed_claim_that_tells_something_else_is_unsupported(question, said, instead):
    computed = await computed_for(question)
    assert said in computed.sentence
    text = computed.sentence.replace(said, instead)
    assert await verdicts(text, question=question, computation=computed.computation) == (
        "unsupported",
        ("unsupported",),
    )


async def test_a_computation_with_another_value_is_unsupported():
    computed = await computed_for(LARGEST)
    wrong = replace(computed.computation, value="Edda")
    text = computed.sentence.replace("Fenn", "Edda")
    assert await verdicts(text, computation=wrong) == ("unsupported", ("unsupported",))


async def test_a_computation_over_a_table_that_is_not_at_hand_is_unchecked():
    computed = await computed_for(LARGEST)
    elsewhere = replace(computed.computation, table=EvidenceId("elsewhere"))
    assert await verdicts(computed.sentence, computation=elsewhere) == ("unchecked", ("unchecked",))


async def test_a_time_that_only_somebody_who_reads_can_judge_is_partial_without_a_judge():
    quote = (TEXT.id, "Nils Holt had found it in 1655.")

    assert await verdicts("Nils Holt had found it on 3 May 1655.", quote) == ("partial", ("partial",))
    assert await verdicts("Nils Holt had found it on 3 May 1656.", quote) == ("unsupported", ("unsupported",))
