"""Compare the words of a claim with the words that it cites: coverage, names, direction and negation."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from heliograph.text.figures import figures_in
from heliograph.text.words import STOP_WORDS, akin_to_any, content_stems, coverage, stem, stems, word_list, words

_EMPTY = frozenset(content_stems("include included located called known find found listed according named"))
_NEGATIONS = frozenset(
    word_list("not no never none neither nor without cannot nobody nothing hardly failed lacks lacked unable")
)
ALIKE = 0.4
"""Share of a clause's words from which another clause is about the same."""
_CLAUSE = re.compile(r"[,;:()–—]|\b(?:but|and|while|although|though|because|which|whereas|or)\b")
_OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in word_list(
        "larger/smaller largest/smallest more/less most/least more/fewer most/fewest before/after above/below "
        "first/last earlier/later earliest/latest oldest/youngest oldest/newest higher/lower highest/lowest "
        "longer/shorter longest/shortest heavier/lighter heaviest/lightest north/south east/west "
        "northern/southern eastern/western inner/outer increased/decreased rose/fell won/lost inside/outside "
        "hotter/colder hottest/coldest nearest/farthest closest/farthest faster/slower fastest/slowest "
        "success/failure successful/unsuccessful over/under maximum/minimum former/latter always/never "
        "all/none true/false left/right up/down start/end began/ended born/died"
    )
)
_NO_OTHER = re.compile(r"\b(?:no other|none other|no one else|nobody else|nothing else)\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|alone|sole)\b", re.IGNORECASE)
_MOST_CLAUSES = 200
"""Clauses of a claim, and of its quotes, that are compared with one another; a sentence has few."""
_NAME = re.compile(r"\b[A-Z][\w'’-]*\b")
_COMPARISON = re.compile(r"\b(?:\w+er|more \w+|less \w+) than (?:the )?([A-Z][\w'’-]*)")
_HARD = re.compile(r"^(?:\w{3,}est|most|least|fewest|only|first|last|all|every|always)$", re.IGNORECASE)


def uncovered(claim: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a claim, as written, whose stems stand in none of the sources.

    Figures are left to `figures`, and words that carry no fact are not asked for.
    """
    known = {found for source in sources for found in stems(source)}
    missing = (word for word in _weighty(claim) if not akin_to_any(stem(word), known))
    return tuple(dict.fromkeys(missing))


def claim_coverage(claim: str, sources: Sequence[str]) -> float:
    """Return the share of a claim's words of content that stand in the sources; 1 when it has none."""
    weighty = dict.fromkeys(map(stem, _weighty(claim)), 1.0)
    return coverage(weighty, {found for source in sources for found in stems(source)}) if weighty else 1.0


def unknown_names(claim: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return capitalised words of a claim, its first word aside unless it is no common word, that stand nowhere.

    A first word counts as a name when it also stands capitalised elsewhere or has a capital or digit inside.
    """
    known = {found for source in sources for found in stems(source)}
    found = [match for match in re.finditer(r"[^\W\d_][\w'’-]*", claim) if match[0][0].isupper()]
    first = _first(claim)
    names = (match[0] for match in found if match.start() > first or not match[0][1:].islower())
    return tuple(dict.fromkeys(name for name in names if name.casefold() not in STOP_WORDS and _unknown(name, known)))


def names_of(text: str) -> str:
    """Return the capitalised words of a text."""
    return " ".join(match[0] for match in re.finditer(r"\b[^\W\d_][\w'’-]*", text) if match[0][0].isupper())


def hard_words(missing: Iterable[str]) -> tuple[str, ...]:
    """Return those of the missing words that a claim may not add: superlatives and words of all or nothing."""
    return tuple(word for word in missing if _HARD.match(word))


def reversed_words(claim: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return words of a claim whose opposite the quotes say while they do not say the word itself."""
    said = {word.casefold() for quote in quotes for word in words(quote)}
    claimed = dict.fromkeys(word.casefold() for word in words(claim))
    return tuple(
        word for word in claimed if word not in said and any(_opposite(word, pair) & said for pair in _OPPOSITES)
    )


def contradicts(claim: str, quotes: Sequence[str]) -> bool:
    """Say whether a clause of the claim differs in a negation from the clause of the quotes that is most like it."""
    said = _clauses(" , ".join(quotes))
    return any(_is_denied(clause, said) for clause in _clauses(claim))


def swaps_names(claim: str, quotes: Sequence[str]) -> bool:
    """Say whether a comparison names its sides the other way round: `A is larger than B` for `B is larger than A`."""
    sides = _compared(claim)
    others = [pair for quote in quotes if (pair := _compared(quote))]
    return sides is not None and bool(others) and all(sides == (right, left) for left, right in others)


def _weighty(text: str) -> tuple[str, ...]:
    figures = " ".join(figure.text for figure in figures_in(text)).casefold().split()
    return tuple(
        word
        for word in words(text)
        if word.casefold() not in STOP_WORDS
        and stem(word) not in _EMPTY
        and not word[0].isdigit()
        and word.casefold() not in figures
    )


def _unknown(name: str, known: Set[str]) -> bool:
    return any(not akin_to_any(stem(part), known) for part in words(name) if part.casefold() not in STOP_WORDS)


def _first(text: str) -> int:
    found = re.search(r"\w", text)
    return found.start() if found else 0


def _opposite(word: str, pair: frozenset[str]) -> frozenset[str]:
    return pair - {word} if word in pair else frozenset()


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause as it is compared: the stems of its words, those that are weighed, and whether it says no.

    `no_other` and `alone` tell that it says "no other" and "only".
    """

    stems: frozenset[str]
    weighed: frozenset[str]
    negated: bool
    comparable: bool
    no_other: bool
    alone: bool


def _clauses(text: str) -> tuple[_Clause, ...]:
    """Return the first clauses of a text, each once."""
    told = (clause for clause in _CLAUSE.split(text) if clause.strip())
    return tuple(islice(dict.fromkeys(map(_clause, told)), _MOST_CLAUSES))


def _clause(text: str) -> _Clause:
    found = words(text)
    weighed = (word for word in found if word.casefold() not in STOP_WORDS | _NEGATIONS)
    return _Clause(
        frozenset(map(stem, found)),
        frozenset(map(stem, weighed)),
        _is_negated(found),
        len(content_stems(text)) > 1,
        _NO_OTHER.search(text) is not None,
        _ONLY.search(text) is not None,
    )


def _is_denied(clause: _Clause, said: Sequence[_Clause]) -> bool:
    """Compare a clause with those that hold most of its words; where these differ, nothing is denied."""
    if not clause.comparable:
        return False
    shares = [(_overlap(clause, other), _denies(clause, other)) for other in said]
    best = max((share for share, _ in shares), default=0.0)
    return best >= ALIKE and all(denies for share, denies in shares if share == best)


def _denies(clause: _Clause, other: _Clause) -> bool:
    """Tell whether one clause of two is negated; "no other" and "the only" say the same."""
    alone = (clause.no_other and other.alone) or (other.no_other and clause.alone)
    return clause.negated != other.negated and not alone


def _is_negated(clause: Sequence[str]) -> bool:
    found = {word.casefold() for word in clause}
    return bool(found & _NEGATIONS) or any(word.endswith(("n't", "n’t")) for word in found)


def _overlap(clause: _Clause, other: _Clause) -> float:
    if not clause.weighed:
        return 0.0
    return len([word for word in clause.weighed if akin_to_any(word, other.stems)]) / len(clause.weighed)


def _compared(text: str) -> tuple[str, str] | None:
    """Return the first name of a sentence and the name that it is compared with behind it."""
    for sentence in text.split("."):
        name = _NAME.search(sentence)
        if name and (other := _COMPARISON.search(sentence, name.end())):
            return name[0], other[1]
    return None
