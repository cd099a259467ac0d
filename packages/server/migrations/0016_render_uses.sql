-- The time of the last request for a render, accurate to an hour. It determines which renders are kept.
ALTER TABLE asset_renders ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
