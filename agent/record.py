"""The answer record, schema heliograph.answer/2."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from agent.checking import CheckedAnswer
from agent.language.falling_back import failure_notes
from agent.meter import total
from agent.needs import answered_needs, form_of, needs_of, open_needs
from agent.selection import final_ledger
from agent.services import Services
from agent.state import State
from heliograph.types import (
    ANSWER_SCHEMA,
    Answer,
    Citation,
    Computation,
    EvidenceId,
    FormChoice,
    Modality,
    Observation,
    RoundRecord,
    SourceReport,
    SourceStatus,
    Usage,
    VectorUse,
    Verdict,
    total_use,
)
from heliograph.types.later import is_left_out
from indexers.parser import leaf_of
from memory.ledger import rank
from prompts import render_prompt

NO_LANGUAGE_MODEL = "no language model is set: the answer is made of quoted sentences and rows, and of computed values"
NO_REPORT = "a report was asked for and none was planned, which takes a language model: the answer is "
NO_IMAGE_MODEL = "no image model is set: images were found by caption, alternative text and the text around them"
READ_AS = '(read as: {}) no source knows "{}", a word of the question'
WORST_FIRST: tuple[SourceStatus, ...] = ("failed", "rate_limited", "ok", "empty")


def answer_record(state: State, checked: CheckedAnswer, services: Services) -> Answer:
    """Close the record of a run."""
    spent = total((*state.get("spent", ()), *services.meter.take()))
    return Answer(
        schema=ANSWER_SCHEMA,
        run=services.recorder.run,
        question=state["question"],
        answer=checked.text or abstention(state, checked),
        abstained=checked.abstained,
        mode=services.mode,
        stop_reason=state["stop_reason"],
        citations=checked.citations,
        claims=checked.claims,
        rounds=state.get("rounds", ()),
        evidence=_shown_evidence(state, checked.citations, services),
        sources=merged_reports(state.get("sources", ())),
        notes=(*services.notes, *_notes(state, services.form), *failure_notes(spent.failures)),
        model_failures=spent.failures,
        usage=Usage(
            llm_calls=spent.llm_calls,
            prompt_tokens=spent.prompt_tokens,
            cached_tokens=spent.cached_tokens,
            completion_tokens=spent.completion_tokens,
            http_requests=spent.http_requests,
            embedded=sum(state.get("embedded", ())),
            pages_read=sum(state.get("fetched", ())),
            vectors=_vectors(state),
        ),
        seconds=round(services.recorder.now() - state["started"], 3),
        form=form_of(state),
        needs=answered_needs(state),
        blocks=checked.blocks,
        not_found=_not_found(state, checked),
        not_said=checked.not_said,
        confidence=state["draft"].confidence,
    )


def _notes(state: State, wanted: FormChoice) -> tuple[str, ...]:
    """Return what the steps of a run noted, each once, and that a report was asked for where none was planned."""
    form = form_of(state)
    missed = (f"{NO_REPORT}{form}",) if wanted == "report" and form != "report" else ()
    return tuple(dict.fromkeys((*missed, *state.get("notes", ()))))


def _not_found(state: State, checked: CheckedAnswer) -> tuple[str, ...]:
    """Return what was not found, and of a report every need that was left open and of which no part tells.

    Whoever wrote the parts names what they lack; an answerer that stands in for another may have written none.
    """
    if form_of(state) != "report":
        return checked.not_found
    needs = needs_of(state)
    told = {block.need for block in state["draft"].blocks}
    silent = (place for place in open_needs(state) if place and not told & {place, needs[place].of or place})
    lacking = [needs[place].text for place in silent if needs[place].origin != "bridge"]
    new = (text for text in lacking if not any(named.startswith(text) for named in checked.not_found))
    return (*checked.not_found, *new)


def _shown_evidence(state: State, citations: Sequence[Citation], services: Services) -> tuple[Observation, ...]:
    """Return what the writer was shown, and whatever else the answer cites: rows of a table that was shown whole.

    Such a row has its own score or, where no index found it, that of the best piece of its table, by way of it.
    """
    observations = state.get("observations", ())
    chosen = final_ledger(observations, services, form_of(state))
    scored: dict[EvidenceId, Observation] = {}
    for seen in (*rank(observations), *chosen):
        scored.setdefault(seen.evidence, seen)
        scored.setdefault(leaf_of(seen.evidence), seen)
    known = {seen.evidence for seen in chosen}
    cited = {each.evidence: each.modality for each in citations if each.evidence not in known}
    return (
        *chosen,
        *(_cited(name, modality, scored.get(name) or scored.get(leaf_of(name))) for name, modality in cited.items()),
    )


def _cited(name: EvidenceId, modality: Modality, seen: Observation | None) -> Observation:
    if seen is None:
        return Observation(name, modality, 0.0, 0)
    return seen if seen.evidence == name else replace(seen, evidence=name, modality=modality, via=seen.evidence)


def _vectors(state: State) -> VectorUse | None:
    """Return what the indexes needed, where they told it of every page."""
    told = state.get("vectors", ())
    return total_use(told) if told and len(told) == len(state.get("embedded", ())) else None


def abstention(state: State, checked: CheckedAnswer) -> str:
    """Say that nothing is claimed, why, and how much was read."""
    return render_prompt(
        "abstention",
        reason=state["draft"].reason or checked.reason,
        rounds=len(state.get("rounds", ())),
        pages=len(state.get("documents", ())),
    )


def queries_of(state: State) -> tuple[str, ...]:
    """Return what the present round searched for."""
    return tuple(query.text for query in (*state["queries"], *state["relaxed"]))


def round_record(state: State, verdict: Verdict) -> RoundRecord:
    """Return what episodic memory keeps of the present round."""
    seen = (observed for observed in rank(state.get("observations", ())) if observed.round == state["round"])
    return RoundRecord(
        number=state["round"],
        queries=queries_of(state),
        documents=state["read"],
        evidence=tuple(observed.evidence for observed in seen),
        verdict=verdict,
    )


def merged_reports(reports: Sequence[SourceReport]) -> tuple[SourceReport, ...]:
    """Return one report a source: the worst of its rounds, since a fault in one round may have cost evidence."""
    worst: dict[str, SourceReport] = {}
    for report in reports:
        known = worst.get(report.name, report)
        worst[report.name] = min(known, report, key=lambda each: WORST_FIRST.index(each.status))
    return tuple(worst.values())


def answer_fields(answer: Answer) -> dict[str, object]:
    """Return the record as JSON values, field by field as documented for `ask --json`."""
    fields: dict[str, object] = asdict(answer)
    fields["evidence"] = [
        {"id": seen.evidence, "modality": seen.modality, "score": seen.score, "round": seen.round, "via": seen.via}
        for seen in answer.evidence
    ]
    fields["usage"] = _known_fields(answer.usage)
    fields["citations"] = [
        {**asdict(cited), "computation": _known_fields(cited.computation) if cited.computation else None}
        for cited in answer.citations
    ]
    return fields


def _known_fields(recorded: Usage | Computation) -> dict[str, object]:
    """Return the fields of a record without those that records leave out."""
    kind: type = type(recorded)
    values = asdict(recorded)
    return {name: values[name] for name in values if not is_left_out(kind, name, getattr(recorded, name))}


def answer_json(answer: Answer) -> str:
    """Return the record as one line of JSON, halves of characters escaped; equal records give equal bytes."""
    line = json.dumps(answer_fields(answer), ensure_ascii=False)
    return line.encode("utf-8", "backslashreplace").decode("utf-8")
