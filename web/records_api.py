"""What an answer rests on: runs, evidence where it stands, pictures; each only for who was shown it."""

import asyncio
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from agent.record import answer_fields
from heliograph.errors import HeliographError, PageUnavailable, SearchUnavailable
from heliograph.types import EvidenceId, ImageEvidence, Picture
from tools.skb.row_paths import MOST_ROWS
from web.evidence_view import Standing, evidence_json, standing
from web.faults import Fault
from web.office import Anyone, AtHand, Office, Refused
from web.path_view import base_json
from web.reply import Json
from web.research import EVIDENCE

router = APIRouter()
Rows = Annotated[Sequence[Annotated[int, Query(ge=1)]], Query(max_length=MOST_ROWS)]
NOTHING = Fault(404, "not_found", "nothing of that name was shown to you here")


@router.get("/runs/{run}")
async def run(run: str, office: AtHand, owners: Anyone) -> Json:
    """Return the answer record of a run."""
    if not await asyncio.to_thread(office.sessions.owns_run, run, *owners):
        raise Refused(NOTHING)
    return answer_fields(await asyncio.to_thread(office.answer, run))


@router.get("/evidence/{sha}", response_model=None)
async def evidence(sha: str, request: Request, office: AtHand, owners: Anyone, row: Rows = ()) -> Response:
    """Return a piece of evidence where it stands; people who follow a link to it are led to the page.

    Of a table, `row` names those that are cited, and may be repeated.
    """
    led = _reads_pages(request.headers.get("accept", ""))
    reply = (
        RedirectResponse(f"/#/e/{quote(sha, safe='')}") if led else JSONResponse(await _shown(sha, office, owners, row))
    )
    reply.headers["Vary"] = "Accept"
    return reply


def _reads_pages(accept: str) -> bool:
    """Tell whether somebody wants HTML rather than JSON, as browsers do that follow a link: it stands first."""
    kinds = [kind.strip().casefold().replace(" ", "") for kind in accept.split(",")]
    wanted = [kind.partition(";")[0] for kind in kinds if not kind.endswith(("q=0", "q=0.0"))]
    return next((kind for kind in wanted if kind in ("text/html", "application/json")), "") == "text/html"


async def _shown(sha: str, office: Office, owners: tuple[str, ...], rows: Sequence[int]) -> Json:
    found = await _standing(sha, office, owners)
    if not isinstance(found.piece, ImageEvidence):
        stated = await base_json(found, office.bases, rows)
        return {**evidence_json(found, rows=rows), **({"base": stated} if stated else {})}
    try:
        picture = await _picture(found.piece, office)
    except HeliographError as err:
        return evidence_json(found, no_picture=str(err))
    view = evidence_json(found, picture=f"/images/{sha}")
    owed = {"licence": picture.licence, "attribution": picture.attribution}
    return {**view, **{name: value for name, value in owed.items() if value}}


@router.get("/images/{sha}")
async def image(sha: str, office: AtHand, owners: Anyone) -> Response:
    """Return a picture: bytes that we encoded, whatever the file was."""
    found = await _standing(sha, office, owners)
    if not isinstance(found.piece, ImageEvidence):
        raise Refused(NOTHING)
    picture = await _picture(found.piece, office)
    headers = {"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, max-age=86400"}
    return Response(picture.data, media_type=picture.media_type, headers=headers)


async def _standing(sha: str, office: Office, owners: tuple[str, ...]) -> Standing:
    for owner in owners:
        name = await asyncio.to_thread(office.sessions.shown, owner, EVIDENCE, sha)
        if name is not None:
            return await asyncio.to_thread(standing, EvidenceId(name), office.pages)
    raise Refused(NOTHING)


async def _picture(image: ImageEvidence, office: Office) -> Picture:
    """Ask the sources of each preset in turn; the first that has the picture gives it.

    Raises:
        PageUnavailable: none has it.
    """
    problem: SearchUnavailable = PageUnavailable(f"no source has the picture {image.source!r}")
    for researcher in office.staff.researchers.values():
        try:
            return await researcher.picture(image)
        except SearchUnavailable as err:
            problem = err
    raise problem
