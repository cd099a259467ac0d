import type { FastifyBaseLogger } from "fastify";
import type { DataDb } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { StartError } from "../../../platform/start-error.ts";
import { toBackOffSeconds } from "./requests.ts";
import { parseWitnessKey } from "./cosignature.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import type { TreeConfirmation } from "../log/sequence/continuity.ts";
import { type HeadRow, findHead, stopLog } from "../log/store.ts";
import { type Witness, type WitnessResult, requestCosignature } from "./witness-request.ts";
import {
  type WitnessRow,
  claimWitnesses,
  findWitnessed,
  insertCosignatures,
  updateWitness,
} from "../log/cosignatures-store.ts";

/** Longer than two requests take. */
const LEASE_SECONDS = 30;
/** Minimum interval between requests to a witness. */
const PAUSE_SECONDS = 1;

export interface WitnessesOptions {
  intervals: Intervals;
  db: DataDb;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  witnesses: readonly Witness[];
}

/**
 * Parses the setting EVIDENCE_WITNESSES: an address and a verifier key for each.
 * @throws StartError for an invalid key, or two witnesses with the same key
 */
export function toWitnesses(given: readonly { url: string; key: string }[]): Witness[] {
  try {
    const witnesses = given.map(({ url, key }) => ({ url, key: parseWitnessKey(key) }));
    const keys = new Set(witnesses.map(({ key }) => key.verifier.split("+").slice(2).join("+")));
    if (keys.size < witnesses.length) throw new Error("Two witnesses have the same key.");
    return witnesses;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`EVIDENCE_WITNESSES: ${reason}`, { cause: error });
  }
}

/**
 * Starts the worker that requests cosignatures of each new tree from the witnesses. It does not block the log: failed
 * requests are retried with a backoff of at most five minutes. Leases make one node at a time send requests to a
 * witness. Disposal aborts the current requests.
 */
export function openWitnesses(options: WitnessesOptions): AsyncDisposable {
  if (options.witnesses.length === 0) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const { witnessesMs } = options.intervals;
  const round = async (signal: AbortSignal): Promise<number> => {
    await askRound(options, signal);
    return witnessesMs;
  };
  return openWorkerLoop(round, {
    retryMs: witnessesMs,
    onError: (error) => options.log.error({ err: error }, "cosigning failed, will retry"),
  });
}

/** Sends requests to the witnesses that are due and have not cosigned the latest tree, and stores the results. */
async function askRound(options: WitnessesOptions, signal: AbortSignal): Promise<void> {
  const { db, witnesses } = options;
  const head = await findHead(db);
  // An empty tree proves nothing.
  if (!head || head.size === 0) return;
  const witnessed = await findWitnessed(db);
  const done = witnessed?.size === head.size ? witnessed.witnesses : [];
  const missing = witnesses.filter(({ key }) => !done.includes(key.verifier));
  if (missing.length === 0) return;
  const verifiers = missing.map(({ key }) => key.verifier);
  const rows = await claimWitnesses(db, verifiers, LEASE_SECONDS);
  const results = await Promise.all(
    rows.flatMap((row) => {
      const witness = missing.find(({ key }) => key.verifier === row.verifier);
      return witness ? [ask(options, { witness, row, head, signal })] : [];
    }),
  );
  const cosigned = results.flatMap(({ row: { verifier }, result }) =>
    result.kind === "cosigned" ? [{ verifier, line: result.line }] : [],
  );
  await inTransaction(db, async (tx) => {
    if (cosigned.length > 0) await insertCosignatures(tx, head, cosigned);
    for (const { row, waitSeconds } of results) await updateWitness(tx, row, waitSeconds);
  });
}

interface Outcome {
  result: WitnessResult;
  /** The new state of the witness. */
  row: WitnessRow;
  waitSeconds: number;
}

async function ask(
  { db, log }: WitnessesOptions,
  of: { witness: Witness; row: WitnessRow; head: HeadRow; signal: AbortSignal },
): Promise<Outcome> {
  const { witness, row, head, signal } = of;
  const { name } = witness.key;
  let from = Math.min(row.size, head.size);
  let result = await requestCosignature(db, witness, { head, from, signal });
  if (result.kind === "other-size" && result.size <= head.size) {
    from = result.size;
    result = await requestCosignature(db, witness, { head, from, signal });
  }
  if (result.kind === "cosigned") {
    if (row.failures > 0) log.info({ witness: name }, "witness recovered");
    return { result, row: { ...row, size: head.size, failures: 0 }, waitSeconds: PAUSE_SECONDS };
  }
  if (signal.aborted) return { result, row, waitSeconds: 0 };
  const failures = row.failures + 1;
  const waitSeconds = toBackOffSeconds(failures);
  const reason =
    result.kind !== "other-size"
      ? result.reason
      : `it has seen ${result.size} entries, but the log has ${head.size}: was a backup restored?`;
  const lost = result.kind === "other-size" && (await findLost(db, witness, result.size));
  if (lost) await stopLog(db, lost);
  log.warn({ witness: name, reason, failures, waitSeconds }, "witness request failed");
  const size = result.kind === "other-size" ? result.size : from;
  return { result, row: { ...row, size, failures }, waitSeconds };
}

/** Describes what the log lacks, if its latest tree has fewer entries than the witness has seen. */
async function findLost(db: DataDb, { key }: Witness, seen: number): Promise<string | undefined> {
  const size = (await findHead(db))?.size ?? 0;
  if (size >= seen) return undefined;
  return `The log has ${size} entries, but the witness ${key.name} has seen ${seen}.`;
}

/**
 * Asks the witnesses whether they have seen entries that a tree lacks, after the database may have lost some. One answer
 * confirms; without witnesses nobody contradicts. Never throws.
 */
export async function confirmTree(
  { db, witnesses }: Pick<WitnessesOptions, "db" | "witnesses">,
  head: HeadRow,
  signal: AbortSignal,
): Promise<TreeConfirmation> {
  const confirmations = await Promise.all(
    witnesses.map(async (witness): Promise<TreeConfirmation> => {
      // Unless it is new, a witness responds with the size that it has seen.
      let result = await requestCosignature(db, witness, { head, from: 0, signal });
      if (result.kind === "other-size" && result.size <= head.size)
        result = await requestCosignature(db, witness, { head, from: result.size, signal });
      const lost =
        result.kind === "other-size" ? await findLost(db, witness, result.size) : undefined;
      if (lost !== undefined) return { kind: "contradicted", reason: lost };
      if (result.kind === "contradicted")
        return {
          kind: "contradicted",
          reason: `The witness ${witness.key.name} has seen a log that this one does not extend.`,
        };
      return { kind: result.kind === "cosigned" ? "confirmed" : "unknown" };
    }),
  );
  const find = (kind: TreeConfirmation["kind"]) => confirmations.find((one) => one.kind === kind);
  return (
    find("contradicted") ??
    find("confirmed") ?? { kind: witnesses.length > 0 ? "unknown" : "confirmed" }
  );
}
