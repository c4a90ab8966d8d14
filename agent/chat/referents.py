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
from memory.conversations import Turn

Sort = Literal["person", "thing", "several", "among", "ordinal", "again", "one", "place", "year", "counted"]

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
_ORDINALS = {"former": 0, "first": 0, "second": 1, "third": 2, "latter": -1, "last": -1, "other": -1}
_INSTANCE = re.compile(r"^(?:\w+ )?(?:which|what|who|whom|whose|where)\b|^(?:name|tell me) the\b", re.I)
_BESIDE = re.compile(r"\b(?:from|than|to|in|at|by|on|during|through) $")
_MEANING = re.compile(r"^[\w-]+ (?:means|stands for) ((?:an? )?[a-z][\w-]*)")


def candidates(sort: Sort, said: str, turns: Sequence[Turn]) -> Iterator[str]:
    """Yield what words of a sort may stand for, the likeliest first, as it is said in a sentence."""
    for turn in reversed(turns):
        noun, named = class_noun(turn.asked), () if turn.abstained else answer_names(turn.answer, turn.asked)
        match sort:
            case "person":
                yield from _persons(turn, turns)
            case "thing":
                yield from _things(turn, turns)
            case "several":
                plurals = [each.text for each in nouns(turn.asked) if PLURAL.search(each.text)]
                listed = list(map(_joined, _lists(turn)))[:1]
                yield from (*listed, *plurals) if PLURAL.search(noun) else (*plurals, *listed)
                yield from (text for text in _things(turn, turns) if bare(text)[:1].isupper())
            case "among":
                number = next((number for word, number in NUMBERS.items() if word in said.split()), 0)
                yield from (f"of {_joined(items)}" for items in _lists(turn) if number in (0, len(items)))
                yield from (f"of the {each}" for each in (noun,) if PLURAL.search(each) and not number)
            case "ordinal":
                place = next(place for word, place in _ORDINALS.items() if word in said.casefold().split())
                for items in _lists(turn):
                    left = [item for item in items if "other" not in said or item not in given(turn)]
                    yield from left[place:][:1] if place < len(left) else ()
            case "again":
                yield from given(turn)[:1] if noun == said.rpartition(" ")[2] else ()
            case "one":
                yield from (each.text for each in nouns(turn.asked) if re.match(r"an? ", each.text))
            case "place":
                where = () if _asks_whom(turn) else given(turn)[:1]
                yield from (f"in {name}" for name in (*where, *(name.text for name in names_of(turn)), *named))
            case "year":
                yield from (f"in {year}" for year in re.findall(r"\b(1\d{3}|20\d{2})\b", f"{turn.answer} {turn.asked}"))
            case "counted":
                yield from (f"how many {each}" for each in (noun,) if each)
    topics = tuple(dict.fromkeys(named[0].text for turn in turns if (named := names_of(turn))))[-2:]
    if sort == "among" and len(topics) > 1:
        yield f"of {_joined(topics)}"


def names_of(turn: Turn) -> tuple[Mention, ...]:
    """Return the names of a turn's question, what it is about first; some have their capitals only in the answer."""
    found = {name.start: name for name in names(turn.asked)}
    for name in (bare(name.text) for name in names(turn.answer)):
        for part in (name, *name.split()):
            said = re.search(rf"(?<![\w-]){re.escape(part)}(?![\w-])", turn.asked, re.I)
            known = said and any(each.start <= said.start() < each.end for each in found.values())
            if said and not known and part[0].isupper() and (part == name or not PLURAL.search(part)):
                found[said.start()] = Mention(said[0], *said.span())
    return tuple(each for _, each in sorted(found.items(), key=lambda each: (_is_beside(each[1], turn), each[0])))


def _is_beside(name: Mention, turn: Turn) -> bool:
    return _BESIDE.search(turn.asked[: name.start]) is not None


def given(turn: Turn) -> tuple[str, ...]:
    """Return what an answer gives to a question for a name; of alternatives in the question, the one it says first."""
    answer = " ".join(sentences(turn.answer)[:2])
    for choice in lists(turn.asked):
        if said := [item for item in choice if item.casefold() in answer.casefold()]:
            return (min(said, key=lambda item: answer.casefold().index(item.casefold())),)
    if turn.abstained or not _INSTANCE.match(turn.asked) or asked_of(turn.asked).kind not in ("open", "person"):
        return ()
    meaning = _MEANING.match(answer)
    return (meaning[1],) if meaning else answer_names(answer, turn.asked)


def _lists(turn: Turn) -> tuple[tuple[str, ...], ...]:
    """Return what a turn lists, first the alternatives that it chose from."""
    asked = lists(turn.asked)
    answered = () if turn.abstained else lists(turn.answer)
    return (*asked, *answered)


def _joined(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _asks_whom(turn: Turn) -> bool:
    return asked_of(turn.asked).kind == "person" or re.match(r"(?:by )?who", turn.asked, re.I) is not None


def _persons(turn: Turn, turns: Sequence[Turn]) -> Iterator[str]:
    """Yield whom a who-question was given, then who is named in a question as no work, no place and without `the`."""
    if _asks_whom(turn):
        whom = (name.partition(" of ")[0] for name in given(turn) if not re.search(r"\d|^[Tt]he ", name))
        yield from sorted(whom, key=lambda name: (f" by {name}" not in turn.answer, " " not in name))
        return
    works = {name.text for each in turns if _asks_whom(each) for name in names(each.asked)}
    named = [name.text for name in names_of(turn) if not _is_beside(name, turn)]
    answered = [] if turn.abstained else [name for name in answer_names(turn.answer, turn.asked) if " " in name]
    yield from (name for name in (*named, *answered) if name not in works and bare(name) == name)


def _things(turn: Turn, turns: Sequence[Turn]) -> Iterator[str]:
    persons = {name for each in turns if _asks_whom(each) for name in given(each)}
    if not _asks_whom(turn) and not re.match("where", turn.asked, re.I) and not PLURAL.search(class_noun(turn.asked)):
        yield from given(turn)[:1]
    about = [name.text for name in names_of(turn) if name.text not in persons]
    about += [noun.text for noun in nouns(turn.asked) if not PLURAL.search(noun.text)]
    yield from sorted(about, key=lambda text: text.casefold() in turn.typed.casefold())
