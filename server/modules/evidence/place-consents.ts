import { setImmediate } from "node:timers/promises";
import type { Db, Tx } from "../../platform/db/db.ts";
import { type RecordedRow, listRecorded } from "../consents/recorded.ts";
import type { Facts } from "./facts.ts";
import { newSalts, saltOf, toConsentText, toEntry } from "./record.ts";
import { insertSalts, takeQueued } from "./store.ts";

/** What is read, committed to and kept at once: little enough to be young when it is done with. */
const PART_MAX = 4_000;
/** What one transaction takes at most. */
const CONSENTS_MAX = 16_000;
/** Entries that are made before other work has its turn. */
const TURN = 200;

/** Some of what waits: `taken` from the queue, `rows` of them still to be committed to. */
interface Part {
  taken: number;
  rows: RecordedRow[];
}

const nothing: Part = { taken: 0, rows: [] };

/**
 * Places consents that wait from leaf `first` on, in parts: while one is committed to, PostgreSQL keeps
 * the salts of the one before and reads the next. One that was erased meanwhile has nothing to be
 * committed to. Answers the entries, and whether more waits.
 */
export async function placeConsents(
  tx: Tx,
  { db, facts }: { db: Db; facts: Facts },
  first: number,
): Promise<{ entries: Buffer[]; isMore: boolean }> {
  const entries: Buffer[] = [];
  const readPart = toReader(tx);
  let taken = 0;
  let keep: (() => Promise<void>) | undefined;
  let part = await readPart();
  while (part.taken > 0) {
    const { rows } = part;
    taken += part.taken;
    const isLast = part.taken < PART_MAX || taken >= CONSENTS_MAX;
    const salts = newSalts(rows.length);
    const [next, made] = await Promise.all([
      (keep ? keep() : Promise.resolve()).then(() => (isLast ? nothing : readPart())),
      // What they refer to was committed before them; the transaction is at its own work.
      toEntries(rows, salts, (row) => facts.factsOf(db, row)),
    ]);
    const projectIds = rows.map((row) => row.project_id);
    const ids = rows.map((row) => row.id);
    const placed = { projectIds, ids, first: first + entries.length, salts };
    keep = () => insertSalts(tx, placed);
    for (const entry of made) entries.push(entry);
    part = next;
  }
  await keep?.();
  return { entries, isMore: taken >= CONSENTS_MAX };
}

/** Reads part after part. One that was queued twice may be in two of them: it comes once. */
function toReader(tx: Tx): () => Promise<Part> {
  const seen = new Set<string>();
  return async () => {
    const { taken, keys } = await takeQueued(tx, PART_MAX);
    const fresh = keys.filter(({ id, projectId }) => {
      const { size } = seen;
      return seen.add(`${id} ${projectId}`).size > size;
    });
    const projectIds = fresh.map((key) => key.projectId);
    const ids = fresh.map((key) => key.id);
    return { taken, rows: await listRecorded(tx, projectIds, ids) };
  };
}

async function toEntries(
  rows: readonly RecordedRow[],
  salts: Buffer,
  factsOf: (row: RecordedRow) => ReturnType<Facts["factsOf"]>,
): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (const [at, row] of rows.entries()) {
    const found = factsOf(row);
    // Nearly always remembered: no promise to wait for.
    const record = toConsentText(row, found instanceof Promise ? await found : found);
    entries.push(toEntry(record, saltOf(salts, at)));
    if (at % TURN === TURN - 1) await setImmediate();
  }
  return entries;
}
