"""A model that knows the answers of the demo questions, for bench.many_at_once: what it says depends on its prompt.

It asks for the pages that a question's answer stands on, finds them enough, and quotes the words that answer, under
the mark that the question came with.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from eval.offline.dataset import GoldQuestion, read_gold
from tests.servers.openai_calls import Call, Hang, Outcome, Say

ASKS = re.compile(r"The (?P<mark>[a-z]+ [a-z]+) asks: (?P<question>[^\n]+)")
PIECE = re.compile(r"^\[(?P<handle>E\d+)\] \(\w+\) .*? :: (?P<words>.+)$", re.MULTILINE)


def known_questions(folder: Path = Path("demo")) -> tuple[GoldQuestion, ...]:
    """Return the demo questions that one passage answers."""
    gold = [each for path in sorted(folder.glob("questions*.jsonl")) for each in read_gold(path)]
    return tuple(each for each in gold if each.kind == "paragraph" and _answering(each))


class Knowing:
    """Replies to a call in the shape that it asks for; while it is `silent`, never."""

    def __init__(self, gold: Sequence[GoldQuestion]) -> None:
        self.silent = False
        self.kept_waiting = 0
        self._gold = {each.question: each for each in gold}

    def __call__(self, call: Call) -> Outcome:
        """Reply to one call."""
        if self.silent:
            self.kept_waiting += 1
            return Hang()
        if call.choices:
            return Say(call.choices[0], first={call.choices[0]: 0.9})
        return Say(json.dumps(self._reply(call.user, set((call.schema or {}).get("properties", {})))))

    def _reply(self, prompt: str, fields: set[str]) -> dict[str, object]:
        asked = ASKS.search(prompt)
        gold = self._gold.get(asked["question"].strip()) if asked else None
        if asked and gold and "queries" in fields:
            return {"queries": list(gold.documents)}
        if asked and gold and "claims" in fields:
            claims = _claims(prompt, asked["mark"], gold)
            return {"abstain": not claims, "claims": claims}
        if "sufficient" in fields:
            return {"missing": [], "leads": [], "feedback": "", "sufficient": True}
        return {field: list(range(1, 11)) for field in fields}


def _claims(prompt: str, mark: str, gold: GoldQuestion) -> list[dict[str, object]]:
    """Quote the first piece that has the words of the gold evidence."""
    quote = _answering(gold)
    for line in PIECE.finditer(prompt):
        if quote in line["words"]:
            text = f"For the {mark} the page says: {quote}."
            return [{"text": text, "citations": [{"handle": line["handle"], "quote": quote}]}]
    return []


def _answering(gold: GoldQuestion) -> str:
    """Return the words of the evidence that hold an expected answer; "" where none do."""
    held = (each.contains for each in gold.evidence if each.modality == "text")
    return next((words for words in held if any(answer in words for answer in gold.expected)), "")
