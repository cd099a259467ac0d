import { type Insertable, type Selectable, type Updateable, sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { WebhooksTable } from "../../../platform/db/tables.ts";

export type Endpoint = Selectable<WebhooksTable>;

function ownedBy(scope: Scope) {
  return scope.kind === "system" ? sql`true` : sql`w.created_by = ${scope.userId}`;
}

/** The scope's own endpoints, oldest first. */
export async function listEndpoints(db: Db | Tx, scope: Scope, max: number): Promise<Endpoint[]> {
  const { rows } = await sql<Endpoint>`
    SELECT w.* FROM webhooks w WHERE ${ownedBy(scope)}
    ORDER BY w.created_at, w.id LIMIT ${max}`.execute(db);
  return rows;
}

export async function countEndpoints(db: Db | Tx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM webhooks w WHERE ${ownedBy(scope)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function findEndpoint(
  db: Db | Tx,
  scope: Scope,
  id: string,
): Promise<Endpoint | undefined> {
  const { rows } = await sql<Endpoint>`
    SELECT w.* FROM webhooks w WHERE w.id = ${id} AND ${ownedBy(scope)}`.execute(db);
  return rows[0];
}

export async function lockEndpoint(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Endpoint | undefined> {
  const { rows } = await sql<Endpoint>`
    SELECT w.* FROM webhooks w WHERE w.id = ${id} AND ${ownedBy(scope)} FOR UPDATE`.execute(tx);
  return rows[0];
}

export async function insertEndpoint<T extends Insertable<WebhooksTable>>(
  tx: Tx,
  row: T,
): Promise<Endpoint> {
  return tx.insertInto("webhooks").values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateEndpoint(
  tx: Tx,
  id: string,
  changes: Updateable<WebhooksTable>,
): Promise<Endpoint> {
  const query = tx.updateTable("webhooks").set(changes).where("id", "=", id);
  return query.returningAll().executeTakeFirstOrThrow();
}

/** Deletes an endpoint with its deliveries. */
export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
}
