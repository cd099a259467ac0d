import { hasArchived } from "../archive/archived.ts";
import type { Actor } from "../../../kernel/actor.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { within } from "../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { noteEvent, writeData } from "../../../kernel/events/outbox.ts";
import type { JobAttempt } from "../../../kernel/jobs.ts";
import { openCandidates } from "./merge/candidates.ts";
import { toChunks } from "./chunks.ts";
import { openEntries } from "./formats/entry.ts";
import { analyzeTables } from "../statistics-store.ts";
import { getFormat } from "./formats/formats.ts";
import { type Importing, type ProjectImporting, sendImport } from "./imports.ts";
import { openSource } from "./formats/lines.ts";
import { openOffersAt } from "./merge/offers-at.ts";
import { waitForSpace } from "./capacity.ts";
import { type ImportKey, type ImportRow, findImport, updateEnded, updateStarted } from "./store.ts";
import { type Part, makeReady, writeItems } from "./write.ts";

/** Time after which an import yields to the others in the queue. */
const SLICE_MS = 60_000;

/** The actor of imports in the audit trail. */
const importer: Actor = { kind: "system", name: "import" };

/**
 * Resumes an import after its last committed transaction, and runs it to its end or for `SLICE_MS`;
 * then it is queued again. An error of the file as a whole ends it with `Error`; any other failure is
 * thrown and retried. Two workers may process one import: one that finds a part written stops.
 */
export async function runImport(
  importing: Importing,
  key: ImportKey,
  { isLast, signal }: JobAttempt & { signal: AbortSignal },
): Promise<void> {
  const app = await within(importing, key.projectId);
  const isOurs = await inTransaction(app.data, (tx) => updateStarted(tx, key, app.now()));
  const row = isOurs ? await findImport(app.data, key) : undefined;
  if (!row) return;
  try {
    const outcome = await runSlice(app, row, signal);
    // First, so that the next queries of the records are not planned for an empty table.
    if (outcome === "done") {
      await analyzeTables(app.data);
      await end(app, row, { status: "Done", message: null });
    }
    if (outcome === "more") await sendImport(app, key);
    if (outcome === "lost") await removeCancelled(app, key);
  } catch (error) {
    const fault = error instanceof Fault && error.kind !== "busy" ? error : undefined;
    if (!fault) app.log.error({ err: error, importId: key.id, isLast }, "import failed");
    if (!fault && !isLast) throw error;
    const ours = `The import failed repeatedly, because of an error of the service and not of the file. Ask the operator to check the log for the import ${key.id}. Then import the file again: records imported so far are kept and not imported twice.`;
    await end(app, row, { status: "Error", message: fault?.message ?? ours });
  }
}

type Outcome = "done" | "more" | "lost";

async function runSlice(
  app: ProjectImporting,
  row: ImportRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const until = performance.now() + SLICE_MS;
  const path = app.files.pathOf(row.id);
  const format = getFormat(row.format);
  const defect = row.position === 0 ? await format.findDefect?.(path, row.size) : undefined;
  if (defect !== undefined) throw new Fault("invalid", defect);
  await using rejected = await app.files.openRejected(row.id, row.refused_bytes);
  const offersAt = await openOffersAt(app, row.project_id);
  const place = { offset: row.position, line: row.line };
  const items = format.read(openSource(path), place, openEntries(row.created_at));
  const part: Part = {
    app,
    row,
    offersAt,
    toCandidate: openCandidates(),
    rejected,
    months: new Set(),
    position: row.position,
    readOn: () => undefined,
    hasStates: row.position > 0,
    isArchived: await hasArchived(app.data, row.project_id),
  };
  for await (const { ready: given, readOn } of toChunks(items, (some) => makeReady(part, some))) {
    part.readOn = readOn;
    // Every iteration writes at least one item.
    for (let rest = given; rest.ready.length > 0;) {
      if (!(await waitForSpace(app, row, signal))) return "more";
      const written = await writeItems(part, rest);
      if (written === undefined) return "lost";
      rest = { ready: rest.ready.slice(written), prepared: undefined };
    }
    if (signal.aborted || performance.now() > until) return "more";
  }
  return "done";
}

async function end(
  app: ProjectImporting,
  row: ImportRow,
  { status, message }: { status: "Done" | "Error"; message: string | null },
): Promise<void> {
  const now = app.now();
  const key = { projectId: row.project_id, id: row.id };
  await writeData(app, async (tx) => {
    const ended = await updateEnded(tx, key, { status, message, now });
    if (!ended) return;
    const { read, imported, known, refused, dry_run: dryRun } = ended;
    await noteEvent(toCtx({ tx, actor: importer, now, requestId: undefined }), {
      name: status === "Done" ? "import.done" : "import.failed",
      projectId: row.project_id,
      documentId: row.id,
      data: { dryRun, read, imported, known, refused },
    });
  });
  await app.files.removeUpload(row.id);
}

/** The cancellation removed the files, but this worker may have written them again. */
async function removeCancelled(app: ProjectImporting, key: ImportKey): Promise<void> {
  const row = await findImport(app.data, key);
  if (row?.ended_at && row.refused_bytes === 0) await app.files.remove(key.id);
}
