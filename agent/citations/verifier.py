"""Check a claim against the words that it cites, without a language model."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.citations.computations import check_computation, joined_tables
from agent.citations.grounds import Ground, context_of, contributes, ground_of, headings_of, quoted_text
from agent.citations.numbering import without_markers
from agent.citations.quantities import missing_numerals, missing_quantities, open_quantities
from agent.citations.quotes import ANSWER_FIRST, find_words
from agent.citations.verdicts import KEPT, worst
from agent.citations.wording import (
    claim_coverage,
    contradicts,
    hard_words,
    names_of,
    reversed_words,
    swaps_names,
    uncovered,
    unknown_names,
)
from heliograph.text.sentences import split_sentences
from heliograph.text.words import STOP_WORDS, WORD, akin_to_any, bare, content_stems, stem, stems, words
from heliograph.types import (
    CitedMarker,
    Claim,
    ClaimVerdict,
    DraftClaim,
    Evidence,
    EvidenceId,
    ImageEvidence,
    Judgment,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from prompts.harmless import clipped

FULL = 0.8
"""Share of a claim's words that quotes, place and evidence must hold for `supported`."""
QUOTED = 0.5
"""Share that the quotes themselves must hold, with the headings of a row counted as quoted."""
HALF = 0.5
"""Share below which a claim is `unsupported`."""
SHOWN_QUOTE = 120
"""Characters of a quote that a reason shows."""

Support = Literal["supported", "partial", "unsupported"]
BARE = "it cites nothing"
NOT_AT_HAND = "the evidence that it cites is not at hand"
NOT_COMPUTED = "the computation does not give what the claim tells"


@dataclass(frozen=True, slots=True)
class ExtractiveClaimVerifier:
    """Judge claims by their words; names of the `question` may stand in a claim without standing in its evidence.

    All located quotes of a claim are judged together:
      unsupported  a quantity stands nowhere (`agent.citations.quantities`); claim and quotes differ in a negation, a
                   direction (`largest`, `smallest`) or the sides of a comparison; less than HALF of the words stand
                   anywhere in the evidence
      partial      a name stands nowhere; a time or a share is told otherwise; a superlative is added; words fall short
                   of FULL, or of QUOTED in the quotes
      supported    otherwise
      quoted       supported, and the claim is a whole sentence, row, cell or caption of what it cites, or says words of
                   a quote in the words of the question and in no others
    A citation is `unchecked` when its evidence is not at hand, `unsupported` when its quote is not in it or has
    nothing to do with the claim, and else has the verdict of all quotes together. A computation is `computed` when its
    table gives its value again and the claim tells that value and no other item or figure; else `unsupported`.
    The claim has the worst verdict of its parts (`agent.citations.verdicts`); quotes beside a computation only need to
    be located. A claim that cites nothing is unsupported.
    """

    question: str = ""

    async def verify(self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]) -> tuple[Judgment, ...]:
        """Check claims in their order, each in a thread."""
        return tuple([await asyncio.to_thread(self.check, claim, cited) for claim in claims])

    def check(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence]) -> Judgment:
        """Check one claim."""
        grounds = [ground_of(quote, cited) for quote in claim.quotes]
        if claim.computation is None:
            return self._by_quotes(claim.text, grounds)
        table = cited.get(claim.computation.table)
        told = check_computation(
            claim.text, claim.computation, table, self.question, joined_tables(claim.computation, cited)
        )
        verdicts = (*map(located_verdict, grounds), told)
        overall = told if worst(*verdicts) in KEPT else worst(*verdicts)
        lacking = unfit(grounds) or (NOT_AT_HAND if table is None else NOT_COMPUTED)
        return judgment(claim.text, verdicts, overall, lacking)

    def _by_quotes(self, text: str, grounds: Sequence[Ground]) -> Judgment:
        located = [each for each in grounds if each.located]
        restated = restates(text, located, self.question)
        support, reason = weigh(text, located, self.question, self.question if restated else "")
        said = restated or is_extract(text, located)
        verdict: ClaimVerdict = "quoted" if support == "supported" and said else support
        verdicts = [_citation_verdict(text, each, verdict) for each in grounds]
        idle = (
            f"the quote {_shown(each)} has nothing to do with it" for each in located if not contributes(text, each)
        )
        return judgment(text, verdicts, worst(*verdicts), unfit(grounds) or reason or next(idle, ""))


def judge(text: str, grounds: Sequence[Ground], question: str) -> Support:
    """Judge a claim against all its located quotes together."""
    return weigh(text, grounds, question)[0]


def stands_in_words(text: str, grounds: Sequence[Ground], question: str) -> bool:
    """Tell whether nothing speaks against a claim and its words stand in what it cites, but for those of the question.

    An answer repeats what was asked: "the unit that it had used" where a piece has "supplied in pounds".
    """
    return weigh(text, grounds, question, question)[0] == "supported"


def weigh(text: str, grounds: Sequence[Ground], question: str, given: str = "") -> tuple[Support, str]:
    """Judge a claim against all its located quotes together, and say what it lacks; words of `given` are not missed."""
    quotes = [quoted_text(each) for each in grounds]
    if not quotes:
        return "unsupported", BARE
    contexts = [context_of(each.evidence) for each in grounds if each.evidence]
    if missing := missing_quantities(text, grounds, question) or missing_numerals(text, [*quotes, *contexts, question]):
        return "unsupported", nowhere(missing)
    if contradicts(text, quotes) or swaps_names(text, quotes):
        return "unsupported", "its quotes say the opposite"
    if turned := reversed_words(text, quotes + contexts):
        return "unsupported", f"its quotes say the opposite of {', '.join(turned)}"
    return _weigh_words(text, grounds, question, [*quotes, *contexts, names_of(question), given])


def _weigh_words(text: str, grounds: Sequence[Ground], question: str, everything: Sequence[str]) -> tuple[Support, str]:
    """Judge a claim that nothing speaks against by how much of it stands in what it cites."""
    told = claim_coverage(text, everything)
    lacking = uncovered(text, everything)
    foreign = f"these words stand nowhere in what it cites: {', '.join(lacking)}"
    if told < HALF or unknown_names(text, everything) or hard_words(lacking) or told < FULL:
        return "unsupported" if told < HALF else "partial", foreign
    if unread := open_quantities(text, grounds, question):
        return "partial", f"its quotes do not tell it so exactly or in these words: {', '.join(unread)}"
    near = [quoted_text(each) for each in grounds] + [headings_of(each.evidence) for each in grounds if each.evidence]
    return ("supported", "") if claim_coverage(text, near) >= QUOTED else ("partial", "its quotes say little of it")


def is_extract(text: str, grounds: Sequence[Ground]) -> bool:
    """Tell whether a claim is whole sentences, a row, cell or caption that it cites, behind what names them.

    A part of a sentence is none: "it was first lit in 1889" may stand behind "nobody believes that".
    """
    located = [ground for ground in grounds if ground.located is not None]
    whole = [
        piece
        for ground in located
        for piece in (ground.located.source, *split_sentences(ground.located.source))  # type: ignore[union-attr]
    ]
    quotes = [ground.quote.text for ground in located]
    if len(quotes) > 1 and all(any(_is_whole(quote, piece) for piece in whole) for quote in quotes):
        whole.append(" ".join(quotes))
    return any(_is_whole(said, piece) for ground in located for said in _behind_title(text, ground) for piece in whole)


def restates(text: str, grounds: Sequence[Ground], question: str) -> bool:
    """Tell whether a claim is the question's own words about words that stand together in a quote, and no others.

    Quotes, titles or captions have to say these words too, and of names anything that is cited, where a quote may say
    "it": that the mill was built in a year is not in the words of a source that tells when it was bought.
    """
    asked, found = frozenset(content_stems(question)), list(re.finditer(WORD, text))
    new = [word for word in found if stem(word[0]) not in asked and word[0].lower() not in STOP_WORDS]
    if not new:
        return False
    own = [word for word in found if not new[0].start() <= word.start() <= new[-1].start()]
    told = [word[0] for word in own if word[0].lower() not in STOP_WORDS]
    said = frozenset(one for ground in grounds for one in stems(f"{quoted_text(ground)} {_around(ground)}"))
    near = said.union(*(stems(context_of(ground.evidence)) for ground in grounds if ground.evidence))
    if not any(stem(word) in asked for word in told):
        return False
    if not all(akin_to_any(stem(word), near if word[0].isupper() else said) for word in told):
        return False
    answer = bare(text[new[0].start() : new[-1].end()])
    holding = [ground for ground in grounds if find_words(answer, quoted_text(ground))]
    acts = frozenset(stem(word) for word in told if word.islower())
    return bool(holding) and not all(_is_of_another(answer, acts, asked, ground) for ground in holding)


def _is_of_another(answer: str, acts: frozenset[str], asked: frozenset[str], ground: Ground) -> bool:
    """Tell whether a text names somebody else between a name that answers and the act: "A, and B, discoverer of C"."""
    quote = quoted_text(ground)
    start = quote.find(answer)
    if not isinstance(ground.evidence, TextEvidence) or not answer[:1].isupper() or start < 0:
        return False
    end = start + len(answer)
    said = [each for each in re.finditer(WORD, quote) if akin_to_any(stem(each[0]), acts)]
    if not said:
        return False
    act = min(said, key=lambda each: max(start - each.end(), each.start() - end))
    between = quote[act.end() : start] if act.end() <= start else quote[end : act.start()]
    names = (word for word in words(between) if word[0].isupper() and word.lower() not in STOP_WORDS)
    return any(stem(name) not in asked for name in names)


def _around(ground: Ground) -> str:
    """Return titles, captions and column names over a quote."""
    path = ground.evidence.place.path if ground.evidence else ()
    return " ".join((headings_of(ground.evidence), *path))


def nowhere(missing: Sequence[str]) -> str:
    """Say which figures stand nowhere."""
    return f"not in its quotes, titles or captions, nor in the question: {', '.join(dict.fromkeys(missing))}"


def unfit(grounds: Sequence[Ground]) -> str:
    """Say which evidence is not at hand or which quote does not stand in it; nothing where all are in place."""
    if any(each.evidence is None for each in grounds):
        return NOT_AT_HAND
    return next((f"the quote {_shown(each)} is not in what it cites" for each in grounds if not each.located), "")


def located_verdict(ground: Ground) -> ClaimVerdict:
    """Return what code can say of a citation whose claim it does not read."""
    if ground.evidence is None:
        return "unchecked"
    return "supported" if ground.located else "unsupported"


def judgment(text: str, verdicts: Sequence[ClaimVerdict], overall: ClaimVerdict, reason: str) -> Judgment:
    """Return a judgment with markers that count from 1; one that keeps its claim has no reason."""
    markers = tuple(CitedMarker(marker, verdict) for marker, verdict in enumerate(verdicts, start=1))
    return Judgment(Claim(text, markers, overall), "" if overall in KEPT else reason)


def _citation_verdict(text: str, ground: Ground, support: ClaimVerdict) -> ClaimVerdict:
    if ground.evidence is None:
        return "unchecked"
    if ground.located is None or not contributes(text, ground):
        return "unsupported"
    return support


def _behind_title(text: str, ground: Ground) -> Iterator[str]:
    """Yield a claim, what stands behind an answer of its quote, and behind the title or caption of what it cites."""
    yield text
    answer, between, rest = text.partition(ANSWER_FIRST)
    if between and find_words(answer, quoted_text(ground)):
        yield from _behind_title(rest, ground)
    piece = ground.evidence
    heads = [piece.place.title] if piece else []
    if isinstance(piece, ImageEvidence | TableEvidence | TableSegment):
        heads.append(piece.caption)
    for colon in re.finditer(": ", text):
        if any(find_words(text[: colon.start()], head) for head in heads):
            yield text[colon.end() :]


def _is_whole(said: str, piece: str) -> bool:
    """Tell whether words are all words of a piece, whose notes and end may be left out."""
    source = without_markers(piece)
    span = find_words(said.rstrip(" .!?"), source)
    return span is not None and not any(sign.isalnum() for sign in source[: span[0]] + source[span[1] :])


def _shown(ground: Ground) -> str:
    return f"“{clipped(ground.quote.text, SHOWN_QUOTE)}”"
