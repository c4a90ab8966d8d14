"""What stands around a language model and changes only how it is asked."""

from dataclasses import dataclass

from heliograph.protocols import LLM
from heliograph.types import ModelRole


@dataclass(frozen=True, slots=True)
class AroundLLM:
    """Role, room and counting of another LLM; `ask` and `choose` are left to the class that stands on it."""

    llm: LLM

    @property
    def role(self) -> ModelRole:
        """The role that it is asked in."""
        return self.llm.role

    @property
    def room(self) -> int:
        """How many tokens a prompt may have."""
        return self.llm.room

    def count(self, text: str) -> int:
        """Return how many tokens a text takes."""
        return self.llm.count(text)
