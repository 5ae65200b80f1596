-- Migration 5: what a model read in a message that was edited goes with the words that it read.
CREATE TRIGGER slm_forget_words AFTER UPDATE OF text ON messages WHEN OLD.text <> NEW.text BEGIN
  DELETE FROM slm_readings WHERE id IN (
    SELECT reading_id FROM slm_reading_messages WHERE message_id = OLD.id);
END;
