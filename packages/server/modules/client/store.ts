import { type Selectable, sql } from "kysely";
import type { Scope } from "../../kernel/actor.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { DocumentsTable } from "../../platform/db/tables.ts";
import type { DocumentRow } from "../vault/documents/access.ts";
import { rolesFor } from "../../kernel/rights.ts";

/** Maximum number of configurations of a project (see `listConfigurations` in the vault). */
const PROJECT_FORMS_MAX = 1_000;

/** A contract or processing of a project, with the fields that the Client API returns. */
export type Form = Pick<
  Selectable<DocumentsTable>,
  "id" | "resource" | "project_id" | "body" | "created_at"
>;

/**
 * The contracts and processings of these projects that are not deleted, oldest first; at most `max` + 1 in total.
 */
export async function listForms(
  db: Db | Tx,
  projectIds: readonly string[],
  max: number,
): Promise<Form[]> {
  if (projectIds.length === 0) return [];
  const { rows } = await sql<Form>`
    SELECT f.* FROM unnest(${sql.val([...projectIds])}::text[]) AS p(id) CROSS JOIN LATERAL (
      SELECT c.id, c.resource, c.project_id, c.created_at, (
        SELECT coalesce(json_object_agg(field.key, field.value), '{}') FROM json_each(c.body) AS field
        WHERE field.key IN ('name', 'title', 'language', 'file', 'personalDataTypes', 'processors',
          'consentWithdraw', 'accept')
      ) AS body
      FROM documents c
      WHERE c.project_id = p.id AND c.resource IN ('contracts', 'processings') AND c.deleted_at IS NULL
      ORDER BY c.id LIMIT ${PROJECT_FORMS_MAX}
    ) f
    LIMIT ${max + 1}
  `.execute(db);
  return rows;
}

/** The ids of the projects that the scope may read, and not only their proofs (wire section 2). */
export async function listReadable(
  db: Db | Tx,
  scope: Scope,
  projects: readonly Pick<DocumentRow, "id" | "organization_id">[],
): Promise<ReadonlySet<string>> {
  const ids = projects.map((project) => project.id);
  if (scope.kind === "system") return new Set(ids);
  const roots = [...new Set(projects.flatMap((p) => [p.id, p.organization_id ?? p.id]))];
  const rows = await db
    .selectFrom("document_users")
    .select("document_id")
    .where("user_id", "=", scope.userId)
    .where(sql<boolean>`document_id = ANY(${sql.val(roots)}::text[])`)
    .where(sql<boolean>`roles && ${sql.val([...rolesFor("read")])}::text[]`)
    .execute();
  const held = new Set(rows.map((row) => row.document_id));
  const readable = projects.filter((p) => held.has(p.id) || held.has(p.organization_id ?? ""));
  return new Set(readable.map((project) => project.id));
}
