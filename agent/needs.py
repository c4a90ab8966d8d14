"""Needs of one question in a run: which are open, which a round asks for, and what was found for them."""

from collections import Counter
from dataclasses import replace

from agent.state import State
from heliograph.types import MOST_NEEDS, AnsweredNeed, Brief, Form, Need, NeedVerdict, Verdict
from memory.ledger import rank

ACTIVE = 4
"""Open needs that one round asks for, the question among them while it is open."""


def needs_of(state: State) -> tuple[Need, ...]:
    """Return the needs of a run, the question first; of a run without a plan the question alone."""
    return tuple(state.get("needs", ())) or (Need(state["question"]),)


def searched_needs(state: State) -> tuple[Need, ...]:
    """Return the needs, each with the page whose table answers it, if a searched source named one."""
    hits = ((result.query.text, hit) for result in state.get("results", ()) for hit in result.hits if hit.answers)
    told = dict(sorted(hits, key=lambda pair: pair[1].answers))  # of several the likeliest, which comes last
    return tuple(replace(need, table=told.get(need.text)) for need in needs_of(state))


def read_question(state: State) -> str:
    """Return the question as it is searched for and scored: as it was asked but for words that are read as others."""
    return needs_of(state)[0].text


def form_of(state: State) -> Form:
    """Return the form of the answer: that of the plan, and of a run without one a short answer."""
    plan = state.get("plan")
    return plan.form if plan else "short"


def met_needs(verdict: Verdict | None) -> dict[int, NeedVerdict]:
    """Return what the last reflection says of the needs that it finds met, by their places."""
    return {each.need: each for each in verdict.needs if each.met} if verdict else {}


def open_needs(state: State) -> tuple[int, ...]:
    """Return the places of the needs that no reflection has found met."""
    met = met_needs(state.get("verdict"))
    return tuple(place for place in range(len(needs_of(state))) if place not in met)


def active_needs(state: State) -> tuple[int, ...]:
    """Return the places of the needs of the round that begins: the question while it is open, then by turns.

    Needs that fewer rounds have asked for come first, and of those the earlier ones. Where every need is met and
    another round follows all the same, the question is asked for.
    """
    asked = Counter(state.get("activated", ()))
    unmet = sorted(open_needs(state), key=lambda place: (place != 0, asked[place], place))
    return tuple(unmet[:ACTIVE]) or (0,)


def born_needs(state: State, verdict: Verdict) -> tuple[Need, ...]:
    """Return the needs that a reflection adds: new ones only, and no more than MOST_NEEDS of one question."""
    known = needs_of(state)
    texts = {need.text.casefold() for need in known}
    new = {need.text.casefold(): need for need in verdict.born if need.text.casefold() not in texts}
    return tuple(new.values())[: max(0, MOST_NEEDS - len(known))]


def brief_of(state: State) -> Brief:
    """Return what the answer is to say, in which form, and what was found for each need: first what met it."""
    needs, seen, met = searched_needs(state), state.get("observations", ()), met_needs(state.get("verdict"))
    found = tuple(
        tuple(
            dict.fromkeys(
                (*(met[place].evidence if place in met else ()), *(each.evidence for each in rank(seen, place)))
            )
        )
        for place in range(len(needs))
    )
    title = state["plan"].title if "plan" in state else ""
    paths = next((each for each in state.get("paths", ()) if each.need == 0), None)
    return Brief(form_of(state), needs, title, open_needs(state), found, paths)


def answered_needs(state: State) -> tuple[AnsweredNeed, ...]:
    """Return the needs as the answer record has them."""
    met = met_needs(state.get("verdict"))
    return tuple(
        AnsweredNeed(need.text, need.origin, place in met, met[place].evidence if place in met else ())
        for place, need in enumerate(needs_of(state))
    )
