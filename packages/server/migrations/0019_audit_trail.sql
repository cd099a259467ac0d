-- Of which organization what happened was, then: projects move. Null: of none, or before there was this column;
-- such events are found by their project and document.
ALTER TABLE events ADD COLUMN organization_id text COLLATE "C";

-- What owners and auditors ask for, newest first: of an organization or a project all of it, or one kind; what
-- somebody did; what was done to a document.
CREATE INDEX events_organization_time ON events (organization_id, created_at, id);
CREATE INDEX events_organization_name ON events (organization_id, name, created_at, id);
CREATE INDEX events_project_time ON events (project_id, created_at, id);
CREATE INDEX events_project_name ON events (project_id, name, created_at, id);
CREATE INDEX events_actor ON events (actor, created_at, id);
CREATE INDEX events_document ON events (document_id, created_at, id);

-- Nothing that happened is changed or taken back, by no code of the service.
CREATE FUNCTION refuse_change_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events are append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();
