-- Migration 4 of PostgreSQL: no text in the planner's statistics. ANALYZE copies values of a column into
-- pg_statistic, where those of deleted rows would stay. SET STATISTICS 0 ends that, and setting a column's
-- type, though it is the same one, removes what is there. No trigger or view may use the column meanwhile;
-- users.sql makes the view again.
DROP TRIGGER message_text_update ON messages;
DROP TRIGGER slm_forget_words ON messages;
DROP VIEW IF EXISTS minirag_seen.entities;

DO $$
DECLARE
  place RECORD;
BEGIN
  FOR place IN
    SELECT a.attrelid::regclass AS name, a.attname AS field, format_type(a.atttypid, a.atttypmod) AS kind
    FROM (VALUES
      ('meta', '{value}'::text[]),
      ('chats', '{key,title}'),
      ('entities', '{key,name}'),
      ('messages', '{text,heard,forwarded_from,attachments,reactions,session_key,source_id,reply_to}'),
      ('message_text', '{said}'),
      ('slm_readings', '{text}'),
      ('slm_entities', '{key,name}'),
      ('slm_mentions', '{name,description}'),
      ('slm_relations', '{description,keywords}'),
      ('summaries', '{title,text}'),
      ('deletions', '{what,chats,titles}'),
      ('deleted_rows', '{row}'),
      ('arrivals', '{name,said}'),
      ('media', '{path,member,problem}'),
      ('users', '{name}'),
      ('passwords', '{hash}'),
      ('audit', '{name,detail}')) AS texts (name, fields)
    JOIN pg_attribute a ON a.attrelid = texts.name::regclass AND a.attname::text = ANY (texts.fields)
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0, ALTER COLUMN %I TYPE %s',
      place.name, place.field, place.field, place.kind);
  END LOOP;
END $$;

CREATE TRIGGER message_text_update AFTER UPDATE OF session_id, text, heard, kind, deleted ON messages
  FOR EACH ROW WHEN (
    (OLD.session_id IS NULL, OLD.deleted, OLD.text, OLD.heard, OLD.kind)
    IS DISTINCT FROM (NEW.session_id IS NULL, NEW.deleted, NEW.text, NEW.heard, NEW.kind))
  EXECUTE FUNCTION message_text_wait();
CREATE TRIGGER slm_forget_words AFTER UPDATE OF text ON messages
  FOR EACH ROW WHEN (OLD.text <> NEW.text) EXECUTE FUNCTION slm_forget_message();
