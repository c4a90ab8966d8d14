"""The prompts of the steps: fixed instructions, then what many askings share, then the entity or the query."""

from collections.abc import Sequence

from agent.language.framing import framed_lines
from eval.stark.construction.language.relational_drafts import RelationalDraft
from eval.stark.construction.language.roles import Role
from eval.stark.construction.relation_words import type_words
from heliograph.protocols import LLM
from heliograph.types import Entity, Prompt
from indexers.skb.entity_texts import folded
from prompts import render_prompt
from prompts.harmless import harmless
from tools.skb.llm_reranker import entity_part

DOCUMENT_CHARACTERS = 6_000
"""Of a document that are shown: what decides a property stands early, and each candidate is shown to every filter."""
NONE = "none"
QUOTED = 0.8
"""Of the words of a quotation that stand in the document: models leave words out, and change an ending."""


def extraction_prompt(draft: RelationalDraft, document: str, llm: LLM) -> tuple[Prompt, str]:
    """Return the prompt for properties of the gold entity, and the document as far as it is shown.

    Raises:
        ContextOverflow: not even its beginning fits.
    """
    system, role = render_prompt("extract_properties"), role_part(draft.role)
    wanted = render_prompt("wanted_properties", count=draft.properties, type=harmless(type_words(draft.draft.type)))
    entity, shown = entity_part(draft.gold, document, llm, (system, role, wanted), DOCUMENT_CHARACTERS)
    return Prompt("extract_properties", system, (role, wanted, entity)), shown


def writing_prompt(draft: RelationalDraft, properties: Sequence[str]) -> Prompt:
    """Return the prompt for a query of requirements and properties."""
    requirements = render_prompt(
        "the_requirements",
        type=harmless(type_words(draft.draft.type)),
        requirements="\n".join(f"- {each}" for each in draft.requirements),
        properties=numbered(properties) or NONE,
        kept=kept_part(draft),
    )
    return Prompt("write_query", render_prompt("write_query"), (role_part(draft.role), requirements))


def rephrasing_prompt(draft: RelationalDraft, query: str) -> Prompt:
    """Return the prompt for the same query in other words."""
    shown = render_prompt("query_to_rephrase", query=harmless(query), kept=kept_part(draft))
    return Prompt("rephrase_query", render_prompt("rephrase_query"), (role_part(draft.role), shown))


def checking_prompt(properties: Sequence[str], entity: Entity, document: str, llm: LLM) -> tuple[Prompt, str]:
    """Return the prompt for verdicts on the properties of one candidate, and its document as far as it is shown.

    Raises:
        ContextOverflow: not even the beginning of its document fits.
    """
    system, asked = render_prompt("check_properties"), render_prompt("the_properties", properties=numbered(properties))
    part, shown = entity_part(entity, document, llm, (system, asked), DOCUMENT_CHARACTERS)
    return Prompt("check_properties", system, (asked, part)), shown


def role_part(role: Role) -> str:
    """Return the part of a prompt that says who asks."""
    return render_prompt("the_role", role=role.name, interests=role.interests, manner=role.manner)


def kept_part(draft: RelationalDraft) -> str:
    """Return the names and figures that a query copies, a line each."""
    return "\n".join(map(harmless, draft.kept))


def numbered(properties: Sequence[str]) -> str:
    """Return properties as lines, each under a number of ours."""
    return "\n".join(framed_lines("N", properties))


def stands_in(quotation: str, document: str) -> bool:
    """Say whether words that a model copied are those of a document as it was shown."""
    said, known = folded(quotation).split(), set(folded(document).split())
    return bool(said) and sum(each in known for each in said) >= QUOTED * len(said)
