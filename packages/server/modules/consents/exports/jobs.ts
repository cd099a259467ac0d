import type { DataDb } from "../../../platform/db/db.ts";
import { deleteExportsBefore } from "./store.ts";

const KEPT_DAYS = 30;

/** Deletes exports that started more than 30 days before `now`. */
export async function deleteExpiredExports(db: DataDb, now: Date): Promise<void> {
  await deleteExportsBefore(db, new Date(now.getTime() - KEPT_DAYS * 86_400_000));
}
