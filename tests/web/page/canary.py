"""A server that no page should ever ask, and what is looked for in a page that shows hostile text."""

from http.server import BaseHTTPRequestHandler
from typing import Any

LOOK = """
() => {
  const tags = 'iframe, object, embed, math, template, style, base, video, audio, source, marquee, use, image, animate,'
    + 'foreignObject, script:not([src="/static/main.js"]), link:not([href^="/static/"]), meta[http-equiv]';
  const found = [...document.querySelectorAll(tags)].map((one) => one.outerHTML.slice(0, 80));
  for (const one of document.querySelectorAll('*')) {
    for (const { name, value } of one.attributes) {
      if (/^on|^style$|^srcset$|^srcdoc$|action$|^ping$|^xlink/.test(name)) found.push(`${one.tagName} ${name}`);
      const link = /^(https?:\\/\\/|#|\\/api\\/conversations\\/)/;
      const fine = one instanceof HTMLAnchorElement ? link : /^\\/(static|images)\\//;
      if (/^(href|src)$/.test(name) && !fine.test(value)) found.push(`${one.tagName} ${name}=${value.slice(0, 60)}`);
    }
  }
  if ('pwned' in globalThis) found.push('a script ran');
  return found;
}
"""
OPEN_ALL = """
async () => {
  const until = async (holds, what) => {
    const end = performance.now() + 20000;
    while (!holds()) {
      if (performance.now() > end) throw new Error(what);
      await new Promise((done) => setTimeout(done, 4));
    }
  };
  const turns = [...document.querySelectorAll('article.turn.finished')];
  const turn = turns.find((one) => one.querySelector('.claims .chip'));
  if (!turn) return document.body.textContent;
  const seen = [];
  turn.querySelectorAll('details').forEach((one) => { one.open = true; });
  for (const button of turn.querySelectorAll('.claims .chip, .reference, .piece, .step .quiet')) {
    document.querySelector('#panel .origin')?.remove();
    button.click();
    if (!button.matches('.chip, .reference')) continue;
    await until(() => document.querySelector('#panel .origin'), 'no evidence');
    seen.push(document.getElementById('panel').textContent);
  }
  turn.querySelectorAll('[role=tab]')[1].click();
  await until(() => turn.querySelector('.span'), 'no trace');
  for (let at = 0; at < turn.querySelectorAll('.span').length; at += 1) {
    turn.querySelector('.span-detail')?.remove();
    turn.querySelectorAll('.span')[at].click();
    await until(() => turn.querySelector('.span-detail'), 'no span');
    seen.push(turn.querySelector('.span-detail').textContent);
  }
  turn.querySelectorAll('details').forEach((one) => { one.open = true; });
  document.querySelectorAll('#conversations .more').forEach((one) => one.click());
  document.querySelector('#conversations .entry-tools button')?.click();
  return [document.body.textContent, ...seen].join(' ');
}
"""


class Canary(BaseHTTPRequestHandler):
    """Remembers whoever comes."""

    def do_GET(self) -> None:
        """Remember a request."""
        self.server.seen.append(self.path)  # type: ignore[attr-defined]
        self.send_error(404)

    do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815 (the names that http.server calls)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def address(canary: Any) -> str:
    return f"http://127.0.0.1:{canary.server_address[1]}"
