-- Links to a person's own page. A link permits reading and changing the answers of the token. Only its hash is stored.
CREATE TABLE person_links (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  -- The id of a user, or `visitor` if the link was created with the token alone.
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX person_links_token ON person_links (project_id, token, id);
CREATE INDEX person_links_project ON person_links (project_id, id);
CREATE INDEX person_links_expiry ON person_links (expires_at);
