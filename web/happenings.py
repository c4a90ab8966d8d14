"""What a reader of a job hears beside the events of the run itself."""

from dataclasses import dataclass
from typing import Literal

from heliograph.types.streaming import StreamEvent

FaultCode = Literal[
    "server_full", "gone", "not_found", "usage", "search_unavailable", "model_unavailable", "store", "internal"
]
"""By what programs tell faults of ours apart."""


@dataclass(frozen=True, slots=True)
class Queued:
    """The question was accepted; so many come before it, 0 where it is the next."""

    before: int


@dataclass(frozen=True, slots=True)
class Understood:
    """The question as it stands alone; `open_words` leaned on earlier turns, and what they stand for is not known."""

    typed: str
    asked: str
    open_words: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """The turn was kept in a conversation under this number, or `number` is 0 where conversations cannot be kept."""

    conversation: str
    number: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The question was not answered: why and the next step, and with which status of HTTP a program is told so."""

    message: str
    code: FaultCode
    status: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody stopped the question, or nobody was there to hear it any more; or the server is being ended."""

    by_server: bool = False


Happening = StreamEvent | Queued | Understood | Kept | Failed | Stopped
