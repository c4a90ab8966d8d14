"""Values by name: a model names a calculation, code calculates it, and the sentence cites it."""

import pytest

from agent.citations import ExtractiveClaimVerifier
from agent.writing.answerer import LanguageAnswerer
from agent.writing.replies import WrittenAnswer, WrittenBlocks, WrittenCalculations, WrittenSummary
from heliograph.errors import ModelTimeout
from heliograph.types import Cell, DraftClaim, EvidenceId, Need, PageKey, Place, Scored, TableEvidence
from indexers.parser import segments
from tests.agent.writing.test_answerer import Twin
from tests.fakes import brief
from tests.fakes_language import ScriptedLLM

QUESTION = "How tall are the lights of Varn together?"
LIGHTS = TableEvidence(
    EvidenceId("w:Varn@1#s0/t1"),
    Place(PageKey("w:Varn@1"), "Varn", "s0"),
    "table",
    "Lights of Varn",
    ("Light", "Height (m)", "Lamp"),
    (
        (Cell("Holm Light"), Cell("31"), Cell("red")),
        (Cell("Skerry Light"), Cell("44"), Cell("white")),
        (Cell("North Light"), Cell("38"), Cell("red")),
    ),
)
EVIDENCE = (Scored(LIGHTS, 0.5), Scored(segments(LIGHTS)[1], 0.5))
SUM = {"name": "c1", "operation": "sum", "table": "E1", "column": "Height (m)"}


def reply(text: str, *calculations: dict[str, object]) -> WrittenAnswer:
    return WrittenAnswer.model_validate({"claims": [{"text": text}], "calculations": calculations})


def again(*calculations: dict[str, object]) -> WrittenCalculations:
    return WrittenCalculations.model_validate({"calculations": calculations})


async def asked(*replies: object) -> tuple[tuple[DraftClaim, ...], tuple[tuple[str, str], ...], ScriptedLLM]:
    llm = ScriptedLLM(replies)
    draft = await LanguageAnswerer(llm, Twin()).answer(brief(QUESTION), EVIDENCE)
    assert draft.not_found == ()
    return draft.claims, tuple((each.text, each.reason) for each in draft.not_said), llm


@pytest.mark.parametrize(
    ("calculation", "sentence", "told"),
    [
        (SUM, "The lights of Varn are { c1 } m tall together.", "The lights of Varn are 113 m tall together."),
        ({**SUM, "operation": "Average"}, "The mean height is {c1}.", "The mean height is 37.67 m."),
        ({**SUM, "operation": "max"}, "Skerry Light is the tallest, at {c1}.", "Skerry Light is the tallest, at 44 m."),
        (
            {**SUM, "where": [{"column": "lamp", "relation": "=", "value": "red"}]},
            "Those with a red lamp are {c1} tall.",
            "Those with a red lamp are 69 m tall.",
        ),
        (
            {**SUM, "operation": "difference", "rows": ["E1.2", "Holm Light"]},
            "Skerry Light is {c1} taller than Holm Light.",
            "Skerry Light is 13 m taller than Holm Light.",
        ),
        ({**SUM, "table": "E1.2", "rows": ["all"]}, "Together they have {c1}.", "Together they have 113 m."),
        ({"name": "{c1}", "operation": "count", "table": "[E1]"}, "Varn has {c1} lights.", "Varn has 3 lights."),
    ],
)
async def test_code_calculates_what_a_model_names_and_the_claim_passes_its_check(calculation, sentence, told):
    claims, not_said, llm = await asked(reply(sentence, calculation))
    assert ([claim.text for claim in claims], not_said, len(llm.prompts)) == ([told], (), 1)
    (judged,) = await ExtractiveClaimVerifier(QUESTION).verify(claims, {LIGHTS.id: LIGHTS})
    assert judged.claim.verdict == "computed"


async def test_calculations_that_fail_are_asked_for_once_more_all_in_one_call():
    calculations = ({**SUM, "table": "E7"}, {**SUM, "name": "c2", "column": "Width"}, {**SUM, "name": "c3"})
    both = WrittenAnswer.model_validate(
        {"claims": [{"text": "Together {c1}."}, {"text": "Side by side {c2}."}], "calculations": calculations}
    )
    claims, not_said, llm = await asked(both, again({**SUM, "name": "1"}, {**SUM, "name": "2", "column": "Depth"}))
    assert ([claim.text for claim in claims], not_said) == (
        ["Together 113 m."],
        (("Side by side ….", "not calculated"),),
    )
    assert [prompt.name for prompt in llm.prompts] == ["write_answer", "mend_calculations"]
    failed = llm.prompts[1].parts[-1].splitlines()[1:]
    assert [line[:2] for line in failed] == ["1.", "2."]
    assert "'E7' is no table (there are: E1)" in failed[0]
    assert "Height (m)" in failed[1]
    assert LIGHTS.id not in "".join(llm.prompts[1].parts)


async def test_a_calculation_that_fails_and_that_no_sentence_tells_costs_no_call():
    claims, not_found, llm = await asked(reply("Together {c1}.", SUM, {**SUM, "name": "c2", "column": "Width"}))
    assert ([claim.text for claim in claims], not_found) == (["Together 113 m."], ())
    assert [prompt.name for prompt in llm.prompts] == ["write_answer"]


@pytest.mark.parametrize(
    ("sentence", "second", "why"),
    [
        ("Together {c1}.", again(), "not calculated"),
        ("Together {c1}.", ModelTimeout("late"), "not calculated"),
        ("Together {c9}.", again(), "not calculated: the model named no calculation"),
    ],
)
async def test_a_claim_whose_value_cannot_be_calculated_is_left_out_and_named(sentence, second, why):
    claims, not_said, _ = await asked(reply(sentence, {**SUM, "table": "E7"}), second)
    assert (claims, not_said) == ((), (("Together ….", why),))


async def test_a_sentence_tells_one_calculated_value():
    claims, not_said, llm = await asked(reply("{c1} of {c2}.", SUM, {**SUM, "name": "c2", "operation": "max"}))
    assert (claims, len(llm.prompts)) == ((), 1)
    assert not_said == (("113 m of 44 m.", "not calculated: it tells more than one calculated value"),)


async def test_sections_of_a_report_ask_again_together_and_their_names_do_not_meet():
    def section(need: int, table: str, operation: str) -> WrittenBlocks:
        block = {"kind": "calculation", "need": need, "claims": [{"text": f"The {operation} is {{c1}}."}]}
        return WrittenBlocks.model_validate(
            {"blocks": [block], "calculations": [{**SUM, "operation": operation, "table": table}]}
        )

    summary = WrittenSummary.model_validate({"claims": [{"text": "The max is 44 m.", "sentences": [2]}]})
    llm = ScriptedLLM(
        [section(2, "E8", "sum"), section(3, "E1", "max"), section(4, "E9", "min"),
         again({**SUM, "name": "1"}, {**SUM, "name": "2", "operation": "min"}), summary]
    )  # fmt: skip
    of = brief(QUESTION, "Sum?", "Max?", "Min?", form="report")
    draft = await LanguageAnswerer(llm, Twin()).answer(of, EVIDENCE)
    assert [claim.text for claim in draft.claims] == [
        "The max is 44 m.", "The sum is 113 m.", "The max is 44 m.", "The min is 31 m."
    ]  # fmt: skip
    assert draft.claims[0].computation == draft.claims[2].computation
    assert [block.kind for block in draft.blocks if block.need] == ["heading", "calculation"] * 3
    assert [prompt.name for prompt in llm.prompts] == [*["write_section"] * 3, "mend_calculations", "write_summary"]
    assert "[S2] (calculated) The max is 44 m." in llm.prompts[-1].parts[1]
    assert of.needs[0] == Need(QUESTION)
