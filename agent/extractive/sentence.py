"""The sentence that states an answer: the words of the question about the few words that answer it.

"When was Holm Light first lit?" and "1889" are "Holm Light was first lit in 1889." Only forms of questions are turned
whose words keep their order and whose verbs have the form that they need in the question or in the quote. Of every
other question nothing is made: the few words then stand before their quote.
"""

import re
from collections.abc import Callable, Mapping

from heliograph.text.dates import MONTH
from heliograph.text.numbers import SPELLED
from heliograph.text.words import STOP_WORDS, stem, stems, words

MOST_WORDS, MOST_ASKED = 14, 30
"""Words of an answer, and of a question, that a sentence may hold."""

_BE = r"(?:is|was|are|were)"
_HELPS = rf"(?:{_BE}|has|have|had|can|could|will|would|may|might|must|should|do|does|did)"
_DONE = (
    r"(?:(?!hundred|sacred)\w+[^\We]ed|freed|built|lit|made|found|held|sent|born|won|taken|given|written|seen|drawn|sold"
    r"|bought|led|laid|begun|flown|put|cut|known|shown|told|kept|set|lost|heard)"
)
_ACTS = rf"(?:{_DONE}|wrote|gave|took|began|flew|saw|drew|became|came|fell|broke|rose|ran|went|knew|chose)"
_PLACED = r"(?:in|on|at|from|since|until|during|near|aboard|over|under|behind|beside|around|along|above|below)"
_SUBJECT = r"(?:the|a|an|its|their|his|her|[A-ZÀ-Þ0-9]\S*)"
_NOUN = r"(?:(?!(?:by|that|which|who) )[\w'’-]+ ){0,3}?[\w'’-]+"
_THING = rf"(?!(?:of|{_BE}) ){_NOUN}"
_WHEN = r"(?:when|(?:in |on )?(?:what|which) (?:year|date|day|month|decade|century))"
_CLAUSE = r"(?:that|which|who|when|because|as|after|before|while|since|so)"
_PASSIVE = (
    rf"(?P<be>{_BE}) (?P<s>(?:(?!\b{_CLAUSE}\b).)*\b(?!(?:the|an?|first|last|finally) )\S+) "
    rf"(?P<rest>(?:first |last |finally )?{_DONE}\b(?:(?!\b{_CLAUSE}\b).)*)"
)
_NO_VERB = rf"(?:(?!\b(?:{_DONE}|{_CLAUSE})\b).)"
_ONE_VERB = rf"(?:(?!\b(?:{_HELPS}|{_DONE} by|{_CLAUSE})\b).)*(?:\b{_CLAUSE}\b.*)?"
_FORMS = tuple(
    (re.compile(asks), says)
    for asks, says in (
        (rf"how many (?P<n>{_NOUN}) (?P<be>{_BE}) there\b(?P<rest>.*)", "There {be} {count}{rest}"),
        (rf"how many (?P<n>{_NOUN}) (?P<do>do|does|did) (?P<s>.+) have", "{s} {have} {count}"),
        (
            rf"how many (?P<n>{_NOUN}) (?P<rest>(?:{_BE}|can|could|{_ACTS}) (?!{_SUBJECT} ){_ONE_VERB})",
            "{count} {rest}",
        ),
        (
            rf"how (?P<adj>long|high|tall|wide|deep|thick|old) (?P<be>{_BE}) (?P<s>{_NO_VERB}+)",
            "{s} {be} {size} {adj}",
        ),
        (rf"{_WHEN} {_PASSIVE}", "{s} {be} {rest} {time}"),
        (rf"{_WHEN} did (?P<s>.+)", "{did} {time}"),
        (rf"where {_PASSIVE}", "{s} {be} {rest} {place}"),
        (rf"(?P<at>{_PLACED}) (?:which|what) {_THING} {_PASSIVE}", "{s} {be} {rest} {at} {x}"),
        (r"where did (?P<s>.+)", "{did} {place}"),
        (rf"where (?P<be>{_BE}) (?P<s>{_SUBJECT}{_ONE_VERB})", "{s} {be} {place}"),
        (rf"(?:what|who) (?P<be>{_BE}) (?P<s>the names?\b{_ONE_VERB})", "{s} {be} {name}"),
        (rf"(?:what|who) (?P<be>{_BE}) (?P<s>(?:the|[A-ZÀ-Þ][\w ]*['’]s?)\b{_ONE_VERB})", "{s} {be} {x}"),
        (rf"who (?P<rest>(?!(?:{_HELPS}|else|exactly)\b)\w+ .+)", "{name} {rest}"),
        (rf"who (?P<rest>{_BE} (?:\w+ly |first )?{_DONE}\b.*)", "{name} {rest}"),
        (rf"whose (?P<n>{_NOUN}) (?P<rest>(?:{_HELPS}|{_ACTS}) {_ONE_VERB})", "{name}'s {n} {rest}"),
        (rf"what (?P<rest>(?:{_ACTS}|causes|makes) {_ONE_VERB})", "{x} {rest}"),
        (rf"(?:which|what) {_THING} (?P<rest>{_HELPS} (?!{_SUBJECT} ){_ONE_VERB})", "{x} {rest}"),
        (rf"(?:which|what) {_THING} (?P<rest>{_ACTS} {_ONE_VERB})", "{x} {rest}"),
        (
            rf"(?:which|what) (?:\w+ )?\w*[^\Ws] (?P<rest>\w+[^\Wsui]s (?:the|an?|to|in|on|at|from|its) {_ONE_VERB})",
            "{x} {rest}",
        ),
    )
)
"""Forms of a question, and what becomes of each; what stands in no group of a form is left out of the sentence."""
_ASKS = re.compile(r"\b(?:who|whose|what|when|where|which|how|(?:in|on|at|from) (?:what|which)) ", re.I)
_UNFIT = re.compile(
    r"[.?!;:] |\band (?:(?:at|by|for|from|in|of|on|to|with) )?(?:whom?|what|when|where|which|how|why)\b"
    r"|\b(?:you|your|i|me|my|we|us|our)\b"
    r"|^(?:\S+ ){1,3}(?:it|its|he|his|she|her|they|their|this|these)\b"
    r"|\b(?:of|for|by|to|with|after|as|about|like|called|named|in|on|at|from|into)$",
    re.IGNORECASE,
)
"""What no sentence is made of: two questions, persons who speak, a pronoun, a preposition without its noun."""
_FIGURE = re.compile(rf"(?:about |nearly |some |over |more than )?(?:[−-]?\d[\d.,]*|(?:{SPELLED}))", re.I)
_LED_TO = re.compile(r"\b(?:after|against|at|for|from|in|into|of|on|to|with)(?: the| an?)? $", re.IGNORECASE)
"""What stands before words that did nothing themselves: who is "named after Cassini" was not named by him."""
_HAVE = {"do": "have", "does": "has", "did": "had"}


def sentence_of(question: str, answer: str, quote: str) -> str:
    """State an answer that stands in a quote; "" where the form of the question is not one that is turned."""
    asked = question.strip().rstrip("?").strip()
    found = _ASKS.search(asked)
    if found is None or _UNFIT.search(asked) or not 0 < len(words(answer)) <= MOST_WORDS:
        return ""
    if len(words(asked)) > MOST_ASKED or set(stems(answer)) <= set(stems(asked)) or re.search(r"[.;:] ", answer):
        return ""
    before, form = asked[: found.start()], asked[found.start() :]
    if before and not before.endswith(", "):
        return ""
    form = form[0].lower() + form[1:]
    for asks, says in _FORMS:
        if told := asks.fullmatch(form):
            said = _filled(says, told.groupdict(""), answer, quote)
            return _as_sentence(f"{before}{said}") if said else ""
    return ""


def _filled(says: str, parts: Mapping[str, str], answer: str, quote: str) -> str:
    """Fill the places of a form; "" where one of them has nothing that fits."""
    before = quote.partition(answer)[0]
    if says in ("{name} {rest}", "{x} {rest}") and _LED_TO.search(before):
        return ""
    makers: Mapping[str, Callable[[], str]] = {
        "x": lambda: "" if re.search(rf"\b{_HELPS}\b", answer) else _with_article(answer, before),
        "name": lambda: answer if answer[:1].isupper() else "",
        "count": lambda: _counted(answer, parts.get("n", "")),
        "size": lambda: answer if _FIGURE.match(answer) and answer.rsplit(maxsplit=1)[-1] != parts.get("adj") else "",
        "time": lambda: _timed(answer, before),
        "place": lambda: _placed(answer, before),
        "have": lambda: _HAVE[parts["do"]],
        "did": lambda: _done(parts.get("s", ""), quote),
    }
    filled = {name: make() for name, make in makers.items() if f"{{{name}}}" in says}
    return says.format(**{**parts, **filled}) if all(filled.values()) else ""


def _with_article(answer: str, before: str) -> str:
    """Return words with the article that stands before them in their quote, and what stands between."""
    between = "" if answer[:1].isupper() else r"(?: [a-z-]+){0,2}"
    found = re.search(rf"\b(?:the|an?){between} $", before, re.I)
    if found is None or set(found[0].lower().split()[1:]) & STOP_WORDS:
        return answer
    return found[0][0].lower() + found[0][1:] + answer


def _counted(answer: str, noun: str) -> str:
    if not _FIGURE.match(answer):
        return ""
    if _FIGURE.fullmatch(answer):
        return f"{answer} {noun}" if answer.casefold() not in ("1", "one") else ""
    return answer if stem(noun.rsplit(maxsplit=1)[-1]) in stems(answer) else ""


def _timed(answer: str, before: str) -> str:
    """Return a time with its preposition: that of the quote, or "on" where it names a day."""
    if not re.search(rf"\d{{3}}|{MONTH}", answer, re.I):
        return ""
    named = re.search(rf"\b{MONTH}", answer, re.I) and re.search(r"\b\d{1,2}(?!\d)", answer)
    return _placed(answer, before) or f"{'on' if named else 'in'} {answer}"


def _placed(answer: str, before: str) -> str:
    """Return words with the preposition that stands before them in their quote."""
    if re.match(rf"{_PLACED}\b", answer, re.I):
        return answer[0].lower() + answer[1:]
    whole = _with_article(answer, before)
    found = re.search(rf"\b{_PLACED} (?=(?:{re.escape(whole.removesuffix(answer))})?$)", before, re.I)
    return f"{found[0].lower()}{whole}" if found else ""


def _done(clause: str, quote: str) -> str:
    """Return "Cassini reach Saturn" with its verb as the quote has it, "reached"; "" where it is in no past form."""
    past = {stem(word): word for word in words(quote.lower()) if re.fullmatch(_ACTS, word)}
    told = clause.split()
    for place, word in enumerate(told[1:], start=1):
        if (done := past.get(stem(word))) and word != done:
            return " ".join((*told[:place], done, *told[place + 1 :]))
    return ""


def _as_sentence(said: str) -> str:
    said = " ".join(said.split()).rstrip(" ,.")
    return f"{said[0].upper()}{said[1:]}."
