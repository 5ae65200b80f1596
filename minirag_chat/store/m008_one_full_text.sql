-- Migration 8: one full text, that of the messages, without a copy of what they say. What a chunk or a
-- conversation says is counted out of its messages' words, who speaks out of the people's names.
-- It holds what is in a conversation and not deleted, and the triggers keep it so: `searchable` is the
-- program's (text.py), so nothing else can change a message and leave its words behind. What is said is the
-- text with what was read in the files: SAID in media.py.
DROP TABLE chunk_text;
DROP TABLE session_text;
DROP TABLE message_text;
CREATE VIRTUAL TABLE message_text USING fts5 (
  text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO message_text (rowid, text)
SELECT id, searchable(
    CASE WHEN heard IS NULL THEN text WHEN kind = 'media' THEN heard
    ELSE text || char(10) || heard END) FROM messages WHERE session_id IS NOT NULL AND NOT deleted;

CREATE TRIGGER message_text_insert AFTER INSERT ON messages
WHEN NEW.session_id IS NOT NULL AND NOT NEW.deleted BEGIN
  INSERT INTO message_text (rowid, text) VALUES (NEW.id, searchable(
    CASE WHEN NEW.heard IS NULL THEN NEW.text WHEN NEW.kind = 'media' THEN NEW.heard
    ELSE NEW.text || char(10) || NEW.heard END));
END;
CREATE TRIGGER message_text_delete AFTER DELETE ON messages
WHEN OLD.session_id IS NOT NULL AND NOT OLD.deleted BEGIN
  INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', OLD.id, searchable(
    CASE WHEN OLD.heard IS NULL THEN OLD.text WHEN OLD.kind = 'media' THEN OLD.heard
    ELSE OLD.text || char(10) || OLD.heard END));
END;
CREATE TRIGGER message_text_update AFTER UPDATE OF session_id, text, heard, kind, deleted ON messages
WHEN (OLD.session_id IS NULL, OLD.deleted, OLD.text, OLD.heard, OLD.kind)
  IS NOT (NEW.session_id IS NULL, NEW.deleted, NEW.text, NEW.heard, NEW.kind)
BEGIN
  INSERT INTO message_text (message_text, rowid, text)
  SELECT 'delete', OLD.id, searchable(
    CASE WHEN OLD.heard IS NULL THEN OLD.text WHEN OLD.kind = 'media' THEN OLD.heard
    ELSE OLD.text || char(10) || OLD.heard END) WHERE OLD.session_id IS NOT NULL AND NOT OLD.deleted;
  INSERT INTO message_text (rowid, text)
  SELECT NEW.id, searchable(
    CASE WHEN NEW.heard IS NULL THEN NEW.text WHEN NEW.kind = 'media' THEN NEW.heard
    ELSE NEW.text || char(10) || NEW.heard END) WHERE NEW.session_id IS NOT NULL AND NOT NEW.deleted;
END;

-- The file becomes smaller when it is written anew, which is done as after a deletion: wiping.py.
INSERT OR REPLACE INTO meta
SELECT 'wipings asked for', CAST(COALESCE(
  (SELECT value FROM meta WHERE key = 'wipings asked for'), 0) + 1 AS TEXT)
WHERE EXISTS (SELECT 1 FROM messages);
