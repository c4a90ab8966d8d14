"""EM: whether the reader's answer is the gold answer, word for word (SQuAD)."""

from eval.ott.measures.squad import answer_words


def exact_match(answer: str, gold: str) -> float:
    """Return 1 where both have the same words in the same order."""
    return float(answer_words(answer) == answer_words(gold))
