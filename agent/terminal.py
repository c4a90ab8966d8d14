"""What the command line prints: answers, streamed events, pieces of evidence."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

from agent.path_citations import path_lines
from agent.record import answer_json
from agent.rendering import render_answer, render_rounds
from heliograph.errors import StoreFull
from heliograph.protocols import PageStore
from heliograph.types import Answer, EvidenceId
from indexers.parser import find_evidence, page_of, parse_page
from indexers.render import render
from memory.trace import Event
from memory.trace.events import to_line


@dataclass(frozen=True, slots=True)
class Output:
    """How an answer is to be printed."""

    as_json: bool = False
    stream: bool = False
    trace: Path | None = None

    @property
    def for_programs(self) -> bool:
        """Whether a program reads it: then each line stays whole."""
        return self.as_json or self.stream

    @property
    def listener(self) -> Callable[[Event], None]:
        """Return what hears the events of the run as they end."""
        return print_event if self.stream else lambda _event: None


def print_event(event: Event) -> None:
    """Print an event as one line of JSON, at once."""
    sys.stdout.buffer.write(to_line(event))
    sys.stdout.buffer.flush()


def show_answer(answer: Answer, output: Output, home: Path) -> str:
    """Return what stands on stdout after a run; copy its trace where that was asked for.

    Raises:
        StoreFull: the copy cannot be written.
    """
    if output.trace is not None:
        try:
            copyfile(home / "runs" / answer.run / "trace.jsonl", output.trace)
        except OSError as err:
            raise StoreFull(
                f"cannot write the trace to {output.trace}: {err.strerror}; name another file, and see the answer with "
                f"heliograph resume {answer.run}"
            ) from err
    if output.as_json or output.stream:
        return answer_json(answer)
    return f"{render_rounds(answer)}\n\n{render_answer(answer, path_lines(answer, home))}"


def evidence_text(evidence: str, pages: PageStore) -> str:
    """Return a piece of evidence, where it stands and its exact words.

    Raises:
        UnknownName: no such page is kept, or no such piece stands on it.
    """
    wanted = EvidenceId(evidence)
    page = pages.get(page_of(wanted))
    piece = find_evidence(parse_page(page), wanted)
    return f"{piece.id}\n{page.url}\nfetched {page.fetched}\n\n{render(piece)}"
