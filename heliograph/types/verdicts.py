"""What people read of verdicts: one word each, and what it says about a claim and its sources.

A verdict says how a claim stands to what it cites. None says that the claim is right, or answers the question.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from heliograph.types.answers import Citation, Claim, ClaimVerdict


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """The name of a verdict, and what it says in a clause."""

    word: str
    says: str


VERDICT_WORDS: Mapping[ClaimVerdict, VerdictWords] = {
    "quoted": VerdictWords("Quoted", "in the words of its source"),
    "supported": VerdictWords("Supported", "a paraphrase, checked against the words of its source"),
    "computed": VerdictWords("Computed", "worked out from its source, and once more to check"),
    "partial": VerdictWords("Partly supported", "its source says some of it"),
    "unchecked": VerdictWords("Not checked", "nothing was there to check it against"),
    "unsupported": VerdictWords("Not supported", "its source does not say so"),
}
"""The words of the page, the terminal and Markdown, in the order in which they are listed; the page's own copy is
VERDICTS in web/static/words.js, and a test holds the two together."""


def shown_verdict(
    claim: Claim, citations: Iterable[Citation], mode: Literal["llm", "extractive"] | None = None
) -> ClaimVerdict:
    """Return the verdict that people are shown of a claim.

    Records of schema /1 call an extract `supported`. It is shown as `quoted` where the words stand in a cited quote, or
    where no language model wrote the answer; `mode` is None while that is not known.
    """
    if claim.verdict != "supported":
        return claim.verdict
    markers = {cited.marker for cited in claim.citations}
    cited = [citation for citation in citations if citation.marker in markers]
    if mode == "extractive" or any(_is_extract(claim.text, citation) for citation in cited):
        return "quoted"
    return "supported"


def _is_extract(text: str, citation: Citation) -> bool:
    """Tell whether a claim is words of a quote, alone or behind the name of what they stand under.

    Text stands under its title or section, a row (`Header: value; Header: value`) under any caption.
    """
    words, quote = " ".join(text.split()), " ".join(citation.quote.split())
    if not (words and quote):
        return False
    if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", quote):
        return True
    lead, behind = words.removesuffix(quote), words.endswith(f": {quote}")
    return behind and (citation.modality == "table" or lead.removesuffix(": ") in (citation.title, citation.section))
