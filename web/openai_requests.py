"""What OpenAI's clients send: a conversation and how its answer is wanted. Pydantic stands here, at the edge."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heliograph.errors import UsageError
from heliograph.types import FormChoice

MOST_MESSAGES = 1000
MOST_CHARACTERS = 200_000
"""Of one message: far more than any question has, as clients may attach what was said before."""


class Part(BaseModel):
    """A part of a message; only text is understood."""

    model_config = ConfigDict(extra="ignore")

    type: str
    text: Annotated[str, Field(max_length=MOST_CHARACTERS)] = ""


class Message(BaseModel):
    """A message of the conversation so far."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Field(max_length=MOST_CHARACTERS)] | tuple[Part, ...] | None = None

    @property
    def text(self) -> str:
        """What the message says.

        Raises:
            UsageError: it holds something else than text.
        """
        if isinstance(self.content, str):
            return self.content
        parts = self.content or ()
        if strange := next((part.type for part in parts if part.type != "text"), None):
            raise UsageError(f"a message holds {strange!r}, and only text is understood; ask in words")
        return "\n".join(part.text for part in parts)


class StreamOptions(BaseModel):
    """What a stream has beside the answer."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class Wishes(BaseModel):
    """What only Heliograph's clients ask for, as `extra_body={"heliograph": {…}}`."""

    model_config = ConfigDict(extra="forbid")

    progress: bool = False
    form: FormChoice | None = None


class ResponseFormat(BaseModel):
    """The form that an answer is wanted in."""

    model_config = ConfigDict(extra="ignore")

    type: str = "text"


class ChatCompletionRequest(BaseModel):
    """A request for an answer; what decides how a model samples is accepted and has no effect here."""

    model_config = ConfigDict(extra="ignore")

    model: Annotated[str, Field(max_length=200)]
    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    response_format: ResponseFormat | None = None
    tool_choice: str | dict[str, object] | None = None
    heliograph: Wishes = Wishes()

    @property
    def question(self) -> str:
        """The last message.

        Raises:
            UsageError: it is not the user's.
        """
        if self.n not in (None, 1):
            raise UsageError("n is 1: the evidence gives one answer; leave it out")
        last = self.messages[-1]
        if last.role != "user":
            raise UsageError(f"the last message is of the {last.role}; end with a question of the user")
        return last.text

    def check_form(self) -> None:
        """Refuse what would be waited for in vain: an answer is prose with citations.

        Raises:
            UsageError: JSON, or the call of a tool, is wanted.
        """
        if self.response_format is not None and self.response_format.type != "text":
            raise UsageError("an answer is prose with citations, never JSON: leave response_format out")
        if self.tool_choice not in (None, "auto", "none"):
            raise UsageError("no tool of the client is called here: leave tool_choice out, or make it auto")

    @property
    def instructions(self) -> str:
        """What the system says in plain text; of no use to research, but a front end may tell there what it wants."""
        said = [each.content for each in self.messages if each.role in ("system", "developer")]
        return "\n".join(each for each in said if isinstance(each, str))

    @property
    def exchanges(self) -> tuple[tuple[str, str], ...]:
        """Questions and answers before the last message, pair by pair; what stands alone is left out."""
        said = [(each.role, each.text) for each in self.messages[:-1] if each.role in ("user", "assistant")]
        return tuple(
            (question, answer)
            for (asker, question), (answerer, answer) in pairwise(said)
            if (asker, answerer) == ("user", "assistant")
        )
