-- Migration 1: the first layout. Times are wall-clock ISO text; sent_utc is the instant in seconds.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE chats (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  platform TEXT NOT NULL,
  key TEXT,                     -- the chat's id in its platform, where the export has one
  title TEXT,                   -- NULL: named after its participants
  kind TEXT,                    -- direct, group or NULL: by its participants
  UNIQUE (platform, key)
);

-- V_e: entities. One row a spelling; same_as points to the row that stands for the person.
CREATE TABLE entities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  same_as INTEGER REFERENCES entities (id),
  origin TEXT NOT NULL DEFAULT 'auto',   -- who decided same_as: auto or user
  UNIQUE (type, key)
);
CREATE INDEX entities_same_as ON entities (same_as) WHERE same_as IS NOT NULL;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL
);
CREATE INDEX sessions_chat ON sessions (chat_id, started_at);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
  sender_id INTEGER NOT NULL REFERENCES entities (id),
  sent_at TEXT NOT NULL,
  sent_utc INTEGER NOT NULL,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  session_key TEXT,             -- set by formats that mark where a conversation begins
  source_id TEXT,
  reply_to TEXT,                -- source_id of the parent
  edited INTEGER NOT NULL DEFAULT 0,
  forwarded_from TEXT,
  fingerprint BLOB NOT NULL,
  UNIQUE (chat_id, fingerprint)
);
CREATE INDEX messages_session ON messages (session_id);
CREATE INDEX messages_chat_time ON messages (chat_id, sent_at, id);
CREATE INDEX messages_fingerprint ON messages (fingerprint);
CREATE INDEX messages_sender ON messages (sender_id);
CREATE INDEX messages_source ON messages (chat_id, source_id) WHERE source_id IS NOT NULL;

-- V_c: chunks, windows of whole messages.
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX chunks_session ON chunks (session_id);
CREATE TABLE chunk_messages (
  chunk_id INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  PRIMARY KEY (chunk_id, message_id)
) WITHOUT ROWID;
CREATE INDEX chunk_messages_message ON chunk_messages (message_id);
CREATE TABLE vectors (
  chunk_id INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
  vector BLOB NOT NULL          -- float16, unit length
);

-- e_β: what a message says of an entity; start and end are the sentence d_eβ in the message.
CREATE TABLE mentions (
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  PRIMARY KEY (entity_id, message_id, start)
) WITHOUT ROWID;
CREATE INDEX mentions_message ON mentions (message_id);

CREATE VIRTUAL TABLE chunk_text USING fts5 (people, text, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE session_text USING fts5 (people, text, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE message_text USING fts5 (people, text, tokenize = 'porter unicode61 remove_diacritics 2');
