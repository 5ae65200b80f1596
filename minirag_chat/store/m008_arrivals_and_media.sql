-- Migration 8: what a watched folder brought, and what was read in the files of messages.
CREATE TABLE arrivals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place BLOB NOT NULL,          -- a hash of the path
  version BLOB NOT NULL,        -- a hash of the sizes and times of the files there
  arrived_at TEXT NOT NULL,     -- UTC
  state TEXT NOT NULL,          -- imported, failed or other: no chat export
  name TEXT,                    -- NULL once something was deleted, whose name it may have
  said TEXT,                    -- why it failed; NULL as the name is
  messages_read INTEGER NOT NULL DEFAULT 0,
  messages_added INTEGER NOT NULL DEFAULT 0,
  messages_updated INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX arrivals_place ON arrivals (place, id);
