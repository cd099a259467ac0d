-- Erasure and retention. Records are deleted with all data that refers to them; the log keeps its leaves.

-- Finds out whether a record still uses an answer combination. The index on states is not enough, because a record
-- may answer fewer items than its state has. Combinations numbered from 1001 answer all items at once and are never
-- erased.
CREATE INDEX consents_choice ON consents (project_id, identifier, choice) WHERE choice < 1001;

-- Idempotency keys are deleted with their record.
CREATE INDEX consent_keys_consent ON consent_keys (project_id, consent_id);

-- The highest number of an erased combination. Numbers are never reused, so that caches stay valid.
CREATE TABLE erased_choices (
  project_id text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  choice integer NOT NULL,
  PRIMARY KEY (project_id, identifier)
);

-- Progress of the scan that erases a project's records whose retention period has ended. The scan with the time
-- limit `until` has reached the record `after`; null: it is complete.
CREATE TABLE retention_walks (
  project_id text COLLATE "C" PRIMARY KEY,
  until timestamptz NOT NULL,
  after uuid
);
