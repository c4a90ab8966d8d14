"""Follow-ups without a language model: gaps filled from the last question, pronouns by what they stand for."""

import asyncio
from collections.abc import Sequence

from agent.chat.cues import WHICH_ONE, called_again
from agent.chat.fragments import completed, fragment_of, with_noun, without_lead
from agent.chat.pronouns import Pronoun, leaning
from agent.chat.referents import main_name, plural, referent
from memory.conversations import Turn


class ExtractiveStandAlone:
    """Rewrite by rules; what no rule understands keeps its words, and gaps keep the question before as their topic."""

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the question as it stands alone, or unchanged where nothing could be put in."""
        return await asyncio.to_thread(_rewritten, question, turns)


def _rewritten(question: str, turns: Sequence[Turn]) -> str:
    fragment = fragment_of(question)
    if fragment is not None:
        return _asked(completed(fragment, turns))
    clause = with_noun(without_lead(question), turns)
    told = _without_pronouns(_which_one(_named_again(clause, turns), turns), turns)
    unsaid = told == question or not any(map(str.isalnum, told))
    return question if unsaid else told[:1].upper() + told[1:]


def _asked(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}?"


def _without_pronouns(question: str, turns: Sequence[Turn]) -> str:
    """Put in what each pronoun stands for, once; one that is not understood stays."""
    parts: list[str] = []
    said: set[str] = set()
    end = 0
    for pronoun in leaning(question):
        found = referent(pronoun, question, turns)
        if found and found not in said and pronoun.start >= end:
            said.add(found)
            parts += [question[end : pronoun.start], _in_place(pronoun, found)]
            end = pronoun.end
    return "".join((*parts, question[end:]))


def _in_place(pronoun: Pronoun, found: str) -> str:
    return f"{found}'s" if pronoun.possessive else found


def _named_again(question: str, turns: Sequence[Turn]) -> str:
    """Put the name in the place of "the river"."""
    said, start = called_again(question, turns)
    found = referent(Pronoun(said, start, start + len(said), "thing"), question, turns) if said else ""
    return f"{question[:start]}{found}{question[start + len(said) :]}" if found else question


def _which_one(question: str, turns: Sequence[Turn]) -> str:
    """Say which ones "which one" chooses from: the things that the last turns spoke of one by one, or together."""
    found = WHICH_ONE.search(question)
    if found is None:
        return question
    pair = _spoken_of(turns)
    word = found[0].casefold()
    if word in {"the former", "the latter"}:
        chosen = pair[:: -1 if word.endswith("latter") else 1][:1]
        return f"{question[: found.start()]}{chosen[0]}{question[found.end() :]}" if chosen else question
    if not word.startswith("which"):
        one = referent(Pronoun(found[0], found.start(), found.end(), "thing"), question, turns)
        return f"{question[: found.start()]}{one}{question[found.end() :]}" if one else question
    among = plural(turns[-1]) or (" and ".join(pair[-2:]) if len(pair) > 1 else "")
    head = "Which" if found.start() == 0 else "which"
    return f"{question[: found.start()]}{head} of {among}{question[found.end() :]}" if among else question


def _spoken_of(turns: Sequence[Turn]) -> list[str]:
    named = (main_name(turn.asked) for turn in turns)
    return list(dict.fromkeys(name.text for name in named if name))
