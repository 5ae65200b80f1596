"""Answers that count messages: how many, who wrote most, the last one; no retrieval, and no model."""
