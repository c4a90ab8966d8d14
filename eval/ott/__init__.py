"""OTT-QA: corpus, questions and measures of table-text retrieval (HELIOS, section 5.1), and of the agent's answers."""
