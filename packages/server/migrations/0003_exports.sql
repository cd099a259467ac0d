-- What was exported, and how to know that a file is whole; kept for 30 days.
CREATE TABLE exports (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  format text NOT NULL,
  -- What was asked for, as it was asked.
  filters jsonb NOT NULL,
  -- Ids from here (inclusive), after this one, and up to here (exclusive).
  from_id uuid,
  after_id uuid,
  to_id uuid NOT NULL,
  -- running, done, or cut: the reader went, or the source failed.
  state text NOT NULL,
  first_id uuid,
  last_id uuid,
  count bigint NOT NULL,
  size bigint NOT NULL,
  sha256 text,
  -- Places in the file where a line ends: { bytes, count, last, sha256 }.
  stretches jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX exports_created ON exports (created_at);
