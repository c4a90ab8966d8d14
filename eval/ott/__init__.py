"""OTT-QA and HybridQA questions, asked of an archive of their corpus."""
