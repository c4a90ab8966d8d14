"""The table-text data graph as an index: edges are composed of their two nodes, so every node is indexed once.

An edge is a table segment and a passage (HELIOS, section 4.1). Its words are those of both, and the closest token to a
token of the query is the closer of two; so neither BM25 nor MaxSim needs an entry an edge, and edges that a linker
adds or that expansion tries cost nothing to index.
"""
