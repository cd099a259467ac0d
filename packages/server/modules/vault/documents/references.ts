import { type StoredDocument, isDocumentOf } from "@avow/contract/configuration";
import { type JsonObject, readText } from "@avow/contract/json";
import { titleOf } from "@avow/contract/labels";
import { vendorIdOf } from "@avow/contract/vendors";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { listDocumentsById, listDocumentsMatching, listVendorsOfProject } from "./store.ts";

interface ReferringDocument {
  projectId: string | null;
  /** The document after the write. */
  next: Pick<StoredDocument, "resource" | "body">;
  /** The stored document. */
  present: Pick<StoredDocument, "resource" | "body"> | undefined;
}

interface VendorIds {
  /** Added ids of vendors that the project could publish, but that the caller may not see. */
  hidden: FieldFault[];
  /** Ids of no vendor of the project: they are kept as they are (wire section 9). */
  unknown: FieldFault[];
}

/** The vendors that a cookie configuration names by their ids alone, apart from the known ones. */
export async function checkVendorIds(
  ctx: Ctx,
  { projectId, next, present }: ReferringDocument,
): Promise<VendorIds> {
  const entries = listVendorIds(next);
  if (entries.length === 0 || projectId === null) return { hidden: [], unknown: [] };
  const ids = [...new Set(entries.map(({ id }) => id))];
  const usable = toIds(await listVendorsOfProject(ctx.tx, projectId, ids));
  const visible = toIds(
    await listDocumentsById(ctx.tx, { resource: "vendors", ids: [...usable] }, ctx.scope),
  );
  // Earlier ids were checked when they were added.
  const checked = new Set(present ? listVendorIds(present).map(({ id }) => id) : []);
  return {
    hidden: entries
      .filter(({ id }) => usable.has(id) && !visible.has(id) && !checked.has(id))
      .map(({ id, path }) => ({ path, message: `no vendor ${id} that you may see` })),
    unknown: entries
      .filter(({ id }) => !usable.has(id))
      .map(({ id, path }) => ({
        path,
        message: `${id} is no vendor of the vault. It is kept. To publish the configuration, replace it, or give it a name and a title.`,
      })),
  };
}

function toIds(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}

/** The vendors that a banner names by their ids alone, with the pointers to their fields. */
export function listVendorIds(document: Pick<StoredDocument, "resource" | "body">) {
  const steps = isDocumentOf(document, "cookies") ? (document.body.steps ?? []) : [];
  return steps.flatMap(({ vendors = [] }, step) =>
    vendors.flatMap((entry, n) => {
      const id = vendorIdOf(entry);
      return id === undefined ? [] : [{ id, path: `/steps/${step}/vendors/${n}` }];
    }),
  );
}

/** Fields with asset ids: a step's and a vendor's image, a processing's picture, a contract's file. */
const assetFields = ["image", "picture", "file", "steps[*].image", "steps[*].vendors[*].image"];
const USES_MAX = 20;

/** Documents that use an asset and that the scope may read; at most 20. */
export async function findAssetUses(db: Db | Tx, scope: Scope, assetId: string) {
  const jsonpath = assetFields
    .map((field) => `$.${field} == ${JSON.stringify(assetId)}`)
    .join(" || ");
  const found = await listDocumentsMatching(db, scope, { jsonpath, max: USES_MAX });
  return found.map(({ id, resource, body }) => ({
    id,
    resource,
    label: toLabel(body),
    projectId: readText(body["projectId"]),
  }));
}

function toLabel(body: JsonObject): string {
  const title = titleOf(body);
  return title === undefined ? "a document without a name" : `"${title.slice(0, 100)}"`;
}
