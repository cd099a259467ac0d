import type { Brand } from "@avow/contract/configuration";
import { isObject, readText } from "@avow/contract/json";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { findBrandBody } from "./brands-store.ts";

const names = ["name", "logo", "color", "supportEmail", "senderName", "replyTo"] as const;

/**
 * The brand of the organization that a document is or belongs to. Undefined without a name: the other fields are shown
 * beside it.
 */
export async function findBrand(
  db: Db | Tx,
  documentId: string,
): Promise<(Brand & { name: string }) | undefined> {
  const body = await findBrandBody(db, documentId);
  if (!isObject(body)) return undefined;
  const fields = names.flatMap((name) => {
    const text = readText(body[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const brand: Brand = Object.fromEntries(fields);
  return brand.name === undefined ? undefined : { ...brand, name: brand.name };
}
