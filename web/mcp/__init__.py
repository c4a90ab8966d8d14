"""The MCP server: retrieval and answers of Heliograph as tools of other assistants, over stdio and HTTP."""
