"""The application: routes, errors in one form, the page's files, and the guard around all of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from heliograph.errors import HeliographError
from heliograph.version import VERSION
from web import bases_api, chat_completions, conversations_api, page_api, records_api, traces_api
from web.faults import UNFORESEEN, Fault, fault_from, fault_of, fault_response
from web.office import Office, Refused
from web.reply import Json
from web.security import HEALTH, Guarded

STATIC = Path(__file__).parent / "static"
NO_JSON = "the body is no JSON object that can be read; send one, with Content-Type: application/json"
A_YEAR = 365 * 86_400
READ = ["GET", "HEAD"]
"""Methods of what tools look at that watch a server, too."""


def application(office: Office) -> ASGIApp:
    """Build the application around its parts; it stops all work when it is shut down."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await office.desk.close()

    app = FastAPI(title="Heliograph", version=VERSION, lifespan=lifespan, openapi_url=None)
    app.state.office, app.state.given = office, chat_completions.AnswersGiven()
    for part in (chat_completions, page_api, conversations_api, records_api, traces_api, bases_api):
        app.include_router(part.router)
    app.add_api_route(HEALTH, health, methods=READ)
    app.add_api_route("/", page, methods=READ)
    if STATIC.is_dir():
        app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
    return Guarded(app, office.guard)


async def health(request: Request) -> Json:
    """Say that the server answers, and how much it has to do."""
    desk = request.app.state.office.desk
    much = {"accepted": desk.accepted, "at_work": desk.at_work, "running": desk.running, "places": desk.places}
    return {"status": "ok", "version": VERSION, **much}


def page(request: Request) -> FileResponse:
    """Return the page, and a session for who reads it and has none.

    The cookie comes with a link on another site, else such a link would cost its reader the session.
    """
    office: Office = request.app.state.office
    response = FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})
    if request.method == "GET" and office.browser(request) is None:
        response.set_cookie(
            office.sessions.cookie,
            office.sessions.begin(),
            max_age=A_YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response


async def _ours(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HeliographError), "handlers are called by the kind of error"
    return fault_response(fault_of(error))


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused), "handlers are called by the kind of error"
    return fault_response(error.fault)


async def _unreadable(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError), "handlers are called by the kind of error"
    first = error.errors()[0]
    if first["loc"] == ("body",) or first["type"] == "json_invalid":
        return fault_response(Fault(400, "invalid_request", NO_JSON))
    named = (part for part in first["loc"][1:] if isinstance(part, int) or part.isidentifier())  # the rest names types
    param = ".".join(map(str, named))
    return fault_response(Fault(400, "invalid_request", f"{param or 'the request'}: {first['msg']}", param or None))


async def _not_there(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException), "handlers are called by the kind of error"
    if error.status_code == 400:
        return fault_response(Fault(400, "invalid_request", NO_JSON))
    code = "not_found" if error.status_code == 404 else "http"
    refused = fault_response(Fault(error.status_code, code, error.detail))
    refused.headers.update(error.headers or {})
    return refused


async def _unforeseen(_request: Request, _error: Exception) -> JSONResponse:
    return fault_response(fault_from(UNFORESEEN))


HANDLERS = {
    HeliographError: _ours,
    Refused: _refused,
    RequestValidationError: _unreadable,
    HTTPException: _not_there,
    Exception: _unforeseen,
}
