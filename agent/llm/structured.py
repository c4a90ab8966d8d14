"""A chat model for one role, whose replies have a shape or are no replies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from agent.llm.choosing import chances_of, choice_named
from agent.llm.counting import MESSAGE_TOKENS, count_request, count_tokens
from agent.llm.ladder import Misread, read_reply
from agent.llm.probe import CapabilityProbe
from agent.llm.schemas import schema_of, with_choices_shown, with_schema_shown, with_shape_shown
from agent.llm.wording import Constraint
from heliograph.errors import ContextOverflow, ModelMalformed
from heliograph.protocols import ChatModel
from heliograph.types import ChatRequest, ModelRole, Prompt, Reply

T = TypeVar("T")

REPLY_TOKENS = 1024
"""The most that a reply may take, where its shape does not say so itself; in a small context a quarter of it."""
WRITING_TOKENS = 4096
"""The most that a reply of the answering role may take: a long text with its quotes (`reply_tokens` of its shape)."""
ASIDE_TOKENS = 1024
"""Kept free for a schema that must be shown and for the second asking; in a small context an eighth of it.

A schema that takes more, as that of a section of a report does, is shown as a bare shape where it would not fit."""
CHOICE_TOKENS = 48
"""What a choice may take besides its own words: an object around it, or a sentence."""

_SHOWN_REPLY = 600
_SHOWN_REASON = 400


class StructuredModel:
    """The `LLM` of one role: constrained where the server was proved to keep to it, and always validated.

    What fits no schema goes down the ladder of repairs (agent/llm/ladder.py); the last rung is one second asking
    that shows the model what was wrong. `under` gives the role's model for a constraint.
    """

    def __init__(
        self, role: ModelRole, under: Callable[[Constraint], ChatModel], probe: CapabilityProbe, context_tokens: int
    ) -> None:
        self.role = role
        self._under = under
        self._probe = probe
        self._context = context_tokens
        self._reply_tokens = min(WRITING_TOKENS if role == "answer" else REPLY_TOKENS, context_tokens // 4)

    @property
    def room(self) -> int:
        """How many tokens a prompt may have: the context without the reply, the chat template and what may follow."""
        aside = min(ASIDE_TOKENS, self._context // 8)
        return self._context - self._reply_tokens - aside - MESSAGE_TOKENS

    def count(self, text: str) -> int:
        """Return how many tokens a text takes, never too few (agent/llm/counting.py)."""
        return count_tokens(text)

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        """Return a reply as `reply`, a pydantic model.

        Raises:
            ModelMalformed: after the repairs there are; the message says what was wrong, or that it was cut off.
            ContextOverflow: the prompt is longer than `room`; nothing was sent.
            ModelError: typed by cause.
        """
        hint: Any = reply
        schema = schema_of(hint)
        constraint = (await self._probe.capabilities()).schemas
        most = min(getattr(reply, "reply_tokens", REPLY_TOKENS), self._reply_tokens)
        request = ChatRequest(prompt, most, schema=schema)
        if constraint == "none":
            ways = (with_schema_shown, with_shape_shown)
            shown = [replace(request, prompt=show(prompt, schema)) for show in ways]
            request = next(filter(self._fits, shown), shown[-1])
        return await self._read(constraint, request, lambda said: _value(said, reply))

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        """Return the probability of each choice; they sum to 1.

        They are the model's own where the first token tells the choices apart, else 1 for what it wrote and 0.

        Raises:
            ModelError: as `ask`.
        """
        constraint = (await self._probe.capabilities()).choices
        asked = with_choices_shown(prompt, choices) if constraint == "none" else prompt
        longest = max(map(count_tokens, choices))
        request = ChatRequest(asked, CHOICE_TOKENS + longest, choices=tuple(choices))
        return await self._read(constraint, request, lambda said: _chances(said, choices))

    async def _read(self, constraint: Constraint, request: ChatRequest, read: Callable[[Reply], T | Misread]) -> T:
        if not self._fits(request):
            raise ContextOverflow(
                f"prompt {request.prompt.name!r} takes up to {count_request(request)} tokens, reply included, and the "
                f"model has {self._context}; give it fewer parts, or raise context_tokens if the server has more"
            )
        model = self._under(constraint)
        said = await model.chat(request)
        value = read(said)
        if isinstance(value, Misread):
            if constraint != "none":
                await self._probe.broken()
            again = replace(request, prompt=_again(request.prompt, said, value))
            if self._fits(again):
                said = await model.chat(again)
                value = read(said)
        if isinstance(value, Misread):
            raise ModelMalformed(
                f"{model.name} wrote no usable reply to prompt {request.prompt.name!r}: {_fault(said, value)} "
                f"(finish {said.finish}); ask a stronger model, or a server that constrains replies"
            )
        return value

    def _fits(self, request: ChatRequest) -> bool:
        return count_request(request) <= self._context


def _value(said: Reply, reply: type[T]) -> T | Misread:
    read = read_reply(said.text, reply)
    return read if isinstance(read, Misread) else read.value


def _chances(said: Reply, choices: Sequence[str]) -> tuple[float, ...] | Misread:
    return chances_of(said.first, choices) or choice_named(said.text, choices)


def _again(prompt: Prompt, said: Reply, misread: Misread) -> Prompt:
    """Return the prompt with what was wrong at its end, so that all before it is served from the prefix cache."""
    shown = said.text.strip()[:_SHOWN_REPLY] or "(nothing)"
    fault = _fault(said, misread)[:_SHOWN_REASON]
    told = f"You replied:\n{shown}\n\nThat cannot be used: {fault}. Reply again, in the form asked for."
    return replace(prompt, parts=(*prompt.parts, told))


def _fault(said: Reply, misread: Misread) -> str:
    if said.finish == "length":
        return f"it was cut off after {said.completion_tokens} tokens, and {misread.reason}"
    return misread.reason
