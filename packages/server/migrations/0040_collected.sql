-- What the statement that writes consents takes, a row for each, in PostgreSQL's own binary form. The statement
-- and this type belong together: a node that writes otherwise gets a type of another name, since nodes of both
-- kinds may run at once.
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
  -- Whether the record is the whole state of its token and configuration.
  is_first boolean,
  -- The key that it was sent under, what was sent, and until when that is known.
  key bytea,
  digest bytea,
  key_ends_at timestamptz,
  -- Of a display ticket that is used by it, and the end of that being known.
  ticket bytea,
  ticket_ends_at timestamptz,
  -- What the log commits to, and its salt, where that is known already.
  entry bytea,
  salt bytea
);
