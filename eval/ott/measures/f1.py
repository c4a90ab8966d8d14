"""F1: how many words the reader's answer and the gold answer share (SQuAD)."""

from collections import Counter

from eval.ott.measures.squad import answer_words


def f1(answer: str, gold: str) -> float:
    """Return the harmonic mean of the shares of either's words that the other has too; 1 where neither has any."""
    given, sought = Counter(answer_words(answer)), Counter(answer_words(gold))
    if not given or not sought:
        return float(given == sought)
    shared = (given & sought).total()
    return 2 * shared / (given.total() + sought.total())
