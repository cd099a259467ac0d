-- The parameter of the statement that writes consents: one row for each, in PostgreSQL's binary format. The type never
-- changes: a new version of the statement uses a type with another name, because nodes of both versions may run at once.
CREATE TYPE collected_consent AS (
  project_id text,
  id uuid,
  token text,
  collection text,
  identifier text,
  accept boolean,
  choice integer,
  answers jsonb,
  preferences json,
  value json,
  language text,
  url text,
  client_at timestamptz,
  user_agent text,
  version integer,
  warnings json,
  created_at timestamptz,
  gpc boolean,
  grade text,
  displayed_at timestamptz,
  -- Whether the record is the only one of its token and configuration, so that the state follows from it alone.
  is_first boolean,
  -- The idempotency key, the digest of the request, and the expiry of both.
  key bytea,
  digest bytea,
  key_ends_at timestamptz,
  -- The hash of the redeemed display ticket, and the end of its retention.
  ticket bytea,
  ticket_ends_at timestamptz,
  -- The log entry and its salt, if they are computed already.
  entry bytea,
  salt bytea
);
