"""Whether a question asks for one objective fact, and an answer is one, by their words alone."""

import re

from eval.omgqa.generation.drafts import Refusal

MOST_WORDS = 12
"""Of an answer that is one fact."""
LEAST_QUESTION_WORDS = 5

_YES_OR_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b(?!.*\bor\b)",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:impacts?|factors?|reasons?|significance|implications?|opinions?|why|how might|how could|what do you|"
    r"relationship|main differences?|influences?|what roles?|importance|contribut\w+|"
    r"compare|describe|discuss|explain)\b",
    re.IGNORECASE,
)
"""OMG-QA, Figures 3 and 4: questions of impact, factors, reasons or relations are too general."""
_MATERIAL = re.compile(
    r"\b(?:according to|given|above|following|provided|this|these) (?:the )?"
    r"(?:table|text|image|picture|caption|article|section|passage|material|evidence|page|contents|information|pieces?)|"
    r"\b(?:the|this) (?:article|passage|material|evidence|infobox|table of contents)\b|[\[(]?\bE\d+\b[\])]?|\[\d+\]",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"(?:yes|no|true|false|unknown|none|n/?a|not (?:stated|known|given|mentioned|available).*)\W*", re.IGNORECASE
)
_WORD = re.compile(r"\w+")
_SEVERAL = re.compile(r"[;\n•]|,\s.*,\s", re.DOTALL)


def question_fault(question: str) -> Refusal | None:
    """Return what is wrong with a question, if anything."""
    if len(question.split()) < LEAST_QUESTION_WORDS or not question.endswith("?"):
        return Refusal("wording", "it is no whole question")
    if _YES_OR_NO.match(question):
        return Refusal("wording", "it asks for yes or no")
    if found := _OPINION.search(question):
        return Refusal("wording", f"it is too general: {found[0]}")
    if found := _MATERIAL.search(question):
        return Refusal("wording", f"it points at its material, which who is asked does not see: {found[0]}")
    return None


def answer_fault(answer: str) -> Refusal | None:
    """Return what is wrong with an answer as the only one, if anything."""
    if not answer.strip() or _NO_ANSWER.fullmatch(answer.strip()):
        return Refusal("wording", f"its answer is no fact: {answer or 'empty'}")
    if len(answer.split()) > MOST_WORDS:
        return Refusal("wording", f"its answer has more than {MOST_WORDS} words")
    if _SEVERAL.search(answer):
        return Refusal("wording", "its answer is a list")
    return None


def told_fault(question: str, answer: str) -> Refusal | None:
    """Refuse a question that says its answer, unless it asks to choose; figures are too short to tell."""
    said, words = set(_WORD.findall(question.casefold())), set(_WORD.findall(answer.casefold()))
    if "or" in said or not words <= said or not any(word.isalpha() for word in words):
        return None
    return Refusal("wording", f"it says its answer: {answer}")
