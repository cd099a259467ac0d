import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { type Role, rolesUpTo } from "../../../kernel/rights.ts";

/** Roles of a user on one document. */
export interface DocumentUserRow {
  document_id: string;
  user_id: string;
  email: string | null;
  email_verified_at: Date | null;
  display_name: string;
  roles: string[];
  added_at: Date;
  /** Whether other users of the document may see the address and the name. */
  is_disclosed: boolean;
  /** Time at which the operator disabled the account. */
  disabled_at: Date | null;
}

/** The users with roles on any of these documents, in the order in which they were added; at most 2,000. */
export async function listDocumentUsers(
  db: Db | Tx,
  documentIds: readonly string[],
): Promise<DocumentUserRow[]> {
  return db
    .selectFrom("document_users")
    .innerJoin("users", "users.id", "document_users.user_id")
    .select([
      "document_id",
      "user_id",
      "email",
      "email_verified_at",
      "display_name",
      "roles",
      "added_at",
      "is_disclosed",
      "disabled_at",
    ])
    .where("document_id", "in", documentIds)
    .orderBy("added_at")
    .orderBy("user_id")
    .limit(2_000)
    .execute();
}

/** Replaces a user's roles on a document. A user who is disclosed there stays so. */
export async function putDocumentUser(
  tx: Tx,
  user: {
    documentId: string;
    userId: string;
    roles: readonly Role[];
    isDisclosed: boolean;
    now: Date;
  },
): Promise<void> {
  const roles = [...user.roles];
  await tx
    .insertInto("document_users")
    .values({
      document_id: user.documentId,
      user_id: user.userId,
      roles,
      added_at: user.now,
      is_disclosed: user.isDisclosed,
    })
    .onConflict((conflict) =>
      conflict.columns(["document_id", "user_id"]).doUpdateSet({
        roles,
        is_disclosed: sql<boolean>`document_users.is_disclosed OR excluded.is_disclosed`,
      }),
    )
    .execute();
}

export async function insertOwner(
  tx: Tx,
  owner: { documentId: string; userId: string; now: Date },
): Promise<void> {
  await putDocumentUser(tx, { ...owner, roles: ["owner"], isDisclosed: true });
}

/** Discloses a user to the other users of these documents. */
export async function discloseUser(
  db: Db | Tx,
  { userId, documentIds }: { userId: string; documentIds: readonly string[] },
): Promise<void> {
  await db
    .updateTable("document_users")
    .set({ is_disclosed: true })
    .where("user_id", "=", userId)
    .where("document_id", "in", documentIds)
    .where("is_disclosed", "=", false)
    .execute();
}

/** Those of `userIds` who are disclosed on any document that the viewer has a role on, also an inherited one. */
export async function listUsersKnownTo(
  db: Db | Tx,
  { viewerId, userIds }: { viewerId: string; userIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT DISTINCT u.user_id
    FROM document_users u JOIN documents d ON d.id = u.document_id AND d.deleted_at IS NULL,
      document_users v JOIN documents e ON e.id = v.document_id AND e.deleted_at IS NULL
    WHERE u.user_id = ANY (${sql.val([...userIds])}::text[]) AND u.is_disclosed AND v.user_id = ${viewerId}
      AND (v.document_id IN (d.id, d.project_id, d.organization_id)
        OR u.document_id IN (e.project_id, e.organization_id))`.execute(db);
  return rows.map((row) => row.user_id);
}

interface RolesOn {
  documentId: string;
  userId: string;
}

/** Whether a user has roles on the document itself. */
export async function hasRoles(db: Db, { documentId, userId }: RolesOn): Promise<boolean> {
  const row = await db
    .selectFrom("document_users")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteDocumentUser(tx: Tx, { documentId, userId }: RolesOn): Promise<void> {
  await tx
    .deleteFrom("document_users")
    .where("user_id", "=", userId)
    .where("document_id", "=", documentId)
    .execute();
}

/**
 * Removes a user's roles above the highest of `roles` on all children of a document, or all roles if `roles` is empty.
 * Returns the ids of the changed documents.
 */
export async function updateRolesBelow(
  tx: Tx,
  { documentId, userId, roles }: RolesOn & { roles: readonly Role[] },
): Promise<string[]> {
  const kept = sql`${sql.val([...rolesUpTo(roles)])}::text[]`;
  const exceeding = sql`user_id = ${userId} AND NOT roles <@ ${kept} AND document_id IN
    (SELECT id FROM documents WHERE project_id = ${documentId} OR organization_id = ${documentId})`;
  const { rows: removed } = await sql<{ document_id: string }>`
    DELETE FROM document_users WHERE ${exceeding} AND NOT roles && ${kept}
    RETURNING document_id`.execute(tx);
  const { rows: lowered } = await sql<{ document_id: string }>`
    UPDATE document_users SET roles = array(SELECT unnest(roles) INTERSECT SELECT unnest(${kept}))
    WHERE ${exceeding} RETURNING document_id`.execute(tx);
  return [...removed, ...lowered].map((row) => row.document_id).toSorted();
}

/**
 * Number of people in an organization, including its projects and their children, and of those who would join with
 * `userId`, or with everybody who has roles on the document `from` and its children.
 */
export async function countPeople(
  tx: Tx,
  {
    organizationId,
    ...newcomers
  }: { organizationId: string | null } & ({ userId: string } | { from: string }),
): Promise<{ present: number; joining: number }> {
  const present = sql`SELECT user_id FROM document_users JOIN documents ON id = document_id
    WHERE deleted_at IS NULL AND (id = ${organizationId} OR organization_id = ${organizationId})`;
  const joining =
    "userId" in newcomers
      ? sql`SELECT ${newcomers.userId}::text`
      : sql`SELECT user_id FROM document_users JOIN documents ON id = document_id
          WHERE deleted_at IS NULL AND (id = ${newcomers.from} OR project_id = ${newcomers.from})`;
  const { rows } = await sql<{ present: number; joining: number }>`
    SELECT (SELECT count(DISTINCT user_id)::int FROM (${present}) AS p) AS present,
      (SELECT count(*)::int FROM ((${joining}) EXCEPT (${present})) AS c) AS joining`.execute(tx);
  return rows[0] ?? { present: 0, joining: 0 };
}

/**
 * Counts an organization's people like `countPeople`, its projects, and the maximum number of documents of the given
 * resources in one project.
 */
export async function countUsed(
  db: Db | Tx,
  organizationId: string,
  resources: readonly string[],
): Promise<{ seats: number; projects: number; configurations: number }> {
  const { rows } = await sql<{ seats: number; projects: number; configurations: number }>`
    WITH live AS (SELECT id, resource, project_id FROM documents
      WHERE deleted_at IS NULL AND (id = ${organizationId} OR organization_id = ${organizationId}))
    SELECT (SELECT count(DISTINCT user_id)::int FROM document_users
        WHERE document_id IN (SELECT id FROM live)) AS seats,
      (SELECT count(*)::int FROM live WHERE resource = 'projects') AS projects,
      (SELECT coalesce(max(count), 0)::int FROM (SELECT count(*) FROM live
        WHERE resource = ANY(${sql.val([...resources])}::text[]) GROUP BY project_id) AS each) AS configurations`.execute(
    db,
  );
  return rows[0] ?? { seats: 0, projects: 0, configurations: 0 };
}
