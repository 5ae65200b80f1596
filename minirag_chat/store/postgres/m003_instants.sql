-- Migration 3 of PostgreSQL: messages are found by the instant at which they were sent (SQLite's migration 9).
CREATE INDEX messages_instant ON messages (sent_utc, chat_id);
