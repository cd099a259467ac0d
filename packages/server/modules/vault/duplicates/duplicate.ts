import { type JsonObject, readText } from "@avow/contract/json";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Resource } from "../schemas/resources.ts";
import { lockForChange } from "../documents/access.ts";
import { toUniqueName } from "../documents/names.ts";
import { type DocumentRow, listSiblingNames } from "../documents/store.ts";
import { type Vault, type WriteResult, createDocument } from "../documents/vault.ts";

/**
 * Creates a copy of a document in the same project or organization. The copy has a name of its own (a project: a title)
 * and is not the project's default; a copied project has no configurations. `changes` replace fields of the copy. Throws
 * like `createDocument`, and not-found.
 */
export async function duplicateDocument(
  ctx: Ctx,
  vault: Vault,
  { resource, id, changes = {} }: { resource: Resource; id: string; changes?: JsonObject },
): Promise<WriteResult> {
  // Locked, so that two copies made at once get two names.
  const row = await lockForChange(ctx, { resource: resource.name, id });
  const input = { ...(await toCopy(ctx, resource, row)), ...changes };
  return createDocument(ctx, vault, { resource, input });
}

async function toCopy(ctx: Ctx, resource: Resource, row: DocumentRow): Promise<JsonObject> {
  const { isDefault: _, ...own } = row.body;
  const field = resource.name === "projects" ? "title" : "name";
  const name = readText(own[field]);
  if (name === undefined) return own;
  const taken = await listSiblingNames(ctx.tx, ctx.scope, row, field);
  return { ...own, [field]: toUniqueName(name, new Set(taken)) };
}
