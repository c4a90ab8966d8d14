"""Questions made from articles by a language model: both pipelines of OMG-QA, section 2.1."""
