"""A question and its evidence → an answer: prompt, reading, citations, abstention, path."""
