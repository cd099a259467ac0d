-- Exports, with the data to verify that a file is complete; deleted after 30 days.
CREATE TABLE exports (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  format text NOT NULL,
  -- The filters as they were in the request.
  filters jsonb NOT NULL,
  -- The range of ids: from_id is inclusive, after_id and to_id are exclusive.
  from_id uuid,
  after_id uuid,
  to_id uuid NOT NULL,
  -- running, done, or cut (the client disconnected, or the source failed).
  state text NOT NULL,
  first_id uuid,
  last_id uuid,
  count bigint NOT NULL,
  size bigint NOT NULL,
  sha256 text,
  -- Offsets in the file at which a line ends: { bytes, count, last, sha256 }.
  stretches jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX exports_created ON exports (created_at);
