import type { FastifyBaseLogger } from "fastify";
import { toActorName, type Scope } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import type { DataDb, DataTx, Planes } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { noteEvent } from "../../../kernel/events/outbox.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../../kernel/page.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import type { ConsentsPorts } from "../ports.ts";
import type { ImportFiles } from "./files.ts";
import type { Upload } from "./receive.ts";
import type { Storage } from "./storage.ts";
import {
  type ImportKey,
  type ImportRow,
  countRunning,
  findImport,
  insertImport,
  listImportRows,
  lockImport,
  lockImports,
  updateEnded,
  updateRejectedRemoved,
} from "./store.ts";

/** Job queue of imports; the data of a job is an `ImportKey`. */
export const IMPORT_QUEUE = "import";

export interface Importing extends Pick<
  ConsentsPorts,
  "db" | "buckets" | "jobs" | "commit" | "diskSpace" | "now" | "publicUrl"
> {
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  choices: AnswerCombinations;
  files: ImportFiles;
  storage: Storage;
  /** Maximum waiting and running imports of one project. */
  waitingMax: number;
}

/** The same with the connections to the project's bucket. */
export type ProjectImporting = Importing & Planes;

/**
 * Checks that the user may import into a project now; called before an upload, and again after it.
 * @throws Fault not-found, forbidden (see `getProject`); too-many over the limit of waiting imports
 */
export async function assertMayImport(
  { db, data }: Planes,
  scope: Scope,
  given: { projectId: string; waitingMax: number },
): Promise<void> {
  await getProject(db, scope, given.projectId);
  await assertFewRunning(data, given);
}

async function assertFewRunning(
  db: DataDb | DataTx,
  { projectId, waitingMax }: { projectId: string; waitingMax: number },
): Promise<void> {
  if ((await countRunning(db, projectId)) < waitingMax) return;
  const detail = `This project already has ${waitingMax} waiting or running imports. Wait until one has ended.`;
  throw new Fault("too-many", detail, { retryAfterSeconds: 10 });
}

/**
 * Stores an import of an uploaded file, which `sendImport` queues afterwards.
 * @throws Fault too-many over the limit of waiting imports, and as `Storage`
 */
export async function requestImport(
  ctx: DataCtx,
  app: Pick<Importing, "waitingMax" | "storage">,
  given: ImportKey & { format: string; dryRun: boolean; upload: Upload },
): Promise<ImportRow> {
  const { projectId, id, format, dryRun, upload } = given;
  await lockImports(ctx.tx, projectId);
  await assertFewRunning(ctx.tx, { projectId, waitingMax: app.waitingMax });
  const createdBy = toActorName(ctx.actor);
  await app.storage.assertCapacity(ctx.tx, { createdBy, bytes: upload.size });
  const row = await insertImport(ctx.tx, {
    project_id: projectId,
    id,
    status: "Pending",
    format,
    dry_run: dryRun,
    ...upload,
    created_at: ctx.now,
    created_by: createdBy,
  });
  await noteEvent(ctx, {
    name: "import.requested",
    projectId,
    documentId: id,
    data: { format, dryRun, size: upload.size },
  });
  return row;
}

/** Queues an import. The sweep of `startImportJobs` queues those that a crash left out. */
export async function sendImport(
  { db, jobs }: Pick<Importing, "db" | "jobs">,
  { projectId, id }: ImportKey,
): Promise<void> {
  const data = { projectId, id };
  await inTransaction(db, (tx) => jobs.sendJob(tx, { queue: IMPORT_QUEUE, data }));
}

/** An import, for a user who may read the project's consents. Throws `Fault` (not-found, forbidden). */
export async function getImport(
  { db, data }: Planes,
  scope: Scope,
  { projectId, id }: ImportKey,
): Promise<ImportRow> {
  await getProject(db, scope, projectId);
  return toFound(await findImport(data, { projectId, id }), id);
}

function toFound(row: ImportRow | undefined, id: string): ImportRow {
  if (!row) throw new Fault("not-found", `The project has no import ${id}.`);
  return row;
}

/** A project's imports, the newest first. Throws `Fault` (not-found, forbidden, invalid). */
export async function listImports(
  { db, data }: Planes,
  scope: Scope,
  { projectId, limit, cursor }: { projectId: string; limit: number; cursor: string | undefined },
): Promise<CursorPage<ImportRow>> {
  await getProject(db, scope, projectId);
  const [before] = parseCursor(cursor, 1) ?? [];
  const rows = await listImportRows(data, { projectId, before, limit: limit + 1 });
  return toCursorPage(rows, limit, { keyOf: ({ id }) => [id], toItem: (row) => row });
}

/**
 * Cancels a waiting or running import; records imported so far stay. For an ended import, removes
 * the list of rejected lines. Its files are removed afterwards.
 * @throws Fault not-found
 */
export async function cancelImport(ctx: DataCtx, { projectId, id }: ImportKey): Promise<void> {
  const row = toFound(await lockImport(ctx.tx, { projectId, id }), id);
  await updateRejectedRemoved(ctx.tx, { projectId, id });
  if (row.status !== "Pending" && row.status !== "Active") return;
  const message =
    "The import was cancelled. Records imported so far are kept. Import the file again to continue.";
  await updateEnded(ctx.tx, { projectId, id }, { status: "Error", message, now: ctx.now });
  await noteEvent(ctx, { name: "import.cancelled", projectId, documentId: id });
}
