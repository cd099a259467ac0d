import { type Selectable, sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import type { ConsentsTable } from "../../../platform/db/tables.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import type { Collection } from "@avow/contract/collections";
import type { Grade } from "./assurance-levels.ts";
import type { Preferences } from "@avow/contract/consents";

export type ConsentRow = Selectable<ConsentsTable>;

/** A consent record. */
export interface NewConsent {
  projectId: string;
  id: string;
  token: string;
  collection: Collection;
  identifier: string;
  accept: boolean;
  preferences: Preferences | null;
  value: unknown;
  language: string | null;
  url: string | null;
  clientAt: Date | null;
  country: string | null;
  userAgent: string;
  version: number | null;
  warnings: readonly FieldFault[];
  /** The import that it came with. */
  importId: string | null;
  grade: Grade;
  /** Whether the request carried `Sec-GPC: 1`; null where nobody looked. */
  gpc: boolean | null;
  /** When what it answers had been displayed, as a ticket proves. */
  displayedAt: Date | null;
  createdAt: Date;
}

export interface ConsentsFilter {
  projectId: string;
  token?: string | undefined;
  collection?: string | undefined;
  identifier?: string | undefined;
  accept?: boolean | undefined;
  /** The import that they came with. */
  importId?: string | undefined;
  /** Ids from here, inclusive. */
  from?: string | undefined;
  /** Ids up to here, exclusive. */
  to?: string | undefined;
}

interface Window {
  order: "asc" | "desc";
  limit: number;
  offset?: number;
  /** The id after which to go on, in `order`. */
  after?: string | undefined;
  /** The last id to look at, in `order`. */
  end?: string | undefined;
}

function filtered(db: Db, filter: ConsentsFilter) {
  const { token, collection, identifier, accept, importId, from, to } = filter;
  return db
    .selectFrom("consents")
    .where("project_id", "=", filter.projectId)
    .$if(token !== undefined, (q) => q.where("token", "=", token ?? ""))
    .$if(collection !== undefined, (q) => q.where("collection", "=", collection ?? ""))
    .$if(identifier !== undefined, (q) => q.where("identifier", "=", identifier ?? ""))
    .$if(accept !== undefined, (q) => q.where("accept", "=", accept ?? false))
    .$if(importId !== undefined, (q) => q.where("import_id", "=", importId ?? ""))
    .$if(from !== undefined, (q) => q.where("id", ">=", from ?? ""))
    .$if(to !== undefined, (q) => q.where("id", "<", to ?? ""));
}

/** Records of a project by id, which is by time. */
export async function listConsents(
  db: Db,
  filter: ConsentsFilter,
  { order, limit, offset = 0, after, end }: Window,
): Promise<ConsentRow[]> {
  return filtered(db, filter)
    .selectAll()
    .$if(after !== undefined, (q) => q.where("id", order === "asc" ? ">" : "<", after ?? ""))
    .$if(end !== undefined, (q) => q.where("id", order === "asc" ? "<=" : ">=", end ?? ""))
    .orderBy("id", order)
    .limit(limit)
    .offset(offset)
    .execute();
}

/**
 * The record that lies `offset` further in what an index finds of a filter, where no index finds all
 * of it: what follows belongs to another page. Undefined where there are not so many.
 */
export async function findExaminedEnd(
  db: Db,
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

/** What one index finds of a filter. */
function indexedOf(filter: ConsentsFilter): ConsentsFilter {
  const { projectId, from, to, token, importId, identifier } = filter;
  if (token !== undefined) return { projectId, from, to, token };
  if (importId !== undefined) return { projectId, from, to, importId };
  return { projectId, from, to, identifier };
}

/** How many records a filter lets through. */
export async function countConsents(db: Db, filter: ConsentsFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** The records with these ids. */
export async function listByIds(
  db: Db,
  keys: readonly { projectId: string; id: string }[],
): Promise<ConsentRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<ConsentRow>`
    SELECT c.* FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k("projectId" text, "id" uuid)
    JOIN consents c ON c.project_id = k."projectId" AND c.id = k."id"
  `.execute(db);
  return rows;
}
