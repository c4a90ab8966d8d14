"""A model of fixed habits for the loopback chat server: what it says depends on its prompt alone.

It searches for runs of words of the question, another run each round; it never has enough, so that all rounds are
gone through; it answers with the first sentence of the best pieces, quoted; it says yes to everything else.
`content` is the same model, but has enough after the first round.
"""

import json
import re

from tests.servers.openai_calls import Call, Say

QUOTED = 3
"""Paragraphs that an answer quotes."""
NEED = re.compile(r"^\[N(\d+)\]", re.MULTILINE)
CLAIM = re.compile(r"^\[C(\d+)\]", re.MULTILINE)
LINE = re.compile(r"^\[(?P<handle>E\d+)\] \(text\) .*? :: (?P<said>.+)$", re.MULTILINE)


def scholar(call: Call) -> Say:
    """Reply to a call in the shape that it asks for."""
    if call.choices:
        return Say(call.choices[0], first={call.choices[0]: 0.9})
    fields = set((call.schema or {}).get("properties", {}))
    written = {"calculations": [], "claims": _claims(call.user), "pictures": [], "not_found": []}
    shapes: dict[str, dict[str, object]] = {
        "form": {"form": "short", "title": "", "needs": [], "queries": _queries(call.user)},
        "new_needs": _reflection(call.user, met=False),
        "verdicts": {"verdicts": _verdicts(call.user)},
        "claims": {"abstain": False, **written},
        "queries": {"queries": _queries(call.user)},
    }
    shape = next((shapes[name] for name in shapes if name in fields), {field: list(range(1, 11)) for field in fields})
    return Say(json.dumps(shape))


def content(call: Call) -> Say:
    """Reply as `scholar`, but find any evidence sufficient."""
    if "new_needs" in (call.schema or {}).get("properties", {}):
        return Say(json.dumps(_reflection(call.user, met=True)))
    return scholar(call)


def _reflection(prompt: str, *, met: bool) -> dict[str, object]:
    needs = [{"need": int(number), "met": met, "pieces": []} for number in NEED.findall(prompt)]
    queries = [] if met else _queries(prompt, ahead=1)
    return {"needs": needs, "new_needs": [], "leads": [] if met else ["L1"], "queries": queries, "feedback": ""}


def _verdicts(prompt: str) -> list[dict[str, object]]:
    return [{"claim": int(number), "reason": "it says so", "verdict": "supported"} for number in CLAIM.findall(prompt)]


def _queries(prompt: str, ahead: int = 0) -> list[str]:
    """Return three queries, of words that no earlier round asked for."""
    first, _, rest = prompt.partition("\n")
    words = [word for word in re.findall(r"\w{4,}", first) if word != "Question"]
    turn = rest.count("[round ") + ahead
    turned = words[turn:] + words[:turn]
    return [" ".join(turned[start : start + 2 - turn % 2]) for start in range(3)]


def _claims(prompt: str) -> list[dict[str, object]]:
    claims: list[dict[str, object]] = []
    for line in list(LINE.finditer(prompt))[:QUOTED]:
        said = line["said"].split(". ")[0]
        claims.append({"text": said, "citations": [{"handle": line["handle"], "quote": said}]})
    return claims
