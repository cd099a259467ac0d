-- Confirmed addresses, sign-in methods other than the password, API keys, one-time tokens and invitations.

-- The time at which the user confirmed the e-mail address; null: not confirmed.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- The user's name at the provider, which distinguishes two identities; null for local ones.
ALTER TABLE identities ADD COLUMN label text;

ALTER TABLE access_tokens
  -- The scopes of an API key; null for a session.
  ADD COLUMN scopes text[],
  -- The only project that an API key can access; null: all projects of its user.
  ADD COLUMN project_id text COLLATE "C",
  -- Null: an API key without expiry.
  ALTER COLUMN expires_at DROP NOT NULL;

-- Tokens for a single use: password resets, codes of a sign-in with a provider. Tokens that confirm an address work
-- until they expire. Only hashes are stored.
CREATE TABLE one_time_tokens (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The address that the token was mailed to. A change of the address deletes the token.
  email text,
  -- Encrypted parameters of the operation that the token permits.
  data text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_tokens_user ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at);

-- Pending invitations; events record their outcome.
CREATE TABLE invitations (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  email text NOT NULL,
  display_name text,
  collection text NOT NULL,
  document_id text COLLATE "C" NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  role text NOT NULL,
  invited_by text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX invitations_document ON invitations (document_id, id);
CREATE INDEX invitations_inviter ON invitations (invited_by, id);
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- The origin of an event: the id of the access token, and the network of the IP address (IPv4 /24, IPv6 /48), without
-- the part that identifies a household.
ALTER TABLE events ADD COLUMN token_id text COLLATE "C", ADD COLUMN network text;
