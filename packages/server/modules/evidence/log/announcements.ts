import type { JsonObject } from "@avow/contract/json";
import type { DataDb } from "../../../platform/db/db.ts";
import { listPlaced } from "./store.ts";

/** The project id of the log's own documents, which belong to no project. */
export const LOG_PROJECT = "";
const ANNOUNCEMENTS_MAX = 1_000;

/** A document of the log itself, with its salt and leaf index. */
export interface Announcement {
  record: JsonObject;
  /** 32 bytes in base64. */
  salt: string;
  /** The leaf index. */
  index: number;
}

/** Lists the log's own documents whose names have the prefix and that are in the tree of `size`. */
export async function listAnnouncements(
  db: DataDb,
  { prefix, size }: { prefix: string; size: number },
): Promise<Announcement[]> {
  const rows = await listPlaced(db, { projectId: LOG_PROJECT, prefix, limit: ANNOUNCEMENTS_MAX });
  return rows
    .filter(({ leaf }) => leaf < size)
    .map(({ document, leaf, salt }) => ({
      record: document,
      salt: salt.toString("base64"),
      index: leaf,
    }));
}
