import type { JsonObject } from "@avow/contract/json";
import type { Db } from "../../../platform/db/db.ts";
import { listPlaced } from "./store.ts";

/** What the log itself tells of belongs to no project. */
export const LOG_PROJECT = "";
const ANNOUNCED_MAX = 1_000;

/** A document of the log itself, with what proves its place. */
export interface Announced {
  record: JsonObject;
  /** 32 bytes in base64. */
  salt: string;
  /** Its place in the log. */
  index: number;
}

/** What the log tells of itself under names that begin so, as far as the tree of `size` has it. */
export async function listAnnounced(
  db: Db,
  { prefix, size }: { prefix: string; size: number },
): Promise<Announced[]> {
  const rows = await listPlaced(db, { projectId: LOG_PROJECT, prefix, limit: ANNOUNCED_MAX });
  return rows
    .filter(({ leaf }) => leaf < size)
    .map(({ document, leaf, salt }) => ({
      record: document,
      salt: salt.toString("base64"),
      index: leaf,
    }));
}
