#!/bin/sh
# Run once by PostgreSQL's container, if its folder is empty: creates a database and a user without superuser rights.
set -eu
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  -v password="$(cat "${SECRETS:-/run/secrets}/chats_password")" <<'SQL'
CREATE ROLE chats LOGIN PASSWORD :'password';
-- The role of people who sign in (docs/users.md).
SELECT 'CREATE ROLE minirag_chat NOLOGIN' WHERE to_regrole('minirag_chat') IS NULL \gexec
GRANT minirag_chat TO chats;
CREATE DATABASE chats OWNER chats ENCODING 'UTF8' TEMPLATE template0;
\connect chats
CREATE EXTENSION IF NOT EXISTS vector;
SQL
