import type { JsonObject } from "@avow/contract/json";
import { isDocumentOf } from "@avow/contract/configuration";
import { vendorIdOf } from "@avow/contract/vendors";
import { isObject } from "@avow/contract/json";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { isDocumentId } from "../../../kernel/ids.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { listConfigurations } from "../documents/access.ts";
import { withIds } from "../duplicates/replaced-ids.ts";
import { type DocumentRow, listVendorsOfProject, updateDocument } from "../documents/store.ts";
import { type Vault, createDocument } from "../documents/vault.ts";
import { resourceOf } from "../schemas/resources.ts";

/** Files that documents name by id, which belong to the users who uploaded them. */
export interface TransferFiles {
  /** The existing files among some ids. */
  listIds(db: Db | Tx, ids: readonly string[]): Promise<string[]>;
  /** Makes copies for another user; returns the ids of the copies by those of the files. */
  copy(ctx: Ctx, ids: readonly string[], userId: string): Promise<ReadonlyMap<string, string>>;
}

/** Things outside of a project that its configurations need. */
interface SharedContents {
  configurations: DocumentRow[];
  /** Vendors of the organization or of a member. */
  vendors: DocumentRow[];
  fileIds: string[];
}

/** The configurations of a project, and the vendors and files that they name and that do not belong to it. */
export async function findSharedContents(
  db: Db | Tx,
  files: TransferFiles,
  projectId: string,
): Promise<SharedContents> {
  const configurations = await listConfigurations(db, projectId);
  const vendorIds = configurations.flatMap(listVendorIds);
  const vendors = await listVendorsOfProject(db, projectId, [...new Set(vendorIds)]);
  const shared = vendors.filter((vendor) => vendor.project_id !== projectId);
  const texts = [...configurations, ...vendors].flatMap(({ body }) => listTexts(body));
  const fileIds = await files.listIds(db, [...new Set(texts.filter(isDocumentId))]);
  return { configurations, vendors: shared, fileIds };
}

function listVendorIds(document: DocumentRow): string[] {
  const steps = isDocumentOf(document, "cookies") ? (document.body.steps ?? []) : [];
  return steps.flatMap(({ vendors = [] }) => vendors.flatMap((entry) => vendorIdOf(entry) ?? []));
}

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isObject(value) ? Object.values(value).flatMap(listTexts) : [];
}

/**
 * Copies shared vendors into a project and files to a user, and has the configurations name the copies, so that their
 * earlier owners cannot change or delete them any more.
 */
export async function copySharedContents(
  ctx: Ctx,
  vault: Vault & { transferFiles: TransferFiles },
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  const shared = await findSharedContents(ctx.tx, vault.transferFiles, projectId);
  const ids = new Map(await vault.transferFiles.copy(ctx, shared.fileIds, userId));
  const system: Ctx = { ...ctx, scope: { kind: "system" } };
  for (const { id, body } of shared.vendors) {
    const { organizationId: _, ...own } = body;
    const input = { ...(withIds(own, ids) as JsonObject), projectId };
    const { row } = await createDocument(system, vault, { resource: resourceOf("vendors"), input });
    ids.set(id, row.id);
  }
  if (ids.size === 0) return;
  for (const { id, body } of shared.configurations) {
    const replaced = withIds(body, ids) as JsonObject;
    if (JSON.stringify(replaced) === JSON.stringify(body)) continue;
    const by = toActorName(ctx.actor);
    await updateDocument(ctx.tx, { id, body: replaced, operation: "replace", now: ctx.now, by });
  }
}
