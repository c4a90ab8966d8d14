"""Page text made harmless for a prompt: nothing invisible, nothing that reads as our delimiters or handles.

Text is taken from pages as data. What a model could take for the end of a quotation, for a handle of ours or for a
special token of its chat template is spelled in another way, character by character, so that a quote of what a model
was shown is found again in the source.
"""

import re
import unicodedata

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]", re.DOTALL
)
"""Terminal sequences: colours, cursor moves, titles."""

_FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U000e0000-\U000e0fff]"
)
"""What shows nothing and is no control character: fillers, variation selectors, tags."""

_UNSEEN_CATEGORIES = frozenset(("Cc", "Cf", "Co", "Cs"))

_OPEN = "[［【〔⟦〚❲⁅⟬＜﹤❮❰⟨〈《⟪\u2329‹ᐸ≺˂❬⦑⧼"
_CLOSE = "]］】〕⟧〛❳⁆⟭＞﹥❯❱⟩〉》⟫\u232a›ᐳ≻˃❭⦒⧽"
_ROUND = str.maketrans(_OPEN + _CLOSE, "(" * len(_OPEN) + ")" * len(_CLOSE))
_TAG = re.compile(r"<(?![\s=]*[\d.~≈±$€£¥+−-])|>(?![\s=]*[\d.~≈±$€£¥+−-])")
"""`<` and `>` that do not compare with a figure: tags, template tokens, arrows."""
_HANDLE = re.compile(r"(?<=[({])\s*[ELDЕΕＥ](?=\s*\d)")


def harmless(text: str) -> str:
    """Return a text as one line that can stand inside a frame of a prompt."""
    return " ".join(_neutral(_visible(text)[0]).split())


def shown_with_places(text: str) -> tuple[str, list[int]]:
    """Return a text as `harmless` shows it, white space as it was, and for each character its place in the source."""
    seen, places = _visible(text)
    return _neutral(seen), places


def clipped(text: str, most: int) -> str:
    """Return at most so many characters, cut where a sentence or else a word ends; a cut is marked by an ellipsis."""
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    end = max(cut.rfind(". "), cut.rfind("; ")) + 1
    whole = cut[:end] if end > most // 2 else cut.rpartition(" ")[0] or cut
    return f"{whole} …"


def _visible(text: str) -> tuple[str, list[int]]:
    dropped = {place for found in _ESCAPES.finditer(text) for place in range(found.start(), found.end())}
    kept = [(place, sign) for place, sign in enumerate(text) if place not in dropped and not _unseen(sign)]
    return "".join(sign for _, sign in kept), [place for place, _ in kept]


def _unseen(sign: str) -> bool:
    if sign.isspace() or (sign.isascii() and sign.isprintable()):
        return False
    return unicodedata.category(sign) in _UNSEEN_CATEGORIES or _FILLERS.match(sign) is not None


def _neutral(text: str) -> str:
    """Spell brackets as round ones and handles in small letters; the length stays the same."""
    round_only = _TAG.sub(lambda found: "(" if found[0] == "<" else ")", text.translate(_ROUND))
    return _HANDLE.sub(lambda found: found[0].lower(), round_only)
