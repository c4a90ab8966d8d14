"""What a pronoun stands for: the entities of the last turns, in an order that says why.

Whoever was said to have what the pronoun has comes first: "its second largest moon" is Neptune's as long as the moons
of Neptune were spoken of. Then the last turn, since people go on with what was said last. Within a turn what the
question asked for comes before what it asked about: after "Which is the largest moon of Neptune?" the talk is of
Triton, and after "How large is Triton?", which asks for a figure, it still is of Triton. Within an answer a name amid a
sentence comes before one that begins it, since every word that begins a sentence has a capital; names that are titles
of cited pages come first.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from agent.chat.mentions import Mention, answer_names, class_noun, names, noun_phrase, sentences, superlative
from agent.chat.pronouns import Pronoun
from agent.extractive.asked import asked_of
from heliograph.text.names import plain_title
from heliograph.text.words import stem, stems
from indexers.parser import page_of
from indexers.parser.ids import page_name
from memory.conversations import Turn

_INSTANCE = re.compile(r"^(?:(?:in|on|at|from|by|through|to|of) )?(?:which|what)\b|^(?:name|tell me) the\b", re.I)
_BEGINS_WHERE = re.compile(r"^(?:where|in which|on which|at which)\b", re.I)
_NO_PERSON = re.compile(
    r"\b(?:light|house|bridge|tower|lake|mount|mont|river|sea|island|islands|canal|empire|university|museum|company|"
    r"international|cross|war|treaty|olympics|prize|cup|league|union|party|church|castle|palace|park|street|city|"
    r"union|republic|kingdom|states|corporation|institute|laboratory|railway|station|moons?|rings?)\b",
    re.I,
)
_LIFE = re.compile(
    r"\b(?:born|die[ds]?|married|marry|live[ds]?|old|wife|husband|child|children|study|studied|write|wrote|compose|"
    r"paint|invent|discover|rule[ds]?|reign|famous|parents|mother|father|career|age)\b",
    re.I,
)
_YEAR = re.compile(r"\b(1\d{3}|20\d{2})\b")
_VERB = r"(?!(?:do|does|did|is|are|was|were|has|have|had)\b)"
_PLURAL_CLASS = re.compile(
    rf"^(?:which|what|how many) (?P<noun>(?:{_VERB}[a-z][\w-]* )??(?:{_VERB}[a-z][\w-]*s|people|men|women|children))"
    r" (?P<rest>.+)$",
    re.I,
)
_OWNED = re.compile(r"^(?:do|does|did) (?P<owner>.+?) (?:have|has|had|possess|own)$", re.I)


def referent(pronoun: Pronoun, question: str, turns: Sequence[Turn]) -> str:
    """Return what a pronoun of a question stands for, as it is said in a sentence; nothing where that is not known."""
    own = {name.bare.casefold() for name in names(question)}
    owners = (_owner(pronoun, turn.asked) for turn in reversed(turns))
    candidates = (_candidates(pronoun, turn, turns) for turn in reversed(turns))
    for found in chain(filter(None, owners), chain.from_iterable(candidates)):
        if re.sub(r"^(?:the|an?) ", "", found).casefold() not in own:
            return found
    return ""


def titles(turn: Turn) -> tuple[str, ...]:
    """Return the titles of the cited pages without what tells them from their namesakes."""
    return tuple(dict.fromkeys(plain_title(page_name(page_of(piece)).title) for piece in turn.cited))


def main_name(question: str) -> Mention | None:
    """Return the name that a question is about: the first that is no point of comparison."""
    named = names(question)
    of_it = [name for name in named if not re.search(r"\b(?:from|than|to|in|at|by|during) $", question[: name.start])]
    return next(iter((*of_it, *named)), None)


def subject(question: str) -> Mention | None:
    """Return what a question is about: its main name, or else its noun."""
    return main_name(question) or noun_phrase(question)


def asked_for(turn: Turn) -> tuple[Mention, ...]:
    """Return the names that a turn asked for and got, titles of cited pages first; none where it asked for others."""
    asked = asked_of(turn.asked)
    wants = asked.kind in ("open", "person") and (_INSTANCE.match(turn.asked) or re.match(r"who\b", turn.asked, re.I))
    if turn.abstained or not (wants or asked.kind == "person"):
        return ()
    said = sentences(turn.answer)
    found = answer_names(" ".join(said if asked.kind == "person" else said[:2]), turn.asked)
    cited = titles(turn)
    return tuple(sorted(found, key=lambda name: name.bare not in cited))


def plural(turn: Turn) -> str:
    """Return the several things that a turn spoke of: "the moons of Mars", "koalas"; nothing where it did not."""
    text = turn.asked.rstrip(" ?.!")
    if found := _PLURAL_CLASS.match(text):
        noun, rest = found["noun"], found["rest"]
        if owned := _OWNED.match(rest):
            return f"the {noun} of {owned['owner']}"
        if re.match(r"(?:do|does|did|is|was|has|can)\b", rest):
            return f"the {noun}"
        return f"the {noun} that {rest}"
    noun_of = noun_phrase(text)
    return noun_of.text if noun_of and not names(text) and _is_plural(noun_of.text) else ""


def _candidates(pronoun: Pronoun, turn: Turn, turns: Sequence[Turn]) -> Iterator[str]:
    sorts = {"person": _persons, "thing": _things, "several": _several, "place": _places, "year": _years}
    yield from sorts[pronoun.sort](turn, turns, pronoun)


def _persons(turn: Turn, turns: Sequence[Turn], _: Pronoun) -> Iterator[str]:
    asked = asked_of(turn.asked).kind == "person" or re.match(r"who\b", turn.asked, re.I)
    if asked:
        answered = filter(_may_be_person, map(_person, asked_for(turn)))
        yield from sorted(answered, key=lambda name: (f" by {name}" not in turn.answer, " " not in name))
    known = _things_named(turns)
    told = [name.bare for name in names(turn.asked) if name.bare not in known and _may_be_person(name.text)]
    lives = _LIFE.search(turn.asked) is not None
    yield from (name for name in told if " " in name or lives)
    if not asked and not turn.abstained:
        yield from (name.bare for name in answer_names(turn.answer, turn.asked) if _full_name(name.bare))


def _things(turn: Turn, turns: Sequence[Turn], _: Pronoun) -> Iterator[str]:
    kind = asked_of(turn.asked).kind
    if kind != "person" and not _is_plural(class_noun(turn.asked)) and _INSTANCE.match(turn.asked):
        yield from (name.text for name in asked_for(turn)[:1])
    persons = _persons_named(turns)
    main = main_name(turn.asked)
    ordered = [*([main] if main else []), *names(turn.asked)]
    yield from (name.text for name in ordered if name.bare not in persons)
    if noun := noun_phrase(turn.asked):
        yield noun.text
    yield from (title for title in titles(turn) if title not in persons)


def _several(turn: Turn, turns: Sequence[Turn], pronoun: Pronoun) -> Iterator[str]:
    if said := plural(turn):
        yield said
    found = [name.text for name in asked_for(turn)]
    if len(found) > 1:
        yield f"{', '.join(found[:-1])} and {found[-1]}"
    yield from _things(turn, turns, pronoun)


def _places(turn: Turn, turns: Sequence[Turn], pronoun: Pronoun) -> Iterator[str]:
    if _BEGINS_WHERE.match(turn.asked) and not turn.abstained:
        yield from (f"in {name.text}" for name in answer_names(turn.answer, turn.asked)[:1])
    yield from (f"in {name}" for name in _things(turn, turns, pronoun))


def _years(turn: Turn, _turns: Sequence[Turn], _pronoun: Pronoun) -> Iterator[str]:
    for text in (turn.answer, turn.asked):
        yield from (f"in {year}" for year in _YEAR.findall(text)[:1])


def _owner(pronoun: Pronoun, asked: str) -> str:
    """Return who has, in a question before, what the pronoun has: its moon, after "the largest moon of Neptune"."""
    wanted = set(stems(pronoun.noun)) if pronoun.possessive else set()
    for found in re.finditer(r"\b([a-z][\w-]+) of ((?:the )?)", asked):
        if stem(found[1]) in wanted:
            named = [name for name in names(asked) if found.start(2) <= name.start <= found.end()]
            return named[0].text if named else ""
    for found in re.finditer(r"\bhow many ([\w-]+) (?:do|does|did) ", asked, re.I):
        if stem(found[1]) in wanted and (owner := subject(asked)):
            return owner.text
    return ""


def _things_named(turns: Sequence[Turn]) -> frozenset[str]:
    """Return the names that questions for a person asked about: what was written, painted or found."""
    about = (turn.asked for turn in turns if re.match(r"who\b|by whom\b", turn.asked, re.I))
    return frozenset(name.bare for asked in about for name in names(asked))


def _persons_named(turns: Sequence[Turn]) -> frozenset[str]:
    return frozenset(
        _person(name) for turn in turns if asked_of(turn.asked).kind == "person" for name in asked_for(turn)
    )


def _person(name: Mention) -> str:
    """Return a name without the place after it: "Abebe Bikila of Ethiopia" is Abebe Bikila."""
    before, of, _ = name.bare.partition(" of ")
    return before if of and " " in before else name.bare


def _may_be_person(name: str) -> bool:
    return not _NO_PERSON.search(name) and not re.search(r"\d", name)


def _full_name(name: str) -> bool:
    return 1 <= name.count(" ") <= 3 and _may_be_person(name) and " of " not in name


def _is_plural(noun: str) -> bool:
    return bool(re.search(r"[^su]s$|^(?:people|men|women|children)$", noun)) and superlative(noun) is None
