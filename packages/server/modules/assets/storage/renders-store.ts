import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type RenderRow = Selectable<Tables["asset_renders"]>;

const USED_AGAIN_SHARE = 0.75;

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

/** Inserts a render, or updates one that was rendered again. */
export async function upsertRender(tx: Tx, row: RenderRow): Promise<void> {
  const { type, size, hash, created_at, used_at } = row;
  await tx
    .insertInto("asset_renders")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["sha256", "digest"]).doUpdateSet({ type, size, hash, created_at, used_at }),
    )
    .execute();
}

/** Records the use of a render, unless one was recorded since `before`. */
export async function noteRenderUse(
  db: Db,
  { sha256, digest }: RenderKey,
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  await db
    .updateTable("asset_renders")
    .set({ used_at: now })
    .where("sha256", "=", sha256)
    .where("digest", "=", digest)
    .where("used_at", "<", before)
    .execute();
}

/**
 * Deletes at most `max` renders of a content and returns them. Keeps `kept` renders: up to 75 % of these are the ones reused
 * an hour or more after they were created, by last use, so that variants requested once cannot evict them; then the most
 * recently used.
 */
export async function deleteOldRenders(
  tx: Tx,
  { sha256, kept, max }: { sha256: string; kept: number; max: number },
): Promise<RenderRow[]> {
  const isUsedAgain = sql<boolean>`used_at > created_at`;
  const placed = tx
    .selectFrom("asset_renders")
    .select(["digest", "used_at"])
    .select(isUsedAgain.as("is_used_again"))
    .select(
      sql<number>`row_number() OVER (ORDER BY ${isUsedAgain} DESC, used_at DESC, digest)`.as(
        "place",
      ),
    )
    .where("sha256", "=", sha256);
  const old = tx
    .selectFrom(placed.as("placed"))
    .select("digest")
    .orderBy(sql`is_used_again AND place <= ${Math.floor(kept * USED_AGAIN_SHARE)}`, "desc")
    .orderBy("used_at", "desc")
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

/** At most `max` contents with more renders than `kept`. */
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
