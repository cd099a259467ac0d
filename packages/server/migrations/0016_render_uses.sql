-- When somebody last asked for a render, to within an hour: which ones are kept follows from it.
ALTER TABLE asset_renders ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
