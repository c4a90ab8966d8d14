"""Retrieval over a semi-structured knowledge base, measured as STaRK does (arXiv 2404.13207)."""
