"""Language models behind OpenAI-compatible servers: the one door of langchain-openai.

app.py opens `ChatServers` for a process and calls `build_llm` for each role of a run; what comes out is the `LLM` of
heliograph.protocols. Nothing here is slow to import: the client library is loaded by the first call of a server.
"""

from agent.llm.building import ChatServers, RunModels, build_llm
from agent.llm.guard import Budget, Circuit
from agent.llm.server import ChatServer
from agent.llm.structured import StructuredModel

__all__ = ["Budget", "ChatServer", "ChatServers", "Circuit", "RunModels", "StructuredModel", "build_llm"]
