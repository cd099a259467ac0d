-- Visits of a project's site by Chromium. version and hash: the publication that was live when the scan ran, for evidence.
-- result: canonical JSON (RFC 8785); result_hash: its SHA-256.
CREATE TABLE scans (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  cause text NOT NULL,
  url text NOT NULL,
  pages_max integer NOT NULL,
  version integer,
  hash text,
  progress jsonb,
  result text,
  result_hash text,
  message text,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  started_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX scans_project ON scans (project_id, created_at, id);
CREATE INDEX scans_ended ON scans (ended_at);
-- One scan of a project at a time.
CREATE UNIQUE INDEX scans_open ON scans (project_id) WHERE status IN ('Pending', 'Active');
-- Projects with scheduled scans, which a job looks for every five minutes.
CREATE INDEX documents_scanned ON documents (id)
  WHERE resource = 'projects' AND deleted_at IS NULL AND body_jsonb ? 'scan';
