import { setTimeout as delay } from "node:timers/promises";
import { type Connection, type Outcome, openConnection } from "../measure/connection.ts";
import type { RequestSource } from "../measure/requests.ts";

const CONNECTIONS = 200;
const ACCEPTED = 201;
const RETRY_MS = 250;
/** A consent that is not accepted by then has failed. */
const PATIENCE_MS = 60_000;

/** The outcome of consents that were offered at a fixed rate. */
export interface OfferResult {
  offered: number;
  seconds: number;
  /** The ids of accepted consents. */
  accepted: readonly string[];
  /** Number accepted before the last was offered. */
  acceptedInTime: number;
  retries: number;
  /** Consents that were never accepted, and the first other response. */
  failures: number;
  failure: string | undefined;
  /** From when a consent was due until it was accepted, sorted. */
  waitsMs: Float64Array;
}

interface Consent {
  request: string;
  dueAt: number;
}

/**
 * Offers consents at a fixed rate until `until` is aborted, however slow the responses are, and waits for them all. One that
 * is not accepted is retried with its key.
 */
export async function offer(given: {
  address: URL;
  next: RequestSource;
  /** Consents per second. */
  rate: number;
  until: AbortSignal;
}): Promise<OfferResult> {
  const { address, next, rate, until } = given;
  const accepted: string[] = [];
  const waits: number[] = [];
  const waiting: Consent[] = [];
  const idle = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(address)),
  );
  const drained = Promise.withResolvers<void>();
  let [offered, settled, retries, failures, acceptedInTime] = [0, 0, 0, 0, 0];
  let isOver = false;
  let failure: string | undefined;
  const settle = (): void => {
    settled += 1;
    if (isOver && settled === offered) drained.resolve();
  };
  const dispatch = (): void => {
    while (idle.length > 0 && waiting.length > 0) {
      const [connection, consent] = [idle.pop(), waiting.shift()];
      if (connection && consent)
        connection.send(consent.request, (outcome) => take(connection, consent, outcome));
    }
  };
  const take = (connection: Connection, consent: Consent, outcome: Outcome): void => {
    const waitedMs = performance.now() - consent.dueAt;
    const id = findId(outcome);
    if (id !== undefined) {
      accepted.push(id);
      waits.push(waitedMs);
      if (!isOver) acceptedInTime += 1;
    } else failure ??= `${outcome.status}: ${outcome.text().slice(0, 1_000)}`;
    if (outcome.status === 0) void openConnection(address).then(putBack, () => undefined);
    else putBack(connection);
    if (id !== undefined) settle();
    else if (outcome.status === ACCEPTED || waitedMs > PATIENCE_MS) {
      failures += 1;
      settle();
    } else {
      retries += 1;
      setTimeout(() => {
        waiting.push(consent);
        dispatch();
      }, RETRY_MS);
    }
  };
  const putBack = (connection: Connection): void => {
    idle.push(connection);
    dispatch();
  };
  const startedAt = performance.now();
  while (!until.aborted) {
    const dueAt = startedAt + (offered * 1_000) / rate;
    const aheadMs = dueAt - performance.now();
    if (aheadMs > 0) await delay(aheadMs, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) break;
    offered += 1;
    waiting.push({ request: next(), dueAt });
    dispatch();
  }
  isOver = true;
  const seconds = (performance.now() - startedAt) / 1_000;
  if (settled === offered) drained.resolve();
  const timer = setTimeout(() => drained.resolve(), 2 * PATIENCE_MS);
  await drained.promise;
  clearTimeout(timer);
  for (const connection of idle) connection[Symbol.dispose]();
  failures += offered - settled;
  const waitsMs = Float64Array.from(waits).toSorted();
  return { offered, seconds, accepted, acceptedInTime, retries, failures, failure, waitsMs };
}

/** The id of the consent in a response; undefined if it was not accepted. */
function findId({ status, text }: Outcome): string | undefined {
  return status === ACCEPTED ? /"consentId":"([0-9a-f-]{36})"/.exec(text())?.[1] : undefined;
}
