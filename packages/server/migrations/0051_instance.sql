-- Settings of the installation that its operators change: one row.
CREATE TABLE instance (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- The mode of sign-ups: for everyone, for people with an invitation, or for nobody.
  signups text NOT NULL CHECK (signups IN ('open', 'invitation', 'closed'))
);
INSERT INTO instance (signups) VALUES ('open');

-- The time at which an account became an operator; null: it is none.
ALTER TABLE users ADD COLUMN operator_at timestamptz;
CREATE INDEX users_operator ON users (operator_at) WHERE operator_at IS NOT NULL;

-- Links that make an account an operator. Only hashes are stored; the first use of one deletes all.
CREATE TABLE claims (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
