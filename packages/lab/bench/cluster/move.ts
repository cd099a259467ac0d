import { setTimeout as delay } from "node:timers/promises";
import { ask } from "../measure/database.ts";
import { toMs } from "../measure/report.ts";
import { countQueued, countStored } from "./counts.ts";
import { offer } from "./offer.ts";
import type { Party } from "./party.ts";

const BUCKET = "avow_b1";
const MOVES = 3;
const PAUSE_MS = 2_000;
const POLL_MS = 250;
/** The log takes consents within two seconds when the machine is idle. */
const LOG_TIMEOUT_MS = 60_000;

/**
 * Moves a bucket between two workers while consents arrive; prints what became of them and adds the ids of accepted ones to
 * `accepted`, which has all accepted before. Returns whether a consent failed, was lost or stored twice.
 */
export async function measureMoves(
  party: Party,
  given: { rate: number; projects: number; accepted: string[] },
): Promise<boolean> {
  const { rate, projects } = given;
  const { plane } = party;
  await using avow = await party.open();
  const ended = new AbortController();
  const next = party.createSource(avow.url, projects);
  const offering = offer({ address: new URL(avow.url), next, rate, until: ended.signal });
  const moves: string[] = [];
  try {
    for (let move = 1; move <= MOVES; move += 1) {
      await delay(PAUSE_MS);
      process.stderr.write(`  move ${move} of ${MOVES} …\n`);
      moves.push(await moveBucket(plane.url));
    }
    await delay(PAUSE_MS);
  } finally {
    ended.abort();
    await offering;
  }
  const { accepted, retries, failures, failure, waitsMs, seconds } = await offering;
  await waitForLog(plane.url);
  const storedBefore = given.accepted.length;
  given.accepted.push(...accepted);
  const { stored, lost, twice } = await countStored(plane.url, given.accepted);
  const counts = {
    accepted: accepted.length,
    stored: stored - storedBefore,
    lost,
    twice,
    retries,
    failures,
  };
  const shown = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString("en")} ${name}`,
  );
  const p99 = waitsMs[Math.floor(waitsMs.length * 0.99)] ?? Number.NaN;
  console.log(
    `\n  ${party.title}: ${BUCKET} moved ${MOVES} times (${moves.join(", ")}) while ${rate} consents/s arrived for ${seconds.toFixed(0)} s.`,
  );
  console.log(
    `  ${shown.join(", ")}; waits: p99 ${toMs(p99)} ms, longest ${toMs(waitsMs.at(-1) ?? Number.NaN)} ms; all are in the log.`,
  );
  if (failure !== undefined) console.log(`  The first refusal: ${failure}`);
  return lost + twice + failures > 0;
}

/** Waits until the log has all consents. Throws if it does not take them. */
async function waitForLog(url: string): Promise<void> {
  const deadline = performance.now() + LOG_TIMEOUT_MS;
  for (;;) {
    const queued = await countQueued(url);
    if (queued === 0) return;
    if (performance.now() > deadline)
      throw new Error(`${queued} consents do not get into the log.`);
    await delay(POLL_MS);
  }
}

/** Moves the bucket to another worker; returns the time that it took. */
async function moveBucket(url: string): Promise<string> {
  const [target] = await ask<{ host: string; port: number }>(
    url,
    `SELECT nodename AS host, nodeport AS port FROM pg_catalog.pg_dist_node n
    WHERE isactive AND noderole = 'primary' AND shouldhaveshards AND NOT EXISTS (
      SELECT FROM citus_shards s
      WHERE s.table_name = $1::regclass AND (s.nodename, s.nodeport) = (n.nodename, n.nodeport))
    ORDER BY nodeid LIMIT 1`,
    [`${BUCKET}.consents`],
  );
  if (!target) throw new Error("--move: the cluster needs two workers.");
  const startedAt = performance.now();
  // Not all tables have a replica identity; those of a queue get no updates.
  await ask(url, "SELECT citus_schema_move($1, $2, $3, 'force_logical')", [
    BUCKET,
    target.host,
    target.port,
  ]);
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
