"""What is answered where something cannot be had, in the form of OpenAI's errors and of the page's."""

from dataclasses import dataclass, replace

from starlette.responses import JSONResponse

from heliograph.errors import (
    HeliographError,
    ModelError,
    QuestionGone,
    RateLimited,
    SearchUnavailable,
    ServerFull,
    StoreError,
    UnknownName,
    UsageError,
)
from web.happenings import Failed, FaultCode

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "invalid_request_error",
    429: "rate_limit_error",
}
"""OpenAI's `type` of a status; every other 4xx is `invalid_request_error`, every 5xx `server_error`."""
ANSWERED: tuple[tuple[type[HeliographError], int, FaultCode], ...] = (
    (ServerFull, 429, "server_full"),
    (QuestionGone, 409, "gone"),
    (UnknownName, 404, "not_found"),
    (UsageError, 400, "usage"),
    (RateLimited, 503, "search_unavailable"),
    (SearchUnavailable, 502, "search_unavailable"),
    (ModelError, 502, "model_unavailable"),
    (StoreError, 500, "store"),
)
"""Status and code of an error of ours; the first that fits."""
WAIT_SECONDS = 10
"""After which somebody who was refused a place may ask again."""
INTERNAL = "the server met an error that it does not know; its log has it, heliograph trace list the run"
UNFORESEEN = Failed(INTERNAL, "internal", 500)


@dataclass(frozen=True, slots=True)
class Fault:
    """A refusal: its status, a code for programs, and for people the cause and the next step."""

    status: int
    code: str
    message: str
    param: str | None = None
    retry_after: int | None = None


NO_KEY = Fault(401, "invalid_api_key", "show the key of this server: Authorization: Bearer KEY")


def fault_of(error: HeliographError) -> Fault:
    """Return what an error of ours comes to over HTTP; who was refused a place is told when to come again."""
    wait = WAIT_SECONDS if isinstance(error, ServerFull) else None
    return replace(fault_from(failed(error)), retry_after=wait)


def fault_from(told: Failed) -> Fault:
    """Return the refusal of somebody who waited for what has failed."""
    return Fault(told.status, told.code, told.message)


def failed(error: HeliographError) -> Failed:
    """Return how a job says that an error of ours ended it."""
    unforeseen = UNFORESEEN.status, UNFORESEEN.code
    status, code = next(((status, code) for kind, status, code in ANSWERED if isinstance(error, kind)), unforeseen)
    return Failed(str(error), code, status)


def fault_body(fault: Fault) -> dict[str, dict[str, str | None]]:
    """Return the JSON of a fault, as OpenAI writes its own."""
    kind = TYPES.get(fault.status, "server_error" if fault.status >= 500 else "invalid_request_error")
    return {"error": {"message": fault.message, "type": kind, "param": fault.param, "code": fault.code}}


def fault_response(fault: Fault) -> JSONResponse:
    """Return the response of a fault."""
    headers = {"Retry-After": str(fault.retry_after)} if fault.retry_after is not None else {}
    if fault == NO_KEY:  # of a session that is over no browser is to ask for a password
        headers["WWW-Authenticate"] = 'Basic realm="Heliograph", charset="UTF-8"'
    return JSONResponse(fault_body(fault), fault.status, headers)
