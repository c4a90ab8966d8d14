"""Two articles of a place that does not exist, and a model that makes questions of them by a script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from agent.language.replies import ShortAnswer
from eval.omgqa.generation.articles import article_of
from eval.omgqa.generation.candidates import Candidate, contents_candidates, pair_candidates
from eval.omgqa.generation.neighbours import Near
from eval.omgqa.generation.replies import ContentsQuestions, WrittenQuestion
from heliograph.errors import ModelError, PageUnavailable
from heliograph.types import Document, ModelRole, Page, Prompt
from indexers.parser import parse_page

T = TypeVar("T")

LIGHTS = """<h1>Lights of Varn</h1>
<p>The lights of Varn are lighthouses of a small archipelago in the Northern Sound, and each of them has a keeper who
lives on the rock and rows ashore once a month for oil, bread and letters, whatever the weather may be that day.</p>
<h2>List</h2>
<table><caption>Lights and their keepers</caption>
<tr><th>Light</th><th>Keeper</th></tr>
<tr><td>North Light</td><td><a href="/wiki/Ida_Nord">Ida Nord</a></td></tr>
<tr><td>Holm Light</td><td><a href="/wiki/Per_Holm">Per Holm</a></td></tr>
</table>
<h2>Paint</h2>
<p>North Light was painted red in 1903, when the other towers of the islands stayed white as they had been before.</p>
<figure><img src="north.png" alt="A red tower"><figcaption>North Light with its red tower</figcaption></figure>
"""
KEEPERS = """<h1>Keepers of Varn</h1>
<p>The keepers of Varn look after the lights of the archipelago in the Northern Sound. Ida Nord wrote songs about
the sea that children still learn, and rowed ashore once a month for oil, bread and letters, whatever the weather.</p>
<h2>Lives</h2>
<table><caption>Keepers by year of birth</caption>
<tr><th>Keeper</th><th>Born</th></tr>
<tr><td><a href="/wiki/Ida_Nord">Ida Nord</a></td><td>1871</td></tr>
<tr><td><a href="/wiki/Per_Holm">Per Holm</a></td><td>1880</td></tr>
</table>
<p>Per Holm came from the town of Torvik, where he had made ropes until the ropewalk closed and he went to sea.</p>
"""


def parsed(title: str, html: str) -> Document:
    return parse_page(Page("varn", title, "1", f"https://varn.example/{title}", html, "2026-01-01T00:00:00+00:00"))


ARTICLES: Mapping[str, Document] = {
    title: parsed(title, html) for title, html in (("Lights of Varn", LIGHTS), ("Keepers of Varn", KEEPERS))
}


@dataclass(slots=True)
class Shelf:
    """Reads the articles of this module, and counts how often."""

    read: int = 0

    async def document(self, title: str) -> Document:
        self.read += 1
        if title not in ARTICLES:
            raise PageUnavailable(f'no page "{title}"; try another')
        return ARTICLES[title]


def pair() -> Candidate:
    """The candidate of both articles."""
    (candidate,) = pair_candidates([article_of(each) for each in ARTICLES.values()], [Near(0, 1, 0.9)])
    return candidate


def contents() -> Candidate:
    """The candidate of the article with a picture."""
    (candidate,) = contents_candidates([article_of(ARTICLES["Lights of Varn"])])
    return candidate


QUESTION = "In which year was the keeper of a light of Varn who wrote songs born?"
FIRST = WrittenQuestion(
    question="In which year was the keeper of North Light born?", answer="1871", pieces=["E1", "E2"]
)
SECOND = WrittenQuestion(question=QUESTION, answer="1871", pieces=["E1", "E2", "E6"])

Reader = Callable[[Prompt], str]


def reads_all(prompt: Prompt) -> str:
    """Find the answer where both a row with the year and the text about songs are shown."""
    shown = "\n".join(prompt.parts)
    return "1871" if "Born: 1871" in shown and "wrote songs about" in shown else ""


@dataclass(slots=True)
class WriterLLM:
    """A model that writes what is written down for it by prompt, and reads by a rule; an error is raised."""

    written: Mapping[str, WrittenQuestion | ContentsQuestions | ModelError] = field(
        default_factory=lambda: {"draw_question": FIRST, "revise_question": SECOND}
    )
    reader: Reader | ModelError = reads_all
    role: ModelRole = "answer"
    room: int = 6_000
    prompts: list[Prompt] = field(default_factory=list)

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        self.prompts.append(prompt)
        said: object = self.written.get(prompt.name)
        if prompt.name == "short_answer":
            said = self.reader if isinstance(self.reader, ModelError) else ShortAnswer(answer=self.reader(prompt))
        if isinstance(said, ModelError):
            raise said
        assert isinstance(said, reply), f"{prompt.name} wants {reply.__name__}"
        return said

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        raise AssertionError("nothing is chosen")

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    @property
    def names(self) -> list[str]:
        return [prompt.name for prompt in self.prompts]
