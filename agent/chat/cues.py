"""What shows that a question leans on the ones before it; a question without any of it stands alone."""

import re
from collections.abc import Sequence

from agent.chat.fragments import elided, fragment_of, without_lead
from agent.chat.mentions import AUXILIARY, class_noun, names
from agent.chat.pronouns import leaning
from memory.conversations import Turn

WHICH_ONE = re.compile(
    r"^(?:and |but )?(?:which one\b(?! of\b)|which of the two\b)|\b(?:this|that) one\b|\bthe (?:former|latter)\b", re.I
)


def cue_of(question: str, turns: Sequence[Turn] = ()) -> str:
    """Return the first words of a question that lean on earlier turns; nothing where it stands alone."""
    if (fragment := fragment_of(question)) is not None:
        return fragment.text
    for found in (*leaning(question),):
        return found.text
    if one := WHICH_ONE.search(question):
        return one[0]
    if elided(question):
        return question.partition(" ")[0]
    if without_lead(question) != question:
        return question[: len(question) - len(without_lead(question))].strip()
    return called_again(question, turns)[0]


def called_again(question: str, turns: Sequence[Turn]) -> tuple[str, int]:
    """Find "the river" after "which river": the noun with its article, and its place; nothing and -1 without one."""
    if not names(question):
        for turn in reversed(turns):
            noun = class_noun(turn.asked)
            pattern = rf"\bthe {re.escape(noun)}(?=[?.!]*$| (?:{AUXILIARY})\b)"
            if noun and (found := re.search(pattern, question, re.I)):
                return found[0], found.start()
    return "", -1
