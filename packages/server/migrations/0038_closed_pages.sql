-- Tokens one of whose links the project revoked: whoever has the token alone makes no other link to the person's page.
CREATE TABLE closed_pages (
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, token)
);
