import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { DataTx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { codeOf } from "../../../platform/errors.ts";
import { createMonthPartitions } from "../records/months-store.ts";
import type { Candidate, Rejected, openCandidates } from "./merge/candidates.ts";
import type { Item } from "./formats/format.ts";
import type { ProjectImporting } from "./imports.ts";
import { type MergeResult, RECORDS_MAX, mergeCandidates, toFirstChanges } from "./merge/merge.ts";
import { ChangedError, writePrepared } from "./merge/write-rows.ts";
import { configureMergeTransaction } from "./merge/merge-store.ts";
import { type Prepared, prepareChanges } from "./merge/prepare.ts";
import { CombinationErasedError } from "../states/used-combinations.ts";
import type { OffersAt } from "./merge/offers-at.ts";
import { type RejectedLine, writeRejected } from "./rejected.ts";
import { type ImportRow, lockImport, updateProgress } from "./store.ts";

const ATTEMPTS_MAX = 6;
/** Candidates created before yielding to the event loop. */
const YIELD_EVERY = 200;
const UNIQUE_VIOLATION = "23505";

/** State shared by the parts of one import. */
export interface Part {
  app: ProjectImporting;
  row: ImportRow;
  offersAt: OffersAt;
  toCandidate: ReturnType<typeof openCandidates>;
  rejected: FileHandle;
  /** Months that have partitions, counted from the year 0. */
  months: Set<number>;
  /** Byte offset of the next part. */
  position: number;
  /** Starts reading the next part. */
  readOn: () => void;
  /** Whether the last part found existing states: the next one probably will, too. */
  hasStates: boolean;
  /** Whether the project has archived months. */
  isArchived: boolean;
}

/** A candidate or a rejected line, in the order of the file. */
type Ready = Candidate | Rejected;

export interface ReadyPart {
  ready: readonly Ready[];
  /** Rows prepared as if all tokens were new; undefined where that is unlikely. */
  prepared: Prepared | undefined;
}

/**
 * Writes the first of these items, as many as one transaction may, with the progress of the import.
 * Returns their number; undefined when the import has ended or another worker wrote this part.
 */
export async function writeItems(part: Part, given: ReadyPart): Promise<number | undefined> {
  // The rest is work for PostgreSQL, so the next part can be read at the same time.
  part.readOn();
  for (let attempt = 1; ; attempt += 1) {
    const { ready } = given;
    const isNew = attempt === 1 && !part.hasStates && !part.isArchived;
    const prepared = isNew ? given.prepared : undefined;
    const keep = (tx: DataTx) =>
      prepared ? keepPrepared(tx, part, { ready, prepared }) : keepReady(tx, part, ready, attempt);
    try {
      return await inTransaction(part.app.data, (tx) => writeReady(tx, part, ready, keep));
    } catch (error) {
      if (!isChanged(error) || attempt >= ATTEMPTS_MAX) throw error;
      part.hasStates = true;
    }
  }
}

/** Writes prepared rows of tokens that are assumed to be new. */
async function keepPrepared(
  tx: DataTx,
  { app }: Part,
  { ready, prepared }: { ready: readonly Ready[]; prepared: Prepared },
): Promise<MergeResult> {
  await writePrepared(tx, app.choices, prepared);
  const taken = ready.filter(isCandidate).length;
  const imported = prepared.count;
  return { taken, imported, known: taken - imported, tooMany: [], hasStates: false };
}

/** Looks up the existing states of these tokens and writes the changes. */
async function keepReady(
  tx: DataTx,
  { app, row, isArchived }: Part,
  ready: readonly Ready[],
  attempt: number,
): Promise<MergeResult> {
  const context = {
    projectId: row.project_id,
    importId: row.id,
    choices: app.choices,
    commit: app.commit,
    dryRun: row.dry_run,
    // No unique key of the database knows the ids of archived months.
    lookUp: attempt < ATTEMPTS_MAX / 2 && !isArchived ? "states" : "ids",
  } as const;
  return mergeCandidates(tx, context, ready.filter(isCandidate));
}

async function writeReady(
  tx: DataTx,
  part: Part,
  ready: readonly Ready[],
  merge: (tx: DataTx) => Promise<MergeResult>,
): Promise<number | undefined> {
  const { app, row } = part;
  const key = { projectId: row.project_id, id: row.id };
  const present = await lockImport(tx, key);
  if (present?.status !== "Active" || present.position !== part.position) return undefined;
  await configureMergeTransaction(tx);
  const merged = await merge(tx);
  // The first candidate beyond this transaction's limit, if any.
  const left = ready.filter(isCandidate)[merged.taken];
  const done = left ? ready.slice(0, ready.indexOf(left)) : ready;
  const rejected = toRejected(done, new Set(merged.tooMany));
  const last = done.at(-1)?.item;
  if (!last) return 0;
  const to = {
    position: last.end,
    line: last.nextLine,
    refused_bytes: await writeRejected(part.rejected, present.refused_bytes, rejected),
    read: present.read + done.length,
    imported: present.imported + merged.imported,
    known: present.known + merged.known,
    refused: present.refused + rejected.length,
  };
  const isOurs = await updateProgress(tx, key, { ...to, from: part.position, now: app.now() });
  if (!isOurs) return undefined;
  part.position = last.end;
  part.hasStates = merged.hasStates;
  return done.length;
}

function isCandidate(one: Ready): one is Candidate {
  return one.entry !== undefined;
}

function toRejected(done: readonly Ready[], tooMany: ReadonlySet<Candidate>): RejectedLine[] {
  return done.flatMap((one) => {
    const { line, text } = one.item;
    if (!one.entry) return [{ line, text, reason: one.reason }];
    if (!tooMany.has(one)) return [];
    const reason = `The token has more than ${RECORDS_MAX} records of this configuration. Older ones cannot be added.`;
    return [{ line, text, reason }];
  });
}

/** Prepares items for writing, and creates the partitions of their months. */
export async function makeReady(part: Part, items: readonly Item[]): Promise<ReadyPart> {
  const { app, row, offersAt, toCandidate } = part;
  await offersAt.load(items.flatMap(({ entry }) => (entry ? [entry] : [])));
  const ready: Ready[] = [];
  for (const item of items) {
    ready.push(toReady(item, offersAt, toCandidate));
    if (ready.length % YIELD_EVERY === 0) await setImmediate();
  }
  await createPartitionsOf(part, ready);
  if (part.hasStates || part.isArchived || row.dry_run) return { ready, prepared: undefined };
  const changes = toFirstChanges(row.project_id, ready.filter(isCandidate));
  const preparing = { ...app, projectId: row.project_id, importId: row.id };
  return { ready, prepared: await prepareChanges(preparing, changes) };
}

function toReady(
  item: Item,
  offersAt: OffersAt,
  toCandidate: ReturnType<typeof openCandidates>,
): Ready {
  if (!item.entry) return { item, reason: item.reason };
  const { entry } = item;
  const configuration = offersAt.find(entry);
  if (configuration?.collection === entry.collection) return toCandidate(item, configuration);
  const reason = `The project has no ${entry.identifier} in its ${entry.collection}.`;
  return { item, reason };
}

/** Whether another transaction wrote the same records or states. */
function isChanged(error: unknown): boolean {
  if (error instanceof ChangedError || error instanceof CombinationErasedError) return true;
  return codeOf(error) === UNIQUE_VIOLATION;
}

/** Creates the partitions of these records outside of the transaction that writes them. */
async function createPartitionsOf(
  { app, row, months }: Part,
  ready: readonly Ready[],
): Promise<void> {
  if (row.dry_run) return;
  for (const { entry } of ready) {
    if (!entry) continue;
    const { createdAt } = entry;
    const month = createdAt.getUTCFullYear() * 12 + createdAt.getUTCMonth();
    if (months.has(month)) continue;
    await createMonthPartitions(app.data, createdAt, createdAt);
    months.add(month);
  }
}
