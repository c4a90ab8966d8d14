"""What is remembered of past questions, as people read it."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from heliograph.types import Episode


def one_line(episode: Episode) -> str:
    """Return run, date, how it ended, the thumb and the question."""
    thumb = {"up": "+", "down": "-", None: " "}[episode.rating]
    return f"{episode.run}  {_date(episode)}  {_ended(episode):9} {thumb} {episode.question}"


def whole(episode: Episode) -> str:
    """Return everything that is remembered of a question, a line each."""
    return "\n".join(_lines(episode))


def _lines(episode: Episode) -> Iterator[str]:
    yield f"{episode.run}  {_date(episode)}"
    yield f"question      {episode.question}"
    yield f"of            {episode.user}" + (f", conversation {episode.conversation}" if episode.conversation else "")
    yield f"ended         {_ended(episode)}, {episode.stop_reason}, after {len(episode.sufficient)} rounds"
    verdicts = Counter(episode.verdicts)
    yield f"claims        {', '.join(f'{count} {name}' for name, count in verdicts.items()) or 'none'}"
    yield f"thumb         {episode.rating or 'none'}"
    for page in episode.pages:
        yield f"page          {page.title} ({page.wiki}): {page.final} pieces of the final evidence, {page.cited} cited"
    for query in episode.queries:
        told = f"{query.found} found, {query.held} held evidence" if query.found else "nothing found"
        yield f"query         {query.text}: {told}"


def _ended(episode: Episode) -> str:
    return "abstained" if episode.abstained else "answered"


def _date(episode: Episode) -> str:
    return f"{datetime.fromtimestamp(episode.asked, UTC):%Y-%m-%d %H:%M}"
