import type { SignupMode } from "../../../config/sign-in.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** Locks the installation against other changes until the transaction ends. */
export async function lockInstance(tx: Tx): Promise<void> {
  await tx.selectFrom("instance").select("id").forUpdate().executeTakeFirstOrThrow();
}

export async function findSignups(db: Db | Tx): Promise<SignupMode> {
  const { signups } = await db.selectFrom("instance").select("signups").executeTakeFirstOrThrow();
  return signups as SignupMode;
}

/** The same, and a switch waits until the transaction ends. */
export async function shareSignups(tx: Tx): Promise<SignupMode> {
  const { signups } = await tx
    .selectFrom("instance")
    .select("signups")
    .forShare()
    .executeTakeFirstOrThrow();
  return signups as SignupMode;
}

export async function updateSignups(tx: Tx, signups: SignupMode): Promise<void> {
  await tx.updateTable("instance").set({ signups }).execute();
}

export async function insertClaim(
  tx: Tx,
  claim: { hash: Buffer; expires_at: Date },
): Promise<void> {
  await tx.insertInto("claims").values(claim).execute();
}

export async function hasClaim(db: Db | Tx, hash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("claims")
    .select("hash")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteClaims(tx: Tx): Promise<void> {
  await tx.deleteFrom("claims").execute();
}

export async function deleteExpiredClaims(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("claims").where("expires_at", "<=", now).execute();
}

export interface OperatorRow {
  id: string;
  username: string;
  email: string | null;
  display_name: string;
  operator_at: Date;
}

const selectOperators = (db: Db | Tx) =>
  db
    .selectFrom("users")
    .select(["id", "username", "email", "display_name"])
    .select((eb) => eb.ref("operator_at").$notNull().as("operator_at"))
    .where("operator_at", "is not", null);

/** All operators, the first one first. */
export function listOperators(db: Db | Tx): Promise<OperatorRow[]> {
  return selectOperators(db).orderBy("operator_at").orderBy("id").execute();
}

export function findOperator(db: Db | Tx, userId: string): Promise<OperatorRow | undefined> {
  return selectOperators(db).where("id", "=", userId).executeTakeFirst();
}
