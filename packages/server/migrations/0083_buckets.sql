-- The schemas of the data plane that hold the tables of projects. `public` is the first, and the only one until
-- `avow db distribute` adds others.
CREATE TABLE buckets (
  name text COLLATE "C" PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,30}$'),
  -- Whether new projects are placed here.
  takes_projects boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO buckets (name, takes_projects) VALUES ('public', true);

-- Where the data of a project lies. Without a row: in `public`, if that has data of it, or else nowhere yet.
CREATE TABLE project_buckets (
  project_id text COLLATE "C" PRIMARY KEY,
  bucket text COLLATE "C" NOT NULL REFERENCES buckets (name)
);
CREATE INDEX project_buckets_bucket ON project_buckets (bucket);

-- The entries of leaves that the sequencer has assigned in this bucket, until a signed tree has them.
CREATE TABLE log_placing (
  first_leaf bigint PRIMARY KEY,
  entries bytea NOT NULL
);

-- The bucket whose consents get the next leaves; null: that of this schema.
ALTER TABLE log_heads ADD COLUMN placing text COLLATE "C";
