"""What a picture shows counts as said of it where the question asks for a picture by what it shows, else nowhere."""

from collections.abc import Sequence

from agent.citations import ExtractiveClaimVerifier
from agent.extractive.answerer import ExtractiveAnswerer
from agent.extractive.composer import Composer, Plan
from heliograph.types import Evidence, EvidenceId, ImageEvidence, Place, Quote, Scored, TextEvidence
from tests.fakes import brief, key_of
from tests.fakes_models import FakeEmbedder

KEY = key_of("Sheet")
PLACE = Place(KEY, "Sheet", "s0")
QUESTION = "Which drawing shows a red circle above a blue square?"
LEAD = TextEvidence(EvidenceId(f"{KEY}#s0/p1"), PLACE, "paragraph", "The sheet was found in a drawer.")


class Seen:
    """Picture scores that are written down."""

    def __init__(self, **scores: float) -> None:
        self.scores = {image(int(name[1:])): score for name, score in scores.items()}
        self.asked: list[tuple[str, tuple[EvidenceId, ...]]] = []

    async def shown(self, question: str, images: Sequence[EvidenceId]) -> tuple[Scored[EvidenceId], ...]:
        self.asked.append((question, tuple(images)))
        known = [Scored(name, self.scores[name]) for name in images if name in self.scores]
        return tuple(sorted(known, key=lambda one: (-one.score, one.item)))


def image(number: int) -> EvidenceId:
    return EvidenceId(f"{KEY}#s0/i{number}")


def drawing(number: int, caption: str | None = None) -> ImageEvidence:
    return ImageEvidence(image(number), PLACE, f"{number}.png", f"Drawing {number}" if caption is None else caption, "")


def evidence(*pieces: Evidence) -> tuple[Scored[Evidence], ...]:
    return tuple(Scored(piece, 0.4) for piece in pieces)


SHEET = evidence(LEAD, *map(drawing, range(1, 6)))


async def planned(question: str, pieces: Sequence[Scored[Evidence]], seen: Seen | None) -> Plan:
    return await Composer(FakeEmbedder(), seen).plan(question, pieces)


async def test_the_drawing_that_shows_what_is_asked_for_is_quoted_by_its_caption() -> None:
    answerer = ExtractiveAnswerer(Composer(FakeEmbedder(), Seen(i2=0.7, i4=0.99, i5=0.1)))
    (claim,) = (await answerer.answer(brief(QUESTION), SHEET)).claims
    assert claim.quotes == (Quote(image(4), "Drawing 4"),)
    checked = ExtractiveClaimVerifier(QUESTION).check(claim, {image(4): drawing(4)}).claim
    assert (checked.verdict, claim.text) == ("quoted", "Sheet: Drawing 4")


async def test_without_an_image_model_and_without_a_picture_nothing_changes() -> None:
    plain = await planned(QUESTION, SHEET, None)
    assert await planned(QUESTION, SHEET, Seen()) == plain
    assert not plain.has_answer


async def test_a_picture_that_hardly_shows_it_is_not_taken_for_the_answer() -> None:
    answerer = ExtractiveAnswerer(Composer(FakeEmbedder(), Seen(i2=0.05)))
    draft = await answerer.answer(brief(QUESTION), SHEET)
    assert draft.claims == ()
    assert "red" in draft.reason


async def test_a_question_that_asks_for_no_picture_asks_no_image_model() -> None:
    seen = Seen(i1=1.0)
    question = "Who discovered the red circle above the blue square?"
    assert await planned(question, SHEET, seen) == await planned(question, SHEET, None)
    assert seen.asked == []


async def test_names_and_figures_have_to_be_said_in_words() -> None:
    question = "Which photo shows Ada Brandt with 7 lamps?"
    assert not (await planned(question, SHEET, Seen(i1=1.0))).has_answer
    told = await planned(question, evidence(drawing(1, "Ada Brandt and 7 of them")), Seen(i1=0.9))
    assert (told.confidence, told.runs[0].quote) == (0.9, "Ada Brandt and 7 of them")


async def test_an_image_about_which_nothing_is_written_cannot_be_cited() -> None:
    assert (await planned(QUESTION, evidence(drawing(1, "")), Seen(i1=1.0))).runs == ()
