-- Users' addresses, ways in beside the password, keys for machines, and what lets somebody in once.

-- When somebody showed that mails to the address reach them; null: nobody did.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- What the provider of an identity calls the user, for them to tell two apart; null for local ones.
ALTER TABLE identities ADD COLUMN label text;

ALTER TABLE access_tokens
  -- Of an API key, what it may do; null: the session of a person.
  ADD COLUMN scopes text[],
  -- Of an API key, the one project that it sees; null: all of its user's.
  ADD COLUMN project_id text COLLATE "C",
  -- Null: a key that does not end by itself.
  ALTER COLUMN expires_at DROP NOT NULL;

-- Tokens that work once: password resets, codes of a sign-in elsewhere. Those that confirm an address
-- work until they end. Only hashes are kept.
CREATE TABLE one_time_tokens (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Where mails to this address were asked for, which a change of it ends.
  email text,
  -- What is done when it is used, sealed.
  data text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_tokens_user ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at);

-- Invitations that wait; what became of them is in the events.
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

-- Where what happened was done from: the access token by its id, and the network of the address, without
-- the part that names a household (an IPv4 /24, an IPv6 /48).
ALTER TABLE events ADD COLUMN token_id text COLLATE "C", ADD COLUMN network text;
