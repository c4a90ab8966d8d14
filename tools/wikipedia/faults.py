"""What mwclient and the API of MediaWiki complain of, in our words."""

from collections.abc import Iterator
from contextlib import contextmanager

import mwclient.errors
import requests

from heliograph.errors import PageUnavailable, RateLimited, SearchUnavailable, SourceBlocked

_NO_PAGE = {
    "missingtitle": "there is no such page",
    "invalidtitle": "that is no title",
    "pagecannotexist": "its name space has no pages",
    "missingcontent": "its text is hidden or lost",
    "missingcontent-pageid": "its text is hidden or lost",
    "nosuchrevid": "its text is hidden or lost",
    "nosuchpageid": "there is no such page",
    "missingparam": "that is no title",
    "nodata": "that is no title",
}
_REFUSED = frozenset(("blocked", "autoblocked", "readapidenied", "permissiondenied", "apierror-blocked"))
_BUSY = frozenset(("maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"))


@contextmanager
def page_faults(title: str, wiki: str) -> Iterator[None]:
    """Translate what the API says of a page.

    Raises:
        PageUnavailable: it is missing, or can be no page.
        SearchUnavailable: as `faults`.
    """
    try:
        with faults(wiki):
            yield
    except SearchUnavailable as err:
        said = err.__cause__
        if isinstance(said, mwclient.errors.APIError) and said.code in _NO_PAGE:
            reason = _NO_PAGE[str(said.code)]
            raise PageUnavailable(
                f'no page "{title[:200]}" on {wiki}: {reason}; try another title or another --source'
            ) from said
        raise


@contextmanager
def faults(wiki: str) -> Iterator[None]:
    """Translate what mwclient raises.

    Raises:
        RateLimited | SourceBlocked: the API says so.
        SearchUnavailable: any other error of the API, an answer that is none of it, or JSON too deep to be read.
    """
    try:
        yield
    except mwclient.errors.APIError as err:
        raise _of_api(_plain(str(err.code)), _plain(str(err.info)), wiki) from err
    except mwclient.errors.InvalidResponse as err:
        raise SearchUnavailable(_no_json(wiki, str(err.response_text or ""))) from err
    except RecursionError as err:
        raise SearchUnavailable(
            f"{wiki} sent JSON that cannot be read: it nests too deeply; see the setting `wiki`"
        ) from err
    except mwclient.errors.MaximumRetriesExceeded as err:  # neither 200 nor an error, such as a redirect
        raise SearchUnavailable(f"{wiki} has no API where it should but sends us on; see the setting `wiki`") from err
    except mwclient.errors.MwClientError as err:
        raise SearchUnavailable(f"{wiki} fails inside ({type(err).__name__}); ask again later") from err
    except requests.HTTPError as err:
        raise SearchUnavailable(f"{wiki} has no API where it should ({err}); see the setting `wiki`") from err


def _plain(said: str) -> str:
    """Return the beginning of what the API says, without halves of characters."""
    return said[:200].encode("utf-8", "replace").decode("utf-8")


def _of_api(code: str, info: str, wiki: str) -> SearchUnavailable:
    if code in _BUSY:
        return RateLimited(f"{wiki} is busy ({info}); ask again in some minutes")
    if code in _REFUSED:
        return SourceBlocked(f"{wiki} refuses us ({code}: {info}); see that `contact` is right")
    if code == "cirrussearch-query-too-long":
        return SearchUnavailable(f"{wiki} finds the query too long ({info}); ask in fewer words")
    return SearchUnavailable(f"{wiki} answers with the error {code}: {info}")


def _no_json(wiki: str, body: str) -> str:
    kind = "a page of HTML" if body.lstrip()[:1] == "<" else "no JSON"
    return f"{wiki} sent {kind} where its API should answer; is a login page or a proxy in between?"
