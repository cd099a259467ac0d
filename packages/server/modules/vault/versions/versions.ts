import type { Operation } from "rfc6902";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import { getDocument } from "../documents/access.ts";
import { withoutTemplate } from "../documents/inheriting.ts";
import { diffBodies } from "../schemas/diff.ts";
import type { Resource } from "../schemas/resources.ts";
import { type Vault, type WriteResult, replaceDocument } from "../documents/vault.ts";
import { type VersionRow, findVersionRow, listVersionRows } from "./versions-store.ts";

interface Target {
  resource: Resource;
  id: string;
}

/** The versions of a document, with their authors, times and operations. Throws `Fault` not-found, forbidden. */
export async function listVersions(
  db: Db,
  scope: Scope,
  { resource, id, ...page }: Target & PageQuery,
): Promise<Page<Omit<VersionRow, "body">>> {
  await getDocument(db, scope, { resource: resource.name, id });
  return listVersionRows(db, id, page);
}

/** Throws `Fault` not-found, forbidden. */
export async function getVersion(
  db: Db,
  scope: Scope,
  { resource, id, version }: Target & { version: number },
): Promise<VersionRow> {
  await getDocument(db, scope, { resource: resource.name, id });
  return findExisting(db, id, version);
}

async function findExisting(db: Db | Tx, id: string, version: number): Promise<VersionRow> {
  const row = await findVersionRow(db, id, version);
  if (!row) throw new Fault("not-found", `The document has no version ${version}.`);
  return row;
}

/** The changes between two versions as RFC 6902 operations. */
export async function diffVersions(
  db: Db,
  scope: Scope,
  { resource, id, from, to }: Target & { from: number; to: number },
): Promise<Operation[]> {
  await getDocument(db, scope, { resource: resource.name, id });
  const [before, after] = [await findExisting(db, id, from), await findExisting(db, id, to)];
  return diffBodies(before.body, after.body);
}

/** Restores an earlier version as a new one. Throws like `replaceDocument`. */
export async function restoreVersion(
  ctx: Ctx,
  vault: Vault,
  { version, ...target }: Target & { version: number; ifMatch?: string | undefined },
): Promise<WriteResult> {
  await getDocument(ctx.tx, ctx.scope, {
    resource: target.resource.name,
    id: target.id,
  });
  const row = await findExisting(ctx.tx, target.id, version);
  // A project keeps the template that it follows now.
  const input = target.resource.name === "projects" ? withoutTemplate(row.body) : row.body;
  return replaceDocument(ctx, vault, { ...target, input, operation: "restore" });
}
