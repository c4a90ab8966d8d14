"""Count the calls of a language model and the tokens of their prompts, by prompt, with a scripted model.

usage: python -m bench.model_calls ask --name NAME --out FILE.jsonl [--tree FOLDER] [--python PROGRAM] [--open]
           [--questions FILE]… [--every 6] [--first 12] [--options "OPTIONS OF ask"]
           [--context-tokens 32768]
       python -m bench.model_calls report --out FILE.jsonl

`ask` serves a model on loopback and asks questions of it through the command line of the tree in FOLDER, one process
per question, so that trees of different commits meet the same model. What it says depends on its prompt alone: it
grades by the words that a piece shares with the question, plans the question as the only need (of a report its names,
too), finds every need met at the first reflection (with --open never), writes one sentence that quotes the piece that
shares most, and finds every claim supported. So calls are counted, and nothing is said of how good answers are. Each
question is a line of FILE, and what FILE has is not asked again; tokens of prompts are by the estimate that the program
itself goes by. `report` prints a Markdown table of the mean per question.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.llm.counting import count_tokens
from tests.servers.openai_calls import Call, Outcome, Say, instance_of
from tests.servers.openai_server import openai_server

LINE = re.compile(
    r"^\[(?P<handle>[A-Z]\d+(?:\.\d+)?)\] (?:\((?P<kind>\w+)\) )?(?:(?P<place>.*?) :: )?(?P<words>.+)$", re.M
)
QUESTION = re.compile(r"^Question: (.+)$", re.M)
COMPARES = re.compile(r"\b(?:most|least|first|last|total|average|how many|\w{3,}est)\b", re.IGNORECASE)
WORD = re.compile(r"\w{3,}")
COMMON = frozenset(
    ("what", "which", "when", "where", "who", "how", "much", "did", "was", "were", "are", "the", "and", "for")
)
QUOTE_CHARACTERS = 500
MOST_NEEDS = 6

Piece = re.Match[str]


class ScriptedModel:
    """Replies to each prompt by its name; one that it does not know gets the least reply that fits its schema."""

    def __init__(self, never_met: bool = False) -> None:
        self._never_met = never_met

    def __call__(self, call: Call) -> Outcome:
        """Reply in the shape that is asked for."""
        if call.choices:
            return Say(json.dumps({"choice": self._choice(call)}))
        schema = call.schema or {}
        said = self._said(prompt_name(call), call.user)
        known = {name: value for name, value in said.items() if name in schema.get("properties", {})}
        return Say(json.dumps({**(instance_of(schema) or {}), **known}))

    def _choice(self, call: Call) -> str:
        """Choose yes, and of the relevance of a piece what its words say."""
        wanted = "no" if prompt_name(call) == "judge_relevance" and not helpful(call.user) else "yes"
        return next((choice for choice in call.choices if choice == wanted), call.choices[0])

    def _said(self, name: str, text: str) -> Mapping[str, Any]:
        replies: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
            "plan": planned,
            "rewrite_queries": planned,
            "reflect": self._reflected,
            "write_answer": written,
            "repair_claim": written,
            "write_text": written,
            "write_section": written,
            "write_summary": summed_up,
            "judge_claims": judged,
        }
        return replies.get(name, sorted_out)(text)

    def _reflected(self, text: str) -> Mapping[str, Any]:
        met = not self._never_met
        needs = [int(number) for number in re.findall(r"^\[N(\d+)\]", text, re.M)] or [1]
        links = re.findall(r"^\[(L\d+)\] (.+)$", text, re.M)[:2]
        return {
            "needs": [{"need": number, "met": met, "pieces": ["E1"] if met else []} for number in needs],
            "sufficient": met,
            "missing": [] if met else [asked_of(text)],
            "leads": [] if met else [handle for handle, _ in links],
            "queries": [] if met else [title for _, title in links],
        }


def prompt_name(call: Call) -> str:
    """Return the name of a prompt, by which its schema goes."""
    return str(call.body.get("response_format", {}).get("json_schema", {}).get("name", "unnamed"))


def asked_of(text: str) -> str:
    """Return the question of a prompt, or what else it begins with."""
    found = QUESTION.search(text)
    return found[1] if found else text.partition("\n")[0]


def keywords(text: str) -> list[str]:
    """Return the words of a question that name something, in their order."""
    return [word for word in WORD.findall(text) if word.casefold() not in COMMON]


def shared(piece: str, question: str) -> int:
    """Return how many words a piece shares with a question."""
    return len({word.casefold() for word in keywords(piece)} & {word.casefold() for word in keywords(question)})


def helpful(text: str) -> bool:
    """Tell whether the last piece of a prompt shares two words with its question."""
    pieces = list(LINE.finditer(text))
    return bool(pieces) and shared(pieces[-1][0], asked_of(text)) > 1


def planned(text: str) -> Mapping[str, Any]:
    """Return queries and, for a report, a need per name of its question."""
    asked, form = asked_of(text), re.search(r"^Form: (\w+)", text, re.M)
    names = [word for word in keywords(asked)[1:] if word[0].isupper()]
    wanted = form[1] if form and form[1] != "auto" else "short"
    needs = [f"{keywords(asked)[0]} {name}" for name in names[:MOST_NEEDS]] if wanted == "report" else []
    linked = [title for titles in re.findall(r"linked: ([^|\n]+)", text) for title in titles.split("; ")]
    queries = linked[::-1] or [" ".join(keywords(asked)[:6]), *names]
    return {"form": wanted, "title": "", "needs": needs, "queries": queries[:6]}


def pieces_of(text: str) -> list[Piece]:
    """Return the pieces of evidence of a prompt."""
    return list(LINE.finditer(text.partition("<evidence>")[2].partition("</evidence>")[0]))


def claim_of(text: str, asked: str) -> Mapping[str, Any]:
    """Return a sentence that quotes the text, or else the row, that shares most words with what is asked."""
    pieces = pieces_of(text)
    best = max([each for each in pieces if each["kind"] == "text"] or pieces, key=lambda each: shared(each[0], asked))
    parts = re.split(r"(?<=[.!?]) | \| ", best["words"])
    quote = max(parts, key=lambda part: shared(part, asked))[:QUOTE_CHARACTERS]
    return {"text": f"The page says: {quote}", "citations": [{"handle": best["handle"], "quote": quote}]}


def own_needs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the needs that a call writes about, by their numbers; the question where none are named."""
    for tag in ("own", "needs"):
        named = re.findall(r"^\[N(\d+)\] (.+)$", text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0], re.M)
        if named:
            yield from ((int(number), need) for number, need in named)
            return
    yield 1, asked_of(text)


def blocks_of(text: str, number: int, need: str) -> Iterator[Mapping[str, Any]]:
    """Yield a heading and a paragraph about one need."""
    yield {"kind": "heading", "need": number, "text": need[:60]}
    yield {"kind": "paragraph", "need": number, "claims": [claim_of(text, need)]}


def written(text: str) -> Mapping[str, Any]:
    """Return a sentence, and for a longer text a heading and a paragraph per need."""
    blocks = [block for number, need in own_needs(text) for block in blocks_of(text, number, need)]
    return {"claims": [claim_of(text, asked_of(text))], "blocks": blocks}


def summed_up(text: str) -> Mapping[str, Any]:
    """Return the first sentence of a report as its summary."""
    found = re.search(r"^\[S1\] (.+)$", text, re.M)
    return {"title": "Report", "claims": [{"text": found[1] if found else "", "sentences": [1]}]}


def judged(text: str) -> Mapping[str, Any]:
    """Return that every claim is supported."""
    numbers = re.findall(r"^\[C(\d+)\]", text, re.M)
    return {"verdicts": [{"claim": int(each), "reason": "", "verdict": "supported"} for each in numbers]}


def sorted_out(text: str) -> Mapping[str, Any]:
    """Return grades, and the numbers of the pieces that share a word with what is asked."""
    asked, pieces = asked_of(text), pieces_of(text)
    told = re.search(r"^Grade: (.+)$", text, re.M)
    wanted = frozenset(told[1].split(", ") if told else ())
    graded = [(each["handle"], min(3, shared(each[0], asked))) for each in pieces if each["handle"] in wanted]
    numbers = sharing(pieces, asked)
    return {
        "grades": [{"piece": handle, "grade": grade} for handle, grade in graded],
        "passages": numbers[:10],
        "pages": list(range(1, 11)),
        "aggregation": COMPARES.search(asked) is not None,
        "reason": "they share most words",
        "rows": numbers[:1],
        "needs": [
            {"need": number, "reason": "", "rows": [], "passages": sharing(pieces, need)}
            for number, need in own_needs(text)
        ],
    }


def sharing(pieces: Sequence[Piece], asked: str) -> list[int]:
    """Return the numbers of pieces that share a word with what is asked."""
    return [int(each["handle"][1:]) for each in pieces if each["handle"][1:].isdigit() and shared(each[0], asked)]


def main() -> None:
    """Ask or report."""
    ask = argparse.ArgumentParser()
    ask.add_argument("task", choices=("ask", "report"))
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--name", default="now")
    ask.add_argument("--tree", type=Path, default=Path())
    ask.add_argument("--python", default=sys.executable)
    ask.add_argument("--context-tokens", default="32768")
    ask.add_argument("--open", action="store_true")
    ask.add_argument("--questions", type=Path, action="append")
    ask.add_argument("--every", type=int, default=6)
    ask.add_argument("--first", type=int, default=12)
    ask.add_argument("--options", type=shlex.split, default=[], help="options of `heliograph ask`")
    args = ask.parse_args()
    if args.task == "ask":
        ask_all(args)
    else:
        print(report(_read(args.out)))


def ask_all(args: argparse.Namespace) -> None:
    """Ask the questions one after another and write their calls behind those of FILE."""
    files = args.questions or [Path("demo/questions.jsonl"), Path("demo/questions2.jsonl")]
    lines = [line for file in files for line in _read(file)]
    done = {line["question"] for line in _read(args.out) if line["name"] == args.name}
    with openai_server(ScriptedModel(args.open), keeps=("json_schema",)) as server:
        for line in (each for each in lines[:: args.every][: args.first] if each["question"] not in done):
            calls, proofs = len(server.calls), len(server.proofs)
            status = asked(line["question"], args, server.url, server.model)
            kinds = [(prompt_name(call), tokens_of(call)) for call in server.calls[calls:]]
            kinds += [("proof of the server", tokens_of(call)) for call in server.proofs[proofs:]]
            told = {"name": args.name, "question": line["question"], "status": status, "calls": kinds}
            print(json.dumps({**told, "calls": Counter(kind for kind, _ in kinds)}), file=sys.stderr, flush=True)
            with args.out.open("a", encoding="utf8") as out:
                out.write(json.dumps(told) + "\n")


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf8").splitlines()] if file.exists() else []


def asked(question: str, args: argparse.Namespace, url: str, model: str) -> int:
    """Ask one question through the command line of a tree and return its exit code."""
    settings = {"BASE_URL": url, "MODEL": model, "CONTEXT_TOKENS": args.context_tokens}
    environment = os.environ | {f"HELIOGRAPH_LLM__{name}": value for name, value in settings.items()}
    command = [args.python, "-m", "app", "ask", "--memory", "off", "--json", *args.options, question]
    tree = args.tree.resolve()
    done = subprocess.run(
        command, cwd=tree, env={**environment, "PYTHONPATH": str(tree)}, capture_output=True, check=False
    )
    return done.returncode


def tokens_of(call: Call) -> int:
    """Return the tokens of a prompt."""
    return count_tokens(call.system) + count_tokens(call.user)


def report(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return a table: of each name the mean calls and prompt tokens per question, all and by prompt."""
    names = list(dict.fromkeys(line["name"] for line in lines))
    rows = [
        "| what was asked | questions | calls | most | prompt tokens | by prompt: calls, tokens |",
        "|" + " --- |" * 6,
    ]
    for name in names:
        asked_here = [
            [(kind, tokens) for kind, tokens in line["calls"] if kind != "proof of the server"]
            for line in lines
            if line["name"] == name
        ]
        rows.append(_row(name, asked_here))
    return "\n".join(rows)


def _row(name: str, questions: Sequence[Sequence[tuple[str, int]]]) -> str:
    kinds: Counter[str] = Counter(kind for calls in questions for kind, _ in calls)
    tokens: Counter[str] = Counter()
    for kind, count in (call for calls in questions for call in calls):
        tokens[kind] += count
    asked, every = len(questions), [len(calls) for calls in questions]
    told = (f"{kind} {count / asked:.1f}, {tokens[kind] / asked:,.0f}" for kind, count in kinds.most_common())
    mean = f"{sum(every) / asked:.1f} | {max(every)} | {tokens.total() / asked:,.0f}"
    return f"| {name} | {asked} | {mean} | {'; '.join(told)} |"


if __name__ == "__main__":
    main()
