"""Star-based refinement of a candidate subgraph (HELIOS, section 4.3; Algorithm 1, lines 13 to 19)."""

from tools.refinement.listwise import Candidates, ListwiseRefiner
from tools.refinement.refiner import Refiner
from tools.refinement.result import Policy, Refinement, TablePicks

__all__ = ["Candidates", "ListwiseRefiner", "Policy", "Refinement", "Refiner", "TablePicks"]
