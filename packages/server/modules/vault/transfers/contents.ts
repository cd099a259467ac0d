import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@avow/contract/json";
import { isObject } from "@avow/contract/json";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { isDocumentId } from "../../../kernel/ids.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { listContents } from "../documents/access.ts";
import { listVendorIds } from "../documents/references.ts";
import { withIds } from "../duplicates/replaced-ids.ts";
import { type DocumentRow, listVendorsOfProject, updateDocument } from "../documents/store.ts";
import { type Vault, createDocument, recordDocumentEvent } from "../documents/vault.ts";
import { resourceOf } from "../schemas/resources.ts";

/** Files that documents name by id, which belong to the users who uploaded them. */
export interface TransferFiles {
  /** The existing files among some ids. */
  listIds(db: Db | Tx, ids: readonly string[]): Promise<string[]>;
  /** Makes copies for another user; returns the ids of the copies by those of the files. */
  copy(ctx: Ctx, ids: readonly string[], userId: string): Promise<ReadonlyMap<string, string>>;
}

interface SharedContents {
  /** The documents of the project. */
  own: DocumentRow[];
  /** Vendors of the organization or of a member. */
  vendors: DocumentRow[];
  fileIds: string[];
}

/**
 * The documents of a project, and the vendors and files that they name and that do not belong to it.
 * @throws Fault impossible as `listContents`
 */
export async function findSharedContents(
  db: Db | Tx,
  files: TransferFiles,
  projectId: string,
): Promise<SharedContents> {
  const own = await listContents(db, projectId);
  const vendorIds = new Set(own.flatMap(listVendorIds).map(({ id }) => id));
  const named = await listVendorsOfProject(db, projectId, [...vendorIds]);
  const vendors = named.filter((vendor) => vendor.project_id !== projectId);
  const texts = [...own, ...vendors].flatMap(({ body }) => listTexts(body));
  const fileIds = await files.listIds(db, [...new Set(texts.filter(isDocumentId))]);
  return { own, vendors, fileIds };
}

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isObject(value) ? Object.values(value).flatMap(listTexts) : [];
}

/**
 * Copies shared vendors into a project and files to a user, and has its documents name the copies, so that their
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
  const by = toActorName(ctx.actor);
  for (const { id, resource, body } of shared.own) {
    const replaced = withIds(body, ids) as JsonObject;
    if (isDeepStrictEqual(replaced, body)) continue;
    const change = { id, body: replaced, operation: "replace", now: ctx.now, by } as const;
    const row = await updateDocument(ctx.tx, change);
    await recordDocumentEvent(ctx, resourceOf(resource), row, "updated");
  }
}
