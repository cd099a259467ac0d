import { type JsonObject, readText } from "@avow/contract/json";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Resource } from "../schemas/resources.ts";
import { lockForChange } from "../documents/access.ts";
import { toUniqueName } from "../documents/names.ts";
import { type DocumentRow, listSiblingNames } from "../documents/store.ts";
import { type Vault, type WriteResult, createDocument } from "../documents/vault.ts";

interface Duplication {
  resource: Resource;
  id: string;
  /** Fields of the copy that differ. */
  changes?: JsonObject;
}

/**
 * Creates a copy of a document in the same project or organization. A copied project has no configurations of its own.
 * Throws like `createDocument`, and not-found.
 */
export async function duplicateDocument(
  ctx: Ctx,
  vault: Vault,
  duplication: Duplication,
): Promise<WriteResult> {
  const input = await readCopy(ctx, duplication);
  return createDocument(ctx, vault, { resource: duplication.resource, input });
}

/**
 * The fields of a copy of a document, which has a name of its own (a project: a title) and is not the project's default.
 * @throws Fault not-found, forbidden
 */
export async function readCopy(
  ctx: Ctx,
  { resource, id, changes = {} }: Duplication,
): Promise<JsonObject> {
  // Locked, so that two copies made at once get two names.
  const row = await lockForChange(ctx, { resource: resource.name, id });
  return { ...(await toCopy(ctx, resource, row)), ...changes };
}

async function toCopy(ctx: Ctx, resource: Resource, row: DocumentRow): Promise<JsonObject> {
  const { isDefault: _, ...own } = row.body;
  const field = resource.name === "projects" ? "title" : "name";
  const name = readText(own[field]);
  if (name === undefined) return own;
  const taken = await listSiblingNames(ctx.tx, ctx.scope, row, field);
  return { ...own, [field]: toUniqueName(name, new Set(taken)) };
}
