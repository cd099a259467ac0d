-- The review of drafts before their publication. digest: SHA-256 of a draft's content, as hexadecimal text. Persons without
-- an account act by a link, and name themselves (author_name).
CREATE TABLE review_settings (
  project_id text COLLATE "C" PRIMARY KEY,
  required smallint NOT NULL,
  approvers text NOT NULL,
  links_count boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text COLLATE "C" NOT NULL
);

-- The newest request for a review of each project.
CREATE TABLE review_requests (
  project_id text COLLATE "C" PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  digest text NOT NULL,
  message text,
  reviewers text[] NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL
);

CREATE TABLE review_links (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  project_id text COLLATE "C" NOT NULL,
  recipient text NOT NULL,
  may_comment boolean NOT NULL,
  may_approve boolean NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX review_links_project ON review_links (project_id, created_at, id);

CREATE TABLE review_decisions (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  digest text NOT NULL,
  decision text NOT NULL,
  author_id text COLLATE "C",
  link_id text COLLATE "C" REFERENCES review_links,
  author_name text,
  created_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  CHECK ((author_id IS NULL) <> (link_id IS NULL))
);
-- One valid decision of a person on a draft.
CREATE UNIQUE INDEX review_decisions_valid ON review_decisions (project_id, digest, coalesce(author_id, link_id))
  WHERE withdrawn_at IS NULL;
CREATE INDEX review_decisions_link ON review_decisions (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX review_decisions_project ON review_decisions (project_id, created_at, id);

-- thread_id: the comment that this one replies to; null for the first of a thread, which also has the anchor: a
-- configuration, a JSON pointer into it, and the text there when it was written.
CREATE TABLE review_comments (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" REFERENCES review_comments ON DELETE CASCADE,
  configuration_id text COLLATE "C",
  pointer text,
  excerpt text,
  text text NOT NULL,
  author_id text COLLATE "C",
  link_id text COLLATE "C" REFERENCES review_links,
  author_name text,
  created_at timestamptz NOT NULL,
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by text COLLATE "C",
  CHECK ((author_id IS NULL) <> (link_id IS NULL))
);
CREATE INDEX review_comments_project ON review_comments (project_id);
CREATE INDEX review_comments_link ON review_comments (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX review_comments_threads ON review_comments (project_id, created_at, id) WHERE thread_id IS NULL;
CREATE INDEX review_comments_open ON review_comments (project_id, configuration_id)
  WHERE thread_id IS NULL AND resolved_at IS NULL;
CREATE INDEX review_comments_replies ON review_comments (thread_id, created_at, id) WHERE thread_id IS NOT NULL;

-- Not columns of publish_jobs: nodes of the version before have prepared statements that read all of its columns.
CREATE TABLE publish_job_approvals (
  job_id text COLLATE "C" PRIMARY KEY REFERENCES publish_jobs (id) ON DELETE CASCADE,
  skips_approval boolean NOT NULL DEFAULT false,
  approval jsonb
);

-- approval: the approvals that a publication had, or the owner's bypass. Null: none were required.
ALTER TABLE publications ADD COLUMN approval jsonb;
