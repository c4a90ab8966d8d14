"""Whom a cited picture is owed to: licences of pictures are their own, whatever the page's licence is."""

import asyncio
from dataclasses import replace

from agent.checking import CheckedAnswer
from agent.services import Services
from heliograph.errors import SearchUnavailable
from heliograph.protocols import Pictures
from heliograph.types import Citation, ImageEvidence


async def credit_pictures(checked: CheckedAnswer, services: Services) -> CheckedAnswer:
    """Put licence and attribution of each cited picture in place of its page's, where its source knows them.

    Nothing is asked where no picture is cited. A picture that cannot be had keeps the words of its page.
    """
    pictures = services.pictures
    if pictures is None or not any(citation.modality == "image" for citation in checked.citations):
        return checked
    citations = await asyncio.gather(*(_credited(citation, services, pictures) for citation in checked.citations))
    licences = {citation.marker: citation.licence for citation in citations}
    blocks = tuple(
        replace(block, figure=replace(block.figure, licence=licences[block.figure.marker])) if block.figure else block
        for block in checked.blocks
    )
    return replace(checked, citations=tuple(citations), blocks=blocks)


async def _credited(citation: Citation, services: Services, pictures: Pictures) -> Citation:
    image = services.library.evidence(citation.evidence)
    if not isinstance(image, ImageEvidence):
        return citation
    try:
        picture = await pictures.picture(image)
    except SearchUnavailable:
        return citation
    return replace(
        citation,
        licence=picture.licence or citation.licence,
        attribution=picture.attribution or citation.attribution,
    )
