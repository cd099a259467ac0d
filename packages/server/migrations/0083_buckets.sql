-- The schemas of the data plane that hold the tables of projects. `public` is the first, and the only one until
-- `avow db distribute` adds others.
CREATE TABLE buckets (
  name text COLLATE "C" PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,30}$'),
  -- Whether new projects are placed here.
  takes_projects boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO buckets (name, takes_projects) VALUES ('public', true);

-- The bucket of each project. Without a row: `public`, if that has data of it, or else none yet.
CREATE TABLE project_buckets (
  project_id text COLLATE "C" PRIMARY KEY,
  bucket text COLLATE "C" NOT NULL REFERENCES buckets (name)
);
CREATE INDEX project_buckets_bucket ON project_buckets (bucket);

-- Leaves of other buckets than `public` are assigned in their own transactions, before the tree has them.
ALTER TABLE log_heads
  -- The bucket that may have assigned the leaves after the latest tree.
  ADD COLUMN placing_bucket text COLLATE "C",
  -- Counts these assignments.
  ADD COLUMN placing_term bigint NOT NULL DEFAULT 0;

-- The entries of leaves that were assigned in this bucket, until a signed tree has them.
CREATE TABLE log_placing (
  first_leaf bigint PRIMARY KEY,
  entries bytea NOT NULL
);

-- The last assignment in this bucket: an earlier one that is still running must not commit any more.
CREATE TABLE log_placing_fence (
  id integer PRIMARY KEY CHECK (id = 1),
  term bigint NOT NULL
);
