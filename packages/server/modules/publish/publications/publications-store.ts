import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { AsksAgain } from "./materiality.ts";
import type { Overridden, PublicationApproval, Target } from "./store.ts";

export type PublicationRow = Omit<
  Selectable<Tables["publications"]>,
  "content" | "overridden" | "asks_again" | "approval"
> & {
  overridden: Overridden | null;
  asks_again: AsksAgain | null;
  approval: PublicationApproval | null;
};

const columns = [
  "project_id",
  "environment",
  "version",
  "hash",
  "size",
  "job_id",
  "published_at",
  "published_by",
  "overridden",
  "asks_again",
  "approval",
] as const;

/** Stores a publication permanently; does nothing if it exists already. */
export async function insertPublication(
  tx: Tx,
  publication: Insertable<Tables["publications"]>,
): Promise<void> {
  await tx
    .insertInto("publications")
    .values(publication)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findNewestPublication(
  db: Db | Tx,
  target: Target,
): Promise<PublicationRow | undefined> {
  const row = await db
    .selectFrom("publications")
    .select(columns)
    .where("project_id", "=", target.projectId)
    .where("environment", "=", target.environment)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row as PublicationRow | undefined;
}

/** The approvals that a version was published with; undefined if none were required, or without the version. */
export async function findPublicationApproval(
  db: Db | Tx,
  { projectId, environment }: Target,
  version: number,
): Promise<PublicationApproval | undefined> {
  const row = await db
    .selectFrom("publications")
    .select("approval")
    .where("project_id", "=", projectId)
    .where("environment", "=", environment)
    .where("version", "=", version)
    .executeTakeFirst();
  return (row?.approval as PublicationApproval | null | undefined) ?? undefined;
}

/** The hash and the content of a version. */
export async function findPublication(
  db: Db | Tx,
  target: Target,
  version: number,
): Promise<{ hash: string; content: string } | undefined> {
  return db
    .selectFrom("publications")
    .select(["hash", "content"])
    .where("project_id", "=", target.projectId)
    .where("environment", "=", target.environment)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** The fields of a version that the log commits to. */
export async function findPublicationFacts(
  db: Db,
  { projectId, environment }: Target,
  version: number,
): Promise<{ hash: string; sizeBytes: number; publishedAt: Date } | undefined> {
  // The size of the hashed bytes; the column `size` is that of the served file, which also contains the hash.
  const { rows } = await sql<{ hash: string; sizeBytes: number; publishedAt: Date }>`
    SELECT hash, octet_length(content) AS "sizeBytes", published_at AS "publishedAt" FROM publications
    WHERE project_id = ${projectId} AND environment = ${environment} AND version = ${version}`.execute(
    db,
  );
  return rows[0];
}

/** The content of a version, as canonical JSON. */
export async function findPublishedContent(
  db: Db | Tx,
  target: Target,
  version: number,
): Promise<string | undefined> {
  return (await findPublication(db, target, version))?.content;
}

/** The live version of a target. */
export interface LiveVersion extends Target {
  version: number;
}

/** Lists the live versions of all projects in production, and the newest ones in staging, in pages by project. */
export async function listLiveVersions(
  db: Db,
  { after, limit }: { after: LiveVersion | undefined; limit: number },
): Promise<LiveVersion[]> {
  const { projectId = "", environment = "" } = after ?? {};
  const { rows } = await sql<LiveVersion>`
    SELECT project_id AS "projectId", environment, version FROM (
      SELECT id AS project_id, 'production' AS environment, live_version AS version
      FROM documents WHERE resource = 'projects' AND live_version IS NOT NULL AND deleted_at IS NULL
      UNION ALL
      SELECT project_id, environment, max(version) FROM publications
      WHERE environment = 'staging' GROUP BY project_id, environment
    ) AS live
    WHERE (project_id, environment) > (${projectId}, ${environment})
    ORDER BY project_id, environment LIMIT ${limit}`.execute(db);
  return rows;
}

export async function listTargetPublications(
  db: Db,
  target: Target,
  query: PageQuery & { order: "asc" | "desc" },
): Promise<Page<PublicationRow>> {
  const found = db
    .selectFrom("publications")
    .where("project_id", "=", target.projectId)
    .where("environment", "=", target.environment);
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await found
    .select(columns)
    .orderBy("version", query.order)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute();
  return { items: items as PublicationRow[], total };
}
