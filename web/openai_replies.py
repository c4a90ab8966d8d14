"""Answers as OpenAI's clients read them: completions, chunks, and citations by their place in the text.

Places count code points from the beginning of the content that is sent: of a stream, of all that was told so far.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from secrets import token_hex

from agent.answer_parts import hedge, is_plain
from agent.markdown_answer import is_web
from agent.record import answer_fields
from heliograph.types import Answer, Citation, Claim, ToldClaim
from web.openai_content import Piece, harmless, pieces_of, rest_of
from web.reply import Json
from web.sessions import sha_of


def annotations(claim: Claim, sentence: str, start: int, citations: Iterable[Citation], base: str) -> list[Json]:
    """Return the citations of a sentence that begins at `start`: each at its marker, the last thing in a sentence."""
    cited = {citation.marker: citation for citation in citations}
    markers = "".join(f"[{each.marker}]" for each in claim.citations)
    place = start + len(sentence) - len(markers)
    found: list[Json] = []
    for each in claim.citations:
        found.append(_noted(cited[each.marker], place, base))
        place += len(f"[{each.marker}]")
    return found


def _noted(citation: Citation, place: int, base: str) -> Json:
    end = place + len(f"[{citation.marker}]")
    noted = {"start_index": place, "end_index": end, "url": _address(citation, base), "title": citation.title}
    return {"type": "url_citation", "url_citation": noted}


def _address(citation: Citation, base: str) -> str:
    """Return where a citation leads: to its page, or to the evidence as this server shows it, under `base`.

    Each marker has an address of its own: Open WebUI numbers sources by their addresses, and were two quotes of a page
    under one, it would show the source of `[3]` at `[2]`. Browsers leave a directive aside that they do not know.
    """
    url = citation.url if is_web(citation.url) else f"{base}evidence/{sha_of(citation.evidence)}"
    return f"{url}{'' if '#' in url else '#'}:~:marker={citation.marker}"


def answer_annotations(answer: Answer, base: str) -> list[Json]:
    """Return all citations of an answer, found by walking its sentences as they were joined."""
    found: list[Json] = []
    place = 0
    for claim in answer.claims:
        markers = "".join(f"[{each.marker}]" for each in claim.citations)
        end = answer.answer.index(markers, answer.answer.index(claim.text, place) + len(claim.text)) + len(markers)
        found += annotations(claim, answer.answer[place:end], place, answer.citations, base)
        place = end
    return found


def _plain(answer: Answer) -> Answer:
    """Return an answer of one paragraph as it is sent."""
    claims = tuple(replace(claim, text=harmless(claim.text)) for claim in answer.claims)
    return replace(answer, answer=f"{hedge(answer)}{harmless(answer.answer)}", claims=claims)


def usage(answer: Answer) -> Json:
    """Return what the language model cost; nothing where there is none."""
    spent = answer.usage
    return {
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "total_tokens": spent.prompt_tokens + spent.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": spent.cached_tokens},
    }


@dataclass(slots=True)
class Completion:
    """One reply under one id; `base` is the address of this server, with a slash at the end."""

    model: str
    base: str
    id: str = field(default_factory=lambda: f"chatcmpl-{token_hex(12)}")
    created: int = field(default_factory=lambda: int(time.time()))
    text: str = ""
    """The content that was sent so far."""

    def whole(self, answer: Answer) -> Json:
        """Return a reply that is not streamed."""
        noted = [note for chunk in self._pieces(answer) for note in chunk]
        message: Json = {"role": "assistant", "content": self.text, "refusal": None, "annotations": noted}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        head = self._head("chat.completion")
        return {**head, "choices": [choice], "usage": usage(answer), "heliograph": answer_fields(answer)}

    def said(self, text: str) -> Json:
        """Return a reply that no research stands behind."""
        message: Json = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        nothing = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        return {**self._head("chat.completion"), "choices": [choice], "usage": nothing}

    def begin(self) -> Json:
        """Return the first chunk."""
        return self._chunk({"role": "assistant", "content": ""})

    def thought(self, text: str) -> Json:
        """Return a step as what clients show of a model's reasoning."""
        return self._chunk({"reasoning_content": f"{text}\n"})

    def words(self, text: str) -> Json:
        """Return a chunk of text that cites nothing."""
        self.text += text
        return self._chunk({"content": text})

    def claim(self, told: ToldClaim) -> Json:
        """Return the chunk of a claim, with its citations where they stand in the whole answer."""
        sentence = harmless(told.sentence)
        said = f"{' ' if self.text else ''}{sentence}"
        self.text += said
        found = annotations(told.claim, sentence, len(self.text) - len(sentence), told.citations, self.base)
        return self._chunk({"content": said, "annotations": found})

    def answer(self, answer: Answer) -> Iterator[Json]:
        """Yield the chunks of an answer of which nothing was told; of one whose claims were told, of what is left."""
        before = len(self.text)
        for noted in self._pieces(answer):
            yield self._chunk({"content": self.text[before:], **({"annotations": noted} if noted else {})})
            before = len(self.text)

    def _pieces(self, answer: Answer) -> Iterator[list[Json]]:
        """Add an answer to the text piece by piece, and yield the citations of each."""
        pieces = rest_of(answer) if self.text or is_plain(answer) else pieces_of(answer)
        if self.text and answer.unsure:
            self._add(Piece(f"{hedge(answer)}this may not be what was asked for."))
            yield []
        if not self.text and is_plain(answer):
            plain = _plain(answer)
            self.text = plain.answer
            yield answer_annotations(plain, self.base)
        cited = {citation.marker: citation for citation in answer.citations}
        for piece in pieces:
            start = self._add(piece)
            yield [_noted(cited[marker], start + at, self.base) for marker, at in piece.places if marker in cited]

    def _add(self, piece: Piece) -> int:
        self.text += "\n\n" if self.text else ""
        start = len(self.text)
        self.text += piece.text
        return start

    def end(self, answer: Answer | None) -> Json:
        """Return the last chunk, with the answer record."""
        record = {"heliograph": answer_fields(answer)} if answer else {}
        return {**self._chunk({}, "stop"), **record}

    def cost(self, answer: Answer) -> Json:
        """Return the chunk that tells the usage."""
        return {**self._head("chat.completion.chunk"), "choices": [], "usage": usage(answer)}

    def _chunk(self, delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _head(self, kind: str) -> Json:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}
