"""DuckDuckGo's HTML page on loopback: its form, its markup as ddgs reads it, our own words; and every way it refuses.

    with DuckDuckGoServer({"lighthouse": ["Skerry Head Light", "Holm Light"]}) as server:
        server.script(anomaly(202), results())
        ... post q=lighthouse site:en.wikipedia.org to server.url ...
        assert server.asked[0].query == "lighthouse site:en.wikipedia.org"

Titles come from a mapping of queries (without `site:`), or from a callable, which may ask another engine: so the server
can stand in front of a wiki's own search. Standard library only.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from urllib.parse import parse_qs, quote

FIRST_PAGE, LATER_PAGE = 10, 15
"""Results of page 1 and of the others: page 2 is asked with s=10, page 3 with s=25."""
LONGEST_HANG = 30.0

Titles = Mapping[str, Sequence[str]] | Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: `query` as sent, `words` without its `site:`, `skip` from s=, `at` by the monotonic clock."""

    query: str
    words: str
    site: str
    region: str
    skip: int
    at: float
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back; `length` is the Content-Length where it is not the body's, `hang` answers nothing at all."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    hang: bool = False
    drip: float = 0.0


Behaviour = Callable[["DuckDuckGoServer", Asked], Answer]


class DuckDuckGoServer:
    """A server in a thread; each request takes the next behaviour of the script, and `results()` after its end."""

    def __init__(self, titles: Titles, wiki: str = "https://en.wikipedia.org") -> None:
        self.wiki = wiki
        self.asked: list[Asked] = []
        self.closing = Event()
        self._titles = titles
        self._script: list[Behaviour] = []
        self._lock = Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The address of the form."""
        return f"http://127.0.0.1:{self._server.server_port}/html/"

    def script(self, *behaviours: Behaviour) -> None:
        """Say how the next requests are answered, one behaviour each."""
        with self._lock:
            self._script = list(behaviours)

    def titles(self, asked: Asked) -> tuple[str, ...]:
        """Return the titles of the page that was asked for."""
        found = self._titles(asked.words) if callable(self._titles) else self._titles.get(asked.words, ())
        return tuple(found)[asked.skip : asked.skip + (LATER_PAGE if asked.skip else FIRST_PAGE)]

    def answer(self, asked: Asked) -> Answer:
        """Log the request and answer as the script says."""
        with self._lock:
            self.asked.append(asked)
            behaviour = self._script.pop(0) if self._script else results()
        return behaviour(self, asked)

    def __enter__(self) -> "DuckDuckGoServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, err: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode("utf8", "replace")
                try:
                    self._send(outer.answer(_asked(form, dict(self.headers))))
                except ConnectionError:
                    self.close_connection = True

            def do_GET(self) -> None:
                """The engine posts its form; a request of another kind is a fault of the caller."""
                self.send_error(405)

            def _send(self, answer: Answer) -> None:
                if answer.hang:
                    outer.closing.wait(LONGEST_HANG)
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in {"Content-Type": "text/html; charset=UTF-8", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body) if answer.length is None else answer.length))
                self.end_headers()
                if not answer.drip:
                    self.wfile.write(answer.body)
                    return
                for byte in answer.body:
                    self.wfile.write(bytes([byte]))
                    if outer.closing.wait(answer.drip):
                        return

            def log_message(self, format: str, *args: object) -> None:
                """Nothing on the terminal: `asked` is the log."""

        return Handler


def results(titles: Sequence[str] | None = None, redirected: bool = False) -> Behaviour:
    """Answer with the articles of the wiki that the server knows for the query, else with those given."""

    def behave(server: DuckDuckGoServer, asked: Asked) -> Answer:
        found = server.titles(asked) if titles is None else titles
        hrefs = [f"{server.wiki}/wiki/{quote(title.replace(' ', '_'), safe=SAFE)}" for title in found]
        return page([redirect(href) for href in hrefs] if redirected else hrefs, found, asked.query)

    return behave


def links(*hrefs: str) -> Behaviour:
    """Answer with results that lead to any addresses, exactly as given."""
    return lambda server, asked: page(hrefs, hrefs, asked.query)


def advertisements(*hrefs: str) -> Behaviour:
    """Answer with paid results only, which lead through DuckDuckGo's counter."""
    cards = "".join(_card(f"{AD}&u3={quote(href, safe='')}", href, kind="result--ad") for href in hrefs)
    return lambda server, asked: html(_frame(asked.query, cards))


def no_results() -> Behaviour:
    """Answer that there is nothing, as for a word that nobody has written."""
    return lambda server, asked: html(_frame(asked.query, _nothing(asked.query)))


def anomaly(status: int, **headers: str) -> Behaviour:
    """Answer with the page that asks for a human."""
    return lambda server, asked: html(ANOMALY, status, headers)


def status(code: int, body: str = "<html><body><h1>Not now</h1></body></html>", **headers: str) -> Behaviour:
    """Answer with a status and a plain page; `retry_after` becomes Retry-After."""
    return lambda server, asked: html(body, code, headers)


def hang() -> Behaviour:
    """Take the request and never answer."""
    return lambda server, asked: Answer(hang=True)


def drip(seconds: float) -> Behaviour:
    """Answer with results, a byte at a time."""

    def behave(server: DuckDuckGoServer, asked: Asked) -> Answer:
        whole = results()(server, asked)
        return Answer(whole.body, drip=seconds)

    return behave


def cut() -> Behaviour:
    """Break off in the middle of the results."""

    def behave(server: DuckDuckGoServer, asked: Asked) -> Answer:
        whole = results()(server, asked)
        return Answer(whole.body[: len(whole.body) // 2], length=len(whole.body))

    return behave


def changed_layout() -> Behaviour:
    """Answer with the right articles in markup that no engine knows."""

    def behave(server: DuckDuckGoServer, asked: Asked) -> Answer:
        items = "".join(f'<li><a href="{server.wiki}/wiki/{quote(name)}">x</a></li>' for name in server.titles(asked))
        return html(f"<!DOCTYPE html><html><body><ol class='react-list'>{items}</ol></body></html>")

    return behave


def raw(body: bytes | str, code: int = 200, **headers: str) -> Behaviour:
    """Answer with exactly these bytes."""
    data = body.encode("utf8", "surrogatepass") if isinstance(body, str) else body
    return lambda server, asked: Answer(data, code, _named(headers))


def page(hrefs: Sequence[str], titles: Sequence[str], query: str) -> Answer:
    """Return a page of results, or the one without, where there are none."""
    cards = "".join(_card(href, title) for href, title in zip(hrefs, titles, strict=True))
    return html(_frame(query, cards or _nothing(query)))


def redirect(href: str) -> str:
    """Return a link through DuckDuckGo's own redirect."""
    return f"//duckduckgo.com/l/?uddg={quote(href, safe='')}&rut=5e1f"


def html(text: str, code: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Return a page in UTF-8."""
    return Answer(text.encode(), code, _named(headers or {}))


SAFE = "/:,;@$!*()~'-"
"""What MediaWiki leaves unquoted in the address of a page."""
AD = "https://duckduckgo.com/y.js?ad_domain=harbour.example&ad_provider=none"
ANOMALY = """<!DOCTYPE html><html><head><title>DuckDuckGo</title></head><body>
<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&amp;cc=test" method="POST">
<div class="anomaly-modal__mask"><div class="anomaly-modal__modal">
<div class="anomaly-modal__title">Are you a person?</div>
<div class="anomaly-modal__description">Point at every square with a duck in it.</div>
<div class="anomaly-modal__box"><img class="anomaly-modal__image" src="../assets/duck.jpg" alt=""></div>
</div></div></form></body></html>"""


def _card(href: str, title: str, kind: str = "web-result") -> str:
    link, name = escape(href), escape(title)
    return f"""
<div class="result results_links results_links_deep {kind} ">
  <div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="{link}">{name}</a></h2>
    <div class="result__extras"><div class="result__extras__url">
      <span class="result__icon"><a rel="nofollow" href="{link}"><img alt="" src="/i.ico"></a></span>
      <a class="result__url" href="{link}">{link}</a></div></div>
    <a class="result__snippet" href="{link}">All that is known of <b>{name}</b>, and no results of it elsewhere.</a>
    <div class="clear"></div>
  </div>
</div>"""


def _nothing(query: str) -> str:
    return f"""
<div class="result results_links results_links_deep web-result result--no-result">
  <div class="links_main links_deep result__body">
    <div class="no-results__container result__title"><span class='no-results'>
      <div class="no-results__message"><h1>Nothing here for <strong>{escape(query)}</strong></h1></div>
    </span></div>
    <div class="clear"></div>
  </div>
</div>"""


def _frame(query: str, content: str) -> str:
    return f"""<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{escape(query)} at DuckDuckGo</title></head>
<body class="body--html"><div class="header">
<form class="header__form" action="/html/" method="post"><input name="q" value="{escape(query)}"></form></div>
<div class="serp__results"><div id="links" class="results">{content}
<div class="nav-link"><form action="/html/" method="post"><input type="hidden" name="s" value="10"></form></div>
</div></div></body></html>"""


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-").title(): value for name, value in headers.items()}


def _asked(form: str, headers: Mapping[str, str]) -> Asked:
    fields = {name: values[0] for name, values in parse_qs(form, keep_blank_values=True).items()}
    query = fields.get("q", "")
    sites = [word.removeprefix("site:") for word in query.split() if word.startswith("site:")]
    words = " ".join(word for word in query.split() if not word.startswith("site:"))
    skip = int(fields.get("s", "0"))
    return Asked(query, words, sites[0] if sites else "", fields.get("l", ""), skip, time.monotonic(), headers)
