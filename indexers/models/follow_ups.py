"""A trained reader of follow-ups: what a question leaves to the conversation before it, and where that was said.

One encoder reads the question, then what was asked and answered before it, the latest first. Its first token says
whether the question stands alone, is to be completed itself ("how high is it"), or asks the one before it once more
with something else in it ("and Lund?"). Of the latter two, pointers mark the words that give way and the words that are
said in their stead; that none gives way is read off the first token.

After Elgohary et al. 2019 (CANARD: questions in context) and Liu et al. 2020 (RUN: a rewriting as an edit whose words
are pointed at). Runs on ONNX Runtime, without PyTorch.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from heliograph.text.sentences import split_sentences
from indexers.models.reader import Floats, Piece, Tokens, Window, WindowModel, Windows, shipped_or_named

FollowUpKind = Literal["alone", "last", "previous"]
"""A question stands alone, is itself completed, or completes the one before it."""
FOLLOW_UP_KINDS: tuple[FollowUpKind, ...] = get_args(FollowUpKind)
Role = Literal["replaced", "said"]
COLUMNS = len(FOLLOW_UP_KINDS) + 8
"""Of the first token the kinds; of every token then start and end of what is replaced and of what is said instead,
where the last question is completed and where the one before it is."""
QUESTION_TOKENS, ASKED_TOKENS, ANSWER_TOKENS = 64, 40, 72
"""What a question takes of a window, one that was asked before it, and an answer."""
ROOM = 256
REPLACED_TOKENS, SAID_TOKENS = 12, 32
"""The longest stretches that are replaced, and said."""
AS_LIKELY = 2.0
"""How much less an end may have, as a logarithm, to be taken for the likeliest one that stands farther off: a name that
is said twice ends twice."""
SHIPPED_REWRITER = Path(__file__).parent / "shipped" / "rewriter"
"""The one that comes with Heliograph; its card stands in the folder."""
_WORD = re.compile(r"\w")

Exchange = tuple[str, str]
"""A question as it was understood, and what was answered."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of one of the texts of a window."""

    text: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a question is to its conversation, with its probability.

    `replaced` are characters of the question, or of the one before it where that is asked again; None where words are
    only added. `said` are the words that stand in their place; both are empty where the question stands alone.
    """

    kind: FollowUpKind
    probability: float
    replaced: tuple[int, int] | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class TalkWindow:
    """A window over a conversation: its texts, the last question first, with the tokens that are read of each."""

    window: Window
    texts: tuple[str, ...]
    starts: tuple[int, ...]
    pieces: tuple[Tokens, ...]

    def texts_of(self, kind: FollowUpKind, role: Role) -> range:
        """Return in which texts a role's words may stand."""
        if (kind == "last") == (role == "replaced"):
            return range(1)
        return range(1, 2) if role == "replaced" else range(1, len(self.texts))

    def tokens_at(self, stretch: Stretch) -> tuple[int, int] | None:
        """Return the places of the first and the last token of a stretch; None where the window lacks one."""
        offsets = self.pieces[stretch.text].offsets
        at = [place for place, (low, high) in enumerate(offsets) if low < stretch.end and high > stretch.start]
        if not at or offsets[at[-1]][1] < stretch.end:
            return None
        begin = self.starts[stretch.text]
        return begin + at[0], begin + at[-1]


def talk_window(windows: Windows, question: str, exchanges: Sequence[Exchange]) -> TalkWindow:
    """Return the window of a question after exchanges, which are in their order; the earliest find no room first."""
    texts = [question, *(text for exchange in reversed(exchanges) for text in exchange)]
    most = [QUESTION_TOKENS, *(limit for _ in exchanges for limit in (ASKED_TOKENS, ANSWER_TOKENS))]
    begin, between = windows.need("")
    ids, starts, pieces = [begin], list[int](), list[Tokens]()
    for text, limit in zip(texts, most, strict=True):
        tokens = windows.tokens(Piece(text)).first(limit)
        if len(ids) + len(tokens.ids) + 1 > ROOM:
            break
        starts.append(len(ids))
        pieces.append(tokens)
        ids += (*tokens.ids, between)
    window = Window(tuple(ids), (starts[1] if len(starts) > 1 else len(ids),), ())
    return TalkWindow(window, tuple(texts[: len(pieces)]), tuple(starts), tuple(pieces))


def columns_of(kind: FollowUpKind, role: Role) -> tuple[int, int]:
    """Return the columns of start and end."""
    start = len(FOLLOW_UP_KINDS) + 4 * (kind == "previous") + 2 * (role == "said")
    return start, start + 1


def follow_up_of(logits: Floats, talk: TalkWindow) -> FollowUp:
    """Return the most probable follow-up by the logits of a window."""
    shares = np.exp(logits[0, : len(FOLLOW_UP_KINDS)] - logits[0, : len(FOLLOW_UP_KINDS)].max())
    shares[1:] *= len(talk.texts) > 1
    kind = FOLLOW_UP_KINDS[int(np.argmax(shares))]
    sure = float(shares.max() / shares.sum())
    if kind == "alone":
        return FollowUp(kind, sure)
    said = max(_stretches(logits, talk, kind, "said", SAID_TOKENS), default=None)
    if said is None:
        return FollowUp("alone", 1 - sure)
    start, end = columns_of(kind, "replaced")
    nothing = float(logits[0, start] + logits[0, end])
    replaced = max(_stretches(logits, talk, kind, "replaced", REPLACED_TOKENS), default=None)
    place = whole(talk, replaced[1:]) if replaced and replaced[0] > nothing else None
    stretch = whole(talk, said[1:])
    words = split_sentences(talk.texts[stretch.text][stretch.start : stretch.end])
    return FollowUp(kind, sure, (place.start, place.end) if place else None, words[0].rstrip("."))


def _stretches(
    logits: Floats, talk: TalkWindow, kind: FollowUpKind, role: Role, most: int
) -> Iterator[tuple[float, int, int, int]]:
    """Yield for each token of the texts of a role the best stretch that begins there: sum of logits, text, tokens."""
    start, end = columns_of(kind, role)
    for text in talk.texts_of(kind, role):
        begin, count = talk.starts[text], len(talk.pieces[text].ids)
        starts, ends = logits[begin : begin + count, start], logits[begin : begin + count, end]
        for first in range(count):
            near = ends[first : first + most]
            last = first + int(np.argmax(near >= near.max() - AS_LIKELY))
            yield float(starts[first] + ends[last]), text, first, last


def whole(talk: TalkWindow, tokens: tuple[int, int, int]) -> Stretch:
    """Return the characters of tokens of a text, with the rest of the words at their ends."""
    text, first, last = tokens
    said, offsets = talk.texts[text], talk.pieces[text].offsets
    start, end = offsets[first][0], offsets[last][1]
    while start > 0 and _WORD.match(said[start - 1]) and _WORD.match(said[start]):
        start -= 1
    while end < len(said) and _WORD.match(said[end]) and _WORD.match(said[end - 1]):
        end += 1
    return Stretch(text, start, end)


class FollowUpReader:
    """Read follow-ups with a model of `heliograph train rewriter`, in its form without PyTorch.

    Nothing is loaded before the first question.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`.

    Raises:
        ModelMissing: a file is missing or no model of this kind, here or at the first question.
    """

    def __init__(self, folder: Path) -> None:
        self._model = WindowModel("rewriter", folder, COLUMNS, threads=1, room=ROOM)
        self.name = self._model.name

    def read(self, question: str, exchanges: Sequence[Exchange]) -> FollowUp:
        """Return what a question is to the exchanges before it; blocks, so call it in a thread."""
        if not exchanges:
            return FollowUp("alone", 1.0)
        talk = talk_window(self._model.windows, question, exchanges)
        (logits,) = self._model.logits([talk.window])
        return follow_up_of(logits, talk)


@lru_cache(maxsize=2)
def follow_up_reader(name: str) -> FollowUpReader:
    """Return the one that ships, or the one of a folder; the same again, since each question of a chat wants it.

    Raises:
        ModelMissing: it is not there.
    """
    setting, without = "HELIOGRAPH_FOLLOW_UP_READER", "follow-ups are asked as typed"
    return shipped_or_named(FollowUpReader, name, SHIPPED_REWRITER, setting, without)
