-- Imports compute the commitments of the records that they write. The queue then has the entry and its salt, so that
-- the sequencer does not read the record again. Both are null for collected records.
ALTER TABLE consent_queue ADD COLUMN entry bytea, ADD COLUMN salt bytea;
