-- Imports create their commitments while they write: the queue then has the entry and its salt, and the log
-- need not read the record again. Both are null for collected records.
ALTER TABLE consent_queue ADD COLUMN entry bytea, ADD COLUMN salt bytea;
