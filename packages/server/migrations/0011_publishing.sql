-- Publications that wait for their time (status 'Waiting', answered as Pending), that an owner forces in
-- spite of the publish check, and that change nothing.
ALTER TABLE publish_jobs
  -- An owner asked to publish in spite of errors of the publish check.
  ADD COLUMN forced boolean NOT NULL DEFAULT false,
  -- The errors that were overridden so: how many, and of which rules.
  ADD COLUMN overridden jsonb,
  -- When the project is to be published; null: at once.
  ADD COLUMN publish_at timestamptz,
  -- What was live already was the same to the byte.
  ADD COLUMN unchanged boolean NOT NULL DEFAULT false,
  -- The published files with the integrity of each.
  ADD COLUMN files jsonb,
  -- What people are asked again by this publication.
  ADD COLUMN asks_again jsonb;
CREATE UNIQUE INDEX publish_jobs_waiting ON publish_jobs (project_id, environment) WHERE status = 'Waiting';

ALTER TABLE publications ADD COLUMN overridden jsonb, ADD COLUMN asks_again jsonb;

-- What is agreed to, in full, so that a version can be told from one that asks for more (null: of a version
-- from before this was kept); and the substances of earlier versions that ask for as much or more, whose
-- acceptance is one of this.
ALTER TABLE offers ADD COLUMN agreed jsonb, ADD COLUMN covers text[] NOT NULL DEFAULT '{}';
