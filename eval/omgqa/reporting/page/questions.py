"""Each question with its evidence, and the answers of all systems to it."""

from collections.abc import Iterable, Mapping

from eval.omgqa.judged import Labels
from eval.omgqa.records import Judgement, OmgDocument, OmgQuestion
from eval.omgqa.reporting.figures import Scored, ScoredRun
from eval.omgqa.reporting.page.answers import answer_markup
from eval.omgqa.reporting.page.evidence import evidence_markup, pieces
from eval.omgqa.reporting.page.markup import Markup, foreign, tag
from eval.omgqa.reporting.page.places import Places
from heliograph.types import PageKey

Answers = list[tuple[str, ScoredRun]]
"""Answers to a question with their anchors, by the rank of their systems."""


def questions_markup(scored: Scored, documents: Mapping[PageKey, OmgDocument], places: Places) -> Markup:
    """List the questions by id."""
    answers: dict[str, Answers] = {}
    for standing in scored.standings:
        for number, each in enumerate(standing.runs):
            answers.setdefault(each.run.question, []).append((places.answer(standing.system, number), each))
    judged: dict[str, list[Judgement]] = {}
    for judgement in scored.results.pool:
        judged.setdefault(judgement.question, []).append(judgement)
    return tag(
        "div",
        *(_question(id, scored, answers.get(id, []), judged.get(id, []), documents, places) for id in places.questions),
        *_unasked(scored),
    )


def _unasked(scored: Scored) -> Iterable[Markup]:
    """List the questions that no system has answered, which are in no figure."""
    if those := scored.results.unasked:
        said = "Not asked, as under --limit, or not answered by any system; no figure here counts them."
        listed = (
            tag("li", foreign("strong", id), " ", foreign("span", those[id].question), " — not asked")
            for id in sorted(those)
        )
        yield tag(
            "details",
            tag("summary", f"{len(those):,} more questions were not asked"),
            tag("p", said),
            tag("ul", *listed),
        )


def _question(
    id: str,
    scored: Scored,
    answers: Answers,
    judged: list[Judgement],
    documents: Mapping[PageKey, OmgDocument],
    places: Places,
) -> Markup:
    asked = scored.results.questions.get(id)
    found = pieces(id, judged, scored.labels.get(id, Labels()), [each for _, each in answers])
    failure = _failure_of_all(answers)
    return tag(
        "details",
        tag("summary", foreign("strong", id), " ", foreign("span", asked.question if asked else "")),
        tag(
            "div",
            tag("p", _about(asked) if asked else "not among the questions", class_="soft"),
            tag("details", tag("summary", found.said), evidence_markup(found, documents, places)),
            *([tag("p", failure)] if failure else []),
            *(answer_markup(each, anchor, found, places, shared=bool(failure)) for anchor, each in answers),
            id=places.question(id),
        ),
    )


def _failure_of_all(answers: Answers) -> str:
    """Say once why all systems abstained, where all of several gave the same reason."""
    systems = {each.run.system for _, each in answers}
    reasons = {each.run.answer for _, each in answers}
    if len(systems) < 2 or len(reasons) > 1 or not all(each.run.abstained for _, each in answers):
        return ""
    return f"All {len(systems):,} systems abstained: {reasons.pop() or 'no answer'}"


def _about(asked: OmgQuestion) -> str:
    accepted = f"accepted: {' | '.join(asked.answers)}" if asked.answers else "no page answers it"
    needs = [f"needs {', '.join(asked.modalities)}"] if asked.modalities else []
    return "; ".join([accepted, *needs, f"from {asked.source}"])
