-- Migration 6: the trash. What is deleted moves here as rows in JSON until it is restored or wiped, so
-- that no query over the other tables can find it.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,           -- message, time, person, chat, everything or name
  what TEXT NOT NULL,           -- in words
  deleted_at TEXT NOT NULL,     -- UTC
  messages INTEGER NOT NULL,
  first TEXT,
  last TEXT,
  chats TEXT NOT NULL,          -- JSON [{id, title, …}, …]: those that were deleted whole
  titles TEXT NOT NULL          -- JSON [title, …]: all in which something was deleted
);
CREATE TABLE deleted_rows (
  id INTEGER PRIMARY KEY,
  deletion_id INTEGER NOT NULL REFERENCES deletions (id) ON DELETE CASCADE,
  source TEXT NOT NULL,         -- the table that it is from
  row_id INTEGER NOT NULL,
  changed INTEGER NOT NULL,     -- 1: the row is still there, and these are its earlier values
  row TEXT NOT NULL             -- JSON {column: value}; bytes are {"bytes": hexadecimal}
);
CREATE INDEX deleted_rows_deletion ON deleted_rows (deletion_id, source);
CREATE INDEX deleted_rows_source ON deleted_rows (source, row_id);

-- The trash was a list of chats in meta, whose messages stayed in their table.
INSERT INTO deletions (kind, what, deleted_at, messages, first, last, chats, titles)
SELECT 'chat', 'the chat ' || t.title, strftime('%Y-%m-%dT%H:%M:%S', 'now'), t.messages, t.first, t.last,
  json_array(json_object('id', t.id, 'title', t.title, 'kind', t.kind, 'platform', t.platform,
    'participants', json(t.people), 'messages', t.messages, 'first', t.first, 'last', t.last)),
  json_array(t.title)
FROM (
  SELECT c.id, c.platform, COUNT(m.id) AS messages, MIN(m.sent_at) AS first, MAX(m.sent_at) AS last,
    COALESCE(c.title, group_concat(DISTINCT p.name), 'empty chat') AS title,
    COALESCE(c.kind, CASE WHEN COUNT(DISTINCT p.id) > 2 THEN 'group' ELSE 'direct' END) AS kind,
    json_group_array(DISTINCT p.name) AS people
  FROM chats c LEFT JOIN messages m ON m.chat_id = c.id LEFT JOIN entities e ON e.id = m.sender_id
  LEFT JOIN entities p ON p.id = COALESCE(e.same_as, e.id)
  WHERE c.id IN (SELECT value FROM json_each((SELECT value FROM meta WHERE key = 'trash')))
  GROUP BY c.id
) t;
INSERT INTO deleted_rows (deletion_id, source, row_id, changed, row)
SELECT d.id, 'chats', c.id, 0, json_object('id', c.id, 'platform', c.platform, 'key', c.key,
  'title', c.title, 'kind', c.kind, 'time_zone', c.time_zone)
FROM deletions d JOIN chats c ON c.id = json_extract(d.chats, '$[0].id');
INSERT INTO deleted_rows (deletion_id, source, row_id, changed, row)
SELECT DISTINCT d.id, 'entities', e.id, 0, json_object('id', e.id, 'type', e.type, 'key', e.key,
  'name', e.name, 'same_as', e.same_as, 'origin', e.origin, 'via', e.via)
FROM deletions d JOIN messages m ON m.chat_id = json_extract(d.chats, '$[0].id')
JOIN entities s ON s.id = m.sender_id JOIN entities e ON e.id IN (s.id, s.same_as);
INSERT INTO deleted_rows (deletion_id, source, row_id, changed, row)
SELECT d.id, 'messages', m.id, 0, json_object('id', m.id, 'chat_id', m.chat_id,
  'sender_id', m.sender_id, 'sent_at', m.sent_at, 'sent_utc', m.sent_utc, 'text', m.text,
  'kind', m.kind, 'session_key', m.session_key, 'source_id', m.source_id, 'reply_to', m.reply_to,
  'edited', m.edited, 'forwarded_from', m.forwarded_from,
  'fingerprint', json_object('bytes', lower(hex(m.fingerprint))), 'deleted', m.deleted,
  'attachments', m.attachments, 'reactions', m.reactions, 'edited_at', m.edited_at)
FROM deletions d JOIN messages m ON m.chat_id = json_extract(d.chats, '$[0].id');
DELETE FROM messages WHERE chat_id IN (
  SELECT value FROM json_each((SELECT value FROM meta WHERE key = 'trash')));
DELETE FROM chats WHERE id IN (
  SELECT value FROM json_each((SELECT value FROM meta WHERE key = 'trash')));
DELETE FROM meta WHERE key = 'trash';
