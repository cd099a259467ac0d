import { type Insertable, type Selectable, type Updateable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { WebhooksTable } from "../../platform/db/tables.ts";
import type { Scope } from "../../kernel/actor.ts";

export type WebhookRow = Selectable<WebhooksTable>;

function ownedBy(scope: Scope) {
  return scope.kind === "system" ? sql`true` : sql`w.created_by = ${scope.userId}`;
}

/** The scope's own webhooks, oldest first; at most `max`. */
export async function listWebhooks(db: Db | Tx, scope: Scope, max: number): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    SELECT w.* FROM webhooks w WHERE ${ownedBy(scope)}
    ORDER BY w.created_at, w.id LIMIT ${max}`.execute(db);
  return rows;
}

export async function countWebhooks(db: Db | Tx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM webhooks w WHERE ${ownedBy(scope)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The webhooks with these ids, whoever made them. */
export async function listWebhooksById(db: Db | Tx, ids: readonly string[]): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    SELECT w.* FROM webhooks w WHERE w.id = ANY (${sql.val([...ids])}::text[])`.execute(db);
  return rows;
}

/** Who made these webhooks, by their ids. */
export async function listMakers(
  db: Db | Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<Pick<WebhookRow, "id" | "created_by">>`
    SELECT w.id, w.created_by FROM webhooks w WHERE w.id = ANY (${sql.val([...ids])}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, created_by: maker }) => [id, maker]));
}

export async function findWebhook(
  db: Db | Tx,
  scope: Scope,
  id: string,
): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    SELECT w.* FROM webhooks w WHERE w.id = ${id} AND ${ownedBy(scope)}`.execute(db);
  return rows[0];
}

/** The same, locked until the transaction ends. */
export async function lockWebhook(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    SELECT w.* FROM webhooks w WHERE w.id = ${id} AND ${ownedBy(scope)} FOR UPDATE`.execute(tx);
  return rows[0];
}

/** Adds a webhook and its lane. */
export async function insertWebhook(tx: Tx, row: Insertable<WebhooksTable>): Promise<void> {
  await tx.insertInto("webhooks").values(row).execute();
  const lane = {
    webhook_id: row.id,
    due_at: null,
    leased_until: null,
    leased_by: null,
    rests_until: null,
    position: null,
    leaf: null,
    fed_at: null,
  };
  await tx.insertInto("webhook_lanes").values(lane).execute();
}

export async function updateWebhook(
  tx: Tx,
  id: string,
  changes: Updateable<WebhooksTable>,
): Promise<void> {
  await tx.updateTable("webhooks").set(changes).where("id", "=", id).execute();
}

/** Deletes a webhook with all that waits for it. */
export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
}

/** Keeps when a webhook began to fail; null: it does not. */
export async function updateFailing(db: Db, id: string, since: Date | null): Promise<void> {
  await sql`
    UPDATE webhooks SET failing_since = ${since}, version = version + 1
    WHERE id = ${id} AND (failing_since IS NULL) <> (${since}::timestamptz IS NULL)`.execute(db);
}

/** Ends a webhook's failing where nothing waits any more: nobody tries then whether it is back. */
export async function updateUntried(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE webhooks w SET failing_since = NULL, version = version + 1
    WHERE w.id = ${id} AND w.failing_since IS NOT NULL AND NOT EXISTS (
      SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.next_at IS NOT NULL)`.execute(
    db,
  );
}
