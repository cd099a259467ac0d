-- The part of a project that a publish job was asked for (null: everything), and the result for each configuration.
ALTER TABLE publish_jobs
  ADD COLUMN selection jsonb,
  ADD COLUMN strict boolean NOT NULL DEFAULT false,
  ADD COLUMN results jsonb;
