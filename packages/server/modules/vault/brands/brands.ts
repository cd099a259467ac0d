import type { Brand } from "@avow/contract/configuration";
import { isObject, readText } from "@avow/contract/json";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { findBrandBody } from "./brands-store.ts";

const names = ["name", "logo", "color", "supportEmail", "senderName", "replyTo"] as const;

/**
 * The brand of the organization that a document is or belongs to, with the host of its domain if that leads here.
 * Undefined without a name: the other fields are shown beside it.
 */
export async function findBrand(
  db: Db | Tx,
  documentId: string,
): Promise<(Brand & { name: string; host?: string }) | undefined> {
  const found = await findBrandBody(db, documentId);
  const body = found?.brand;
  if (!isObject(body)) return undefined;
  const fields = names.flatMap((name) => {
    const text = readText(body[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const brand: Brand = Object.fromEntries(fields);
  if (brand.name === undefined) return undefined;
  return { ...brand, name: brand.name, ...(found?.host ? { host: found.host } : {}) };
}
