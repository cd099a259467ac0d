-- Erasure and retention. Records are deleted with all data about them; the log keeps its leaves.

-- Whether a combination of answers that somebody filled is used by anybody: states tell most of it, but a
-- record may have said less than its state. What is answered for all at once has numbers from 1001 on.
CREATE INDEX consents_choice ON consents (project_id, identifier, choice) WHERE choice < 1001;

-- Idempotency keys are deleted with their record.
CREATE INDEX consent_keys_consent ON consent_keys (project_id, consent_id);

-- The highest number of an erased combination: numbers are never reused, so that caches stay valid.
CREATE TABLE erased_choices (
  project_id text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  choice integer NOT NULL,
  PRIMARY KEY (project_id, identifier)
);

-- How far the walk through a project's old records has come that erases what has been out of force for
-- long enough: by `until`, after the record `after`; where that is null, to the end.
CREATE TABLE retention_walks (
  project_id text COLLATE "C" PRIMARY KEY,
  until timestamptz NOT NULL,
  after uuid
);
