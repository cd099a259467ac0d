import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { NotedEvent } from "./outbox-store.ts";

/** Inserts those of these events into the audit trail that it has not received before, with their entries in the queue. */
export async function receiveEvents(tx: Tx, events: readonly NotedEvent[]): Promise<void> {
  await sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(events)}::json) AS g("id" uuid, "name" text, "actor" text,
        "project_id" text, "document_id" text, "organization_id" text, "request_id" text, "data" text,
        "token_id" text, "network" text, "created_at" timestamptz)
    ), fresh AS (
      INSERT INTO received_events (id, received_at) SELECT id, now() FROM given ORDER BY id
      ON CONFLICT DO NOTHING RETURNING id
    ), event AS (
      INSERT INTO events (name, actor, project_id, document_id, organization_id, request_id, data, token_id, network,
        created_at)
      SELECT g.name, g.actor, g.project_id, g.document_id, coalesce(g.organization_id, (
          SELECT CASE d.resource WHEN 'organizations' THEN d.id ELSE d.organization_id END
          FROM documents d WHERE d.id = coalesce(g.project_id, g.document_id))),
        g.request_id, g.data::jsonb, g.token_id, g.network, g.created_at
      FROM given g JOIN fresh USING (id) ORDER BY g.id
      RETURNING id
    )
    INSERT INTO event_queue (event_id) SELECT id FROM event`.execute(tx);
}

/** Deletes the ids of events that were received before `instant`. */
export async function deleteReceivedBefore(db: Db, instant: Date): Promise<void> {
  await sql`DELETE FROM received_events WHERE received_at < ${instant}`.execute(db);
}
