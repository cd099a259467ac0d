import type { JsonObject } from "@avow/contract/json";
import type { Ctx } from "../../../kernel/ctx.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { Fault } from "../../../platform/errors.ts";
import { resourceOf, resources } from "../schemas/resources.ts";
import {
  type DocumentRow,
  PAGE_BYTES_MAX,
  listProjectDocuments,
  sumDocumentBytes,
} from "../documents/store.ts";
import { type Vault, type WriteResult, createDocument } from "../documents/vault.ts";
import { withIds } from "./replaced-ids.ts";
import { duplicateDocument } from "./duplicate.ts";

const DOCUMENTS_MAX = 1_000;
/** The resources with documents in projects. */
const inProjects = resources
  .filter(({ parents }) => parents.includes("projectId"))
  .map(({ name }) => name);

/**
 * Creates a copy of a project with its configurations, its own vendors and its own media. Ids of copied documents in the
 * copies are replaced by those of the copies. Consents, publications, members, keys and webhooks are not copied.
 * @throws Fault as `duplicateDocument`; impossible when the plan does not include so many configurations, or the project
 *   has more than 1,000 documents or 16 MiB
 */
export async function cloneProject(
  ctx: Ctx,
  vault: Vault,
  { id, changes }: { id: string; changes: JsonObject },
): Promise<WriteResult> {
  const resource = resourceOf("projects");
  const project = await duplicateDocument(ctx, vault, { resource, id, changes });
  const rows = await listContents(ctx, id);
  // Configurations are published in the order of their ids.
  const newIds = rows.map(() => newDocumentId(ctx.now)).toSorted();
  const ids = new Map([[id, project.row.id]]);
  for (const [n, row] of rows.entries()) ids.set(row.id, newIds[n] ?? newDocumentId(ctx.now));
  // Configurations refer to vendors, which must exist before.
  for (const row of rows.toSorted((a, b) => Number(isVendor(b)) - Number(isVendor(a))))
    await createDocument(ctx, vault, {
      resource: resourceOf(row.resource),
      id: ids.get(row.id) ?? newDocumentId(ctx.now),
      input: withIds(row.body, ids) as JsonObject,
    });
  return project;
}

/** The documents of a project in the order of their ids. @throws Fault impossible */
async function listContents(ctx: Ctx, projectId: string): Promise<DocumentRow[]> {
  if ((await sumDocumentBytes(ctx.tx, projectId)) > PAGE_BYTES_MAX)
    rejectSize(`${PAGE_BYTES_MAX / 1024 / 1024} MiB of documents`);
  const query = { projectId, resources: inProjects, max: DOCUMENTS_MAX };
  const rows = await listProjectDocuments(ctx.tx, query);
  if (rows.length > DOCUMENTS_MAX) rejectSize(`${DOCUMENTS_MAX} documents`);
  return rows;
}

function rejectSize(max: string): never {
  throw new Fault(
    "impossible",
    `The project has more than ${max}. Copy it without its configurations.`,
  );
}

function isVendor({ resource }: DocumentRow): boolean {
  return resource === "vendors";
}
