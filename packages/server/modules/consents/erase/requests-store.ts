import { type Selectable, sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { TokenKey } from "../states/token-locks-store.ts";

export type RequestRow = Selectable<Tables["erasure_requests"]>;

const DELETED_MAX = 5_000;

/** Inserts a request in place of a declined one. Returns whether it did: a token has one open request. */
export async function insertRequest(
  tx: DataTx,
  row: Omit<RequestRow, "declined_at">,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO erasure_requests AS r (id, project_id, token, requested_at)
    VALUES (${row.id}, ${row.project_id}, ${row.token}, ${row.requested_at})
    ON CONFLICT (project_id, token) DO UPDATE
      SET id = excluded.id, requested_at = excluded.requested_at, declined_at = NULL
      WHERE r.declined_at IS NOT NULL
    RETURNING id`.execute(tx);
  return rows.length > 0;
}

/** The request of a token, open or declined. */
export async function findRequestOf(
  db: DataDb,
  { projectId, token }: TokenKey,
): Promise<RequestRow | undefined> {
  return db
    .selectFrom("erasure_requests")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .executeTakeFirst();
}

/** Open requests of a project, or of one of its tokens, oldest first. */
export async function listRequestRows(
  db: DataDb,
  query: { projectId: string; token: string | undefined; after: string | undefined },
  limit: number,
): Promise<RequestRow[]> {
  const { projectId, token, after } = query;
  return db
    .selectFrom("erasure_requests")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("declined_at", "is", null)
    .$if(token !== undefined, (rows) => rows.where("token", "=", token ?? ""))
    .$if(after !== undefined, (rows) => rows.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Open requests of all projects that were made before a time, in the order of their ids. */
export async function listRequestsBefore(
  db: DataDb,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<RequestRow[]> {
  return db
    .selectFrom("erasure_requests")
    .selectAll()
    .where("declined_at", "is", null)
    .where("requested_at", "<", before)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Marks an open request as declined; returns whether it existed. */
export async function updateDeclined(
  tx: DataTx,
  { projectId, id, now }: { projectId: string; id: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("erasure_requests")
    .set({ declined_at: now })
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .where("declined_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteRequestOf(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  await tx
    .deleteFrom("erasure_requests")
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .execute();
}

/** Deletes requests that were declined before a time, one batch per transaction. */
export async function deleteDeclinedBefore(db: DataDb, before: Date): Promise<void> {
  for (let deleted = DELETED_MAX; deleted === DELETED_MAX;) {
    const { numAffectedRows } = await sql`
      DELETE FROM erasure_requests WHERE id IN (
        SELECT id FROM erasure_requests WHERE declined_at < ${before} LIMIT ${DELETED_MAX})`.execute(
      db,
    );
    deleted = Number(numAffectedRows ?? 0n);
  }
}
