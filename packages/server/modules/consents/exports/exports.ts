import type { FastifyBaseLogger } from "fastify";
import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { idAfter, newDocumentId } from "../../../kernel/ids.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { ConsentsPorts } from "../ports.ts";
import { awaitHorizon, findHorizon } from "../read/horizon.ts";
import { toFilter } from "../read/registry.ts";
import { openCsv } from "./csv.ts";
import type { Encoder } from "./encoder.ts";
import { toManifestLine } from "./manifest.ts";
import { openNdjson } from "./ndjson.ts";
import { readPages } from "./pages.ts";
import { openParquet } from "./parquet.ts";
import type { ExportQueryIn, Format } from "./schema.ts";
import {
  type ExportRow,
  type NewExport,
  type Stretch,
  findExport,
  insertExport,
  updateExport,
} from "./store.ts";
import { type Tally, openTally } from "./tally.ts";

/** Exports of a project that are remembered. */
const KEPT_MAX = 1_000;

/** Each format's file; another format is another line here. */
const encoders: Record<Format, (of: { projectId: string }) => Encoder> = {
  csv: openCsv,
  ndjson: openNdjson,
  parquet: openParquet,
};

/** An export that begins: its row, and the records that it is of. */
export interface NewRun {
  row: NewExport & { format: Format };
  stretch: Stretch & { to: string };
}

/**
 * Begins an export of a project's consents, oldest first, up to this instant or an earlier `end`: what
 * is collected later belongs to the next one. The log's checkpoint is of before the first record is
 * read: what the log holds then is committed, and so in the file.
 * @throws Fault not-found or forbidden as the project's; invalid for an instant that is none
 */
export async function startExport(
  ctx: Ctx,
  asked: { projectId: string; format: Format; query: ExportQueryIn },
  findCheckpoint: ConsentsPorts["findCheckpoint"],
): Promise<NewRun> {
  const { projectId, format } = asked;
  const { after, ...filters } = asked.query;
  await getProject(ctx.tx, ctx.scope, projectId);
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
  await recordEvent(ctx, {
    name: "export.requested",
    projectId,
    data: { exportId: row.id, format },
  });
  return { row, stretch: { ...filter, to, after: row.after_id ?? undefined } };
}

/** The parts that write a file. */
export interface ExportRun extends NewRun {
  db: Db;
  log: Pick<FastifyBaseLogger, "warn">;
  publicUrl: string;
  /** See `Intervals.collectingMs`. */
  marginMs: number;
  /** Runs a verb in a transaction of its own, as who asked for the export. */
  write: (verb: (ctx: Ctx) => Promise<void>) => Promise<void>;
  /** Aborted when nobody reads any more. */
  signal: AbortSignal;
}

/**
 * The bytes of an export's file. How far it has come is kept after each stretch, and that it is
 * complete before its last byte is answered. A reader that goes, and a source that fails, leave
 * an export that is cut.
 */
export async function* writeExport(run: ExportRun): AsyncGenerator<Uint8Array> {
  const { row, db } = run;
  const encoder = encoders[row.format]({ projectId: row.project_id });
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
      await updateExport(db, toKey(row), cut).catch((error: unknown) => {
        run.log.warn({ err: error }, "an export that was cut off could not be told so");
      });
    }
  }
}

/**
 * The records, and what a format has around them; answers where they end. What may still be added to
 * is waited for after all that comes before it is written.
 */
async function* writeRecords(
  run: ExportRun,
  encoder: Encoder,
  tally: Tally,
): AsyncGenerator<Uint8Array, string> {
  const { db, stretch, signal, marginMs } = run;
  for (const piece of encoder.begin(stretch.after !== undefined)) yield tally.addPiece(piece);
  const horizon = await findHorizon(db, marginMs);
  let { to } = stretch;
  if (horizon >= to) yield* writeStretch(run, stretch, { encoder, tally });
  else {
    yield* writeStretch(run, { ...stretch, to: horizon }, { encoder, tally });
    to = await awaitHorizon(db, to, { signal, marginMs });
    const from = stretch.from !== undefined && stretch.from > horizon ? stretch.from : horizon;
    yield* writeStretch(run, { ...stretch, from, to }, { encoder, tally });
  }
  for (const piece of encoder.end()) yield tally.addPiece(piece);
  return to;
}

async function* writeStretch(
  { db, row }: ExportRun,
  stretch: Stretch,
  { encoder, tally }: { encoder: Encoder; tally: Tally },
): AsyncGenerator<Uint8Array, void> {
  for await (const page of readPages(db, stretch, encoder.columns)) {
    for (const piece of encoder.encode(page)) yield tally.addPiece(piece);
    if (tally.addPage(page)) await updateExport(db, toKey(row), toProgress(tally, encoder));
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
  ctx: Ctx,
  row: NewExport,
  end: ReturnType<typeof toProgress> & { sha256: string; to_id: string },
): Promise<void> {
  await updateExport(ctx.tx, toKey(row), { ...end, state: "done", ended_at: ctx.now });
  const { project_id: projectId, id: exportId, format } = row;
  const { count, size, sha256 } = end;
  await recordEvent(ctx, {
    name: "export.done",
    projectId,
    data: { exportId, format, count, bytes: size, sha256 },
  });
}

/**
 * How far an export has come.
 * @throws Fault not-found when the project is not visible, or the export unknown or forgotten;
 *   forbidden when the role does not let consents be read
 */
export async function getExport(
  db: Db,
  scope: Scope,
  key: { projectId: string; id: string },
): Promise<ExportRow> {
  await getProject(db, scope, key.projectId);
  const row = await findExport(db, key);
  if (!row) throw new Fault("not-found", `There is no export ${key.id}, or not any more.`);
  return row;
}
