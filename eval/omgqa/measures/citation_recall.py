"""Citation recall: how many claims are said by what they cite (ALCE: Gao et al. 2023, section 3)."""

from eval.omgqa.judged import Judged


def citation_recall(judged: Judged) -> float:
    """Return the share of claims that their citations together support; 0 for an answer without claims."""
    supported = [statement.supported and bool(statement.alone) for statement in judged.statements]
    return sum(supported) / len(supported) if supported else 0.0
