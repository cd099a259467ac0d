-- The control plane and the data plane may be two databases. Collection checks its projects against the data plane, and
-- writes of the data plane leave their events there until these are moved to the audit trail.

CREATE TABLE collecting_projects (
  project_id text COLLATE "C" PRIMARY KEY,
  live_version integer,
  is_open boolean NOT NULL,
  epoch bigint NOT NULL
);

CREATE TABLE event_outbox (
  id uuid PRIMARY KEY,
  event json NOT NULL
);

-- The ids that were moved: an event whose move was interrupted is not recorded twice.
CREATE TABLE received_events (
  id uuid PRIMARY KEY,
  received_at timestamptz NOT NULL
);
CREATE INDEX received_events_age ON received_events (received_at);

-- Grows with each change that collection must know of, so that an older state never replaces a newer one.
ALTER TABLE documents ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

CREATE FUNCTION count_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := OLD.epoch + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER documents_epoch BEFORE UPDATE OF live_version, deleted_at ON documents
  FOR EACH ROW WHEN (NEW.resource = 'projects' AND (
    OLD.live_version IS DISTINCT FROM NEW.live_version OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at))
  EXECUTE FUNCTION count_epoch();

-- For nodes of the version before, which do not write this table: with one database, its rows follow their changes of
-- documents. Nodes of this version set avow.planes and write the rows themselves. A later version drops this trigger.
CREATE FUNCTION follow_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('avow.planes', true) = 'on' THEN
    RETURN NULL;
  END IF;
  UPDATE collecting_projects SET live_version = NEW.live_version, is_open = NEW.deleted_at IS NULL, epoch = NEW.epoch
  WHERE project_id = NEW.id AND epoch < NEW.epoch;
  RETURN NULL;
END $$;
CREATE TRIGGER documents_followed AFTER UPDATE OF live_version, deleted_at ON documents
  FOR EACH ROW WHEN (NEW.resource = 'projects' AND (
    OLD.live_version IS DISTINCT FROM NEW.live_version OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at))
  EXECUTE FUNCTION follow_project();

INSERT INTO collecting_projects (project_id, live_version, is_open, epoch)
SELECT id, live_version, deleted_at IS NULL, epoch FROM documents WHERE resource = 'projects';
