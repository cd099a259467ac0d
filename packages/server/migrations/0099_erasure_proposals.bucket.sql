-- Erasures that wait for a second person, one for each token. Erasing the token deletes its row.
CREATE TABLE erasure_proposals (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  proposed_by text COLLATE "C" NOT NULL,
  proposed_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (project_id, token)
);
CREATE INDEX erasure_proposals_project ON erasure_proposals (project_id, id);
CREATE INDEX erasure_proposals_expired ON erasure_proposals (expires_at);
