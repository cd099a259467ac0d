import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { ConsentsTable } from "../../platform/db/tables.ts";
import type { FieldFault } from "../../platform/errors.ts";
import type { Collection } from "./offer.ts";
import type { Preferences } from "./schema.ts";

export type ConsentRow = Selectable<ConsentsTable>;

/** A record that is about to be kept. */
export interface NewConsent {
  projectId: string;
  id: string;
  /** The client's own id of it, in a batch. */
  clientId: string | null;
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
  createdAt: Date;
}

/** The statement that inserts records, all of them in one parameter; a part of larger ones. */
export function toInsert(records: readonly NewConsent[]): RawBuilder<unknown> {
  return sql`
    INSERT INTO consents (project_id, id, client_id, token, collection, identifier, accept, preferences, value,
      language, url, client_at, country, user_agent, version, warnings, created_at)
    SELECT r."projectId", r."id", r."clientId", r."token", r."collection", r."identifier", r."accept",
      r."preferences", r."value", r."language", r."url", r."clientAt", r."country", r."userAgent", r."version",
      r."warnings", r."createdAt"
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS r(
      "projectId" text, "id" uuid, "clientId" text, "token" text, "collection" text, "identifier" text,
      "accept" boolean, "preferences" jsonb, "value" jsonb, "language" text, "url" text,
      "clientAt" timestamptz, "country" text, "userAgent" text, "version" integer, "warnings" jsonb,
      "createdAt" timestamptz)
    -- Always in one order, so that two batches with the same records never wait for each other.
    ORDER BY r."clientId" COLLATE "C"`;
}

/** Keeps the records whose client id the project does not know yet, and tells which those were. */
export async function insertNewConsents(
  tx: Tx,
  records: readonly NewConsent[],
): Promise<ReadonlySet<string>> {
  const result = await sql<{ id: string }>`
    ${toInsert(records)}
    ON CONFLICT (project_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
    RETURNING id
  `.execute(tx);
  return new Set(result.rows.map((row) => row.id));
}

/** The records of a project with these client ids. */
export async function listByClientId(
  tx: Tx,
  { projectId, clientIds }: { projectId: string; clientIds: readonly string[] },
): Promise<ConsentRow[]> {
  if (clientIds.length === 0) return [];
  return tx
    .selectFrom("consents")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("client_id", "in", clientIds)
    .execute();
}

export interface ConsentsFilter {
  projectId: string;
  token?: string | undefined;
  collection?: string | undefined;
  identifier?: string | undefined;
  accept?: boolean | undefined;
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
}

function filtered(db: Db, filter: ConsentsFilter) {
  const { token, collection, identifier, accept, from, to } = filter;
  return db
    .selectFrom("consents")
    .where("project_id", "=", filter.projectId)
    .$if(token !== undefined, (q) => q.where("token", "=", token ?? ""))
    .$if(collection !== undefined, (q) => q.where("collection", "=", collection ?? ""))
    .$if(identifier !== undefined, (q) => q.where("identifier", "=", identifier ?? ""))
    .$if(accept !== undefined, (q) => q.where("accept", "=", accept ?? false))
    .$if(from !== undefined, (q) => q.where("id", ">=", from ?? ""))
    .$if(to !== undefined, (q) => q.where("id", "<", to ?? ""));
}

/** Records of a project by id, which is by time. */
export async function listConsents(
  db: Db,
  filter: ConsentsFilter,
  { order, limit, offset = 0, after }: Window,
): Promise<ConsentRow[]> {
  return filtered(db, filter)
    .selectAll()
    .$if(after !== undefined, (q) => q.where("id", order === "asc" ? ">" : "<", after ?? ""))
    .orderBy("id", order)
    .limit(limit)
    .offset(offset)
    .execute();
}

/** How many records a filter lets through. */
export async function countConsents(db: Db, filter: ConsentsFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}
