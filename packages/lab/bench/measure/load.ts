import { type Outcome, openConnection } from "./connection.ts";
import type { RequestSource } from "./requests.ts";

/** One kind of request, sent again and again over a number of connections. */
export interface Scenario {
  title: string;
  url: string;
  /** Makes the next request, whole. */
  next: RequestSource;
  /** The expected status of every response. */
  status: number;
  connections: number;
}

export interface Measure {
  scenario: Scenario;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers of another status, and requests without an answer; those of warming up too. */
  failures: number;
  /** The first of them, in words. */
  failure?: string;
  /** Answers as expected, those of warming up and those after the end too. */
  answered: number;
  /** Processor time of the load itself per request, in µs. */
  loadMicroseconds: number;
}

const WARMUP_SECONDS = 1;
const DRAIN_TIMEOUT_MS = 60_000;

/** Sends `scenario` for `warmupSeconds` without looking, then for `seconds` with. */
export async function measure(
  scenario: Scenario,
  seconds: number,
  warmupSeconds = WARMUP_SECONDS,
): Promise<Measure> {
  const warmup = warmupSeconds > 0 ? await run(scenario, warmupSeconds) : undefined;
  const measured = await run(scenario, seconds);
  const failure = warmup?.failure ?? measured.failure;
  return {
    ...measured,
    failures: measured.failures + (warmup?.failures ?? 0),
    answered: measured.answered + (warmup?.answered ?? 0),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** Rates count what was answered within the time; every request that was sent is waited for. */
async function run(scenario: Scenario, seconds: number): Promise<Measure> {
  const { next, status: expected } = scenario;
  const times: number[] = [];
  const failed = { count: 0, first: undefined as string | undefined };
  let answeredInTime = 0;
  const address = new URL(scenario.url);
  const connections = await Promise.all(
    Array.from({ length: scenario.connections }, () => openConnection(address)),
  );
  const cpuBefore = process.cpuUsage();
  const endsAt = performance.now() + seconds * 1_000;
  const drained = Promise.withResolvers<void>();
  let open = connections.length;
  for (const connection of connections) {
    let sentAt = performance.now();
    const take = ({ status, text }: Outcome): void => {
      const now = performance.now();
      if (status === expected) {
        times.push(now - sentAt);
        if (now < endsAt) answeredInTime++;
      } else {
        failed.count++;
        failed.first ??= `${status}: ${text().slice(0, 1_000)}`;
      }
      // A connection that is gone stays gone: the run has failed.
      if (now >= endsAt || status === 0) {
        if (--open === 0) drained.resolve();
        return;
      }
      sentAt = now;
      connection.send(next(), take);
    };
    connection.send(next(), take);
  }
  const timer = setTimeout(() => drained.resolve(), seconds * 1_000 + DRAIN_TIMEOUT_MS);
  await drained.promise;
  clearTimeout(timer);
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection[Symbol.dispose]();
  const sorted = Float64Array.from(times).toSorted();
  return {
    scenario,
    requestsPerSecond: answeredInTime / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    failures: failed.count + open,
    answered: times.length,
    loadMicroseconds: (user + system) / times.length,
    ...(failed.first === undefined ? {} : { failure: failed.first }),
  };
}

/** Nearest rank of a sorted list; NaN of an empty one. */
function percentile(sorted: Float64Array, part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
