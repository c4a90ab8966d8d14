"""A trained reader: where in a row with its passage, or a paragraph with its lead, the answer to a need stands.

One encoder reads need and candidate together. Every token has a logit of being where an answer starts and one of where
it ends; "yes", "no" and "none" are three more places with a start and an end of their own, read off the first token.
Candidates of one need share one normalisation, so that the log-probabilities of their answers compare.

Sources: Devlin et al. 2019 (spans); Clark & Gardner 2018 (shared normalisation, and a choice of no answer). Runs on
ONNX Runtime, one candidate a run and one thread a session, as in indexers/models/onnx.py.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from indexers.models.fingerprint import fingerprint
from indexers.models.onnx import MAX_TOKENS, MOST_THREADS, LoadedModel, ModelFile, ModelFiles, processors

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Floats = NDArray[np.float32]
Choice = Literal["yes", "no", "none"]
"""What is answered without a span; `none` says that the candidate does not answer."""
CHOICES: tuple[Choice, ...] = get_args(Choice)
LOGITS = 2 + 2 * len(CHOICES)
"""Columns of the model's output: start and end of a span; of the first token then start and end of each choice."""
SHIPPED_READER = Path(__file__).parent / "shipped" / "reader"
"""The reader that comes with Heliograph, beside the edge retriever; its card stands in the folder."""
NEED_TOKENS, ROW_SHARE = 64, 0.43
"""What a need may take of a window, and the share that a candidate's first piece has where the second is long."""
MARKS = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[UNK]": "<unk>", "[MASK]": "<mask>"}
"""What a tokenizer of MPNet's kind, which has BERT's pieces too, has for BERT's marks."""
TITLE_TOKENS, NAME_TOKENS, CELL_TOKENS = 40, 10, 24
"""What titles, a column's name and a cell take of a row: every cell is to be seen, not all of each."""
PIECE_CHARACTERS = 3000
"""Characters of a piece that are tokenized at all."""
CACHED_PIECES = 400
"""Pieces whose tokens are kept for the next need, about 15 MB: several needs are read in the same candidates."""
SPAN_TOKENS, SPANS = 24, 5
"""The longest span, and how many a candidate gives, each with a start of its own."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a piece of which no more than `most` tokens are read; `cell` is the column whose cell it is."""

    start: int
    end: int
    most: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A text of a candidate. Without parts it is read from its beginning as far as there is room."""

    text: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may answer: a row (or a lead, or a header) and the passage (or paragraph, or table) that belongs to it."""

    first: Piece
    second: Piece | None = None

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces that are there."""
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """An answer of one candidate.

    A span stands at `start` to `end` of the text of the piece `piece`. `cell` is the column of the row that it stands
    in, and the kind is "cell" where it is all of it. `within` is its log-probability among the answers of its own
    candidate; that among the answers of all candidates is `within` and the candidate's `share` together.
    """

    kind: Literal["span", "cell", "yes", "no"]
    text: str
    within: float
    piece: int = 0
    start: int = 0
    end: int = 0
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one candidate: its best answers, the most probable first.

    `none` is the log-probability, within the candidate, that it does not answer; `share` is its part of the
    probability of all candidates, as a logarithm.
    """

    answers: tuple[CandidateAnswer, ...]
    none: float
    share: float


def row_piece(titles: Sequence[str], header: Sequence[str], cells: Sequence[str]) -> Piece:
    """Return "Title ; Section | Header is value ; …"; empty cells leave no trace."""
    text = " ; ".join(title for title in titles if title)
    parts = [Part(0, len(text), TITLE_TOKENS)]
    for column, (name, cell) in enumerate(zip(header, cells, strict=False)):
        if not cell:
            continue
        named = f"{text} {'|' if len(parts) == 1 else ';'} {name} is " if name else f"{text} ; "
        parts.append(Part(len(text), len(named), NAME_TOKENS))
        text = named + cell
        parts.append(Part(len(named), len(text), CELL_TOKENS, column))
    return Piece(text, tuple(parts))


def passage_piece(title: str, text: str) -> Piece:
    """Return "Title : text"."""
    return Piece(f"{title} : {text}" if title else text)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a piece that may be read: ids, and where in its text each stands."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]

    def first(self, count: int) -> "Tokens":
        """Return the first of them."""
        return Tokens(self.ids[:count], self.offsets[:count])


@dataclass(frozen=True, slots=True)
class Window:
    """What the model sees of a need with a candidate: ids, and where its pieces begin and what they have."""

    ids: tuple[int, ...]
    starts: tuple[int, ...]
    pieces: tuple[Tokens, ...]

    @property
    def segments(self) -> list[int]:
        """0 for the need, 1 for the candidate."""
        return [int(place >= self.starts[0]) for place in range(len(self.ids))]

    @property
    def places(self) -> NDArray[np.int64]:
        """The places at which a span may start or end: those of the pieces."""
        return np.concatenate(
            [np.arange(start, start + len(piece.ids)) for start, piece in zip(self.starts, self.pieces, strict=True)]
        )

    def place(self, piece: int, start: int, end: int) -> tuple[int, int] | None:
        """Return the places of the first and the last token of a stretch; None where the window lacks one."""
        if piece >= len(self.pieces):
            return None
        at = [n for n, (low, high) in enumerate(self.pieces[piece].offsets) if low < end and high > start]
        whole = (
            bool(at) and self.pieces[piece].offsets[at[-1]][1] >= end and self.pieces[piece].offsets[at[0]][0] <= start
        )
        return (self.starts[piece] + at[0], self.starts[piece] + at[-1]) if whole else None


class Windows:
    """Make windows by a tokenizer of BERT's kind.

    Args:
        tokenizer: cuts and pads nothing.
        room: tokens of a window.
        cached: pieces whose tokens are kept.
    """

    def __init__(self, tokenizer: "Tokenizer", room: int = MAX_TOKENS, cached: int = CACHED_PIECES) -> None:
        self._tokenizer = tokenizer
        self._room = room
        self._cached_tokens = lru_cache(cached)(self._tokens)
        self._begin, self._between = _mark(tokenizer, "[CLS]"), _mark(tokenizer, "[SEP]")

    def need(self, need: str, most: int = NEED_TOKENS) -> tuple[int, ...]:
        """Return the tokens of a need, the first `most` between both marks."""
        return (self._begin, *self._encoded(need).ids[:most], self._between)

    def tokens(self, piece: Piece) -> Tokens:
        """Return the tokens of a piece that may be read."""
        return self._cached_tokens(piece)

    def _tokens(self, piece: Piece) -> Tokens:
        encoded = self._encoded(piece.text[:PIECE_CHARACTERS])
        if not piece.parts:
            return Tokens(tuple(encoded.ids), tuple(encoded.offsets))
        kept = list(_in_parts(encoded.offsets, piece.parts))
        return Tokens(tuple(encoded.ids[n] for n in kept), tuple(encoded.offsets[n] for n in kept))

    def joined(self, need: Sequence[int], pieces: Sequence[Tokens], room: int | None = None) -> Window:
        """Put tokens together; the first piece gives way to the second only as far as its share."""
        room = room or self._room
        left = room - len(need) - len(pieces)
        behind = sum(len(piece.ids) for piece in pieces[1:])
        ids, starts, used = list(need), list[int](), list[Tokens]()
        for number, piece in enumerate(pieces):
            most = max(left - behind, min(left, int(ROW_SHARE * room))) if number == 0 else left
            seen = piece.first(max(0, most))
            starts.append(len(ids))
            used.append(seen)
            ids += (*seen.ids, self._between)
            left -= len(seen.ids)
        return Window(tuple(ids), tuple(starts), tuple(used))

    def _encoded(self, text: str) -> "Encoding":
        return self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"), add_special_tokens=False)


def _in_parts(offsets: Sequence[tuple[int, int]], parts: Sequence[Part]) -> Iterator[int]:
    """Yield the tokens that their parts have room for; both come in the order of the text."""
    number, taken = 0, 0
    for place, (start, _) in enumerate(offsets):
        while number < len(parts) - 1 and start >= parts[number].end:
            number, taken = number + 1, 0
        taken += 1
        if taken <= parts[number].most:
            yield place


@dataclass(frozen=True, slots=True)
class Scored:
    """What the model gives for a window, before candidates are compared: logits, shape (tokens, LOGITS)."""

    candidate: Candidate
    window: Window
    logits: Floats

    @property
    def mass(self) -> tuple[float, float]:
        """The logarithms of the sums of all starts and of all ends."""
        places, choices = self.window.places, self.logits[0, 2:].reshape(-1, 2)
        starts, ends = (np.append(self.logits[places, side], choices[:, side]) for side in (0, 1))
        return log_sum(starts), log_sum(ends)

    def answers(self) -> Iterator[CandidateAnswer]:
        """Yield the best span of each of the best starts, then yes and no."""
        mass = sum(self.mass)
        marks = [
            marks_of(whole.text, seen) for whole, seen in zip(self.candidate.pieces, self.window.pieces, strict=False)
        ]
        for value, piece, first, last in best_spans(self.window, self.logits, marks):
            yield self._answer(value - mass, piece, first, last)
        for choice, kind in ((0, "yes"), (1, "no")):
            value = float(self.logits[0, 2 + 2 * choice : 4 + 2 * choice].sum())
            yield CandidateAnswer(kind, kind, value - mass)  # type: ignore[arg-type]  # a literal of its own

    def none(self) -> float:
        """Return the log-probability of no answer within the candidate."""
        return float(self.logits[0, LOGITS - 2 :].sum()) - sum(self.mass)

    def _answer(self, within: float, piece: int, first: int, last: int) -> CandidateAnswer:
        offsets, whole = self.window.pieces[piece].offsets, self.candidate.pieces[piece]
        start, end = offsets[first][0], offsets[last][1]
        part = next(
            (part for part in whole.parts if part.cell is not None and part.start <= start and end <= part.end), None
        )
        all_of_it = part is not None and (part.start, part.end) == (start, end)
        cell = None if part is None else part.cell
        return CandidateAnswer("cell" if all_of_it else "span", whole.text[start:end], within, piece, start, end, cell)


def best_spans(
    window: Window, logits: Floats, marks: Sequence[Sequence[int]] = ()
) -> list[tuple[float, int, int, int]]:
    """Return the best spans as (sum of its logits, piece, first and last token of the piece), the best first.

    `marks` are the tokens of each piece, in order, that no span holds.
    """
    found = []
    for piece, (begin, tokens) in enumerate(zip(window.starts, window.pieces, strict=True)):
        count = len(tokens.ids)
        stops = [*(marks[piece] if marks else ()), count]
        starts, ends = logits[begin : begin + count, 0], logits[begin : begin + count, 1]
        for first in np.argsort(-starts, kind="stable")[:SPANS].tolist():
            stop = stops[bisect_left(stops, first)]
            if first < stop:
                last = first + int(np.argmax(ends[first : min(first + SPAN_TOKENS, stop)]))
                found.append((float(starts[first] + ends[last]), piece, first, last))
    return sorted(found, key=lambda span: -span[0])[:SPANS]


def marks_of(text: str, tokens: Tokens) -> list[int]:
    """Return which tokens are a colon or semicolon that parts clauses, or the cells of a row."""
    places = enumerate(tokens.offsets)
    return [place for place, (start, end) in places if text[start:end] in (":", ";") and text[end : end + 1] == " "]


def compared(scored: Sequence[Scored]) -> tuple[Reading, ...]:
    """Normalise what was read in all candidates of one need together."""
    if not scored:
        return ()
    masses = np.array([each.mass for each in scored])
    every = log_sum(masses[:, 0]) + log_sum(masses[:, 1])
    return tuple(
        Reading(tuple(sorted(each.answers(), key=lambda answer: -answer.within)), each.none(), float(sum(mass)) - every)
        for each, mass in zip(scored, masses, strict=True)
    )


class WindowModel:
    """A model of windows in its form without PyTorch: one window a run, one thread a session.

    Nothing is loaded before the first window.

    Args:
        kind: what the model is called, as in `heliograph train KIND`.
        folder: holds `model.onnx` and `tokenizer.json`.
        columns: how many logits a token has.
        threads: windows at a time; None is one a processor.
        room: tokens of a window.
    """

    def __init__(
        self, kind: str, folder: Path, columns: int, *, threads: int | None = None, room: int = MAX_TOKENS
    ) -> None:
        self._kind, self._columns, self._room = kind, columns, room
        self._files = ModelFiles(ModelFile(folder / "model.onnx"), ModelFile(folder / "tokenizer.json"))
        self._threads = threads or min(processors(), MOST_THREADS)
        self.name = f"{kind}-{fingerprint((self._files.model.path, self._files.tokenizer.path))}"

    def logits(self, windows: Sequence[Window]) -> list[Floats]:
        """Return the logits of each window, shape (tokens, columns)."""
        if len(windows) < 2:
            return [self._run(window) for window in windows]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._run, windows))

    def _run(self, window: Window) -> Floats:
        given = {
            "input_ids": np.asarray([window.ids], dtype=np.int64),
            "token_type_ids": np.asarray([window.segments], dtype=np.int64),
        }
        (logits,) = self._model.session.run(None, given)
        return np.asarray(logits[0], dtype=np.float32)

    @cached_property
    def _model(self) -> LoadedModel:
        model = LoadedModel.load(self._files, self._columns)
        if "token_type_ids" not in model.inputs:
            path = self._files.model.path
            raise ModelMissing(f"{path} is no {self._kind}; name a folder of heliograph train {self._kind}")
        return model

    @cached_property
    def windows(self) -> Windows:
        """Cut by the tokenizer of the model."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(self._model.tokenizer.to_str())
        tokenizer.no_truncation()
        return Windows(tokenizer, self._room)


Model = TypeVar("Model")


def shipped_or_named(load: Callable[[Path], Model], name: str, shipped: Path, setting: str, without: str) -> Model:
    """Load the model that ships, or that of the folder which a setting names.

    Raises:
        ModelMissing: it is not there; the message names the setting, and what `without` a model is done.
    """
    try:
        return load(expanded(name) if name else shipped)
    except ModelMissing as err:
        raise ModelMissing(f"{err}; correct {setting}, or set it to none: {without} then") from err


class Reader:
    """Read candidates with a model of `heliograph train reader`, in its form without PyTorch.

    Nothing is loaded before the first candidate.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`.
        threads: candidates read at a time; None is one a processor.
        room: tokens of a need with a candidate.

    Raises:
        ModelMissing: a file is missing or no model of this kind, here or at the first candidate.
    """

    def __init__(self, folder: Path, *, threads: int | None = None, room: int = MAX_TOKENS) -> None:
        self._model = WindowModel("reader", folder, LOGITS, threads=threads, room=room)
        self.name = self._model.name

    def read(self, need: str, candidates: Sequence[Candidate]) -> tuple[Reading, ...]:
        """Return a reading for each candidate; blocks, so call it in a thread."""
        if not candidates:
            return ()
        windows = self._model.windows
        asked = windows.need(need)
        packed = [windows.joined(asked, [windows.tokens(piece) for piece in one.pieces]) for one in candidates]
        logits = self._model.logits(packed)
        return compared([Scored(*each) for each in zip(candidates, packed, logits, strict=True)])


def _mark(tokenizer: "Tokenizer", mark: str) -> int:
    ids = (tokenizer.token_to_id(each) for each in (MARKS[mark], mark))
    id = next((id for id in ids if id is not None), None)
    if id is None:
        raise ModelMissing(f"the tokenizer has no {mark}; a reader needs one of BERT's or MPNet's kind")
    return id


def log_sum(values: Sequence[float] | Floats) -> float:
    """Return the logarithm of the sum of what the values are logarithms of."""
    most = float(np.max(values))
    return most + float(np.log(np.exp(np.asarray(values) - most).sum()))
