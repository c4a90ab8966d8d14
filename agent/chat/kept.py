"""What a chat shows of a run that has ended, read from its record."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from heliograph.errors import StoreDamaged, UnknownName
from heliograph.types import PageKey
from memory.trace import find_run, read_answer


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class KeptSource(_Record):
    """How a source fared."""

    name: str
    status: str
    detail: str = ""


class KeptCitation(_Record):
    """Whose words were cited."""

    marker: int
    title: str
    section: str = ""
    licence: str = ""
    attribution: str = ""


class KeptRound(_Record):
    """What a round asked and read."""

    number: int
    queries: tuple[str, ...]
    documents: tuple[PageKey, ...]


class KeptAnswer(_Record):
    """The parts of an answer record that commands show."""

    sources: tuple[KeptSource, ...]
    citations: tuple[KeptCitation, ...]
    rounds: tuple[KeptRound, ...]


def kept_answer(home: Path, run: str) -> KeptAnswer:
    """Return the record of a run.

    Raises:
        UnknownName: the run was removed or has not come to an answer.
        StoreDamaged: the record cannot be read.
    """
    written = read_answer(find_run(home, run))
    if written is None:
        raise UnknownName(f"run {run} has not come to an answer; heliograph resume {run} finishes it")
    try:
        return KeptAnswer.model_validate_json(written)
    except ValidationError as err:
        raise StoreDamaged(f"the answer of run {run} cannot be read; heliograph replay {run} makes it again") from err
