"""A message → the entities it names. `structure` needs no model."""
