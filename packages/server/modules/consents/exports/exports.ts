import type { FastifyBaseLogger } from "fastify";
import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { noteEvent } from "../../../kernel/events/outbox.ts";
import { idAfter, newDocumentId } from "../../../kernel/ids.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { CsvDialectName } from "../../../platform/text/csv.ts";
import type { ConsentsPorts } from "../ports.ts";
import { awaitHorizon, findHorizon } from "../read/horizon.ts";
import { toFilter } from "../read/registry.ts";
import { openCsv } from "./csv.ts";
import type { Encoder } from "./encoder.ts";
import { toManifestLine } from "./manifest.ts";
import { openNdjson } from "./ndjson.ts";
import { readPages } from "./pages.ts";
import { openParquet } from "./parquet.ts";
import type { ExportQueryIn, Format, StoredQuery } from "./schema.ts";
import {
  type ExportRow,
  type NewExport,
  type Stretch,
  findExport,
  insertExport,
  updateExport,
} from "./store.ts";
import { type Tally, openTally } from "./tally.ts";

/** Limit of stored exports of a project. */
const KEPT_MAX = 1_000;

interface EncoderOptions {
  projectId: string;
  dialect: CsvDialectName | undefined;
}

/** The encoders of all formats. */
const encoders: Record<Format, (of: EncoderOptions) => Encoder> = {
  csv: openCsv,
  ndjson: openNdjson,
  parquet: openParquet,
};

/** A new export: its row, and the records to export. */
export interface NewRun {
  row: NewExport & { format: Format; filters: StoredQuery };
  stretch: Stretch & { to: string };
}

/**
 * Starts an export of a project's consents, oldest first, up to the present or an earlier `end`. Reads the log's
 * checkpoint before the first record, so that the file contains all matching records of that tree.
 */
export async function startExport(
  ctx: DataCtx,
  request: { projectId: string; format: Format; query: ExportQueryIn },
  findCheckpoint: ConsentsPorts["findCheckpoint"],
): Promise<NewRun> {
  const { projectId, format } = request;
  const { after, ...filters } = request.query;
  const filter = toFilter(projectId, filters);
  const now = idAfter(ctx.now);
  const to = filter.to !== undefined && filter.to < now ? filter.to : now;
  const row = {
    project_id: projectId,
    id: newDocumentId(ctx.now),
    format,
    filters,
    from_id: filter.from ?? null,
    after_id: after?.toLowerCase() ?? null,
    to_id: to,
    state: "running",
    first_id: null,
    last_id: null,
    count: 0,
    size: 0,
    sha256: null,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
    log_checkpoint: (await findCheckpoint(ctx.tx)) ?? null,
  };
  await insertExport(ctx.tx, row, KEPT_MAX);
  await noteEvent(ctx, {
    name: "export.requested",
    projectId,
    data: { exportId: row.id, format },
  });
  return { row, stretch: { ...filter, to, after: row.after_id ?? undefined } };
}

/** Dependencies of writing an export. */
export interface ExportRun extends NewRun {
  data: DataDb;
  log: Pick<FastifyBaseLogger, "warn">;
  publicUrl: string;
  /** See `Intervals.collectingMs`. */
  marginMs: number;
  /** Runs a verb in its own transaction, with the actor of the request. */
  write: (verb: (ctx: DataCtx) => Promise<void>) => Promise<void>;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * The bytes of an export's file. Stores the progress after each stretch, and the completion before the last byte is
 * sent. If the client disconnects or reading fails, the export gets the state `cut`.
 */
export async function* writeExport(run: ExportRun): AsyncGenerator<Uint8Array> {
  const { row, data } = run;
  const encoder = encoders[row.format]({ projectId: row.project_id, dialect: row.filters.dialect });
  const tally = openTally();
  let isDone = false;
  try {
    const to = yield* writeRecords(run, encoder, tally);
    const end = { ...toProgress(tally, encoder), to_id: to, sha256: tally.digest() };
    await run.write((ctx) => finishExport(ctx, row, end));
    isDone = true;
    if (row.format === "ndjson")
      yield Buffer.from(toManifestLine({ ...row, ...end }, run.publicUrl));
  } finally {
    if (!isDone) {
      const cut = { state: "cut", ...toProgress(tally, encoder) };
      await updateExport(data, toKey(row), cut).catch((error: unknown) => {
        run.log.warn({ err: error }, "export not marked as cut");
      });
    }
  }
}

/**
 * The encoded records, with head and foot of the format; returns the upper bound of their ids. Writes all records below
 * the horizon first, and then waits for the rest to be complete.
 */
async function* writeRecords(
  run: ExportRun,
  encoder: Encoder,
  tally: Tally,
): AsyncGenerator<Uint8Array, string> {
  const { data, stretch, signal, marginMs } = run;
  for (const piece of encoder.begin(stretch.after !== undefined)) yield tally.addPiece(piece);
  const horizon = await findHorizon(data, marginMs);
  let { to } = stretch;
  if (horizon >= to) yield* writeStretch(run, stretch, { encoder, tally });
  else {
    yield* writeStretch(run, { ...stretch, to: horizon }, { encoder, tally });
    to = await awaitHorizon(data, to, { signal, marginMs });
    const from = stretch.from !== undefined && stretch.from > horizon ? stretch.from : horizon;
    yield* writeStretch(run, { ...stretch, from, to }, { encoder, tally });
  }
  for (const piece of encoder.end()) yield tally.addPiece(piece);
  return to;
}

async function* writeStretch(
  { data, row }: ExportRun,
  stretch: Stretch,
  { encoder, tally }: { encoder: Encoder; tally: Tally },
): AsyncGenerator<Uint8Array, void> {
  for await (const page of readPages(data, stretch, encoder.columns)) {
    for (const piece of encoder.encode(page)) yield tally.addPiece(piece);
    if (tally.addPage(page)) await updateExport(data, toKey(row), toProgress(tally, encoder));
  }
}

function toKey({ project_id: projectId, id }: Pick<NewExport, "project_id" | "id">) {
  return { projectId, id };
}

function toProgress({ bytes, count, first, last, cutPoints }: Tally, { isAppendable }: Encoder) {
  const stretches = isAppendable ? cutPoints : [];
  return { size: bytes, count, first_id: first, last_id: last, stretches };
}

async function finishExport(
  ctx: DataCtx,
  row: NewExport,
  end: ReturnType<typeof toProgress> & { sha256: string; to_id: string },
): Promise<void> {
  await updateExport(ctx.tx, toKey(row), { ...end, state: "done", ended_at: ctx.now });
  const { project_id: projectId, id: exportId, format } = row;
  const { count, size, sha256 } = end;
  await noteEvent(ctx, {
    name: "export.done",
    projectId,
    data: { exportId, format, count, bytes: size, sha256 },
  });
}

/**
 * An export with its progress.
 * @throws Fault not-found without the project or the export, which may have been deleted; forbidden without the right
 *   to read consents
 */
export async function getExport(
  { db, data }: Planes,
  scope: Scope,
  key: { projectId: string; id: string },
): Promise<ExportRow> {
  await getProject(db, scope, key.projectId);
  const row = await findExport(data, key);
  if (!row)
    throw new Fault(
      "not-found",
      `There is no export ${key.id}. Exports are deleted after 30 days.`,
    );
  return row;
}
