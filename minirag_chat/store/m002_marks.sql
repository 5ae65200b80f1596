-- Migration 2: what a message has besides its text, and the zone its wall-clock time was taken in.
ALTER TABLE messages ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN attachments TEXT;   -- JSON [[name, kind], …]
ALTER TABLE messages ADD COLUMN reactions TEXT;     -- JSON [[emoji, sender], …]
ALTER TABLE chats ADD COLUMN time_zone TEXT;        -- sent_utc is sent_at in this zone
CREATE INDEX messages_reply ON messages (chat_id, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX messages_loose ON messages (chat_id, sent_at, id) WHERE session_id IS NULL;
ALTER TABLE entities ADD COLUMN via INTEGER;  -- the person who was merged and brought this spelling along
