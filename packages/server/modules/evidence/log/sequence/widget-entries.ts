import type { Db } from "../../../../platform/db/db.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import { LOG_PROJECT, listAnnounced } from "../announced.ts";
import type { LogWidgetsOut } from "../schema.ts";
import { findHead, insertDocument } from "../store.ts";

const WIDGET_PREFIX = "widget/";

/** The code that asks for consents, as visitors get it. */
export interface WidgetFacts {
  /** SHA-256 of the file, in hexadecimal digits. */
  hash: string;
  sizeBytes: number;
  /** Where exactly these bytes stay readable, among published files. */
  file: string;
}

/**
 * Tells the log which code asks for consents, each once for ever: a published, time-stamped hash of the
 * collection code is a form of proof that CNIL 2020-092 names.
 */
export async function announceWidget(db: Db, widget: WidgetFacts, at: Date): Promise<void> {
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

/** Every widget that the log was told of, with what proves each. */
export async function listLogWidgets(db: Db): Promise<LogWidgetsOut> {
  const size = (await findHead(db))?.size ?? 0;
  return listAnnounced(db, { prefix: WIDGET_PREFIX, size });
}
