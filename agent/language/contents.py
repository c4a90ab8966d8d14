"""A table of contents as a part of a prompt, as much of it as there is room for."""

from collections.abc import Sequence

from agent.language.framing import MARGIN
from heliograph.errors import ContextOverflow
from heliograph.protocols import LLM
from prompts import render_prompt
from prompts.harmless import harmless


def contents_part(llm: LLM, title: str, contents: str, *beside: str) -> str:
    """Return the contents of a page from the top as far as there is room beside the other parts of the prompt.

    Raises:
        ContextOverflow: not one line fits.
    """
    lines, title = ["- Introduction [0]", *contents.splitlines()], harmless(title)
    room = llm.room - MARGIN - sum(map(llm.count, (*beside, _framed(title, ()))))
    shown: list[str] = []
    for line in lines:
        room -= llm.count(line) + 1
        if room < 0:
            break
        shown.append(line)
    if not shown:
        raise ContextOverflow("no table of contents fits the prompt; set a larger context_tokens for the model")
    return _framed(title, shown)


def _framed(title: str, lines: Sequence[str]) -> str:
    return render_prompt("table_of_contents", title=title, contents="\n".join(lines))
