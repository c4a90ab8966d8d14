"""The language tasks done by a language model; each has a twin in agent.extractive that serves where it fails."""
