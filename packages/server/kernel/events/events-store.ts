import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";

/**
 * Inserts an event and its entry in the outbox; returns the event's id. Events are append-only, which a trigger
 * enforces. The organization defaults to the document's.
 */
export async function insertEvent(tx: Tx, event: Insertable<Tables["events"]>): Promise<number> {
  const about = event.project_id ?? event.document_id ?? null;
  const organization = sql<string | null>`(
    SELECT CASE resource WHEN 'organizations' THEN id ELSE organization_id END
    FROM documents WHERE id = ${about})`;
  const values = { ...event, organization_id: event.organization_id ?? organization };
  const { event_id: id } = await tx
    .with("event", (query) => query.insertInto("events").values(values).returning("id"))
    .insertInto("event_queue")
    .columns(["event_id"])
    .expression((query) => query.selectFrom("event").select("id"))
    .returning("event_id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A query of the audit trail of an organization or a project. */
export interface TrailQuery {
  of: { organizationId: string } | { projectId: string };
  actor?: string | undefined;
  /** Only events of this user, with the publications that the user requested. */
  person?: string | undefined;
  name?: string | undefined;
  /** Only events with one of these names. */
  names?: readonly string[] | undefined;
  documentId?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  order: "asc" | "desc";
  /** The last event of the page before. */
  after?: { at: Date; id: number } | undefined;
  limit: number;
}

/** An event, with its actor's name if the account still exists and others may see it. */
export type TrailRow = Omit<Selectable<Tables["events"]>, "data"> & {
  data: unknown;
  display_name: string | null;
  email: string | null;
};

/** Lists up to `limit` events of an organization or a project. */
export async function listEvents(db: Db | Tx, query: TrailQuery): Promise<TrailRow[]> {
  const { of, actor, person, name, names, documentId, from, to, order, after, limit } = query;
  const comparison = sql.raw(order === "asc" ? ">" : "<");
  let found = db.selectFrom("events").selectAll("events");
  found =
    "projectId" in of
      ? found.where("project_id", "=", of.projectId)
      : found.where("organization_id", "=", of.organizationId);
  if (actor !== undefined) found = found.where("actor", "=", actor);
  if (person !== undefined)
    found = found.where(sql<boolean>`(actor = ${person} OR data->>'requestedBy' = ${person})`);
  if (name !== undefined) found = found.where("name", "=", name);
  if (names !== undefined) found = found.where("name", "in", names);
  if (documentId !== undefined) found = found.where("document_id", "=", documentId);
  if (from) found = found.where("created_at", ">=", from);
  if (to) found = found.where("created_at", "<", to);
  if (after)
    found = found.where(sql<boolean>`(created_at, id) ${comparison} (${after.at}, ${after.id})`);
  const page = found.orderBy("created_at", order).orderBy("id", order).limit(limit);
  return db
    .selectFrom(page.as("page"))
    .leftJoin("users", (join) =>
      // Users who left a document that they had never opened stay unknown.
      join
        .onRef("users.id", "=", "page.actor")
        .on(sql<boolean>`NOT page.data @> '{"isOpened": false}'`),
    )
    .selectAll("page")
    .select(["users.display_name", "users.email"])
    .orderBy("page.created_at", order)
    .orderBy("page.id", order)
    .execute();
}
