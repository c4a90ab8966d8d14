"""The table of agent.checking.judge: code refuses what it can know, the model judges the rest in one prompt."""

import asyncio
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agent.checking.judge import MOST_JUDGED, JudgedClaim, JudgedClaims, JudgingClaimVerifier, by_code
from agent.citations.grounds import ground_of
from agent.llm.counting import count_tokens
from heliograph.errors import ModelMalformed
from heliograph.types import (
    Calculation,
    Cell,
    CitedMarker,
    Claim,
    Computation,
    DraftClaim,
    Evidence,
    EvidenceId,
    Judgment,
    PageKey,
    Place,
    Quote,
    TableEvidence,
    TextEvidence,
)
from tests.fakes_language import ScriptedLLM
from tests.tools.slots import Plan, computed_of
from tools.arithmetic import calculate

PLACE = Place(PageKey("w:Holm@1"), "Holm Light", "s1", ("History",))
PIECE = TextEvidence(
    EvidenceId("w:Holm@1#s1/p1"),
    PLACE,
    "paragraph",
    "The wooden house stands on Varn. It was first lit in 1889, and 4,000 ships pass it every year. It was not closed.",
)
LIT = "It was first lit in 1889, and 4,000 ships pass it every year."
LIGHTS = TableEvidence(
    EvidenceId("w:Holm@1#s1/t1"),
    PLACE,
    "table",
    "Lights of Varn",
    ("Light", "Height (m)"),
    ((Cell("Holm Light"), Cell("31")), (Cell("North Light"), Cell("38")), (Cell("Skerry"), Cell("12"))),
)
CITED: dict[EvidenceId, Evidence] = {PIECE.id: PIECE, LIGHTS.id: LIGHTS}
ROW = EvidenceId(f"{LIGHTS.id}/r1")


def claim(text: str, quote: str = LIT, evidence: EvidenceId = PIECE.id) -> DraftClaim:
    return DraftClaim(text, (Quote(evidence, quote),))


def said(*verdicts: str) -> JudgedClaims:
    return JudgedClaims(
        verdicts=[JudgedClaim(claim=n, reason=f"why {n}", verdict=each) for n, each in enumerate(verdicts, start=1)]
    )


def judged(text: str, verdict: str, reason: str = "") -> Judgment:
    return Judgment(Claim(text, (CitedMarker(1, verdict),), verdict), reason)


async def verify(llm: ScriptedLLM, *claims: DraftClaim, question: str = "") -> tuple[Judgment, ...]:
    return await JudgingClaimVerifier(llm, question).verify(claims, CITED)


async def test_all_claims_are_judged_in_one_prompt_each_with_its_reason():
    llm = ScriptedLLM([said("supported", "partial", "unsupported")])
    texts = ("Holm Light went into service in 1889.", "Holm Light was lit by monks.", "Nobody lit Holm Light.")

    assert await verify(llm, *map(claim, texts)) == (
        judged(texts[0], "supported"),
        judged(texts[1], "partial", "why 2"),
        judged(texts[2], "unsupported", "why 3"),
    )
    assert len(llm.prompts) == 1


async def test_the_judge_sees_what_a_reader_sees():
    llm = ScriptedLLM([said("supported", "supported")])
    both = DraftClaim("It is 31 m tall and was lit in 1889.", (Quote(ROW, "31"), Quote(PIECE.id, "first lit in 1889")))
    await verify(llm, claim("Ships pass it."), both, question="When was <b>Holm Light</b> lit?")
    (prompt,) = llm.prompts

    assert prompt.parts[0] == "Question: When was (b)Holm Light(/b) lit?"
    assert prompt.parts[1].splitlines()[2:-2] == [
        f"[E1] (text) Holm Light > History :: {PIECE.text}",
        "[E2] (table) Holm Light > History :: Lights of Varn // columns: Light | Height (m) (all 3 rows)",
        "[E2.1] Holm Light | 31",
        "[E2.2] North Light | 38",
        "[E2.3] Skerry | 12",
    ]
    assert prompt.parts[2].splitlines()[2:-1] == [
        "[C1] cites E1: Ships pass it.",
        "[C2] cites E2.1, E1: It is 31 m tall and was lit in 1889.",
    ]


async def test_of_a_table_that_does_not_fit_the_judge_is_told_how_many_rows_it_sees():
    many = tuple((Cell(f"Light {n}"), Cell("31"), Cell("so " * 60)) for n in range(60))
    table = replace(LIGHTS, header=("Light", "Height (m)", "Story"), rows=many)
    llm = ScriptedLLM([said("supported")], room=1_200)
    tallest = claim("No light is taller.", "Light 40", EvidenceId(f"{LIGHTS.id}/r41"))
    await JudgingClaimVerifier(llm).verify([tallest], {table.id: table})
    lines = llm.prompts[0].parts[1].splitlines()

    assert lines[2].endswith(f"({len(lines) - 5} of 60 rows are shown)")
    assert lines[-3].startswith("[E1.41] Light 40 | 31 | so so")
    assert llm.prompts[0].parts[2].splitlines()[2] == "[C1] cites E1.41: No light is taller."


@dataclass(slots=True)
class SmallLLM(ScriptedLLM):
    """A model with the room of a context of 3,072 tokens, which are counted as for any model."""

    def count(self, text: str) -> int:
        return count_tokens(text)


async def test_a_claim_over_two_paragraphs_and_a_table_fits_a_context_of_3072_tokens():
    told = " ".join(f"In {1900 + n} the old pier number {n} was rebuilt after a storm." for n in range(60))
    far = TextEvidence(EvidenceId("w:Holm@1#s1/p2"), PLACE, "paragraph", told)
    rows = tuple((Cell(f"Light {n}"), Cell("31"), Cell("lit by ships' oil " * 4)) for n in range(40))
    table = replace(LIGHTS, header=("Light", "Height (m)", "Story"), rows=rows)
    quotes = (Quote(PIECE.id, LIT), Quote(far.id, "In 1930"), Quote(EvidenceId(f"{table.id}/r30"), "31"))
    long = DraftClaim(f"Light 29, {'which stands near the old pier of Varn, ' * 4}is lit.", quotes)
    llm = SmallLLM([said("supported")], room=1_904)
    await JudgingClaimVerifier(llm, "What is known of the lights?").verify(
        [long], {**CITED, far.id: far, table.id: table}
    )
    (prompt,) = llm.prompts

    assert sum(map(count_tokens, (prompt.system, *prompt.parts))) <= 1_904
    assert prompt.parts[2].splitlines()[2].startswith("[C1] cites E1, E2, E3.30: ")
    assert "pier number 30 was rebuilt" in prompt.parts[1]
    assert "[E3.30] Light 29 | 31 |" in prompt.parts[1]


async def test_a_short_quote_stands_in_its_sentences_and_a_long_paragraph_is_cut():
    far = " ".join(f"In {1900 + n} the {'very ' * 9}old pier number {n} was rebuilt." for n in range(40))
    piece = TextEvidence(PIECE.id, PLACE, "paragraph", f"{far} The hall was built in 1851. {far}")
    llm = ScriptedLLM([said("supported")])
    await JudgingClaimVerifier(llm).verify([claim("The pier is old.", "in 1851")], {piece.id: piece})
    shown = llm.prompts[0].parts[1].splitlines()[2].partition(" :: ")[2]

    assert shown.startswith("… In 19")
    assert shown.endswith("rebuilt. …")
    assert "pier number 39 was rebuilt. The hall was built in 1851." in shown
    assert len(shown) < 420


async def test_a_reason_names_what_the_judge_knows_by_handles():
    reply = JudgedClaims(verdicts=[JudgedClaim(claim=1, reason="[E1] and E2.2 (E9) deny C1", verdict="partial")])
    both = DraftClaim("It is 38 m tall.", (Quote(PIECE.id, "first lit in 1889"), Quote(f"{LIGHTS.id}/r2", "38")))

    (found,) = await verify(ScriptedLLM([reply]), both)
    assert found.reason == "“first lit in 1889” and the row “North Light” a piece deny the claim"


REFUSED = [
    (claim("It was lit in 1890."), "unsupported", "not in its quotes, titles or captions, nor in the question: 1890"),
    (claim("It was lit.", "It was never lit"), "unsupported", "the quote “It was never lit” is not in what it cites"),
    (claim("It was lit.", LIT, EvidenceId("w:Gone@1#s0/p1")), "unchecked", "the evidence that it cites is not at hand"),
]


@pytest.mark.parametrize(("refused", "verdict", "reason"), REFUSED, ids=[row[2][:12] for row in REFUSED])
async def test_what_code_can_know_the_model_is_not_asked(refused, verdict, reason):
    llm = ScriptedLLM()

    assert await verify(llm, refused) == (judged(refused.text, verdict, reason),)
    assert llm.prompts == []


async def test_a_claim_that_cites_nothing_is_unsupported():
    assert await verify(ScriptedLLM(), DraftClaim("It was lit.", ())) == (
        Judgment(Claim("It was lit.", (), "unsupported"), "it cites nothing"),
    )


async def test_a_whole_sentence_is_quoted_and_a_part_of_one_is_judged():
    llm = ScriptedLLM([said("unsupported")], [0.0])
    part = claim("4,000 ships pass it every year.")

    assert await verify(llm, claim(LIT), part) == (judged(LIT, "quoted"), judged(part.text, "unsupported", "why 1"))


async def test_claims_stay_in_order_whoever_decides():
    llm = ScriptedLLM([said("supported", "unsupported")])
    texts = ("It went into service in 1889.", "It was lit in 1890.", LIT, "It was closed.")

    found = await verify(llm, *map(claim, texts))
    assert [(each.claim.text, each.claim.verdict) for each in found] == [
        (texts[0], "supported"),
        (texts[1], "unsupported"),
        (LIT, "quoted"),
        (texts[3], "unsupported"),
    ]


async def test_a_claim_that_the_judge_leaves_out_is_asked_for_once_more():
    second = JudgedClaims(verdicts=[JudgedClaim(claim=1, reason="late", verdict="partial")])
    llm = ScriptedLLM([said("supported"), second])

    found = await verify(llm, claim("It shone."), claim("It glowed."))
    assert [each.claim.verdict for each in found] == ["supported", "partial"]
    assert llm.prompts[1].parts[2].splitlines()[2:-1] == ["[C1] cites E1: It glowed."]
    with pytest.raises(ModelMalformed, match="gave 1 of 2 claims a verdict"):
        await verify(ScriptedLLM([said("supported"), said()]), claim("It shone."), claim("It glowed."))


IN_WORDS = "4,000 ships pass Holm Light every year."


async def test_a_claim_that_is_refused_against_its_words_is_asked_about_alone():
    llm = ScriptedLLM([said("supported", "partial")], [0.9])

    found = await verify(llm, claim("It shone."), claim(IN_WORDS), question="How many ships pass?")
    assert found == (judged("It shone.", "supported"), judged(IN_WORDS, "supported"))
    assert [prompt.name for prompt in llm.prompts] == ["judge_claims", "is_it_supported"]
    assert llm.prompts[1].parts[0] == "Question: How many ships pass?"
    assert llm.prompts[1].parts[1].splitlines()[2] == f"[E1] (text) Holm Light > History :: {PIECE.text}"
    assert llm.prompts[1].parts[2] == f"Claim: {IN_WORDS}"


async def test_a_claim_that_is_refused_alone_too_keeps_the_first_reason():
    llm = ScriptedLLM([said("unsupported")], [0.4])

    assert await verify(llm, claim(IN_WORDS)) == (judged(IN_WORDS, "unsupported", "why 1"),)
    assert llm.chosen == 1


async def test_words_of_the_question_speak_for_a_claim_too():
    llm = ScriptedLLM([said("partial")], [0.9])
    told = "The number of vessels is 4,000 ships every year."

    assert await verify(llm, claim(told), question="What is the number of vessels?") == (judged(told, "supported"),)


@pytest.mark.parametrize("text", ["Ida Nord lit Holm Light.", "It was closed."])
async def test_a_claim_whose_words_do_not_stand_there_is_not_asked_about_again(text):
    llm = ScriptedLLM([said("unsupported")], [0.9])

    assert await verify(llm, claim(text)) == (judged(text, "unsupported", "why 1"),)
    assert llm.chosen == 0


async def test_one_answer_has_one_claim_asked_about_alone():
    llm = ScriptedLLM([said("partial", "partial")], [0.9])
    verifier = JudgingClaimVerifier(llm)
    both = [claim(IN_WORDS), claim("Ships pass it every year.")]

    assert [each.claim.verdict for each in await verifier.verify(both, CITED)] == ["supported", "partial"]
    assert [each.claim.verdict for each in await verifier.verify(both, CITED)] == ["partial", "partial"]
    assert llm.chosen == 1


async def test_a_small_model_has_no_vote_on_a_claim_that_words_speak_for():
    llm = ScriptedLLM([said("supported")])
    verifier = JudgingClaimVerifier(llm, small=True)
    claims = [claim(IN_WORDS), claim("Ida Nord lit Holm Light."), claim("It was first lit in 1899.")]

    verdicts = [each.claim.verdict for each in await verifier.verify(claims, CITED)]
    assert verdicts == ["supported", "supported", "unsupported"]
    assert [prompt.parts[2].count("[C") for prompt in llm.prompts] == [1]
    assert "Ida Nord" in llm.prompts[0].parts[2]


async def test_of_several_verdicts_on_one_claim_the_worst_counts_and_foreign_numbers_do_not():
    reply = JudgedClaims(
        verdicts=[
            JudgedClaim(claim=1, reason="no", verdict="unsupported"),
            JudgedClaim(claim=1, reason="yes", verdict="supported"),
            JudgedClaim(claim=0, reason="?", verdict="unsupported"),
            JudgedClaim(claim=7, reason="?", verdict="unsupported"),
        ]
    )
    assert await verify(ScriptedLLM([reply]), claim("It shone.")) == (judged("It shone.", "unsupported", "no"),)


async def test_a_reason_that_holds_an_address_is_not_told():
    reply = JudgedClaims(
        verdicts=[JudgedClaim(claim=1, reason="see http://x.example/a [1] <b>", verdict="unsupported")]
    )
    assert await verify(ScriptedLLM([reply]), claim("It shone.")) == (
        judged("It shone.", "unsupported", "the judge gave no reason"),
    )


async def test_claims_are_split_only_where_they_do_not_fit():
    texts = [f"It shone as number {'so ' * n}." for n in range(MOST_JUDGED + 1)]
    llm = ScriptedLLM([said(*["supported"] * MOST_JUDGED), said("supported")], room=100_000)
    await verify(llm, *map(claim, texts))
    assert len(llm.prompts) == 2

    narrow = ScriptedLLM([said("supported")], room=1_000)
    await verify(narrow, claim(f"It shone {'so ' * 300}."), claim(f"It glowed {'so ' * 300}."))
    assert [prompt.parts[2].count("[C") for prompt in narrow.prompts] == [1, 1]
    assert len({(prompt.system, prompt.parts[0]) for prompt in narrow.prompts}) == 1


GREATEST = "What is the greatest height of the lights of Varn?"
COMPUTED = asyncio.run(computed_of(GREATEST, Plan("most", "Height (m)", "Height (m)"), LIGHTS))


async def test_a_computation_that_is_told_plainly_needs_no_judge():
    plain = DraftClaim(COMPUTED.sentence, (), COMPUTED.computation)

    assert [each.claim.verdict for each in await verify(ScriptedLLM(), plain)] == ["computed"]


async def test_a_computation_in_other_words_is_judged_with_its_rows():
    told = DraftClaim("No lamp on Varn hangs higher than 38 m, and Skerry's hangs low.", (), COMPUTED.computation)
    llm = ScriptedLLM([said("supported")])

    assert await verify(llm, told) == (judged(told.text, "computed"),)
    assert "[E1.3] Skerry | 12" in llm.prompts[0].parts[1]
    assert "cites E1: No lamp on Varn" in llm.prompts[0].parts[2]
    computed = "Greatest by Height (m) over 3 rows, of North Light (Holm Light, Lights of Varn): 38 m."
    assert f"(computed: {computed})" in llm.prompts[0].parts[2]


@pytest.mark.parametrize("small", [False, True])
async def test_words_that_are_not_the_computations_own_are_judged_but_by_no_small_model(small: bool):
    wrong = DraftClaim("The lowest light of Varn is 38 m high.", (), COMPUTED.computation)
    llm = ScriptedLLM([said("unsupported")])
    (found,) = await JudgingClaimVerifier(llm, GREATEST, small=small).verify([wrong], {LIGHTS.id: LIGHTS})

    assert found.claim.verdict == ("computed" if small else "unsupported")
    assert len(llm.prompts) == (0 if small else 1)


async def test_a_comparison_is_judged_since_its_own_words_may_say_the_opposite():
    asked, lit = "Is Skerry higher than North Light?", [f"{LIGHTS.id}/r3", f"{LIGHTS.id}/r2"]
    low = calculate(Calculation("comparison", LIGHTS.id, "Height (m)", tuple(lit)), [LIGHTS]).computation
    wrong = DraftClaim("No, Skerry is higher than North Light.", (), low)
    llm = ScriptedLLM([said("unsupported")])
    (found,) = await JudgingClaimVerifier(llm, asked).verify([wrong], {LIGHTS.id: LIGHTS})

    assert (low.value, found.claim.verdict) == ("No", "unsupported")


@pytest.mark.parametrize(
    ("text", "value"), [("The greatest height is 37 m.", "37 m"), ("It is 38 m, 40 ft more than Skerry.", None)]
)
async def test_a_computation_that_does_not_give_its_figures_is_refused(text, value):
    wrong = COMPUTED.computation
    if value:
        wrong = Computation("max", LIGHTS.id, wrong.column, wrong.rows, value)

    (found,) = await verify(ScriptedLLM(), DraftClaim(text, (), wrong))
    assert found.claim.verdict == "unsupported"


WORDS = st.lists(
    st.sampled_from(
        [
            "ships",
            "pass",
            "the",
            "lamp",
            "of",
            "Varn",
            "every",
            "night",
            "and",
            "Holm",
            "shines",
            "over",
            "12",
            "km",
            "for",
            "4,000",
            "keepers",
        ]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)


@given(WORDS, WORDS)
def test_a_claim_that_is_word_for_word_its_quote_is_never_refused_by_code(before, words):
    piece = TextEvidence(PIECE.id, PLACE, "paragraph", f"{before}. {words}. Then more.")
    cited = {piece.id: piece}
    found = by_code(claim(words, words), [ground_of(Quote(piece.id, words), cited)], cited, "")

    assert found is None or found.claim.verdict == "quoted"


SENTENCES = ("{} ships pass it", "it is {} km long", "the lamp weighs {} kg", "about {} people live there")


@given(st.sampled_from(SENTENCES), st.integers(13, 10**6), st.integers(13, 10**6), st.booleans())
def test_a_changed_figure_is_always_refused_unless_the_title_or_the_question_says_it(sentence, true, false, said_there):
    assume(abs(true - false) > true / 10)
    text, wrong = sentence.format(f"{true:,}"), sentence.format(f"{false:,}")
    piece = TextEvidence(PIECE.id, PLACE, "paragraph", text)
    cited = {piece.id: piece}
    asked = f"Is it {false}?" if said_there else ""
    found = by_code(claim(wrong, text), [ground_of(Quote(piece.id, text), cited)], cited, asked)

    assert (found is None) == said_there
