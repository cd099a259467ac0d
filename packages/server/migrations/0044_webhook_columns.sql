-- Renames two columns to the terms of the glossary.
ALTER TABLE webhooks RENAME COLUMN tells_from TO delivers_from;
ALTER TABLE webhooks RENAME COLUMN disabled_told_at TO disabled_notified_at;
