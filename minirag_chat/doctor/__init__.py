"""Checks the installation: models, libraries, the database, and what to do about problems."""
