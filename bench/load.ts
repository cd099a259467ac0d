import autocannon from "autocannon";

/** One kind of request, sent again and again over a number of connections. */
export interface Scenario {
  title: string;
  url: string;
  method: "GET" | "POST";
  token?: string;
  /** Sent as JSON. */
  json?: unknown;
  connections: number;
}

export interface Measure {
  scenario: Scenario;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers of another status than 2xx, and requests without an answer. */
  failures: number;
}

const WARMUP_SECONDS = 1;

/** Sends `scenario` for a second without looking, then for `seconds` with. */
export async function measure(scenario: Scenario, seconds: number): Promise<Measure> {
  await run(scenario, WARMUP_SECONDS);
  return run(scenario, seconds);
}

/** Times are taken from each answer: autocannon's own summary is in whole milliseconds. */
async function run(scenario: Scenario, seconds: number): Promise<Measure> {
  const { url, method, token, json, connections } = scenario;
  const times: number[] = [];
  const startedAt = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        method,
        connections,
        duration: seconds,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      },
      (error: Error | null, done) => (error ? reject(error) : resolve(done)),
    );
    instance.on("response", (_client, _status, _bytes, ms) => times.push(ms));
  });
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  return {
    scenario,
    requestsPerSecond: times.length / elapsedSeconds,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

/** Nearest rank of a sorted list; NaN of an empty one. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
