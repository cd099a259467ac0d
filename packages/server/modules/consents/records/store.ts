import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { type ArchivedRow, consentsWith, hasArchived } from "../archive/archived.ts";
import type { ConsentRow } from "./row.ts";

export interface ConsentsFilter {
  projectId: string;
  token?: string | undefined;
  collection?: string | undefined;
  identifier?: string | undefined;
  accept?: boolean | undefined;
  /** Only records of this import. */
  importId?: string | undefined;
  /** Lowest id, inclusive. */
  from?: string | undefined;
  /** Highest id, exclusive. */
  to?: string | undefined;
}

interface Window {
  archived?: readonly ArchivedRow[];
  /** Only these records. */
  ids?: readonly string[];
  order: "asc" | "desc";
  limit: number;
  offset?: number;
  /** The id to continue after, in `order`. */
  after?: string | undefined;
  /** The last id to examine, in `order`. */
  end?: string | undefined;
}

function filtered(db: DataDb, filter: ConsentsFilter, archived: readonly ArchivedRow[] = []) {
  const { token, collection, identifier, accept, importId, from, to } = filter;
  return db
    .selectFrom(consentsWith(archived).as("c"))
    .where("project_id", "=", filter.projectId)
    .$if(token !== undefined, (q) => q.where("token", "=", token ?? ""))
    .$if(collection !== undefined, (q) => q.where("collection", "=", collection ?? ""))
    .$if(identifier !== undefined, (q) => q.where("identifier", "=", identifier ?? ""))
    .$if(accept !== undefined, (q) => q.where("accept", "=", accept ?? false))
    .$if(importId !== undefined, (q) => q.where("import_id", "=", importId ?? ""))
    .$if(from !== undefined, (q) => q.where("id", ">=", from ?? ""))
    .$if(to !== undefined, (q) => q.where("id", "<", to ?? ""));
}

/** Records of a project, and of these archived ones, in the order of ids, which is by time. */
export async function listConsents(
  db: DataDb,
  filter: ConsentsFilter,
  { archived, ids, order, limit, offset = 0, after, end }: Window,
): Promise<ConsentRow[]> {
  return filtered(db, filter, archived)
    .selectAll()
    .$if(ids !== undefined, (q) => q.where("id", "in", [...(ids ?? [])]))
    .$if(after !== undefined, (q) => q.where("id", order === "asc" ? ">" : "<", after ?? ""))
    .$if(end !== undefined, (q) => q.where("id", order === "asc" ? "<=" : ">=", end ?? ""))
    .orderBy("id", order)
    .limit(limit)
    .offset(offset)
    .execute();
}

/**
 * The id of the last record to examine for a page: the one at `offset` among the records that an index finds.
 * Undefined if there are fewer, or if an index covers the whole filter.
 */
export async function findExaminedEnd(
  db: DataDb,
  filter: ConsentsFilter,
  { order, after, offset }: Pick<Window, "order" | "after"> & { offset: number },
): Promise<string | undefined> {
  const indexed = indexedOf(filter);
  const unindexed = ["collection", "accept", "token", "importId", "identifier"] as const;
  if (unindexed.every((name) => filter[name] === indexed[name])) return undefined;
  const row = await filtered(db, indexed)
    .select("id")
    .$if(after !== undefined, (q) => q.where("id", order === "asc" ? ">" : "<", after ?? ""))
    .orderBy("id", order)
    .limit(1)
    .offset(offset)
    .executeTakeFirst();
  return row?.id;
}

/** The part of a filter that an index covers. */
function indexedOf(filter: ConsentsFilter): ConsentsFilter {
  const { projectId, from, to, token, importId, identifier } = filter;
  if (token !== undefined) return { projectId, from, to, token };
  if (importId !== undefined) return { projectId, from, to, importId };
  return { projectId, from, to, identifier };
}

export async function countConsents(db: DataDb, filter: ConsentsFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Whether a project has a record, also in an archived month. */
export async function hasConsents(db: DataDb, projectId: string): Promise<boolean> {
  const { rows } =
    await sql`SELECT 1 FROM consents WHERE project_id = ${projectId} LIMIT 1`.execute(db);
  return rows.length > 0 || (await hasArchived(db, projectId));
}

export async function listByIds(
  db: DataDb,
  keys: readonly { projectId: string; id: string }[],
): Promise<ConsentRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<ConsentRow>`
    SELECT c.* FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k("projectId" text, "id" uuid)
    JOIN consents c ON c.project_id = k."projectId" AND c.id = k."id"
  `.execute(db);
  return rows;
}
