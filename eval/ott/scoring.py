"""Every measure of one question: of what was retrieved and, where a reader answered, of the answer."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.ott.corpus import OttCorpus
from eval.ott.judging import judge
from eval.ott.linearise import linearise
from eval.ott.measures import TokenEnds, exact_match, f1, hits, measures_of
from eval.ott.questions import OttQuestion
from eval.ott.ranking import Ranking, UnitKind


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores rankings of one kind of unit; HITS@4K is left out where no tokenizer is given."""

    corpus: OttCorpus
    kind: UnitKind = "edge"
    token_ends: TokenEnds | None = None

    def retrieval(self, question: OttQuestion, ranking: Ranking) -> Mapping[str, float]:
        """Measure a ranking. HITS@4K reads on behind the cut of the others, until it has seen its tokens."""
        measured = measures_of(judge(ranking, question, self.corpus, self.kind))
        if self.token_ends is None:
            return measured
        read = hits(linearise(ranking, self.corpus), question.answers, self.token_ends)
        return {**measured, "HITS@4K": read}


def reading(question: OttQuestion, answer: str | None) -> Mapping[str, float]:
    """Measure a reader's answer; none, or an empty one, is right nowhere, not even where the gold answer is "-"."""
    if not answer:
        return {"EM": 0.0, "F1": 0.0}
    return {"EM": exact_match(answer, question.answer), "F1": f1(answer, question.answer)}
