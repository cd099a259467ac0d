import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type Updateable,
  sql,
} from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables, UsersTable } from "../../../platform/db/tables.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";

/** The user of a scope; nobody for the system. */
function userIdOf(scope: Scope): string {
  return scope.kind === "user" ? scope.userId : "";
}

export async function insertUser(tx: Tx, user: Insertable<UsersTable>): Promise<void> {
  await tx.insertInto("users").values(user).execute();
}

/**
 * Claims the names that sign a user in; answers those that were free. The claim of a name that
 * another transaction holds waits for its end; always in one order, so that two never wait for each other.
 */
export async function insertLogins(tx: Tx, userId: string, names: string[]): Promise<string[]> {
  const rows = await tx
    .insertInto("logins")
    .values([...new Set(names)].toSorted().map((name) => ({ name, user_id: userId })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  return rows.map((row) => row.name);
}

export async function insertIdentity(
  tx: Tx,
  identity: Insertable<Tables["identities"]>,
): Promise<void> {
  await tx.insertInto("identities").values(identity).execute();
}

/** Who signs in with this folded name, and the hash of the password if there is a local identity. */
export function findCredentials(
  db: Db,
  name: string,
): Promise<{ userId: string; passwordHash: string | null } | undefined> {
  return db
    .selectFrom("logins")
    .leftJoin("identities", (join) =>
      join
        .onRef("identities.user_id", "=", "logins.user_id")
        .on("identities.provider", "=", "local"),
    )
    .select(["logins.user_id as userId", "identities.password_hash as passwordHash"])
    .where("logins.name", "=", name)
    .executeTakeFirst();
}

export function findUser(db: Db | Tx, scope: Scope): Promise<UsersTable | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", userIdOf(scope)).executeTakeFirst();
}

/** The user with this id, for a verb that has just proved that they are there. */
export function getUserById(db: Db | Tx, id: string): Promise<UsersTable> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export async function updateUserById(
  tx: Tx,
  id: string,
  changes: Updateable<UsersTable>,
): Promise<void> {
  await tx.updateTable("users").set(changes).where("id", "=", id).execute();
}

/** Sets the password of a user, who gets a local identity where they have none. */
export async function putPasswordHash(
  tx: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .insertInto("identities")
    .values({
      provider: "local",
      subject: userId,
      user_id: userId,
      password_hash: passwordHash,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["provider", "subject"]).doUpdateSet({ password_hash: passwordHash }),
    )
    .execute();
}

/** The hash of a user's password; undefined where they have none. */
export async function findPasswordHash(db: Db | Tx, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("identities")
    .select("password_hash")
    .where("provider", "=", "local")
    .where("subject", "=", userId)
    .executeTakeFirst();
  return row?.password_hash ?? undefined;
}

/** Revokes every token of a user but one. */
export async function deleteOtherAccessTokens(
  tx: Tx,
  userId: string,
  exceptId: string | undefined,
): Promise<void> {
  await tx
    .deleteFrom("access_tokens")
    .where("user_id", "=", userId)
    .$if(exceptId !== undefined, (query) => query.where("id", "!=", exceptId ?? ""))
    .execute();
}

export type Identity = Omit<Selectable<Tables["identities"]>, "password_hash" | "user_id">;

export function listIdentities(db: Db | Tx, scope: Scope): Promise<Identity[]> {
  return db
    .selectFrom("identities")
    .select(["provider", "subject", "label", "created_at"])
    .where("user_id", "=", userIdOf(scope))
    .orderBy("created_at")
    .orderBy("provider")
    .limit(100)
    .execute();
}

/** Whose identity this is; undefined when nobody has it. */
export async function findIdentityUser(
  tx: Tx,
  { provider, subject }: { provider: string; subject: string },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("identities")
    .select("user_id")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.user_id;
}

/** Lets one at a time find out whose an identity is, until the transaction ends. */
export async function lockIdentity(
  tx: Tx,
  { provider, subject }: { provider: string; subject: string },
): Promise<void> {
  const name = `identity ${provider} ${subject}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Adds an identity unless somebody has it; false when they do. */
export async function insertFreeIdentity(
  tx: Tx,
  identity: Insertable<Tables["identities"]>,
): Promise<boolean> {
  const row = await tx
    .insertInto("identities")
    .values(identity)
    .onConflict((conflict) => conflict.columns(["provider", "subject"]).doNothing())
    .returning("subject")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteIdentity(
  tx: Tx,
  { provider, subject }: { provider: string; subject: string },
): Promise<void> {
  await tx
    .deleteFrom("identities")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .execute();
}

export async function updateUser(
  tx: Tx,
  scope: Scope,
  changes: Updateable<UsersTable>,
): Promise<void> {
  await tx.updateTable("users").set(changes).where("id", "=", userIdOf(scope)).execute();
}

export async function insertAccessToken(
  tx: Tx,
  token: Insertable<Tables["access_tokens"]>,
): Promise<void> {
  await tx.insertInto("access_tokens").values(token).execute();
}

/** Keeps the newest `countMax` sessions of a user; API keys are no sessions. */
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

/** What a token stands for. */
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

/** A token is valid until it ends; a key need not end. */
function isValid(now: Date) {
  return (eb: ExpressionBuilder<Tables, "access_tokens">) =>
    eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]);
}

/** The token with this hash, when it is still valid at `now`. */
export function findAccessToken(
  db: Db | Tx,
  hash: Buffer,
  now: Date,
): Promise<FoundToken | undefined> {
  return db
    .selectFrom("access_tokens")
    .select([
      "id",
      "user_id as userId",
      "last_used_at as lastUsedAt",
      "scopes",
      "project_id as projectId",
      (eb) =>
        eb
          .exists(
            eb
              .selectFrom("factors")
              .select("factors.user_id")
              .whereRef("factors.user_id", "=", "access_tokens.user_id")
              .where("factors.confirmed_at", "is not", null),
          )
          .$castTo<boolean>()
          .as("hasFactor"),
    ])
    .where("hash", "=", hash)
    .where(isValid(now))
    .executeTakeFirst();
}

/** Notes a use of the token and of its user, unless a use after `before` is noted already. */
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

/** Revokes one of the caller's tokens at once; answers what it was, undefined when there is none. */
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

/** Which of the caller's tokens. */
export interface WhichTokens {
  kind: "session" | "key" | undefined;
  exceptId: string | undefined;
}

/** Revokes the caller's tokens of a kind, or all; answers how many there were. */
export async function deleteAccessTokens(
  tx: Tx,
  scope: Scope,
  { kind, exceptId }: WhichTokens,
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

/** Keeps others from changing what a user has until the transaction ends. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
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

/** Ends the sessions whose last use was noted before `before`; keys are no sessions. */
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
