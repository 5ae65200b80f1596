"""The same tables in PostgreSQL: a connection, the schema and the full text."""
