"""The phrases of a question: names (runs of capitalised words) and single words, with what joins or denies them."""

import re
from dataclasses import dataclass

from heliograph.text.words import STOP_WORDS, stem, words


@dataclass(frozen=True, slots=True)
class Phrase:
    """Stems of one name or word. `denied` numbers the denial that it stands in (0: none).

    `joined`: `and`, `or` or a comma stands before it; `relative`: a clause with `that` or `who` holds it; `before` is
    the stem of the content word to which `of` ties it (`the surface of Venus`).
    """

    words: tuple[str, ...]
    name: bool
    denied: int = 0
    joined: bool = False
    relative: bool = False
    before: str = ""

    @property
    def figure(self) -> bool:
        """Whether it is a bare number."""
        return all(word[0].isdigit() for word in self.words)


_RUN = re.compile(r"\d+(?:[.,]\d+)+|(?:[^\W\d_a-z][\w.'-]*(?: \d{1,3}\b)?(?: (?=[^\W\d_a-z]))?)+|[\w'-]+|[,¬]")
_TIES = ("of", "the")
_FORMS = {"won": "win", "built": "build", "flew": "fly", "led": "lead", "wrote": "write", "sank": "sink",
          "winner": "win", "builder": "build", "writer": "write", "leader": "lead", "champion": "win",
          "scored": "score"}  # fmt: skip


def phrases_of(text: str) -> tuple[Phrase, ...]:
    """Split a text into its phrases; words of grammar are left out."""
    found: list[Phrase] = []
    denial, denied, joined, relative, tied = 0, False, False, False, False
    for match in _RUN.finditer(text):
        run = match[0]
        if run == "¬":
            denial, denied, joined = denial + 1, True, False
        elif run == "," or run.casefold() == "but":
            denied, relative, tied = False, False, False
        said = tuple(word for word in words(run) if word.casefold() not in STOP_WORDS)
        if run in "¬," or run == "but" or not said:
            joined = joined or run in ("and", "or", ",")
            relative = relative or (bool(found) and run in ("that", "which", "who"))
            tied = tied and run in _TIES
            continue
        name = said[0][0].isupper() and (match.start() > 0 or not run.startswith(said[0]) or len(said) > 1)
        before = found[-1].words[-1] if tied else ""
        stemmed = tuple(stem(_FORMS.get(word.casefold(), word.casefold())) for word in said)
        found.append(Phrase(stemmed, name, denial if denied else 0, joined, relative, before))
        joined, tied = False, True
    return tuple(found)
