import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Db, Tx } from "../../../../platform/db/db.ts";
import type { Commit, CommitKnown, Recordable } from "../../../consents/ports.ts";
import type { RecordedRow } from "../../../consents/commitments/recorded.ts";
import type { Facts } from "./facts.ts";
import { HASH_BYTES } from "@avow/contract/merkle";
import { type Frame, toConsentText, toFrame } from "@avow/contract/record";
import { SALT_BYTES, newSalts, saltOf, toEntry, toPadded } from "../tree/entry.ts";

/** Entries that are made before other work has its turn. */
const TURN = 200;
/** Answer combinations and publications that are looked up at once for what comes next. */
const LEARNING_MAX = 4;
const SALTS_AHEAD = 128;
const SCRATCH_BYTES = 64 * 1024;
const SPACE = 0x20;

/**
 * Opens what commits to records that are about to be written; what they refer to was committed before.
 * Of those that are alike all but a few bytes are made once.
 */
export function openCommit(db: Db, facts: Facts): Commit {
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
        frame = toParts(toFrame(row, await facts.factsOf(db, row)));
        if (like) known.set(like, frame);
      }
      const entry = hashRecord(frame, record, { salts, at });
      entries.write(entry, at * HASH_BYTES, "latin1");
      if (at % TURN === TURN - 1) await setImmediate();
    }
    return { entries, salts };
  };
}

function toParts({ toId, toTime, toToken, end }: Frame): readonly Buffer[] {
  return [toId, toTime, toToken, end].map((part) => Buffer.from(part));
}

/**
 * Opens what hashes records as `toEntry(toConsentText(…))` does, of their frames and what is their own,
 * without a text of each; answers the hash as characters of one byte.
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
    const said = JSON.stringify(token);
    let length = id.length + time.length + Buffer.byteLength(said);
    for (const part of frame) length += part.length;
    const bytes = openView(SALT_BYTES + toPadded(length));
    const own = [id, time, said];
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
 * Opens what commits to single records by what is remembered. What was not is learned meanwhile, a few
 * things at a time, for those that come next.
 */
export function openKnownCommit(db: Db, facts: Facts): CommitKnown {
  const takeSalt = openSalts();
  const learning = new Set<string>();
  const learn = (row: RecordedRow): void => {
    const name = [row.project_id, row.version, row.choice, row.identifier].join(" ");
    if (learning.size >= LEARNING_MAX || learning.has(name)) return;
    learning.add(name);
    void Promise.resolve(facts.factsOf(db, row))
      // Whatever is not there, or cannot be read now, is told by the log, which then reads the record.
      .catch(() => undefined)
      .finally(() => learning.delete(name));
  };
  return (row) => {
    const known = facts.knownOf(row);
    if (!known) {
      learn(row);
      return undefined;
    }
    const salt = takeSalt();
    return { entry: toEntry(toConsentText(row, known), salt), salt };
  };
}

/** Opens a supply of salts, which asks for randomness for many at a time. */
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

/** The entries of records, each with its own of the salts. */
export async function toEntries(
  rows: readonly RecordedRow[],
  salts: Buffer,
  { db, facts }: { db: Db | Tx; facts: Facts },
): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (const [at, row] of rows.entries()) {
    const found = facts.factsOf(db, row);
    // Nearly always remembered: no promise to wait for.
    const record = toConsentText(row, found instanceof Promise ? await found : found);
    entries.push(toEntry(record, saltOf(salts, at)));
    if (at % TURN === TURN - 1) await setImmediate();
  }
  return entries;
}
