"""An answer as Markdown with numbered references, as people paste it elsewhere."""

import re
from collections.abc import Iterator

from agent.rendering import perhaps_unanswered, verdicts_line
from heliograph.types import Answer, Citation

_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")


def markdown_answer(answer: Answer) -> str:
    """Return the question, the answer with its markers, what each marker names, and the verdicts on the claims.

    What pages and models wrote is escaped, so that it stays text; markers are links to the references.
    """
    parts = [f"**{one_line(answer.question)}**", _body(answer)]
    if answer.citations:
        parts.append("\n".join(map(_reference, answer.citations)))
    parts.extend(_remarks(answer))
    return "\n\n".join(parts) + "\n"


def _remarks(answer: Answer) -> Iterator[str]:
    """Yield what the terminal says below an answer of its claims and of what it may lack."""
    if missing := perhaps_unanswered(answer):
        yield one_line(f"Asked for and perhaps not answered: {', '.join(missing)}")
    if answer.claims:
        yield one_line(verdicts_line(answer))


def _body(answer: Answer) -> str:
    if not answer.claims:
        return one_line(answer.answer)
    return " ".join(
        f"{one_line(claim.text)} {''.join(f'[{cited.marker}]' for cited in claim.citations)}".rstrip()
        for claim in answer.claims
    )


def _reference(citation: Citation) -> str:
    place = " › ".join(filter(None, (citation.title, citation.section)))
    named = f"[{one_line(place)}](<{citation.url}>)" if is_web(citation.url) else one_line(place)
    owed = ", ".join(filter(None, (citation.attribution, citation.licence)))
    quote = f": “{one_line(citation.quote)}”" if citation.quote else ""
    return f"{citation.marker}. {named}{quote}{f' ({one_line(owed)})' if owed else ''}"


def is_web(url: str) -> bool:
    """Tell whether an address leads to the web, and holds nothing that would end a link."""
    return url.startswith(("https://", "http://")) and not set(url) & set("<> \n")


def one_line(text: str) -> str:
    """Return a text as one line of Markdown that says it and nothing else."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
