import { type Outcome, openConnection } from "./connection.ts";
import type { RequestSource } from "./requests.ts";

/** One kind of request, sent repeatedly over a number of connections. */
export interface Scenario {
  title: string;
  url: string;
  /** Creates the next complete request. */
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
  /** Responses with another status, and requests without a response, including the warm-up. */
  failures: number;
  /** A description of the first failure. */
  failure?: string;
  /** Expected responses, including those of the warm-up and after the end. */
  answered: number;
  /** Processor time of the load per request, in µs. */
  loadMicroseconds: number;
}

const WARMUP_SECONDS = 1;
const DRAIN_TIMEOUT_MS = 60_000;

/** Sends `scenario` for `warmupSeconds` without measuring, then for `seconds` with measuring. */
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

/** Rates count responses within the time; all sent requests are awaited. */
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
      // A lost connection is not reopened, because the run has failed.
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

/** The percentile of a sorted list by nearest rank; NaN if the list is empty. */
function percentile(sorted: Float64Array, part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
