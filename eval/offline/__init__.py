"""Questions with checkable answers, asked offline: expected strings, documents, evidence, citations, abstention."""
