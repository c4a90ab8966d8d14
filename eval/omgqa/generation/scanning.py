"""All articles of an archive looked through once, and the candidates that are among them."""

from collections.abc import Sequence

from eval.omgqa.generation.articles import Article, article_of
from eval.omgqa.generation.candidates import (
    LEAST_COSINE,
    NEIGHBOURS,
    Candidate,
    Pipeline,
    contents_candidates,
    fit_for,
    pair_candidates,
)
from eval.omgqa.generation.drafts import Reading
from eval.omgqa.generation.neighbours import near_pairs
from heliograph.errors import HostilePage, PageUnavailable
from heliograph.protocols import Embedder
from indexers.pace import Pace, Say


async def candidates_among(
    titles: Sequence[str], pipeline: Pipeline, reading: Reading, embedder: Embedder, say: Say
) -> tuple[Candidate, ...]:
    """Return the candidates of an archive in no order of note; pages that cannot be read are counted and left out.

    Raises:
        ArchiveUnreadable: the archive is damaged.
        ModelMissing: the embedder is not there.
    """
    articles = await _articles(titles, pipeline, reading, say)
    say(f"{len(articles):,} of {len(titles):,} articles have what {pipeline} are made from")
    if pipeline == "contents":
        return contents_candidates(articles)
    if not articles:
        return ()
    vectors = await embedder.embed([article.introduction for article in articles])
    return pair_candidates(articles, near_pairs(vectors, NEIGHBOURS, LEAST_COSINE))


async def _articles(titles: Sequence[str], pipeline: Pipeline, reading: Reading, say: Say) -> list[Article]:
    found, unread, pace = list[Article](), 0, Pace("articles", len(titles), say)
    for number, title in enumerate(sorted(titles), start=1):
        try:
            article = article_of(await reading.document(title))
        except (PageUnavailable, HostilePage):
            unread += 1
        else:
            if fit_for(pipeline, article):
                found.append(article)
        pace.done(number)
    if unread:
        say(f"{unread:,} pages cannot be read and are left out")
    return found
