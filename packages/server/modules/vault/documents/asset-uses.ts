import { type JsonObject, readText } from "@avow/contract/json";
import { titleOf } from "@avow/contract/labels";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { listDocumentsMatching } from "./store.ts";

/** Fields with asset ids: a step's and a vendor's image, a processing's picture, a contract's file. */
const fields = ["image", "picture", "file", "steps[*].image", "steps[*].vendors[*].image"];
const USES_MAX = 20;

/** Documents that use an asset and that the scope may read; at most 20. */
export async function findAssetUses(db: Db | Tx, scope: Scope, assetId: string) {
  const jsonpath = fields.map((field) => `$.${field} == ${JSON.stringify(assetId)}`).join(" || ");
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
