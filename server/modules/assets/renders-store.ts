import type { Selectable } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";

export type RenderRow = Selectable<Tables["asset_renders"]>;

interface RenderKey {
  sha256: string;
  digest: string;
}

export async function findRender(
  db: Db | Tx,
  { sha256, digest }: RenderKey,
): Promise<RenderRow | undefined> {
  return db
    .selectFrom("asset_renders")
    .selectAll()
    .where("sha256", "=", sha256)
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/** Inserts a render, or what it is when it was made anew. */
export async function upsertRender(tx: Tx, row: RenderRow): Promise<void> {
  const { type, size, hash, created_at } = row;
  await tx
    .insertInto("asset_renders")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["sha256", "digest"]).doUpdateSet({ type, size, hash, created_at }),
    )
    .execute();
}

/** Deletes the renders of a content but for the `kept` newest ones, `max` at most; answers what they were. */
export async function deleteOldRenders(
  tx: Tx,
  { sha256, kept, max }: { sha256: string; kept: number; max: number },
): Promise<RenderRow[]> {
  const old = tx
    .selectFrom("asset_renders")
    .select("digest")
    .where("sha256", "=", sha256)
    .orderBy("created_at", "desc")
    .orderBy("digest")
    .offset(kept)
    .limit(max);
  return tx
    .deleteFrom("asset_renders")
    .where("sha256", "=", sha256)
    .where("digest", "in", old)
    .returningAll()
    .execute();
}

export async function countRenders(tx: Tx, sha256: string): Promise<number> {
  const { count } = await tx
    .selectFrom("asset_renders")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("sha256", "=", sha256)
    .executeTakeFirstOrThrow();
  return count;
}

/** Contents with more renders than `kept`, `max` at most. */
export async function listCrowdedContents(
  db: Db,
  { kept, max }: { kept: number; max: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("asset_renders")
    .select("sha256")
    .groupBy("sha256")
    .having(({ fn }) => fn.countAll(), ">", kept)
    .limit(max)
    .execute();
  return rows.map(({ sha256 }) => sha256);
}
