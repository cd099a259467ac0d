-- Imports of consents: the uploaded file, its progress and its result. A row is kept as long as its records,
-- because it documents their origin.
CREATE TABLE imports (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  format text NOT NULL,
  dry_run boolean NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  -- The offset and the line number of the next part of the file, and the valid length of the file of
  -- refused lines. Written in the transaction that stores the previous part.
  position bigint NOT NULL DEFAULT 0,
  line bigint NOT NULL DEFAULT 1,
  refused_bytes bigint NOT NULL DEFAULT 0,
  read bigint NOT NULL DEFAULT 0,
  imported bigint NOT NULL DEFAULT 0,
  known bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  message text,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  started_at timestamptz,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX imports_id ON imports (id);
CREATE INDEX imports_running ON imports (updated_at) WHERE status IN ('Pending', 'Active');
