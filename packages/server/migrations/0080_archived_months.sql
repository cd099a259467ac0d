-- Records of closed months that are Parquet files in object storage. A row appears while the records are still in
-- `consents` (moved_at is null), so that every reader finds them in one of the two; they leave it later. After a
-- restore they are in both again until restored_at is long enough ago. The footer is read first; its hash proves
-- the hashes of all parts.
CREATE TABLE archived_objects (
  project_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- The first day of the month of all its ids.
  month date NOT NULL,
  first_id uuid NOT NULL,
  last_id uuid NOT NULL,
  rows integer NOT NULL,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL,
  footer_bytes integer NOT NULL,
  footer_sha256 bytea NOT NULL,
  copied_at timestamptz NOT NULL,
  moved_at timestamptz,
  restored_at timestamptz,
  PRIMARY KEY (project_id, key)
);
CREATE INDEX archived_objects_month ON archived_objects (project_id, month, first_id);

-- Erased records that a Parquet file still has; reads leave them out. `forget_after`: the file was written again
-- without the record, and no running read uses the old one after this time. `was_live`: the record was in `consents`, too.
CREATE TABLE archived_erasures (
  project_id text COLLATE "C" NOT NULL,
  consent_id uuid NOT NULL,
  was_live boolean NOT NULL,
  forget_after timestamptz,
  PRIMARY KEY (project_id, consent_id)
);

-- Keys of objects to delete: replaced ones, and new ones until their row is written.
CREATE TABLE archive_garbage (
  key text COLLATE "C" PRIMARY KEY,
  delete_after timestamptz NOT NULL
);

-- Restored months, which stay in the database until a time.
CREATE TABLE archive_pauses (
  month date PRIMARY KEY,
  until timestamptz NOT NULL
);
