import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { NamedAuthor } from "../authors.ts";
import type { ApproverGroup, Decision, Settings } from "./schema.ts";

export type DecisionRow = Omit<Selectable<Tables["review_decisions"]>, "decision"> &
  NamedAuthor & {
    decision: Decision;
    /** Whether the link may approve, and was not revoked; null for members. */
    is_link_valid: boolean | null;
  };
export type RequestRow = Selectable<Tables["review_requests"]> &
  Pick<NamedAuthor, "display_name" | "email">;

export async function findSettings(db: Db | Tx, projectId: string): Promise<Settings | undefined> {
  const row = await db
    .selectFrom("review_settings")
    .select(["required", "approvers", "links_count as links"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row && { ...row, approvers: row.approvers as ApproverGroup };
}

export async function upsertSettings(
  tx: Tx,
  { projectId, ...changed }: Settings & { projectId: string; now: Date; by: string },
): Promise<void> {
  const { required, approvers, links: links_count, now: updated_at, by: updated_by } = changed;
  const row = { required, approvers, links_count, updated_at, updated_by };
  await tx
    .insertInto("review_settings")
    .values({ project_id: projectId, ...row })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(row))
    .execute();
}

export async function upsertRequest(
  tx: Tx,
  { project_id, ...row }: Insertable<Tables["review_requests"]>,
): Promise<void> {
  await tx
    .insertInto("review_requests")
    .values({ project_id, ...row })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(row))
    .execute();
}

export async function findRequest(db: Db | Tx, projectId: string): Promise<RequestRow | undefined> {
  return db
    .selectFrom("review_requests as r")
    .leftJoin("users as u", "u.id", "r.created_by")
    .selectAll("r")
    .select(["u.display_name", "u.email"])
    .where("r.project_id", "=", projectId)
    .executeTakeFirst();
}

const named = (db: Db | Tx) =>
  db
    .selectFrom("review_decisions as d")
    .leftJoin("users as u", "u.id", "d.author_id")
    .leftJoin("review_links as l", "l.id", "d.link_id")
    .selectAll("d")
    .select(["u.display_name", "u.email"])
    .select(sql<boolean | null>`l.may_approve AND l.revoked_at IS NULL`.as("is_link_valid"));

/** Inserts a decision; false if its author has a valid one on this draft. */
export async function insertDecision(
  tx: Tx,
  row: Insertable<Tables["review_decisions"]>,
): Promise<boolean> {
  const result = await tx
    .insertInto("review_decisions")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findDecision(
  db: Db | Tx,
  { projectId, decisionId }: { projectId: string; decisionId: string },
): Promise<DecisionRow | undefined> {
  const row = await named(db)
    .where("d.project_id", "=", projectId)
    .where("d.id", "=", decisionId)
    .executeTakeFirst();
  return row as DecisionRow | undefined;
}

/** The valid decision of an author on a draft, by the user's or the link's id. */
export async function findDecisionBy(
  db: Db | Tx,
  { projectId, digest, authorId }: { projectId: string; digest: string; authorId: string },
): Promise<DecisionRow | undefined> {
  const row = await named(db)
    .where("d.project_id", "=", projectId)
    .where("d.digest", "=", digest)
    .where("d.withdrawn_at", "is", null)
    .where(sql<boolean>`coalesce(d.author_id, d.link_id) = ${authorId}`)
    .executeTakeFirst();
  return row as DecisionRow | undefined;
}

/** Whether a review link has decided on any draft, and not withdrawn it. */
export async function hasValidDecision(db: Db | Tx, linkId: string): Promise<boolean> {
  const row = await db
    .selectFrom("review_decisions")
    .select("id")
    .where("link_id", "=", linkId)
    .where("withdrawn_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The valid decisions on a draft, oldest first. */
export async function listDecisionsOn(
  db: Db | Tx,
  { projectId, digest }: { projectId: string; digest: string },
): Promise<DecisionRow[]> {
  const rows = await named(db)
    .where("d.project_id", "=", projectId)
    .where("d.digest", "=", digest)
    .where("d.withdrawn_at", "is", null)
    .orderBy("d.created_at")
    .orderBy("d.id")
    .execute();
  return rows as DecisionRow[];
}

/** All decisions of a project, newest first, after the key `before`. */
export async function listDecisionRows(
  db: Db | Tx,
  {
    projectId,
    before,
  }: { projectId: string; before?: { createdAt: Date; id: string } | undefined },
  limit: number,
): Promise<DecisionRow[]> {
  let rows = named(db).where("d.project_id", "=", projectId);
  if (before)
    rows = rows.where(
      sql<boolean>`(d.created_at, d.id) < (${before.createdAt}::timestamptz, ${before.id})`,
    );
  const found = await rows
    .orderBy("d.created_at", "desc")
    .orderBy("d.id", "desc")
    .limit(limit)
    .execute();
  return found as DecisionRow[];
}

/** The newest decisions that were withdrawn, or are about another draft. */
export async function listEarlierDecisions(
  db: Db | Tx,
  { projectId, digest }: { projectId: string; digest: string },
  limit: number,
): Promise<DecisionRow[]> {
  const rows = await named(db)
    .where("d.project_id", "=", projectId)
    .where((d) => d.or([d("d.digest", "<>", digest), d("d.withdrawn_at", "is not", null)]))
    .orderBy("d.created_at", "desc")
    .orderBy("d.id", "desc")
    .limit(limit)
    .execute();
  return rows as DecisionRow[];
}

/** Withdraws a decision; false if it was withdrawn before. */
export async function updateWithdrawn(tx: Tx, id: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable("review_decisions")
    .set({ withdrawn_at: now })
    .where("id", "=", id)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
