-- What an import commits to is made while it writes: the queue then carries the entry and its salt, and the
-- log need not read the record again. Both are null for what is collected.
ALTER TABLE consent_queue ADD COLUMN entry bytea, ADD COLUMN salt bytea;
