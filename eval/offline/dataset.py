"""Questions with checkable answers, one JSON object a line."""

import json
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import UsageError
from heliograph.types import Modality


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """A piece that holds an answer: its page, its modality, and words that stand in it."""

    title: str
    modality: Modality
    contains: str


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question, the strings of which one must stand in the answer, and where the answer is found.

    A question that cannot be answered has no expected strings.
    """

    id: str
    kind: str
    question: str
    expected: tuple[str, ...]
    documents: tuple[str, ...]
    evidence: tuple[GoldEvidence, ...]

    @property
    def answerable(self) -> bool:
        """Tell whether the articles hold an answer."""
        return bool(self.expected)


def read_gold(path: Path) -> tuple[GoldQuestion, ...]:
    """Read a question file.

    Raises:
        UsageError: a line is not such a question; file and line are named.
    """
    lines = path.read_text(encoding="utf8").splitlines()
    return tuple(_question(path, number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _question(path: Path, number: int, line: str) -> GoldQuestion:
    try:
        record = json.loads(line)
        return GoldQuestion(
            id=record["id"],
            kind=record["kind"],
            question=record["question"],
            expected=tuple(record["expected"]),
            documents=tuple(record["documents"]),
            evidence=tuple(
                GoldEvidence(each["title"], each["modality"], each["contains"]) for each in record["evidence"]
            ),
        )
    except (json.JSONDecodeError, KeyError, TypeError) as err:
        raise UsageError(f"{path}:{number} is not a question with id, kind, question, expected, documents") from err
