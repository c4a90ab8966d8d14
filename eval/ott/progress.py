"""How far a long job of the evaluation is, as `indexers.pace` tells it."""

from indexers.pace import EVERY, Pace, Say, span

__all__ = ["EVERY", "Pace", "Say", "span"]
