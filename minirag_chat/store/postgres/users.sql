-- Once there are users: the role that the program takes for each of them, and how it sees entities.
-- Run again after each migration and with each user: a new table needs a policy in its migration, and a
-- grant here.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'minirag_chat') THEN
    CREATE ROLE minirag_chat NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'minirag_chat' AND (rolsuper OR rolbypassrls)) THEN
    RAISE EXCEPTION 'the role minirag_chat passes by row-level security';
  END IF;
  IF NOT pg_has_role('minirag_chat', 'MEMBER') THEN
    EXECUTE format('GRANT minirag_chat TO %I', current_user);
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO minirag_chat', current_schema());
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON
  chats, entities, sessions, messages, chunks, chunk_messages, vectors, mentions, message_text,
  message_text_waiting, slm_readings, slm_reading_messages, slm_entities, slm_mentions, slm_relations,
  summaries, summary_chunks, summary_entities, deletions, deleted_rows, arrivals, media, meta, shares
TO minirag_chat;
GRANT SELECT, UPDATE ON revision TO minirag_chat;
GRANT SELECT ON users, passwords TO minirag_chat;

-- In a chat of another, people and things are matched to one's own by their names, never by the owner's
-- merges, which could reveal a name that occurs only in a chat that is not shared.
CREATE SCHEMA IF NOT EXISTS minirag_seen;
GRANT USAGE ON SCHEMA minirag_seen TO minirag_chat;
CREATE OR REPLACE VIEW minirag_seen.entities WITH (security_invoker = TRUE) AS
SELECT e.id, e.type, e.key, e.name,
  CASE WHEN e.owner = minirag_user() THEN e.same_as ELSE COALESCE(
    (SELECT COALESCE(o.same_as, o.id) FROM entities o
     WHERE o.type = e.type AND o.key = e.key AND o.owner = minirag_user()),
    (SELECT NULLIF(MIN(o.id), e.id) FROM entities o WHERE o.type = e.type AND o.key = e.key))
  END AS same_as,
  e.origin, e.via
FROM entities e;
GRANT SELECT ON minirag_seen.entities TO minirag_chat;
