-- Users and their sign-in methods.
CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  username text NOT NULL,
  email text NOT NULL,
  display_name text NOT NULL,
  first_name text,
  last_name text,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);

-- All names to sign in with (username and e-mail, case-folded). The primary key makes them unique across users.
CREATE TABLE logins (
  name text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX logins_user ON logins (user_id);

CREATE TABLE identities (
  provider text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  password_hash text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider, subject)
);
CREATE INDEX identities_user ON identities (user_id);

CREATE TABLE access_tokens (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_tokens_user ON access_tokens (user_id, id);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

-- Failed sign-ins of the current window, and the addresses that accounts signed in from. Keys are
-- HMAC-SHA-256 of account and network under a secret that is not in the database, so that a dump
-- reveals no address. `failures` includes checks in progress.
CREATE TABLE signin_failures (
  key bytea PRIMARY KEY,
  failures integer NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX signin_failures_expiry ON signin_failures (expires_at);

CREATE TABLE signin_addresses (
  key bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX signin_addresses_expiry ON signin_addresses (expires_at);

-- The vault: one table for all resources. A document inherits rights from project_id and
-- organization_id; a configuration also has the organization of its project.
CREATE TABLE documents (
  id text COLLATE "C" PRIMARY KEY,
  resource text COLLATE "C" NOT NULL,
  project_id text COLLATE "C",
  organization_id text COLLATE "C",
  body jsonb NOT NULL,
  version integer NOT NULL,
  -- Projects only: the time of the last publication, and the live version (null: none).
  published_at timestamptz,
  live_version integer,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX documents_project ON documents (project_id, resource, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_organization ON documents (organization_id, resource, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_body ON documents USING gin (body jsonb_path_ops) WHERE deleted_at IS NULL;

CREATE TABLE document_users (
  document_id text COLLATE "C" NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  roles text[] NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (document_id, user_id)
);
CREATE INDEX document_users_user ON document_users (user_id, document_id);

CREATE TABLE document_versions (
  document_id text COLLATE "C" NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  version integer NOT NULL,
  operation text NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  PRIMARY KEY (document_id, version)
);

CREATE TABLE subscriptions (
  organization_id text COLLATE "C" PRIMARY KEY,
  plan text NOT NULL,
  status text NOT NULL,
  current_period_end timestamptz,
  updated_at timestamptz NOT NULL
);

-- Publishing. Publications are stored permanently; the project references the live one.
CREATE TABLE publish_jobs (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  environment text NOT NULL,
  -- The version to publish again; null: the current project.
  rollback_of integer,
  status text NOT NULL,
  step text NOT NULL,
  steps jsonb NOT NULL,
  message text,
  -- The content to publish, from the end of the step `bundle` to the end of the job.
  content text,
  hash text,
  size integer,
  version integer,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  started_at timestamptz,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE UNIQUE INDEX publish_jobs_running ON publish_jobs (project_id, environment) WHERE status IN ('Pending', 'Active');
CREATE INDEX publish_jobs_project ON publish_jobs (project_id, created_at, id);

CREATE TABLE publications (
  project_id text COLLATE "C" NOT NULL,
  environment text NOT NULL,
  version integer NOT NULL,
  hash text NOT NULL,
  size integer NOT NULL,
  content text NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  published_at timestamptz NOT NULL,
  published_by text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, environment, version)
);

-- The offers of each published version: the configuration itself (item '') and each of its vendors.
-- The substance is a digest of the terms without their wording. Required vendors need no answer.
CREATE TABLE offers (
  project_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL,
  collection text NOT NULL,
  name text NOT NULL,
  substance text COLLATE "C" NOT NULL,
  required boolean NOT NULL,
  expires_after_days integer,
  PRIMARY KEY (project_id, version, identifier, item)
);
-- Finds the last offer of an item that is no longer offered.
CREATE INDEX offers_item ON offers (project_id, identifier, item, version);

-- Consents: append-only records, and the states derived from them. Every key begins with the project.
CREATE TABLE consents (
  project_id text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  client_id text COLLATE "C",
  token text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  accept boolean NOT NULL,
  preferences jsonb,
  value jsonb,
  language text,
  url text,
  client_at timestamptz,
  country text,
  user_agent text NOT NULL,
  version integer,
  warnings jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX consents_client ON consents (project_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX consents_token ON consents (project_id, token, id);
CREATE INDEX consents_identifier ON consents (project_id, identifier, id);

CREATE TABLE tokens (
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  consents integer NOT NULL,
  PRIMARY KEY (project_id, token)
);

CREATE TABLE consent_states (
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  accept boolean NOT NULL,
  accepted_before boolean NOT NULL,
  substance text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  expires_at timestamptz,
  consent_id uuid NOT NULL,
  version integer,
  -- The name of the item, which is still needed when the item is no longer offered.
  name text NOT NULL,
  PRIMARY KEY (project_id, token, identifier, item)
);
CREATE INDEX consent_states_accepted ON consent_states (project_id, identifier, item, substance, token) WHERE accept;

-- The audit trail, which is also the source of webhook deliveries.
CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  actor text NOT NULL,
  project_id text COLLATE "C",
  document_id text COLLATE "C",
  request_id text,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX events_project ON events (project_id, id);

CREATE TABLE idempotency_keys (
  hash bytea PRIMARY KEY,
  request_hash bytea NOT NULL,
  answer bytea,
  created_at timestamptz NOT NULL
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
