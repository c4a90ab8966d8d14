"""Training of the retrievers and rerankers of the table-text graph (HELIOS, appendix B).

`examples` are lists of texts for a query, `students` score them, `objective` is what is minimised, `loop` minimises it.
"""
