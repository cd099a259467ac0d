import { type ExpressionBuilder, type Insertable, sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import { userIdOf } from "../users/store.ts";

export async function insertAccessToken(
  tx: Tx,
  token: Insertable<Tables["access_tokens"]>,
): Promise<void> {
  await tx.insertInto("access_tokens").values(token).execute();
}

/** Keeps the newest `countMax` sessions of a user, and all API keys. */
export async function deleteOldestAccessTokens(
  tx: Tx,
  userId: string,
  countMax: number,
): Promise<void> {
  await tx
    .deleteFrom("access_tokens")
    .where("user_id", "=", userId)
    .where("scopes", "is", null)
    .where("id", "<=", (eb) =>
      eb
        .selectFrom("access_tokens")
        .select("id")
        .where("user_id", "=", userId)
        .where("scopes", "is", null)
        .orderBy("id", "desc")
        .offset(countMax)
        .limit(1),
    )
    .execute();
}

/** An access token with the data for authentication. */
export interface FoundToken {
  id: string;
  userId: string;
  lastUsedAt: Date;
  /** Null: a session. */
  scopes: string[] | null;
  projectId: string | null;
  /** Whether its user has a second factor. */
  hasFactor: boolean;
}

/** A token is valid until its expiry, which a key need not have. */
function isValid(now: Date) {
  return (eb: ExpressionBuilder<Tables, "access_tokens">) =>
    eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]);
}

/**
 * Finds the token with this hash, if it is valid at `now`. Written as text, because every authenticated request runs it
 * and the query builder takes ten times as long, 20 µs.
 */
export async function findAccessToken(
  db: Db | Tx,
  hash: Buffer,
  now: Date,
): Promise<FoundToken | undefined> {
  const { rows } = await sql<FoundToken>`
    SELECT t.id, t.user_id AS "userId", t.last_used_at AS "lastUsedAt", t.scopes, t.project_id AS "projectId",
      EXISTS (
        SELECT FROM factors f WHERE f.user_id = t.user_id AND f.confirmed_at IS NOT NULL
      ) AS "hasFactor"
    FROM access_tokens t WHERE t.hash = ${hash} AND (t.expires_at IS NULL OR t.expires_at > ${now})
  `.execute(db);
  return rows[0];
}

/** Records a use of the token and of its user, unless one after `before` is recorded. */
export async function updateLastUse(
  db: Db,
  { tokenId, now, before }: { tokenId: string; now: Date; before: Date },
): Promise<void> {
  await db
    .with("used", (with_) =>
      with_
        .updateTable("access_tokens")
        .set({ last_used_at: now })
        .where("id", "=", tokenId)
        .where("last_used_at", "<=", before)
        .returning("user_id"),
    )
    .updateTable("users")
    .from("used")
    .set({ last_seen_at: sql<Date>`greatest(users.last_seen_at, ${now})` })
    .whereRef("users.id", "=", "used.user_id")
    .execute();
}

function ownValid(scope: Scope, now: Date) {
  return (eb: ExpressionBuilder<Tables, "access_tokens">) =>
    eb.and([eb("user_id", "=", userIdOf(scope)), isValid(now)(eb)]);
}

export type AccessToken = Omit<Tables["access_tokens"], "hash" | "user_id" | "confirmed_at">;
const shown = [
  "id",
  "label",
  "created_at",
  "last_used_at",
  "expires_at",
  "scopes",
  "project_id",
] as const;

/** A page of the caller's tokens, the newest first. */
export async function listAccessTokens(
  db: Db,
  scope: Scope,
  { page, perPage, now }: PageQuery & { now: Date },
): Promise<Page<AccessToken>> {
  const own = db.selectFrom("access_tokens").where(ownValid(scope, now));
  const items = await own
    .select(shown)
    .orderBy("id", "desc")
    .offset((page - 1) * perPage)
    .limit(perPage)
    .execute();
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { items, total };
}

export function findOwnAccessToken(
  db: Db | Tx,
  scope: Scope,
  { id, now }: { id: string; now: Date },
): Promise<AccessToken | undefined> {
  return db
    .selectFrom("access_tokens")
    .select(shown)
    .where(ownValid(scope, now))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Revokes one of the caller's tokens and returns its scopes; undefined when not found. */
export function deleteAccessToken(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<{ scopes: string[] | null } | undefined> {
  return tx
    .deleteFrom("access_tokens")
    .where("user_id", "=", userIdOf(scope))
    .where("id", "=", id)
    .returning("scopes")
    .executeTakeFirst();
}

/** Selects tokens of the caller. */
export interface TokenFilter {
  kind?: "session" | "key" | undefined;
  exceptId?: string | undefined;
}

/** Revokes the caller's tokens of a kind, or all; returns their number. */
export async function deleteAccessTokens(
  tx: Tx,
  scope: Scope,
  { kind, exceptId }: TokenFilter,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("access_tokens")
    .where("user_id", "=", userIdOf(scope))
    .$if(kind === "session", (query) => query.where("scopes", "is", null))
    .$if(kind === "key", (query) => query.where("scopes", "is not", null))
    .$if(exceptId !== undefined, (query) => query.where("id", "!=", exceptId ?? ""))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function countKeys(tx: Tx, userId: string): Promise<number> {
  const { total } = await tx
    .selectFrom("access_tokens")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("user_id", "=", userId)
    .where("scopes", "is not", null)
    .executeTakeFirstOrThrow();
  return total;
}

/** Deletes the sessions last used before `before`, but no keys. */
export async function deleteIdleSessions(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom("access_tokens")
    .where("scopes", "is", null)
    .where("last_used_at", "<", before)
    .execute();
}

export async function deleteExpiredAccessTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("access_tokens").where("expires_at", "<=", now).execute();
}

/** The last confirmation of a session (its sign-in is the first), and when the second factor was enabled. */
export interface Confirmed {
  at: Date;
  factorAt: Date | null;
}

/** The confirmation of a session of the scope; undefined when the session has ended. */
export function findConfirmed(
  db: Db | Tx,
  scope: Scope,
  tokenId: string,
): Promise<Confirmed | undefined> {
  return db
    .selectFrom("access_tokens")
    .leftJoin("factors", "factors.user_id", "access_tokens.user_id")
    .select([
      sql<Date>`coalesce(access_tokens.confirmed_at, access_tokens.created_at)`.as("at"),
      "factors.confirmed_at as factorAt",
    ])
    .where("access_tokens.user_id", "=", userIdOf(scope))
    .where("access_tokens.id", "=", tokenId)
    .executeTakeFirst();
}

export async function updateConfirmedAt(tx: Tx, tokenId: string, now: Date): Promise<void> {
  await tx
    .updateTable("access_tokens")
    .set({ confirmed_at: now })
    .where("id", "=", tokenId)
    .execute();
}
