"""A message → the entities it names. `structure` needs no model."""

LONGEST_NAME = 300
"""Characters of an entity's name: PostgreSQL's indexes have no room for 2,704 bytes."""
