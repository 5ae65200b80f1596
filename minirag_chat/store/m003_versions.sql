-- Migration 3: when a message was last edited, so that of two versions the later one stays.
ALTER TABLE messages ADD COLUMN edited_at INTEGER NOT NULL DEFAULT 0;  -- seconds since 1970; 0: not known
