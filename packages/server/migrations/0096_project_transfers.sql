-- Pending offers of projects to another organization; events record their outcome. An offer is for a person with an
-- e-mail address, who has the link, or for the owners of an organization.
CREATE TABLE project_transfers (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea UNIQUE,
  -- A new offer replaces the one before.
  project_id text COLLATE "C" NOT NULL UNIQUE REFERENCES documents (id) ON DELETE CASCADE,
  email text,
  organization_id text COLLATE "C" REFERENCES documents (id) ON DELETE CASCADE,
  offered_by text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((email IS NULL) <> (organization_id IS NULL)),
  CHECK ((email IS NULL) = (hash IS NULL))
);
CREATE INDEX project_transfers_email ON project_transfers (lower(email), id);
CREATE INDEX project_transfers_organization ON project_transfers (organization_id, id);
CREATE INDEX project_transfers_user ON project_transfers (offered_by);
CREATE INDEX project_transfers_expiry ON project_transfers (expires_at);
