-- Migration 9: messages are found by the instant at which they were sent, whoever they are said to be of and
-- whatever the clock on the wall showed: so that another export of a chat is known to be one of that chat.
CREATE INDEX IF NOT EXISTS messages_instant ON messages (sent_utc, chat_id);
