-- The organization at the time of the event, because projects move between organizations. Null: none, or an event from
-- before this column; such events are found by their project and document.
ALTER TABLE events ADD COLUMN organization_id text COLLATE "C";

-- Lists for owners and auditors, newest first: all events or one kind of an organization or a project, the events of
-- an actor, and the events of a document.
CREATE INDEX events_organization_time ON events (organization_id, created_at, id);
CREATE INDEX events_organization_name ON events (organization_id, name, created_at, id);
CREATE INDEX events_project_time ON events (project_id, created_at, id);
CREATE INDEX events_project_name ON events (project_id, name, created_at, id);
CREATE INDEX events_actor ON events (actor, created_at, id);
CREATE INDEX events_document ON events (document_id, created_at, id);

-- Events are append-only, also for a faulty statement of the service.
CREATE FUNCTION refuse_change_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events are append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();
