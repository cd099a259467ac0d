import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { StartError } from "../../../platform/start-error.ts";
import { toBackOffSeconds } from "./asking.ts";
import { parseWitnessKey } from "./cosignature.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import { type HeadRow, findHead } from "../log/store.ts";
import { type Asked, type Witness, askWitness } from "./witness-request.ts";
import {
  type WitnessRow,
  claimWitnesses,
  findWitnessed,
  insertCosignatures,
  updateWitness,
} from "../log/cosignatures-store.ts";

/** Longer than asking twice may take. */
const LEASE_SECONDS = 30;
/** A witness is not asked more often. */
const PAUSE_SECONDS = 1;

export interface WitnessesOptions {
  intervals: Intervals;
  db: Db;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  witnesses: readonly Witness[];
}

/**
 * Reads the setting EVIDENCE_WITNESSES: an address and a verifier key for each.
 * @throws StartError for a key that is none, or two of one witness
 */
export function toWitnesses(given: readonly { url: string; key: string }[]): Witness[] {
  try {
    const witnesses = given.map(({ url, key }) => ({ url, key: parseWitnessKey(key) }));
    const keys = new Set(witnesses.map(({ key }) => key.verifier.split("+").slice(2).join("+")));
    if (keys.size < witnesses.length) throw new Error("Two witnesses have one key.");
    return witnesses;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`EVIDENCE_WITNESSES: ${reason}`, { cause: error });
  }
}

/**
 * Opens the background work that shows each new tree to the witnesses and keeps their cosignatures. The
 * log does not wait for it: a witness that is away, slow or wrong is asked again later, at most every
 * five minutes. Nodes share who asks. Disposed, it gives up what it is at.
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
    onError: (error) => options.log.error({ err: error }, "the log's witnesses were not asked"),
  });
}

/** Asks those who have not cosigned the last tree and may be asked; keeps what they say at once. */
async function askRound(options: WitnessesOptions, signal: AbortSignal): Promise<void> {
  const { db, witnesses } = options;
  const head = await findHead(db);
  // Of an empty log nothing can be claimed.
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
  const cosigned = results.flatMap(({ row: { verifier }, asked }) =>
    asked.kind === "cosigned" ? [{ verifier, line: asked.line }] : [],
  );
  await inTransaction(db, async (tx) => {
    if (cosigned.length > 0) await insertCosignatures(tx, head, cosigned);
    for (const { row, waitSeconds } of results) await updateWitness(tx, row, waitSeconds);
  });
}

interface Result {
  asked: Asked;
  row: WitnessRow;
  waitSeconds: number;
}

async function ask(
  { db, log }: WitnessesOptions,
  of: { witness: Witness; row: WitnessRow; head: HeadRow; signal: AbortSignal },
): Promise<Result> {
  const { witness, row, head, signal } = of;
  const { name } = witness.key;
  let from = Math.min(row.size, head.size);
  let asked = await askWitness(db, witness, { head, from, signal });
  if (asked.kind === "other-size" && asked.size <= head.size) {
    from = asked.size;
    asked = await askWitness(db, witness, { head, from, signal });
  }
  if (asked.kind === "cosigned") {
    if (row.failures > 0) log.info({ witness: name }, "a witness of the log cosigns again");
    return { asked, row: { ...row, size: head.size, failures: 0 }, waitSeconds: PAUSE_SECONDS };
  }
  if (signal.aborted) return { asked, row, waitSeconds: 0 };
  const failures = row.failures + 1;
  const waitSeconds = toBackOffSeconds(failures);
  const reason =
    asked.kind === "failed"
      ? asked.reason
      : `it has seen ${asked.size} entries, and the log has ${head.size}: was a backup restored?`;
  log.warn({ witness: name, reason, failures, waitSeconds }, "a witness did not cosign the log");
  const size = asked.kind === "other-size" ? asked.size : from;
  return { asked, row: { ...row, size, failures }, waitSeconds };
}
