"""OMG-QA: systems as configurations, pools of judged evidence, and the measures of retrieval, answer and citation."""
