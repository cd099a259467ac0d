import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { DocumentsTable } from "../../../platform/db/tables.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Page } from "../../../kernel/page.ts";
import type { ColumnFilter, Sort } from "../../../kernel/filters/filters.ts";
import { rolesFor } from "../../../kernel/rights.ts";

export type DocumentRow = Omit<Selectable<DocumentsTable>, "body_jsonb">;

/** A document and the roles that the scope has on it, its own and inherited. */
export interface HeldDocument {
  row: DocumentRow;
  roles: readonly string[];
  /** Whether the user was added by id, to this document or a parent, and has not opened it yet. */
  isUnopened: boolean;
}

/** The ids of documents that the user has one of the roles `held` on; children are found through these. */
function rootsOf(userId: string, held: readonly string[]) {
  return sql<string[]>`array(SELECT document_id FROM document_users
    WHERE user_id = ${userId} AND roles && ${sql.val([...held])}::text[])`;
}

/** Limits a query over documents to those that `scope` sees with one of the roles `held`. */
export function visibleTo(scope: Scope, held: readonly string[]) {
  if (scope.kind === "system") return sql<boolean>`true`;
  const roots = rootsOf(scope.userId, held);
  const visible = sql<boolean>`(id = ANY(${roots}) OR project_id = ANY(${roots}) OR organization_id = ANY(${roots}))`;
  const { projectId } = scope;
  if (projectId === undefined) return visible;
  return sql<boolean>`(${visible} AND (id = ${projectId} OR project_id = ${projectId}))`;
}

/** Maximum size of a page, as JSON text. */
export const PAGE_BYTES_MAX = 16 * 1024 * 1024;

const columnsBesideBody = [
  "id",
  "resource",
  "project_id",
  "organization_id",
  "version",
  "published_at",
  "live_version",
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
  "deleted_at",
] as const satisfies (keyof DocumentRow)[];
const documentColumns = [...columnsBesideBody, "body"] as const;

interface DocumentKey {
  resource: string;
  id: string;
}

/** For `findDocument`: the configurations of a project that can be answered. */
export const configurationIdsOf = sql<string[]>`ARRAY(
  SELECT c.id FROM documents c WHERE c.project_id = documents.id AND c.deleted_at IS NULL
    AND c.resource IN ('cookies', 'processings', 'contracts'))`;

/**
 * The document if `scope` has any role on it; `also` reads more of its row of `documents`. Written as text like
 * `findAccessToken`, since most requests run it.
 */
export async function findDocument<T = null>(
  db: Db | Tx,
  scope: Scope,
  { resource, id }: DocumentKey,
  also: RawBuilder<T> = sql<T>`NULL`,
): Promise<(HeldDocument & { also: T }) | undefined> {
  const { rows } = await sql<DocumentRow & Omit<HeldDocument, "row"> & { also: T }>`
    SELECT ${sql.raw(documentColumns.join(", "))}, ${rolesOf(scope)} AS roles,
      ${isUnopenedBy(scope)} AS "isUnopened", ${also} AS also
    FROM documents WHERE id = ${id} AND resource = ${resource} AND deleted_at IS NULL
  `.execute(db);
  const [found] = rows;
  if (!found || found.roles.length === 0) return undefined;
  const { roles, isUnopened, also: more, ...row } = found;
  return { row, roles, isUnopened, also: more };
}

/**
 * Locks a document until the transaction ends: `update` to change it, `share` to create or change something that
 * inherits from it. Read the document after this.
 */
export async function lockDocument(
  tx: Tx,
  id: string,
  strength: "update" | "share",
): Promise<void> {
  await tx
    .selectFrom("documents")
    .select("id")
    .where("id", "=", id)
    .$if(strength === "update", (query) => query.forUpdate())
    .$if(strength === "share", (query) => query.forShare())
    .execute();
}

/** The roles that a scope has on a row of documents, its own and inherited. */
export function rolesOf(scope: Scope) {
  if (scope.kind === "system") return sql<string[]>`ARRAY['owner']`;
  return sql<
    string[]
  >`array(SELECT unnest(roles) FROM document_users WHERE user_id = ${scope.userId}
    AND document_id IN (documents.id, documents.project_id, documents.organization_id)
    AND (${scope.projectId ?? null}::text IS NULL OR ${scope.projectId ?? null} IN (documents.id, documents.project_id)))`;
}

/** Whether the roles of a scope on a row of documents include some that do not disclose the user. */
function isUnopenedBy(scope: Scope) {
  if (scope.kind === "system") return sql<boolean>`false`;
  return sql<boolean>`EXISTS (SELECT FROM document_users WHERE user_id = ${scope.userId} AND NOT is_disclosed
    AND document_id IN (documents.id, documents.project_id, documents.organization_id))`;
}

export interface DocumentsQuery {
  resource: string;
  held: readonly string[];
  jsonpath: readonly string[];
  columns: readonly ColumnFilter[];
  sort: readonly Sort[];
  page: number;
  perPage: number;
}

/** One page of the documents of a resource that `scope` sees, oldest first unless sorted otherwise. */
export async function listDocuments(
  db: Db,
  scope: Scope,
  query: DocumentsQuery,
): Promise<Page<DocumentRow>> {
  let found = db
    .selectFrom("documents")
    .where("resource", "=", query.resource)
    .where("deleted_at", "is", null)
    .where(visibleTo(scope, query.held));
  for (const path of query.jsonpath)
    found = found.where(sql<boolean>`body_jsonb @@ ${path}::jsonpath`);
  for (const filter of query.columns) found = found.where(toCondition(filter));
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  // Finds visible documents first (OFFSET 0 is an optimization fence). Otherwise the planner would scan everybody's
  // documents in page order for a user who sees few.
  const visible = db.selectFrom(found.selectAll().offset(0).as("visible")).selectAll();
  const page = query.sort
    .reduce(
      (sorted, sort) =>
        sorted.orderBy(
          sort.kind === "column"
            ? sql.ref(sort.column)
            : sql`jsonb_path_query_first(body_jsonb, ${sort.jsonpath}::jsonpath)`,
          sort.direction,
        ),
      visible,
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage);
  // Bodies are only returned if the page's total size is within the limit.
  const rows = await db
    .selectFrom(page.as("page"))
    .select(columnsBesideBody)
    .select(
      sql<
        DocumentRow["body"] | null
      >`CASE WHEN sum(octet_length(body::text)) OVER () <= ${PAGE_BYTES_MAX} THEN body END`.as(
        "body",
      ),
    )
    .execute();
  const items = rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]));
  if (items.length < rows.length)
    throw new Fault(
      "impossible",
      `These documents have more than ${PAGE_BYTES_MAX / 1024 / 1024} MiB. Request fewer with perPage.`,
      { faults: [{ path: "?perPage", message: "requests too large a page" }] },
    );
  return { items, total };
}

function toCondition(filter: ColumnFilter) {
  const column = sql.ref(filter.column);
  if (filter.operator === "in") return sql<boolean>`${column} = ANY(${sql.val(filter.values)})`;
  if (filter.operator !== "between")
    return sql<boolean>`${column} ${sql.raw(filter.operator)} ${filter.value}`;
  const pairs = filter.pairs.map(([from, to]) => sql`${column} BETWEEN ${from} AND ${to}`);
  return sql<boolean>`(${sql.join(pairs, sql` OR `)})`;
}

/** The configurations of a project, of the given resources and not deleted; at most `max` + 1. */
export async function listProjectDocuments(
  db: Db | Tx,
  { projectId, resources, max }: { projectId: string; resources: readonly string[]; max: number },
): Promise<DocumentRow[]> {
  return db
    .selectFrom("documents")
    .select(documentColumns)
    .where("project_id", "=", projectId)
    .where("resource", "in", resources)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(max + 1)
    .execute();
}

/**
 * Serializes the choice of names in a project, until the transaction ends. Taken after the document's and the project's
 * own locks, so that it closes no circle.
 */
export async function lockNames(tx: Tx, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`names:${projectId}`}, 0))`.execute(tx);
}

/** The names of a project's documents, with their languages. */
export async function listNames(
  tx: Tx,
  {
    projectId,
    resources,
    except,
  }: { projectId: string; resources: readonly string[]; except: string },
): Promise<{ resource: string; name: string; language: string | null }[]> {
  return tx
    .selectFrom("documents")
    .select("resource")
    .select(sql<string>`body->>'name'`.as("name"))
    .select(sql<string | null>`body->>'language'`.as("language"))
    .where("project_id", "=", projectId)
    .where("resource", "in", resources)
    .where("deleted_at", "is", null)
    .where("id", "<>", except)
    .where(sql<boolean>`body->>'name' IS NOT NULL`)
    .execute();
}

/**
 * The texts of a field of the documents beside one: all of its project; without a project, those of its resource in its
 * organization, or of all that `scope` may read.
 */
export async function listSiblingNames(
  tx: Tx,
  scope: Scope,
  row: DocumentRow,
  field: "name" | "title",
): Promise<string[]> {
  const { resource, project_id: projectId, organization_id: organizationId } = row;
  const beside =
    organizationId === null
      ? visibleTo(scope, rolesFor("read"))
      : sql<boolean>`organization_id = ${organizationId}`;
  const { rows } = await sql<{ name: string }>`
    SELECT body ->> ${field} AS name FROM documents WHERE deleted_at IS NULL AND ${
      projectId === null
        ? sql`resource = ${resource} AND project_id IS NULL AND ${beside}`
        : sql`project_id = ${projectId}`
    } AND body ->> ${field} IS NOT NULL`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Size of a project's documents as text, in bytes, checked before they are read. */
export async function sumDocumentBytes(db: Db | Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string | number }>`
    SELECT coalesce(sum(octet_length(body::text)), 0)::bigint AS bytes
    FROM documents WHERE project_id = ${projectId} AND deleted_at IS NULL`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

export async function countProjectDocuments(
  db: Db | Tx,
  { projectId, resources }: { projectId: string; resources: readonly string[] },
): Promise<number> {
  const { total } = await db
    .selectFrom("documents")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("project_id", "=", projectId)
    .where("resource", "in", resources)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return total;
}

/** The documents of a resource with these ids that `scope` may read and that are not deleted. */
export async function listDocumentsById(
  db: Db | Tx,
  { resource, ids }: { resource: string; ids: readonly string[] },
  scope: Scope = { kind: "system" },
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("documents")
    .select(documentColumns)
    .where("id", "in", ids)
    .where("resource", "=", resource)
    .where("deleted_at", "is", null)
    .where(visibleTo(scope, rolesFor("read")))
    .execute();
}

/**
 * The vault vendors with these ids that a project may use: its own, its organization's, and those of somebody who has a
 * role on the project. A configuration keeps any id (wire section 9), so an id alone is no right to a vendor.
 */
export async function listVendorsOfProject(
  db: Db | Tx,
  projectId: string,
  ids: readonly string[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const organizationId = sql`(SELECT organization_id FROM documents WHERE id = ${projectId})`;
  return db
    .selectFrom("documents")
    .selectAll()
    .where("id", "in", ids)
    .where("resource", "=", "vendors")
    .where("deleted_at", "is", null)
    .where(
      sql<boolean>`(project_id = ${projectId} OR organization_id = ${organizationId} OR EXISTS (
        SELECT FROM document_users AS of_vendor JOIN document_users AS of_project USING (user_id)
        WHERE of_vendor.document_id IN (documents.id, documents.project_id, documents.organization_id)
          AND of_project.document_id IN (${projectId}, ${organizationId})))`,
    )
    .execute();
}

/** Documents that `scope` may read, that match a JSON path and are not deleted; at most `max`. */
export async function listDocumentsMatching(
  db: Db | Tx,
  scope: Scope,
  { jsonpath, max }: { jsonpath: string; max: number },
): Promise<Pick<DocumentRow, "id" | "resource" | "body">[]> {
  return db
    .selectFrom("documents")
    .select(["id", "resource", "body"])
    .where("deleted_at", "is", null)
    .where(visibleTo(scope, rolesFor("read")))
    .where(sql<boolean>`body_jsonb @@ ${jsonpath}::jsonpath`)
    .limit(max)
    .execute();
}

type NewDocument = Omit<DocumentRow, "body" | "deleted_at" | "published_at" | "live_version"> & {
  body: object;
};

/** Inserts a document with its first version. */
export async function insertDocument(tx: Tx, document: NewDocument): Promise<DocumentRow> {
  const row = await tx
    .insertInto("documents")
    .values({ ...document, body: JSON.stringify(document.body) })
    .returning(documentColumns)
    .executeTakeFirstOrThrow();
  await insertVersion(tx, row, "create");
  return row;
}

interface DocumentChange {
  id: string;
  body: object;
  operation: "replace" | "patch" | "restore" | "inherit";
  now: Date;
  by: string;
  organizationId?: string | null;
}

/** Writes a document's next version; earlier versions stay in document_versions. */
export async function updateDocument(tx: Tx, change: DocumentChange): Promise<DocumentRow> {
  const row = await tx
    .updateTable("documents")
    .set((eb) => ({
      body: JSON.stringify(change.body),
      version: eb("version", "+", 1),
      updated_at: change.now,
      updated_by: change.by,
      ...(change.organizationId === undefined ? {} : { organization_id: change.organizationId }),
    }))
    .where("id", "=", change.id)
    .returning(documentColumns)
    .executeTakeFirstOrThrow();
  await insertVersion(tx, row, change.operation);
  return row;
}

async function insertVersion(tx: Tx, row: DocumentRow, operation: string): Promise<void> {
  await tx
    .insertInto("document_versions")
    .values({
      document_id: row.id,
      version: row.version,
      operation,
      body: JSON.stringify(row.body),
      created_at: row.updated_at,
      created_by: row.updated_by,
    })
    .execute();
}

/** Moves a project's configurations to its organization. */
export async function updateChildrenOrganization(
  tx: Tx,
  projectId: string,
  organizationId: string | null,
): Promise<void> {
  await tx
    .updateTable("documents")
    .set({ organization_id: organizationId })
    .where("project_id", "=", projectId)
    .execute();
}

/** Marks a transaction as one that `syncProject` follows: see migration 0070. */
export async function announceSync(tx: Tx): Promise<void> {
  await sql`SELECT set_config('avow.planes', 'on', true)`.execute(tx);
}

/** A project as collection sees it; `epoch` grows with each change of the other two. */
export interface ProjectState {
  isOpen: boolean;
  liveVersion: number | null;
  epoch: number;
}

/** The state of a project, which may be deleted; waits for a change that is about to commit. */
export async function findProjectState(db: Db, id: string): Promise<ProjectState | undefined> {
  const { rows } = await sql<ProjectState>`
    SELECT deleted_at IS NULL AS "isOpen", live_version AS "liveVersion", epoch FROM documents
    WHERE id = ${id} AND resource = 'projects' FOR SHARE`.execute(db);
  return rows[0];
}

/** Sets the live version of a project; null unpublishes it. */
export async function updateLiveVersion(
  tx: Tx,
  projectId: string,
  live: { version: number; publishedAt: Date } | null,
): Promise<void> {
  await announceSync(tx);
  await tx
    .updateTable("documents")
    .set(
      live
        ? { live_version: live.version, published_at: live.publishedAt }
        : { live_version: null },
    )
    .where("id", "=", projectId)
    .execute();
}
