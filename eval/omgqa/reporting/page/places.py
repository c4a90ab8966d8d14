"""Where things stand on the page: short anchors, so that links weigh little and no name becomes one."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.omgqa.reporting.figures import Scored


@dataclass(frozen=True, slots=True)
class Places:
    """Numbers of systems by rank and of questions by id, both from 1."""

    systems: Mapping[str, int]
    questions: Mapping[str, int]

    def system(self, name: str, modalities: int | None = None) -> str:
        """Return the anchor of a system's questions, or of those that need so many modalities."""
        return f"s{self.systems[name]}" + ("" if modalities is None else f"m{modalities}")

    def question(self, id: str) -> str:
        """Return the anchor of a question."""
        return f"q{self.questions[id]}"

    def evidence(self, question: str, number: int) -> str:
        """Return the anchor of a piece of evidence, by its number among those of the question."""
        return f"{self.question(question)}e{number}"

    def answer(self, system: str, number: int) -> str:
        """Return the anchor of an answer, by its number among those of the system."""
        return f"{self.system(system)}a{number}"


def places(scored: Scored) -> Places:
    """Number what the page has; questions that were only answered, or only judged, are there too."""
    asked = {each.run.question for standing in scored.standings for each in standing.runs}
    judged = {each.question for each in scored.results.pool}
    return Places(
        {each.system: number for number, each in enumerate(scored.standings, 1)},
        {id: number for number, id in enumerate(sorted({*scored.results.questions, *asked, *judged}), 1)},
    )
