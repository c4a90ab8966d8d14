"""What app.py has put together from settings: sources, back ends, services; importing it brings everything."""

from agent.assembly.backends import Backends, build_backends, edge_retriever
from agent.assembly.services import build_services

__all__ = ["Backends", "build_backends", "build_services", "edge_retriever"]
