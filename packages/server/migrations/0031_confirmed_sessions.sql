-- The time at which the user of a session last confirmed it with a password or a code; null: not since sign-in.
ALTER TABLE access_tokens ADD COLUMN confirmed_at timestamptz;
