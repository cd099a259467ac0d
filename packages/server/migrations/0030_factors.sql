-- Second factors with time-based codes (RFC 6238), at most one for each user.
CREATE TABLE factors (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Encrypted with a key derived from SECRET_KEY, and bound to the user.
  secret text NOT NULL,
  -- The time step (30 seconds) of the last accepted code, so that a code works only once (RFC 6238, section 5.2).
  last_step integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- The time at which the user confirmed the factor with a code; null: not confirmed, and not required yet.
  confirmed_at timestamptz
);

-- Recovery codes, each for a single use instead of a code. Only hashes are stored.
CREATE TABLE recovery_codes (
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
