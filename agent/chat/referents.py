"""Which earlier thing is meant: names, nouns and lists of the last turns, told apart by number, person and kind.

The last turn comes first, since people go on with what was said last. Within a turn what already stood for a pronoun
comes first, then what the answer gave ("Which is the largest moon of Neptune?": Triton), then what the question was
about (Neptune); a question for a figure or a date is given nothing to speak of.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from agent.chat.mentions import PLURAL, Mention, answer_names, bare, class_noun, lists, names, nouns, sentences
from agent.extractive.asked import asked_of
from heliograph.text.words import stems
from memory.conversations import Turn

Sort = Literal["person", "thing", "several", "among", "ordinal", "again", "one", "place", "year", "counted"]

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
_ORDINALS = {"former": 0, "first": 0, "second": 1, "third": 2, "latter": -1, "last": -1, "other": -1}
_INSTANCE = re.compile(r"^(?:\w+ )?(?:which|what|who|whom|whose|where)\b|^(?:name|tell me) the\b", re.I)


def candidates(sort: Sort, said: str, turns: Sequence[Turn]) -> Iterator[str]:
    """Yield what words of a sort may stand for, the likeliest first, as it is said in a sentence."""
    for turn in reversed(turns):
        yield from _candidates(sort, said, turn, turns)
    topics = tuple(dict.fromkeys(named[0].text for turn in turns if (named := names_of(turn))))[-2:]
    if sort == "among" and len(topics) > 1:
        yield f"of {_joined(topics)}"


def _candidates(sort: Sort, said: str, turn: Turn, turns: Sequence[Turn]) -> Iterator[str]:
    noun, named, listed = class_noun(turn.asked), [name.text for name in names_of(turn)], _lists(turn)
    whose = asked_of(turn.asked).kind == "person" or turn.asked.casefold().startswith(("who", "by who"))
    match sort:
        case "person" if whose:
            yield from (name.partition(" of ")[0] for name in given(turn))
        case "person":
            works = {
                name.text for each in turns if each.asked.casefold().startswith("who") for name in names(each.asked)
            }
            told = (*named, *(name for name in _new_names(turn) if " " in name))
            yield from (name for name in told if name not in works and bare(name) == name)
        case "thing":
            yield from () if whose or turn.asked[:5].casefold() == "where" or PLURAL.search(noun) else given(turn)[:1]
            about = (*named, *(each.text for each in nouns(turn.asked) if not PLURAL.search(each.text)))
            yield from sorted(about, key=lambda text: text.casefold() in turn.typed.casefold())
        case "several":
            plurals = [each.text for each in nouns(turn.asked) if PLURAL.search(each.text)]
            joined = list(map(_joined, listed[:1]))
            yield from (*joined, *plurals) if PLURAL.search(noun) else (*plurals, *joined, *given(turn)[:1])
            yield from (name.text for name in names(turn.asked))
        case "among":
            number = next((number for word, number in NUMBERS.items() if word in said.split()), 0)
            yield from (f"of {_joined(items)}" for items in listed if number in (0, len(items)))
            yield from (f"of the {each}" for each in (noun,) if PLURAL.search(each) and not number)
        case "ordinal":
            place = next(place for word, place in _ORDINALS.items() if word in said.casefold().split())
            left = ([item for item in items if "other" not in said or item not in given(turn)] for items in listed)
            yield from (items[place] for items in left if place < len(items))
        case "again":
            yield from given(turn)[:1] if noun == said.rpartition(" ")[2] else ()
        case "one":
            yield from (each.text for each in nouns(turn.asked) if re.match(r"an? ", each.text))
        case "place":
            yield from (f"in {name}" for name in (*(() if whose else given(turn)[:1]), *named, *_new_names(turn)))
        case "year":
            yield from (f"in {year}" for year in re.findall(r"\b(1\d{3}|20\d{2})\b", f"{turn.answer} {turn.asked}"))
        case "counted":
            yield from (f"how many {each}" for each in (noun,) if each)


def names_of(turn: Turn) -> tuple[Mention, ...]:
    """Return the names of a turn's question; some have their capitals only in the answer."""
    named = names(turn.asked)
    known = {bare(name.text) for name in names(turn.answer)}
    known |= {part for name in known for part in name.split() if part[0].isupper() and not PLURAL.search(part)}
    pattern = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    typed = (
        Mention(each[0], *each.span())
        for each in re.finditer(rf"\b(?:the )?(?:{pattern})\b", turn.asked, re.I)
        if known
    )
    more = (each for each in typed if not any(name.start <= each.start < name.end for name in named))
    return tuple(sorted((*named, *more), key=lambda each: each.start))


def given(turn: Turn) -> tuple[str, ...]:
    """Return what an answer gives to a question for a name; of alternatives in the question, the one it says first."""
    answer = " ".join(sentences(turn.answer)[:2])
    if turn.abstained or not _INSTANCE.match(turn.asked):
        return ()
    for choice in lists(turn.asked):
        if said := [item for item in choice if item.casefold() in answer.casefold()]:
            return (min(said, key=lambda item: answer.casefold().index(item.casefold())),)
    if asked_of(turn.asked).kind not in ("open", "person"):
        return ()
    begins = (each.text for each in nouns(answer) if answer.startswith(("The ", "A ")) and each.start == 0)
    new = (text[0].lower() + text[1:] for text in begins if not set(stems(text)) <= set(stems(turn.asked)))
    return answer_names(answer, turn.asked) or tuple(new)


def _new_names(turn: Turn) -> tuple[str, ...]:
    return () if turn.abstained else answer_names(turn.answer, turn.asked)


def _lists(turn: Turn) -> tuple[tuple[str, ...], ...]:
    """Return what a turn lists, first the alternatives that it chose from."""
    return (*lists(turn.asked), *(() if turn.abstained else lists(turn.answer)))


def _joined(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}"
