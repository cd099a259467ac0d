-- Evidence: a transparency log of salted commitments to every record and publication. Collected consents are
-- in consent_queue until they are sequenced; other documents are in log_documents, without a leaf until then.
-- Tiles contain no personal data.

-- No index: rows are written once, and one sequencer removes the oldest.
CREATE TABLE consent_queue (
  project_id text COLLATE "C" NOT NULL,
  consent_id uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- The leaf of each consent's commitment, and its salt.
CREATE TABLE consent_salts (
  project_id text COLLATE "C" NOT NULL,
  consent_id uuid NOT NULL,
  leaf bigint NOT NULL,
  salt bytea NOT NULL,
  PRIMARY KEY (consent_id, project_id)
);

-- Publications, named by environment and version.
CREATE TABLE log_documents (
  project_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  document json NOT NULL,
  leaf bigint,
  salt bytea,
  PRIMARY KEY (project_id, name)
);
CREATE INDEX log_documents_queued ON log_documents (project_id, name) WHERE leaf IS NULL;

-- The hashes of the tree, 256 in each tile; level -1 has the entries. Tiles are append-only.
CREATE TABLE log_tiles (
  level smallint NOT NULL,
  number bigint NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (level, number)
);
ALTER TABLE log_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- The newest signed tree head; one row.
CREATE TABLE log_heads (
  id integer PRIMARY KEY CHECK (id = 1),
  origin text NOT NULL,
  size bigint NOT NULL,
  checkpoint text NOT NULL,
  signed_at timestamptz NOT NULL
);

INSERT INTO log_documents (project_id, name, document)
SELECT project_id, 'publication/' || environment || '/' || version, json_build_object(
  'type', 'publication', 'v', 1, 'projectId', project_id, 'environment', environment, 'version', version,
  'hash', hash, 'size', size,
  'publishedAt', to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
FROM publications;
INSERT INTO consent_queue SELECT project_id, id FROM consents;
