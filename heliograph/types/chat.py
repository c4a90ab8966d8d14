"""What a language model is asked and what it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ModelRole = Literal["rewrite", "rerank", "reflect", "answer", "judge", "refine"]
"""Rewriting, reranking of documents and evidence, reflection, answering, claim entailment."""

MODEL_ROLES: tuple[ModelRole, ...] = ("rewrite", "rerank", "reflect", "answer", "judge", "refine")

FinishReason = Literal["stop", "length", "other"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt whose beginning repeats, so that a server's prefix cache serves it.

    `name` is the prompt's file; `system` the fixed instructions; `parts` follow as one message of the user, what
    changes least first: the question, then evidence that is only appended to. `pictures` are PNG or JPEG bytes.
    """

    name: str
    system: str
    parts: tuple[str, ...]
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call of a model server.

    The reply must conform to `schema` (a JSON schema) or be one of `choices`, where they are given; how the server is
    told is its adapter's business. `max_tokens` bounds the reply.
    """

    prompt: Prompt
    max_tokens: int
    schema: Mapping[str, object] | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenChance:
    """The log-probability (natural) of one token at the first place of a reply."""

    token: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model server returned: text, why it ended, tokens as the server counts them.

    `first` has the likeliest first tokens where they were asked for.
    """

    text: str
    finish: FinishReason
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    first: tuple[TokenChance, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """How often a model failed at one task in one way; `kind` is the name of the error."""

    role: ModelRole
    kind: str
    count: int = 1
