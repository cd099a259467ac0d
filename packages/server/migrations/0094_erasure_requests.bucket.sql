-- Requests of persons to have their data erased, one for each token. Erasing the token deletes its row.
CREATE TABLE erasure_requests (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  requested_at timestamptz NOT NULL,
  -- Closed by the project without an erasure.
  declined_at timestamptz,
  UNIQUE (project_id, token)
);
CREATE INDEX erasure_requests_project ON erasure_requests (project_id, id);
CREATE INDEX erasure_requests_declined ON erasure_requests (declined_at) WHERE declined_at IS NOT NULL;
