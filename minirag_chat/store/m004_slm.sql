-- Migration 4: what a language model read in chunks (paper 3.1), and summaries over chunks.
-- A reading hangs on its messages: the index may be cut anew without it, no message may go without it.
CREATE TABLE slm_readings (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,           -- of the messages' ids and text
  model TEXT NOT NULL,          -- the model with the format it was asked in
  text TEXT NOT NULL,           -- what it wrote
  seconds REAL NOT NULL,
  active INTEGER NOT NULL DEFAULT 1,  -- 0: another model's reading of the same messages counts
  UNIQUE (hash, model)
);
CREATE TABLE slm_reading_messages (
  reading_id INTEGER NOT NULL REFERENCES slm_readings (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  PRIMARY KEY (message_id, reading_id)
) WITHOUT ROWID;
CREATE INDEX slm_reading_messages_reading ON slm_reading_messages (reading_id);

-- V_e. One row for all spellings that were found to be one; the mentions keep what was written.
CREATE TABLE slm_entities (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  person_id INTEGER REFERENCES entities (id) ON DELETE SET NULL,
  vector BLOB                   -- float16, of the name with its descriptions; NULL: to be made
);
CREATE INDEX slm_entities_person ON slm_entities (person_id) WHERE person_id IS NOT NULL;

-- (e_β, d_eβ): what a message's chunk says of an entity.
CREATE TABLE slm_mentions (
  entity_id INTEGER NOT NULL REFERENCES slm_entities (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  reading_id INTEGER NOT NULL REFERENCES slm_readings (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (entity_id, message_id, reading_id)
) WITHOUT ROWID;
CREATE INDEX slm_mentions_message ON slm_mentions (message_id);
CREATE INDEX slm_mentions_reading ON slm_mentions (reading_id);

-- E_α with a description, keywords (joined by commas) and a strength from 1 to 10.
CREATE TABLE slm_relations (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES slm_entities (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES slm_entities (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  reading_id INTEGER NOT NULL REFERENCES slm_readings (id) ON DELETE CASCADE,
  description TEXT NOT NULL,
  keywords TEXT NOT NULL,
  strength INTEGER NOT NULL,
  vector BLOB
);
CREATE INDEX slm_relations_source ON slm_relations (source_id);
CREATE INDEX slm_relations_target ON slm_relations (target_id);
CREATE INDEX slm_relations_message ON slm_relations (message_id);
CREATE INDEX slm_relations_reading ON slm_relations (reading_id);

CREATE TRIGGER slm_forget_message BEFORE DELETE ON messages BEGIN
  DELETE FROM slm_readings WHERE id IN (
    SELECT reading_id FROM slm_reading_messages WHERE message_id = OLD.id);
END;
CREATE TRIGGER slm_forget_mention AFTER DELETE ON slm_mentions BEGIN
  UPDATE slm_entities SET vector = NULL WHERE id = OLD.entity_id;
  DELETE FROM slm_entities WHERE id = OLD.entity_id
    AND NOT EXISTS (SELECT 1 FROM slm_mentions WHERE entity_id = OLD.entity_id);
END;

-- Summaries: RAPTOR's tree and GraphRAG's reports. A summary goes with any chunk that it rests on.
CREATE TABLE summaries (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,           -- tree or report
  level INTEGER NOT NULL,       -- 1: right over the chunks; of reports, 0 is the widest
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  weight REAL NOT NULL,         -- chunks that it rests on, each shared among its clusters
  vector BLOB NOT NULL          -- float16, unit length
);
CREATE INDEX summaries_kind ON summaries (kind, level);
CREATE TABLE summary_chunks (
  summary_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
  chunk_id INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  weight REAL NOT NULL,         -- how much of the chunk belongs to it
  PRIMARY KEY (chunk_id, summary_id)
) WITHOUT ROWID;
CREATE INDEX summary_chunks_summary ON summary_chunks (summary_id);
CREATE TABLE summary_entities (
  summary_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
  entity_id INTEGER NOT NULL,   -- of entities, or of slm_entities where the graph is the model's
  PRIMARY KEY (summary_id, entity_id)
) WITHOUT ROWID;
CREATE TRIGGER summaries_forget_chunk BEFORE DELETE ON chunks BEGIN
  DELETE FROM summaries WHERE id IN (
    SELECT summary_id FROM summary_chunks WHERE chunk_id = OLD.id);
END;
