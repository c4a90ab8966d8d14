"""Compare what a table says it is about with what a question asks about."""

import re

from heliograph.text.words import content_stems, stem, stems, words
from tools.arithmetic.lexicon import among
from tools.arithmetic.question import Reading
from tools.arithmetic.superlatives import COUNTS, SUPERLATIVES
from tools.arithmetic.view import GENERIC, SELECTIVE, View, names_items, narrows

UNSCOPED, CLOSED = 0.6, 0.7
"""Scope where the question does not say what the table is about; the second, where it lists all of a kind."""
VAGUE = frozenset(stems("feature event milestone item object example fact thing highlight property number"))
"""Items of which no list can be complete."""
NARROWED, KIND = 0.5, 0.65
"""Confidence left where the caption restricts its items and the question does not: `inner moons`, `studio albums`."""
SELECTING = frozenset(
    stems(
        "inner outer upper lower middle former current active early late new old modern ancient first last recent "
        "foreign domestic minor major regular irregular large small big little high low long short deep tall northern "
        "southern eastern western best worst dwarf giant retired living remaining future proposed lost missing more"
    )
    + tuple(stem(word) for word in SUPERLATIVES)
)
"""Adjectives that pick some of the items; other words before the items say only what kind they are."""
_PLAIN = frozenset(stems("list table programme program project series"))


def restriction_of(asked: Reading, view: View, said: tuple[str, ...], *, named: bool) -> float:
    """Return what is left of the confidence where the heading restricts the items, and the question does not."""
    listed = named or asked.listed or bool(asked.stated)
    whole = asked.kind != "rank"
    chosen = not listed and set(view.limits) & SELECTIVE - set(said)
    if chosen and (whole or not asked.descending):
        return 0.0
    narrowed = () if listed else narrows(view, said)
    names = stems(" ".join(re.findall(r" ([A-Z][\w-]*)", view.table.caption)))
    select = [word for word in narrowed if word in SELECTING or word in names]
    if (select and whole) or _is_kind(view, said):
        return 0.0
    return NARROWED if select else KIND if whole and narrowed and _is_headed(view) else 1.0


def scope_of(asked: Reading, view: View, said: tuple[str, ...], *, named: bool) -> float:
    """Return how surely this table and no other of its kind is meant, by what the question says of its heading."""
    known = _scoped(view, said) or _captioned(view, said) or named or len(view.rows) in asked.stated
    kind = KIND if asked.kind == "rank" and not named and narrows(view, said) and _is_headed(view) else 1.0
    return kind * (1.0 if known else CLOSED if _closed(view, said) else UNSCOPED)


def _is_headed(view: View) -> bool:
    """Say whether a caption or a section title says what is listed, and not the title of the page alone."""
    return bool(view.table.caption or view.table.place.path)


def lists_all(view: View, said: tuple[str, ...]) -> bool:
    """Say whether a question says all that a caption does; a row without its date may be still to come."""
    told = [word for word in content_stems(view.table.caption) if word not in _PLAIN]
    dated = any(column.kind == "date" and column.missing for column in view.columns)
    return bool(told) and not dated and not (VAGUE | SELECTIVE) & set(told) and all(among(word, said) for word in told)


def _closed(view: View, said: tuple[str, ...]) -> bool:
    """Say whether headings count the rows, so that the items are all there are of them: `The eight planets`."""
    headings = words(" ".join((*view.table.place.path[-1:], view.table.caption)).casefold())
    counted = any(COUNTS.get(word) == len(view.rows) for word in headings)
    return counted and all(among(word, said) for word in view.heads)


def _is_kind(view: View, said: tuple[str, ...]) -> bool:
    """Say whether the rows are only a kind of what is asked for: `Dwarf planet` where the question says planet."""
    header = view.headers[view.label]
    kind = [word for word in header if not among(word, said)]
    return view.named and 0 < len(kind) < len(header) and not set(kind) <= GENERIC


def _scoped(view: View, said: tuple[str, ...]) -> bool:
    """Say whether the question says what the page is about: all of its title, or a word of it besides the items."""
    return is_titled(view, said) or any(not names_items(word, view) and among(word, said) for word in _title(view))


def is_titled(view: View, said: tuple[str, ...]) -> bool:
    """Say whether the question says the whole title, so that all that its table lists may be meant."""
    return all(among(word, said) for word in _title(view))


def _title(view: View) -> list[str]:
    bare = content_stems(re.sub(r"\(.*\)", "", view.table.place.title))
    return [word for word in bare if word not in _PLAIN] or list(bare)


def _captioned(view: View, said: tuple[str, ...]) -> bool:
    """Say whether the question says all of a heading of two words or more: `the Galilean moons`."""
    heading = (*view.limits, *view.heads[:1])
    return len(heading) > 1 and all(among(word, said) for word in heading)
