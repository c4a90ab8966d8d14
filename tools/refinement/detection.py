"""Whether a question aggregates over rows (HELIOS, section 4.3; Algorithm 1, line 13: DETECTAGG)."""

from dataclasses import dataclass

from heliograph.errors import ModelError
from heliograph.protocols import LLM
from heliograph.types import Prompt
from prompts import render_prompt
from tools.refinement.framing import question_part
from tools.refinement.replies import Aggregates
from tools.refinement.result import Judge


@dataclass(frozen=True, slots=True)
class Detected:
    """Who finds that a question aggregates."""

    judges: tuple[Judge, ...]
    notes: tuple[str, ...] = ()


async def detect(question: str, by_code: bool, llm: LLM | None) -> Detected:
    """Say what code finds and, where there is one, ask the model. Neither overrules the other: each selects rows where
    it says yes.
    """
    code: tuple[Judge, ...] = ("code",) if by_code else ()
    if llm is None:
        return Detected(code)
    try:
        reply = await llm.ask(detection_prompt(question), Aggregates)
    except ModelError as err:
        return Detected(code, (f"the model did not say whether the question aggregates ({type(err).__name__})",))
    return Detected((*code, "model") if reply.aggregation else code)


def detection_prompt(question: str) -> Prompt:
    """Return the prompt that asks whether a question aggregates."""
    return Prompt("detect_aggregation", render_prompt("detect_aggregation"), (question_part(question),))
