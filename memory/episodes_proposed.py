"""What past questions propose for a new one: pages that held evidence, queries that named them, queries that do not."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from heliograph.types import AskedQuery, Episode, HeldPage, Hit, LikeEpisode, Query, Recollection, Scored
from prompts.harmless import harmless

MOST_PAGES = 5
"""Pages that related questions propose; a round reads ten."""
BELIEVED = frozenset({"quoted", "supported", "computed"})
"""Verdicts of claims whose evidence is worth looking at again."""
TITLE_CHARACTERS = 255
QUERY_CHARACTERS = 300
QUESTION_CHARACTERS = 1_000
_WORD = re.compile(r"\w+")


def proposed(question: str, like: Sequence[Scored[Episode]], manner: str, wikis: Set[str]) -> Recollection:
    """Return what the episodes like a question propose, the likest first.

    Args:
        question: the new question.
        like: past questions and their cosines with it.
        manner: the settings and editions of sources of now; queries are known to find nothing, and a question is
            known to have been answered in full, only in that manner.
        wikis: the wikis whose pages can be read now.
    """
    if not like:
        return Recollection()
    told = tuple(LikeEpisode(each.item.run, round(each.score, 6)) for each in like)
    barren = tuple(
        dict.fromkeys(
            Query(query.text)
            for each in like
            if each.item.manner == manner
            for query in each.item.queries
            if query.found == 0
        )
    )
    again = _repeated(question, [each.item for each in like], manner, wikis)
    if again is not None:
        return Recollection(told, _best_query(again), barren, _hits(again.pages), repeats=True)
    useful = [each for each in like if _useful(each.item)]
    return Recollection(told, (), barren, _held_by(useful, wikis))


def words_of(question: str) -> tuple[str, ...]:
    """Return what makes two questions the same: their words in order, whatever the case and the signs."""
    return tuple(_WORD.findall(question.casefold()))


def plain(episode: Episode) -> Episode:
    """Return an episode with nothing in it that a prompt or a terminal could take for anything but a name.

    A title or a query that would have to be spelled otherwise is left out, since it would name something else then;
    where a page is left out the episode is not complete any more.
    """
    pages = tuple(page for page in episode.pages if _is_plain(page.title, TITLE_CHARACTERS) and harmless(page.wiki))
    return replace(
        episode,
        question=harmless(episode.question)[:QUESTION_CHARACTERS],
        queries=tuple(query for query in episode.queries if _is_plain(query.text, QUERY_CHARACTERS)),
        pages=pages,
        complete=episode.complete and len(pages) == len(episode.pages),
    )


def _is_plain(text: str, most: int) -> bool:
    return 0 < len(text) <= most and harmless(text) == text


def _repeated(question: str, like: Sequence[Episode], manner: str, wikis: Set[str]) -> Episode | None:
    """Return the last episode of this very question that can be asked again in short; none after a thumb down."""
    same = sorted((each for each in like if words_of(each.question) == words_of(question)), key=lambda each: each.asked)
    if next((each.rating for each in reversed(same) if each.rating), None) == "down":
        return None
    fitting = (each for each in reversed(same) if each.manner == manner and _can_be_repeated(each, wikis))
    return next(fitting, None)


def _can_be_repeated(episode: Episode, wikis: Set[str]) -> bool:
    believed = bool(episode.verdicts) and BELIEVED.issuperset(episode.verdicts)
    reachable = bool(episode.pages) and all(page.wiki in wikis for page in episode.pages)
    return episode.complete and not episode.abstained and believed and reachable and bool(_best_query(episode))


def _useful(episode: Episode) -> bool:
    return episode.rating != "down" and not episode.abstained and not BELIEVED.isdisjoint(episode.verdicts)


def _best_query(episode: Episode) -> tuple[Query, ...]:
    """Return the query that named most pages with evidence among its first, the rarest of those; none if none did.

    In the same edition nothing else is there to be found: it is asked so that the answer says how its sources fare.
    """
    named = [query for query in episode.queries if query.held]
    ranked: list[AskedQuery] = sorted(named, key=lambda query: (-query.held, query.found))
    return tuple(Query(query.text) for query in ranked[:1])


def _held_by(like: Sequence[Scored[Episode]], wikis: Set[str]) -> tuple[Hit, ...]:
    """Return the pages that claims of several questions rest on, weighed by how like they are and by thumbs up.

    A question counts once for a page, however often it was asked.
    """
    weights: dict[tuple[str, str], dict[tuple[str, ...], float]] = {}
    for each in like:
        weight = each.score * (2 if each.item.rating == "up" else 1)
        for page in each.item.pages:
            if page.cited and page.wiki in wikis:
                by_question = weights.setdefault((page.wiki, page.title), {})
                by_question[words_of(each.item.question)] = max(
                    weight, by_question.get(words_of(each.item.question), 0)
                )
    summed = {page: sum(by_question.values()) for page, by_question in weights.items()}
    ranked = sorted(summed, key=lambda page: (-summed[page], page))[:MOST_PAGES]
    return tuple(Hit(title, rank, wiki) for rank, (wiki, title) in enumerate(ranked, start=1))


def _hits(pages: Sequence[HeldPage]) -> tuple[Hit, ...]:
    ranked = sorted(pages, key=lambda page: (-page.cited, -page.final, page.wiki, page.title))
    return tuple(Hit(page.title, rank, page.wiki) for rank, page in enumerate(ranked, start=1))
