-- Projects whose erasures a second person confirms. A project without a row does not require it.
CREATE TABLE erasure_rules (
  project_id text COLLATE "C" PRIMARY KEY,
  changed_by text COLLATE "C" NOT NULL,
  changed_at timestamptz NOT NULL
);
