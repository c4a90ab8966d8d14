"""Training on HybridQA's questions (HELIOS, appendix B): lists to learn from, teachers, and the trainings."""
