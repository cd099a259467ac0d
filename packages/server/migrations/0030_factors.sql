-- Second factors by time-based codes (RFC 6238), one for each user who wants one.
CREATE TABLE factors (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Sealed with a key from SECRET_KEY, with its user.
  secret text NOT NULL,
  -- Of the last code that was accepted, which works once (RFC 6238, 5.2): thirty seconds are one.
  last_step integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- When a code showed that the user has it; null: it was begun, and is asked for nowhere yet.
  confirmed_at timestamptz
);

-- What stands in for a code, once each. Only hashes are kept.
CREATE TABLE recovery_codes (
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
