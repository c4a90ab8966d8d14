"""bpref: how seldom judged irrelevant evidence stands above relevant one; the unjudged is passed over.

Buckley and Voorhees 2004, in the form of trec_eval, which divides by the smaller of both counts.
"""

from eval.omgqa.judged import Judged


def bpref(judged: Judged) -> float:
    """Return the mean over relevant units of 1 less the share of irrelevant ones above them; 0 for one not there.

    Of the irrelevant ones as many are counted as there are relevant ones. Ties do not arise: a ranking is an order.
    """
    labels, above, gained = judged.labels, 0, 0.0
    most = min(len(labels.relevant), len(labels.irrelevant))
    for unit in judged.retrieved:
        if unit in labels.irrelevant:
            above += 1
        elif unit in labels.relevant:
            gained += 1 - (min(above, most) / most if most else 0.0)
    return gained / len(labels.relevant) if labels.relevant else 0.0
