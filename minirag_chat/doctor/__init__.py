"""What is here to answer questions with, what is missing, and what to do about it."""
