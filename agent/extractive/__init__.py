"""The language tasks without a language model: the embedded default."""
