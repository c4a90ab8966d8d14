"""What app.py has put together from settings: sources, back ends, services; importing it brings everything."""

from agent.assembly.backends import Backends, build_backends, edge_retriever
from agent.assembly.services import build_services
from agent.assembly.stretches import Stretch, build_stretches, living, not_by_limits, recorded_services

__all__ = [
    "Backends",
    "Stretch",
    "build_backends",
    "build_services",
    "build_stretches",
    "edge_retriever",
    "living",
    "not_by_limits",
    "recorded_services",
]
