-- Publications that are scheduled (status 'Waiting', Pending in responses), that an owner forces despite errors of
-- the publish check, and that change nothing.
ALTER TABLE publish_jobs
  -- Whether an owner forced the publication despite errors of the publish check.
  ADD COLUMN forced boolean NOT NULL DEFAULT false,
  -- The overridden errors: their number and their rules.
  ADD COLUMN overridden jsonb,
  -- The scheduled time; null: immediately.
  ADD COLUMN publish_at timestamptz,
  -- Whether the content is identical to the live version.
  ADD COLUMN unchanged boolean NOT NULL DEFAULT false,
  -- The published files, each with its integrity hash.
  ADD COLUMN files jsonb,
  -- The items for which this publication asks people again.
  ADD COLUMN asks_again jsonb;
CREATE UNIQUE INDEX publish_jobs_waiting ON publish_jobs (project_id, environment) WHERE status = 'Waiting';

ALTER TABLE publications ADD COLUMN overridden jsonb, ADD COLUMN asks_again jsonb;

-- agreed: the full terms, to detect additions of a later version; null for versions from before this migration.
-- covers: substances of earlier versions with at least these terms; their acceptance counts for this offer.
ALTER TABLE offers ADD COLUMN agreed jsonb, ADD COLUMN covers text[] NOT NULL DEFAULT '{}';
