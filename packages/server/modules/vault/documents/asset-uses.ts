import { type JsonObject, readText } from "@avow/contract/json";
import { titleOf } from "@avow/contract/titles";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { listDocumentsMatching } from "./store.ts";

/** Where documents name assets: a step's and a vendor's image, a processing's picture, a contract's file. */
const places = ["image", "picture", "file", "steps[*].image", "steps[*].vendors[*].image"];
const NAMED_MAX = 20;

/** The documents that the scope may read and that name an asset, 20 at most. */
export async function findAssetUses(db: Db | Tx, scope: Scope, assetId: string) {
  const jsonpath = places.map((place) => `$.${place} == ${JSON.stringify(assetId)}`).join(" || ");
  const found = await listDocumentsMatching(db, scope, { jsonpath, max: NAMED_MAX });
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
