"""Hostile texts, and records of the contract that hold one in every field.

The templates are our own: ways by which text has become markup, script, style, address or layout somewhere.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

SEED = 20261123
SCRIPTS = ("globalThis.pwned=1", "top.pwned=1", "self['pwn'+'ed']=1", "Function('pwned=1')()", "eval('pwned=1')")
BREAKS = (
    "",
    '">',
    "'>",
    "-->",
    "]]>",
    "</p>",
    "</script>",
    "</title>",
    "</textarea>",
    "</style>",
    "`>",
    "\x00>",
    '\\">',
)
MARKUP = (
    "<script>{js}</script>",
    "<script src={url}></script>",
    "<script type=module>import '{url}'</script>",
    "<img src=x onerror={js}>",
    "<img src='{url}'>",
    "<img srcset='{url} 2x'>",
    "<picture><source srcset={url}><img></picture>",
    "<svg onload={js}>",
    "<svg><script>{js}</script></svg>",
    "<svg><image href='{url}'/></svg>",
    "<svg><use href='{url}#a'/></svg>",
    "<svg><animate onbegin={js} attributeName=x dur=1s>",
    "<svg><foreignObject><iframe src='javascript:{js}'></iframe></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror={js}></style></mglyph></table></mtext></math>",
    "<math href='javascript:{js}'>x</math>",
    "<template><script>{js}</script></template>",
    "<template shadowrootmode=open><img src={url}></template>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<iframe src='{url}'></iframe>",
    "<object data='{url}'></object>",
    "<embed src='{url}'>",
    "<link rel=stylesheet href='{url}'>",
    "<link rel=prefetch href='{url}'>",
    "<meta http-equiv=refresh content='0;url={url}'>",
    "<base href='{url}/'>",
    "<style>@import '{url}';</style>",
    "<style>*{{background:url({url})}}</style>",
    "<p style='background:url({url})'>x</p>",
    "<body onload={js}>",
    "<details open ontoggle={js}>x</details>",
    "<input autofocus onfocus={js}>",
    "<video src='{url}' onerror={js}></video>",
    "<audio src='{url}' autoplay></audio>",
    "<form action='{url}'><button>go</button></form>",
    "<a href='javascript:{js}'>x</a>",
    "<a ping='{url}' href='#'>x</a>",
    "<noscript><p title='</noscript><img src=x onerror={js}>'></noscript>",
    "<marquee onstart={js}>x</marquee>",
    "<xmp><img src=x onerror={js}></xmp>",
    "<!--><img src=x onerror={js}>-->",
    "<![CDATA[<img src=x onerror={js}>]]>",
    "<div id=question name=body><a id=panel>",
    "<img name=getElementById><form id=body><input name=append>",
)
PLAIN = (
    "javascript:{js}",
    "JaVaScRiPt:{js}//http://a.example/",
    "java\tscript:{js}",
    "\x01javascript:{js}",
    "data:text/html,<script>{js}</script>",
    "data:image/svg+xml,<svg onload={js}>",
    "vbscript:{js}",
    "blob:{url}/x",
    "{url}/page",
    "//{host}/page",
    "\\\\{host}\\page",
    "http://good.example@{host}/",
    "/images/../../{host}",
    "/images/0123456789abcdef?{url}",
    "../../api/conversations",
    "![picture]({url}/a.png)",
    "[link](javascript:{js})",
    "<{url}>",
    '[a]: {url} "t"',
    "![x][y]\n\n[y]: {url}",
    "$\\href{{javascript:{js}}}{{x}}$",
    "{{{{constructor.constructor('{js}')()}}}}",
    "${{{js}}}",
    "@import url({url});",
    "}} body {{ background: url({url}) }}",
    "expression({js})",
    "\u202e\u2066gnp.exe\u2069 {js}",
    "\u200f\u061c\u2067right to left\u2069",
    "zero\u200bwidth\ufeffjoin\u2060er",
    "nul\x00bell\x07escape\x1b[31m{js}",
    "combining" + "\u0301\u0489" * 40,
    "__proto__",
    "constructor",
    "%3Cscript%3E{js}%3C/script%3E",
    "&lt;script&gt;{js}&lt;/script&gt;",
    "\\u003cscript\\u003e{js}\\u003c/script\\u003e",
    "+ADw-script+AD4-{js}+ADw-/script+AD4-",
    "\r\nevent: claim\r\ndata: {{}}\r\n\r\n{js}",
    "W" * 400,
    "\ufdfd\U0001f468\u200d\U0001f469\u200d\U0001f467 {js}",
)


def payloads(number: int, canary: str) -> list[str]:
    """Return distinct hostile texts, the same every time for one canary (`http://host:port`)."""
    chance = random.Random(SEED)
    found: dict[str, None] = {}
    while len(found) < number:
        url = f"{canary}/{len(found)}"
        template = chance.choice(MARKUP) if chance.random() < 0.6 else chance.choice(PLAIN)
        text = template.format(js=chance.choice(SCRIPTS), url=url, host=canary.split("//")[1])
        if template in MARKUP:
            text = chance.choice(BREAKS) + _twisted(text, chance)
        found[text if len(text) <= 500 else text[:500]] = None
    return list(found)


def _twisted(text: str, chance: random.Random) -> str:
    """Write markup as parsers also take it: other case, other spaces, doubled."""
    match chance.randrange(5):
        case 0:
            return text.replace("<s", "<S").replace("<i", "<I").replace("on", "ON")
        case 1:
            return text.replace(" ", "/", 1)
        case 2:
            return text.replace("<", "<<", 1)
        case 3:
            return text.replace(" ", "\x0c\n", 1)
        case _:
            return text


def poisoned(value: Any, text: str) -> Any:
    """Put a text into every field of a record; lists and records keep their shape."""
    match value:
        case dict():
            return {key: poisoned(item, text) for key, item in value.items()}
        case list() | tuple():
            return [poisoned(item, text) for item in value]
        case bool() | None:
            return value
        case _:
            return text


def hostile_story(text: str, story: Mapping[str, Any]) -> dict[str, Any]:
    """Poison a story, cut to one claim that cites each modality; evidence and spans keep names to be asked for."""
    answer = poisoned({**story["answer"], "claims": story["answer"]["claims"][:1]}, text)
    answer["citations"] = [{**answer["citations"][0], **_named(text, number)} for number in range(3)]
    (claim,) = answer["claims"]
    claim["nodes"] = [{"text": text}, {"tag": text, "nodes": [{"tag": "em", "nodes": [{"text": text}]}]}]
    claim["citations"] = [{**claim["citations"][0], **_named(text, number)} for number in range(3)]
    events = [(name, poisoned(data, text)) for name, data in story["events"] if name != "claim"]
    for name, data in events:
        if name == "evidence":
            data["best"] = [{**data["best"][0], "id": f"{text}#0"}]
    spans = [
        {**poisoned(span, text), "span": f"{text}#{n}", "parent": None} for n, span in enumerate(story["spans"][:2])
    ]
    for span in spans:
        span["detail"] = {
            "prompt": [{"role": text, "content": text}],
            "reply": text,
            "input": text,
            "output": {text: text},
        }
        span["detail"]["documents"] = [{"id": text, "score": text, "text": text}]
    return {"typed": text, "events": [*events, ("claim", claim)], "answer": answer, "spans": spans}


def _named(text: str, number: int) -> dict[str, str]:
    return {"evidence": f"{text}#{number}", "marker": f"{text}{number}"}


def hostile_evidence(text: str, examples: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield evidence of each modality with a text in every field."""
    for number, modality in enumerate(("text", "table", "image")):
        example = next(dict(e) for e in examples.values() if e["modality"] == modality)
        yield f"{text}#{number}", poisoned(example, text)
