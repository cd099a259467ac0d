import { inTransaction } from "../../../platform/db/transaction.ts";
import { listObjectsOf } from "../archive/archived.ts";
import type { ArchivedObject } from "../archive/archive-store.ts";
import { openFileWriter, parseFile } from "../archive/parquet-file.ts";
import { archiveOf } from "../archive/reader.ts";
import { lockRebuilding } from "../states/rebuild-store.ts";
import {
  type MonthsApp,
  READS_MS,
  assertSame,
  keepFile,
  openRowsHash,
  storeFile,
} from "./files.ts";
import {
  deleteObjectRow,
  insertGarbage,
  insertObject,
  listErasedProjects,
  listErasures,
  lockObject,
  updateErasures,
} from "./months-store.ts";

/** Erased records of a pass over a project's files. */
const ERASED_MAX = 10_000;
const idMin = "00000000-0000-0000-0000-000000000000";

/** Writes files with erased records again without these. A stopped run is repeated by the next one. */
export async function rewriteErased(app: MonthsApp, signal: AbortSignal): Promise<void> {
  for (const projectId of await listErasedProjects(app.data))
    for (let after = idMin; !signal.aborted;) {
      const ids = await listErasures(app.data, { projectId, after, limit: ERASED_MAX });
      const last = ids.at(-1);
      if (last === undefined) break;
      const objects = await listObjectsOf(
        app.data,
        ids.map((id) => ({ projectId, id })),
      );
      for (const object of objects) await rewriteFile(app, object, new Set(ids));
      // Those that were in no file.
      await inTransaction(app.data, (tx) => updateErasures(tx, projectId, toForgotten(app, ids)));
      after = last;
    }
}

function toForgotten({ now }: MonthsApp, ids: readonly string[]) {
  return { ids, forgetAfter: new Date(now().getTime() + READS_MS) };
}

async function rewriteFile(
  app: MonthsApp,
  object: ArchivedObject,
  erased: ReadonlySet<string>,
): Promise<void> {
  const { data, now, log } = app;
  const { projectId, key, month } = object;
  const bytes = await archiveOf(data).readFile(object);
  const writer = openFileWriter();
  const hash = openRowsHash();
  const gone: string[] = [];
  for await (const row of parseFile(bytes, object.footerBytes)) {
    if (erased.has(row.id)) gone.push(row.id);
    else {
      writer.add(row);
      hash.add(row);
    }
  }
  if (gone.length === 0) return;
  const file = writer.rows > 0 ? writer.end() : undefined;
  if (file) await assertSame(file, hash.digest());
  const stored = file && (await storeFile(app, object, file));
  await inTransaction(data, async (tx) => {
    await lockRebuilding(tx, projectId);
    const present = await lockObject(tx, key);
    // Another run was faster; the new file is garbage.
    if (!present) return;
    await deleteObjectRow(tx, object);
    const deleteAfter = new Date(now().getTime() + READS_MS);
    await insertGarbage(tx, { key, deleteAfter });
    if (stored) {
      await keepFile(tx, stored);
      const { copiedAt, movedAt, restoredAt } = present;
      await insertObject(tx, object, { ...stored, copiedAt, movedAt, restoredAt });
    }
    await updateErasures(tx, projectId, toForgotten(app, gone));
    log.info(
      { projectId, month, erased: gone.length, key },
      "erased records left an archived file",
    );
  });
}
