import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { AssetsTable } from "../../../platform/db/tables.ts";
import type { Scope } from "../../../kernel/actor.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import { type Sort, sortColumns } from "./sorts.ts";

export type AssetRow = Selectable<AssetsTable>;

export async function insertAsset(tx: Tx, row: AssetRow): Promise<void> {
  await tx.insertInto("assets").values(row).execute();
}

/** Any user's asset: its content is public to everyone who knows its id. */
export async function findPublicAsset(db: Db | Tx, id: string): Promise<AssetRow | undefined> {
  return db.selectFrom("assets").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The existing assets among these ids. */
export async function listPublicAssets(db: Db | Tx, ids: readonly string[]): Promise<AssetRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("assets").selectAll().where("id", "in", ids).execute();
}

/** The asset, if the scope owns it; locked until the transaction ends. */
export async function lockOwnAsset(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<AssetRow | undefined> {
  return tx
    .selectFrom("assets")
    .selectAll()
    .where("id", "=", id)
    .where(ownedBy(scope))
    .forUpdate()
    .executeTakeFirst();
}

export async function isOwnAsset(db: Db, scope: Scope, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("assets")
    .select("id")
    .where("id", "=", id)
    .where(ownedBy(scope))
    .executeTakeFirst();
  return found !== undefined;
}

interface AssetsQuery extends PageQuery {
  sort: readonly Sort[];
  /** A part of the name. */
  name?: string | undefined;
  /** A media type, or a prefix of one. */
  type?: string | undefined;
}

/** One page of the scope's own assets; newest first by default. */
export async function listOwnAssets(
  db: Db,
  scope: Scope,
  { page, perPage, sort, name = "", type }: AssetsQuery,
): Promise<Page<AssetRow>> {
  let own = db.selectFrom("assets").where(ownedBy(scope));
  // A literal search: the name is not a pattern.
  if (name !== "") own = own.where(sql<boolean>`strpos(lower(original_name), lower(${name})) > 0`);
  if (type !== undefined) own = own.where(sql<boolean>`starts_with(type, ${type})`);
  const { total } = await own
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await sort
    .reduce(
      (sorted, { field, direction }) => sorted.orderBy(sortColumns[field], direction),
      own.selectAll(),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { items, total };
}

export async function deleteAsset(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("assets").where("id", "=", id).execute();
}

/** Bytes of all of a user's assets, including contents that they share with others. */
export async function sumUserBytes(db: Db | Tx, user: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("assets")
    .select(({ fn }) => fn.sum<string | null>("size").as("bytes"))
    .where("created_by", "=", user)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Serializes concurrent uploads of one user, so that each is counted. */
export async function lockUser(tx: Tx, user: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assets of:${user}`}, 0))`.execute(tx);
}

/**
 * Locks a content until the transaction ends, for storing or removing it. Several locks must be acquired in the order of
 * their hashes, to prevent deadlocks.
 */
export async function lockContent(tx: Tx, sha256: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`asset:${sha256}`}, 0))`.execute(tx);
}

/** Any asset with this content. */
export async function findAssetWith(tx: Tx, sha256: string): Promise<AssetRow | undefined> {
  return tx
    .selectFrom("assets")
    .selectAll()
    .where("sha256", "=", sha256)
    .limit(1)
    .executeTakeFirst();
}

function ownedBy(scope: Scope) {
  return scope.kind === "system" ? sql<boolean>`true` : sql<boolean>`created_by = ${scope.userId}`;
}
