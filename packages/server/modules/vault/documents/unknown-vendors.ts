import { type StoredDocument, isDocumentOf } from "@avow/contract/configuration";
import { vendorIdOf } from "@avow/contract/vendors";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { listDocumentsById } from "./store.ts";

/** The ids of vendors that name no vendor which the caller may see; they are kept as they are (wire section 9). */
export async function findUnknownVendors(
  ctx: Ctx,
  document: Pick<StoredDocument, "resource" | "body">,
): Promise<FieldFault[]> {
  if (!isDocumentOf(document, "cookies")) return [];
  const entries = (document.body.steps ?? []).flatMap(({ vendors = [] }, step) =>
    vendors.flatMap((entry, n) => {
      const id = vendorIdOf(entry);
      return id === undefined ? [] : [{ id, path: `/steps/${step}/vendors/${n}` }];
    }),
  );
  if (entries.length === 0) return [];
  const ids = [...new Set(entries.map(({ id }) => id))];
  const known = await listDocumentsById(ctx.tx, { resource: "vendors", ids }, ctx.scope);
  const knownIds = new Set(known.map((row) => row.id));
  return entries
    .filter(({ id }) => !knownIds.has(id))
    .map(({ id, path }) => ({
      path,
      message: `${id} is no vendor that you may see. It is kept. To publish the configuration, replace it, or give it a name and a title.`,
    }));
}
