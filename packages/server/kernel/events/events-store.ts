import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";

/**
 * Appends to the events, which nothing ever changes or removes (a trigger refuses it), and to what waits to be told;
 * answers its id. The organization that it was of is what the documents say now, where none is named.
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

/** What is asked of the audit trail: one organization's or one project's. */
export interface TrailQuery {
  of: { organizationId: string } | { projectId: string };
  actor?: string | undefined;
  name?: string | undefined;
  documentId?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  order: "asc" | "desc";
  /** The last one that was seen. */
  after?: { at: Date; id: number } | undefined;
  limit: number;
}

/** An event, with who did it as far as they are still there. */
export type TrailRow = Omit<Selectable<Tables["events"]>, "data"> & {
  data: unknown;
  display_name: string | null;
  email: string | null;
};

/** Events of an organization or a project, `limit` at most. */
export async function listEvents(db: Db | Tx, query: TrailQuery): Promise<TrailRow[]> {
  const { of, actor, name, documentId, from, to, order, after, limit } = query;
  const comparison = sql.raw(order === "asc" ? ">" : "<");
  let found = db.selectFrom("events").selectAll("events");
  found =
    "projectId" in of
      ? found.where("project_id", "=", of.projectId)
      : found.where("organization_id", "=", of.organizationId);
  if (actor !== undefined) found = found.where("actor", "=", actor);
  if (name !== undefined) found = found.where("name", "=", name);
  if (documentId !== undefined) found = found.where("document_id", "=", documentId);
  if (from) found = found.where("created_at", ">=", from);
  if (to) found = found.where("created_at", "<", to);
  if (after)
    found = found.where(sql<boolean>`(created_at, id) ${comparison} (${after.at}, ${after.id})`);
  const page = found.orderBy("created_at", order).orderBy("id", order).limit(limit);
  return db
    .selectFrom(page.as("page"))
    .leftJoin("users", "users.id", "page.actor")
    .selectAll("page")
    .select(["users.display_name", "users.email"])
    .orderBy("page.created_at", order)
    .orderBy("page.id", order)
    .execute();
}
