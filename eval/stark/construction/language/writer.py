"""Steps 2 and 3 of STaRK's construction: properties of the gold entity, and a query that fuses all requirements."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval.stark.construction.constructor import names_one_of
from eval.stark.construction.language.asking import extraction_prompt, rephrasing_prompt, stands_in, writing_prompt
from eval.stark.construction.language.endpoints import StepModels
from eval.stark.construction.language.outcomes import Dropped
from eval.stark.construction.language.relational_drafts import RelationalDraft
from eval.stark.construction.language.replies import FoundProperties, RephrasedQuery, WrittenQuery
from indexers.skb.entity_texts import folded

_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}\b)")


@dataclass(frozen=True, slots=True)
class QueryWriter:
    """Writes the query of a draft, in three askings; of a draft without properties in two."""

    models: StepModels

    async def properties(self, draft: RelationalDraft, document: str) -> tuple[str, ...]:
        """Return properties of the gold entity that its document states by the words named, and none with its name.

        Raises:
            ModelMalformed | ContextOverflow: there is no usable reply.
            ModelError: the model cannot be asked.
        """
        if not draft.properties:
            return ()
        prompt, shown = extraction_prompt(draft, document, self.models.extractor)
        said = await self.models.extractor.ask(prompt, FoundProperties)
        found = [each.property.strip() for each in said.found if stands_in(each.source, shown)]
        found = [each for each in dict.fromkeys(found) if each and not names_one_of(each, [draft.gold])]
        return tuple(found[: draft.properties])

    async def fused(self, draft: RelationalDraft, properties: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return a query, and the properties that it asks for.

        Raises:
            ModelMalformed | ContextOverflow | ModelError: as `properties`.
        """
        said = await self.models.writer.ask(writing_prompt(draft, properties), WrittenQuery)
        used = tuple(text for number, text in enumerate(properties, start=1) if number in said.used)
        return " ".join(said.query.split()), used

    async def rephrased(self, draft: RelationalDraft, query: str) -> str:
        """Return the query in other words.

        Raises:
            ModelMalformed | ContextOverflow | ModelError: as `properties`.
        """
        said = await self.models.rephraser.ask(rephrasing_prompt(draft, query), RephrasedQuery)
        return " ".join(said.query.split())


def wording_fault(draft: RelationalDraft, query: str) -> Dropped | None:
    """Return what is wrong with the words of a query, if anything: what it lacks, or that it names the gold entity."""
    said = f" {folded(_THOUSANDS.sub('', query))} "
    if lacking := [each for each in draft.kept if f" {folded(each)} " not in said]:
        return Dropped("words", f"the query lacks {lacking[0]!r}: {query}")
    if names_one_of(query, [draft.gold]):
        return Dropped("named", f"the query names {draft.gold.name!r}: {query}")
    return None
