-- Migration 7: what a watched folder brought, and what was read in the files of messages.
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

-- What was read in a message's voice notes and photos, a paragraph each, with a mark that says so. What
-- is indexed and shown is the text with it.
ALTER TABLE messages ADD COLUMN heard TEXT;

-- Where the files lie that messages came with, as an import found them.
CREATE TABLE media (
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,    -- of the attachment, from 0
  path TEXT NOT NULL,           -- the file, or the zip that holds it
  member TEXT NOT NULL,         -- its name in the zip; empty for a file
  kind TEXT NOT NULL,           -- voice or photo
  state TEXT NOT NULL DEFAULT 'new',  -- new, read, empty: nothing is said or written in it, failed
  problem TEXT,                 -- why it could not be read
  PRIMARY KEY (message_id, position)
) WITHOUT ROWID;
CREATE INDEX media_state ON media (kind, state);
