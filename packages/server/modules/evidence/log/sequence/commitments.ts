import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Buckets } from "../../../../platform/db/buckets/buckets.ts";
import type { DataDb, DataTx } from "../../../../platform/db/db.ts";
import type { Commit, CommitKnown, Recordable } from "../../../consents/ports.ts";
import type { RecordedRow } from "../../../consents/commitments/recorded.ts";
import type { Facts } from "./facts.ts";
import { HASH_BYTES } from "@avow/contract/merkle";
import { type Frame, toConsentText, toFrame } from "@avow/contract/record";
import { SALT_BYTES, newSalts, saltOf, toEntry, toPadded } from "../tree/entry.ts";

/** Entries computed before yielding to the event loop. */
const YIELD_INTERVAL = 200;
/** Maximum concurrent look-ups that fill the cache of facts. */
const LOADING_MAX = 4;
/** Salts generated at a time. */
const SALTS_AHEAD = 128;
const SCRATCH_BYTES = 64 * 1024;
const SPACE = 0x20;

/**
 * Returns a function that computes the entries of records that are about to be inserted. The rows that they
 * refer to have to be committed. Records with the same `like` share all but a few bytes, serialized once.
 */
export function openCommit(buckets: Pick<Buckets, "of">, facts: Facts): Commit {
  const known = new WeakMap<object, readonly Buffer[]>();
  const hashRecord = openHasher();
  return async (records, toRow) => {
    const salts = newSalts(records.length);
    const entries = Buffer.allocUnsafe(records.length * HASH_BYTES);
    for (const [at, record] of records.entries()) {
      const { like } = record;
      let frame = like && known.get(like);
      if (!frame) {
        const row = toRow(record);
        const { data } = await buckets.of(row.project_id);
        frame = toParts(toFrame(row, await facts.factsOf(data, row)));
        if (like) known.set(like, frame);
      }
      const entry = hashRecord(frame, record, { salts, at });
      entries.write(entry, at * HASH_BYTES, "latin1");
      if (at % YIELD_INTERVAL === YIELD_INTERVAL - 1) await setImmediate();
    }
    return { entries, salts };
  };
}

function toParts({ toId, toTime, toToken, end }: Frame): readonly Buffer[] {
  return [toId, toTime, toToken, end].map((part) => Buffer.from(part));
}

/**
 * Returns a function that hashes as `toEntry(toConsentText(…))` does, from a frame and a record's own fields,
 * without building the text. The hash is a Latin-1 string.
 */
function openHasher() {
  const scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  const views = new Map<number, Buffer>();
  const openView = (size: number): Buffer => {
    if (size > SCRATCH_BYTES) return Buffer.allocUnsafe(size);
    let view = views.get(size);
    if (!view) views.set(size, (view = scratch.subarray(0, size)));
    return view;
  };
  return (
    frame: readonly Buffer[],
    { id, at: time, token }: Recordable,
    { salts, at }: { salts: Buffer; at: number },
  ): string => {
    const quoted = JSON.stringify(token);
    let length = id.length + time.length + Buffer.byteLength(quoted);
    for (const part of frame) length += part.length;
    const bytes = openView(SALT_BYTES + toPadded(length));
    const own = [id, time, quoted];
    let end = salts.copy(bytes, 0, at * SALT_BYTES, (at + 1) * SALT_BYTES);
    for (const [index, part] of frame.entries()) {
      end += part.copy(bytes, end);
      const next = own[index];
      if (next !== undefined) end += bytes.write(next, end);
    }
    bytes.fill(SPACE, end);
    return hash("sha256", bytes, "latin1");
  };
}

/**
 * Returns a function that computes the entry of a single record from cached facts only. If any is missing, it
 * returns undefined and loads it in the background for later records.
 */
export function openKnownCommit(buckets: Pick<Buckets, "of">, facts: Facts): CommitKnown {
  const takeSalt = openSalts();
  const loading = new Set<string>();
  const load = (row: RecordedRow): void => {
    const name = [row.project_id, row.version, row.choice, row.identifier].join(" ");
    if (loading.size >= LOADING_MAX || loading.has(name)) return;
    loading.add(name);
    void buckets
      .of(row.project_id)
      .then(({ data }) => facts.factsOf(data, row))
      // The sequencer reads the record later and reports missing or unreadable facts.
      .catch(() => undefined)
      .finally(() => loading.delete(name));
  };
  return (row) => {
    const known = facts.knownOf(row);
    if (!known) {
      load(row);
      return undefined;
    }
    const salt = takeSalt();
    return { entry: toEntry(toConsentText(row, known), salt), salt };
  };
}

/** Returns a generator of salts, which requests random bytes for many at a time. */
function openSalts(): () => Buffer {
  let salts = newSalts(SALTS_AHEAD);
  let next = 0;
  return () => {
    if (next === SALTS_AHEAD) {
      salts = newSalts(SALTS_AHEAD);
      next = 0;
    }
    return saltOf(salts, next++);
  };
}

/** The entries of records; each uses the salt of its index. */
export async function toEntries(
  rows: readonly RecordedRow[],
  salts: Buffer,
  { db, facts }: { db: DataDb | DataTx; facts: Facts },
): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (const [at, row] of rows.entries()) {
    const found = facts.factsOf(db, row);
    // Nearly always cached, so that there is no promise to await.
    const record = toConsentText(row, found instanceof Promise ? await found : found);
    entries.push(toEntry(record, saltOf(salts, at)));
    if (at % YIELD_INTERVAL === YIELD_INTERVAL - 1) await setImmediate();
  }
  return entries;
}
