"""Other data sets as OMG-QA's: questions, the pages they are asked of, and their supporting facts as labels."""
