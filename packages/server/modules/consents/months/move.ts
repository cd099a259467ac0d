import { inTransaction } from "../../../platform/db/transaction.ts";
import { archiveOf } from "../archive/reader.ts";
import { deleteUnusedChoices } from "../states/answer-combinations-store.ts";
import { lockRebuilding } from "../states/rebuild-store.ts";
import { type MonthsApp, READS_MS, readIds } from "./files.ts";
import {
  type TimedObject,
  deleteMoved,
  hasErasures,
  listCopiedBefore,
  lockObject,
  updateMoved,
} from "./months-store.ts";

/**
 * Deletes the records of files from `consents`, once every running read knows the files. Each file is read first, and
 * compared with its hash.
 */
export async function moveCopied(app: MonthsApp, signal: AbortSignal): Promise<void> {
  const before = new Date(app.now().getTime() - READS_MS);
  for (const object of await listCopiedBefore(app.data, before)) {
    if (signal.aborted) return;
    await moveFile(app, object);
  }
}

async function moveFile({ data, now, log }: MonthsApp, object: TimedObject): Promise<void> {
  const { projectId, key, rows } = object;
  const bytes = await archiveOf(data).readFile(object);
  await inTransaction(data, async (tx) => {
    await lockRebuilding(tx, projectId);
    const present = await lockObject(tx, key);
    // Written again without erased records first, so that the number of records stays exact.
    if (!present || present.movedAt || (await hasErasures(tx, object))) return;
    const choices = new Map<string, { identifier: string; choice: number }>();
    let count = 0;
    for await (const ids of readIds(bytes, object.footerBytes)) {
      const moved = await deleteMoved(tx, projectId, ids);
      count += moved.count;
      for (const one of moved.choices) choices.set(`${one.choice} ${one.identifier}`, one);
    }
    if (count !== rows) throw new Error(`${count} of the ${rows} records of ${key} exist`);
    await updateMoved(tx, key, now());
    // The file has the answers themselves.
    if (choices.size > 0) await deleteUnusedChoices(tx, projectId, [...choices.values()]);
    log.info({ projectId, month: object.month, rows, key }, "archived records left the database");
  });
}
