-- When the user of a session showed last that it is they; null: not since they signed in.
ALTER TABLE access_tokens ADD COLUMN confirmed_at timestamptz;
