"""Words as everything compares them: one tokeniser, stems, and the words that carry no meaning."""

import re
import unicodedata
from collections.abc import Mapping, Set
from functools import cache

import Stemmer

_STEMMER = Stemmer.Stemmer("english")
LETTERS = re.compile(r"[^\W\d_]+")
"""A run of letters."""
WORD = r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W\d_]+)*"
"""A figure with its separators, or letters and figures without a gap."""
COMPOUND = r"[^\W_]+(?:[-.,'’&][^\W_]+)*"
"""A word with what is joined to it: `half-hour`, `AT&T`, `1,000`."""
_POSSESSIVE = re.compile(r"['’]s?$")


def word_list(text: str) -> tuple[str, ...]:
    """Return the words of a lexicon that is written as one line of text."""
    return tuple(text.split())


STOP_WORDS = frozenset(
    word_list(
        "a an the of in on at to for from by with as and or is are was were be been being am it its this that "
        "these those there which who whom whose what when where how why do does did done has have had having "
        "will would can could may might shall should i you he she we they them his her their our your my me us "
        "also into onto about than then so such both each any all some very just only own same s t"
    )
)
QUESTION_WORDS = STOP_WORDS | frozenset(
    word_list(
        "above across after again against along although among another anybody anyone anything around became "
        "because become before below between but came come compare d define describe doing down during either "
        "else ever every explain few find further gave get give given gives go goes got here hers herself him "
        "himself however if itself let like list ll m made make many mine more most much must myself name named "
        "names near neither no nor not now off once one other others ours out over per please re said say says "
        "show since tell theirs themselves though through thus too toward towards under until up upon use used "
        "uses using ve via whatever whether while whoever within without yes yet yours yourself"
    )
)
"""Words too common, or too much the question's own, to find a page by."""


@cache
def stem(word: str) -> str:
    """Reduce one word to the stem it is compared by, without possessive ending, accents and separators of thousands."""
    return str(_STEMMER.stemWord(_unaccented(bare(word.casefold())).replace(",", "")))


def bare(word: str) -> str:
    """Return a word without its possessive ending."""
    return _POSSESSIVE.sub("", word)


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def words(text: str) -> tuple[str, ...]:
    """Return the words and figures of a text, in order, as written."""
    return tuple(re.findall(WORD, text))


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words of a text, in order."""
    return tuple(stem(word) for word in words(text))


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words that carry meaning, in order."""
    return tuple(stem(word) for word in words(text) if word.casefold() not in STOP_WORDS)


def keywords(text: str) -> tuple[str, ...]:
    """Return the words that a full-text engine can use, folded, each once, in order; all words where none does."""
    told = (part for word in re.findall(COMPOUND, text) for part in word.split("-"))
    found = tuple(dict.fromkeys(filter(None, (bare(word.casefold()) for word in told))))
    return tuple(word for word in found if word not in QUESTION_WORDS) or found


def coverage(wanted: Mapping[str, float], said: Set[str]) -> float:
    """Return the share of weighed stems, by weight, that are among those said; of none nothing is covered."""
    total = sum(wanted.values())
    return sum(weight for stem, weight in wanted.items() if akin_to_any(stem, said)) / total if total else 0.0


_ENDINGS = frozenset(word_list("e i y ur er or eri ri ment ant ist ian ee"))
"""What a stemmer leaves of a noun made from a verb; `et` is none: a planet is no plan."""
_SHORTEST_AKIN = 4
"""Letters of the shorter of two stems from which they may be akin."""


def akin(left: str, right: str) -> bool:
    """Say whether two stems name one idea: equal, or a verb and its noun (`discov`, `discoveri`)."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    return len(short) >= _SHORTEST_AKIN and long.startswith(short) and long[len(short) :] in _ENDINGS


def akin_to_any(wanted: str, known: Set[str]) -> bool:
    """Say whether a stem is akin to any of those known; the time does not grow with their number."""
    if wanted in known:
        return True
    longer = len(wanted) >= _SHORTEST_AKIN and any(wanted + ending in known for ending in _ENDINGS)
    return longer or any(
        wanted.endswith(ending) and len(wanted) - len(ending) >= _SHORTEST_AKIN and wanted[: -len(ending)] in known
        for ending in _ENDINGS
    )
