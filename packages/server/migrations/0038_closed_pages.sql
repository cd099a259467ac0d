-- Tokens with a revoked link: the token alone no longer suffices to create a link to the person's page.
CREATE TABLE closed_pages (
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, token)
);
