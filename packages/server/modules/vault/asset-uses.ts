import type { Scope } from "../../kernel/actor.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
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
    label: labelOf(body),
    projectId: projectIdOf(body),
  }));
}

function projectIdOf({ projectId }: Record<string, unknown>): string | undefined {
  return typeof projectId === "string" ? projectId : undefined;
}

/** What people call a document. */
function labelOf(body: Record<string, unknown>): string {
  const label = [body["name"], body["title"]].find((text) => typeof text === "string" && text);
  return typeof label === "string" ? `"${label.slice(0, 100)}"` : "a document without a name";
}
