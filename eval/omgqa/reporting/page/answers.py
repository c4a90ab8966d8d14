"""One answer: its words, its claims with what they cite, its rounds, its cost, and the run that shows all of it."""

import re
from collections.abc import Iterable

from eval.omgqa.judged import Statement
from eval.omgqa.measures import AVERAGE, average
from eval.omgqa.reporting.figures import Figure, ScoredRun
from eval.omgqa.reporting.page.evidence import Pieces, marks, title_of
from eval.omgqa.reporting.page.markup import Markup, foreign, joined, tag
from eval.omgqa.reporting.page.places import Places
from eval.omgqa.runs import CitedClaim, OmgRun

_MARKER = re.compile(r"\[\d+\]")


def answer_markup(each: ScoredRun, anchor: str, found: Pieces, places: Places, shared: bool = False) -> Markup:
    """Draw an answer, closed under the name of its system; what is `shared` by all systems was said before."""
    run = each.run
    facts: list[tuple[str, str]] = [
        ("documents", joined(map(title_of, run.documents), ", ") or "none"),
        ("evidence", marks(found, run.retrieved)),
        *_rounds(each, found),
        *_words(each),
        ("cost", _cost(run)),
        ("trace", tag("code", f"heliograph trace show {run.run}") if run.run else "another program answered"),
        ("measures", tag("a", "of all its answers", href=f"#{places.system(run.system)}")),
    ]
    return tag(
        "details",
        tag("summary", f"{places.systems[run.system]}. {run.system}{_seed(run)}", " ", _brief(each)),
        tag(
            "div",
            *(() if shared else _said(run)),
            *_claims(each, found, places),
            tag("dl", *(piece for name, value in facts for piece in (tag("dt", name), tag("dd", value)))),
            id=anchor,
        ),
    )


def _said(run: OmgRun) -> Iterable[Markup]:
    """Show the answer, unless its claims are all of it, which come next."""
    if not run.claims or _bare(run.answer) != _bare(" ".join(claim.text for claim in run.claims)):
        yield tag("blockquote", run.answer or "No answer.", dir="auto")


def _bare(text: str) -> str:
    return "".join(_MARKER.sub("", text).split())


def _brief(each: ScoredRun) -> Markup:
    """Say in short how good it is."""
    if each.run.abstained:
        return tag("span", "abstained", class_="soft")
    right = each.measures.get("selective accuracy")
    figures = {AVERAGE: average(each.measures), "F1-ER": each.measures.get("F1-ER")}
    told = (f"{name} {Figure(value)}" for name, value in figures.items() if value is not None)
    said = [] if right is None else ["right" if right else "wrong"]
    return tag("span", " ".join([*said, *told]), class_="soft")


def _claims(each: ScoredRun, found: Pieces, places: Places) -> Iterable[Markup]:
    claims, statements = each.run.claims, each.judged.statements
    judged = statements if len(statements) == len(claims) else (None,) * len(claims)
    if claims:
        items = (_claim(claim, word, found, places) for claim, word in zip(claims, judged, strict=True))
        yield tag("ol", *items)


def _claim(claim: CitedClaim, statement: Statement | None, found: Pieces, places: Places) -> Markup:
    cited = [
        tag("a", found.mark(piece), href=f"#{places.evidence(found.question, found.number(piece))}")
        for piece in claim.cited
    ]
    citations = tag("span", "cites ", joined(cited, " "), class_="marks") if cited else tag("span", "cites nothing")
    said = "" if statement is None else f"; judged {'supported' if statement.supported else 'unsupported'}"
    return tag(
        "li", foreign("span", claim.text), " ", citations, tag("span", f"; {claim.verdict}{said}", class_="soft")
    )


def _rounds(each: ScoredRun, found: Pieces) -> Iterable[tuple[str, str]]:
    """Say what of the evidence was there after each of several rounds, and how good it was."""
    for number, there in enumerate(each.run.rounds if len(each.run.rounds) > 1 else (), 1):
        after = ""
        if number <= len(each.recalls):
            after = f"; RER {Figure(each.recalls[number - 1])}, F1-ER {Figure(each.f1s[number - 1])}"
        yield f"after round {number}", marks(found, there) + after


def _words(each: ScoredRun) -> Iterable[tuple[str, str]]:
    words = {
        "correct use": each.judged.correct_use,
        "citations complete": each.judged.complete,
        "states an accepted answer": each.measures.get("correct"),
        "right by the judge": each.measures.get("correct by judge"),
    }
    for name, word in words.items():
        if word is not None:
            yield name, "yes" if word else "no"


def _cost(run: OmgRun) -> str:
    usage = run.usage
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    return f"{usage.llm_calls:,} LLM calls, {tokens}, {run.seconds:,.2f} s, {usage.pages_read:,} pages"


def _seed(run: OmgRun) -> str:
    return f" (seed {run.seed})" if run.seed else ""
