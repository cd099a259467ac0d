import type { DataDb } from "../../../../platform/db/db.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import { LOG_PROJECT, listAnnouncements } from "../announcements.ts";
import type { LogWidgetsOut } from "../schema.ts";
import { findHead, insertDocument } from "../store.ts";

const WIDGET_PREFIX = "widget/";

/** The widget's code, as served to visitors. */
export interface WidgetFacts {
  /** SHA-256 of the file, in hexadecimal digits. */
  hash: string;
  sizeBytes: number;
  /** Name of the published file that permanently has exactly these bytes. */
  file: string;
}

/**
 * Queues an entry with the hash of the widget's code, once per hash. CNIL 2020-092 names a published, time-stamped
 * hash of the code that collects consents as a form of proof.
 */
export async function announceWidget(db: DataDb, widget: WidgetFacts, at: Date): Promise<void> {
  const { hash, sizeBytes, file } = widget;
  const announcedAt = at.toISOString();
  await inTransaction(db, (tx) =>
    insertDocument(tx, {
      projectId: LOG_PROJECT,
      name: WIDGET_PREFIX + hash,
      document: { type: "widget", v: 1, hash, size: sizeBytes, file, announcedAt },
    }),
  );
}

/** The entries of every version of the widget in the log. */
export async function listLogWidgets(db: DataDb): Promise<LogWidgetsOut> {
  const size = (await findHead(db))?.size ?? 0;
  return listAnnouncements(db, { prefix: WIDGET_PREFIX, size });
}
