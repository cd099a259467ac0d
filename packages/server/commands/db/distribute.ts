import type { Config } from "../../config/config.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "@avow/cli/progress";
import type { Logger } from "pino";
import { countWorkers } from "../../platform/db/buckets/citus.ts";
import { type BucketName, createBucket } from "../../platform/db/buckets/create-bucket.ts";
import {
  HOME,
  insertBucket,
  listBucketRows,
  openOtherBuckets,
} from "../../platform/db/buckets/directory-store.ts";
import { countNodes } from "../../platform/db/buckets/nodes-store.ts";
import type { DataDb } from "../../platform/db/db.ts";
import { StartError } from "../../platform/start-error.ts";

const BUCKETS_PER_WORKER = 4;
/** Nodes look for new buckets every few seconds; those that do not count as ended before this. */
const WAIT_MS_MAX = 120_000;
const POLL_MS = 500;

/** The data plane that a command works on. */
export interface DataPlane {
  /** A connection without a timeout, to the home bucket. */
  home: DataDb;
  url: string;
  config: Pick<Config, "statisticsPages">;
  log: Logger;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Creates buckets up to `count`, then places new projects in them. Every node must know a bucket before a project is
 * placed in it: a node that does not would continue to write to `public`.
 */
export async function distribute(
  { home, progress, signal }: DataPlane,
  count: number | undefined,
): Promise<void> {
  const workers = await countWorkers(home);
  const wanted = count ?? BUCKETS_PER_WORKER * Math.max(1, workers);
  for (let number = 1; number <= wanted; number += 1) {
    signal.throwIfAborted();
    const name: BucketName = `avow_b${number}`;
    progress.show({ title: "Creating buckets", done: number - 1, total: wanted, unit: "records" });
    await createBucket(home, name);
    await insertBucket(home, name);
  }
  const rows = await listBucketRows(home);
  if (count !== undefined && rows.length - 1 > count)
    progress.say(`There are ${rows.length - 1} buckets already. None is removed.`);
  const isNew = rows.some(({ name, takesProjects }) => name !== HOME && !takesProjects);
  if (isNew) {
    progress.say(`${rows.length - 1} buckets exist. Waiting until all nodes know them …`);
    await waitForNodes(home, rows.length, signal);
  }
  await openOtherBuckets(home);
  progress.clear();
  const where = { 0: "in this database", 1: "on 1 worker" }[workers] ?? `on ${workers} workers`;
  const buckets = rows.length === 2 ? "1 bucket" : `${rows.length - 1} buckets`;
  console.log(`New projects are placed in ${buckets} ${where}.`);
}

/** Waits until each node that runs has confirmed that it knows `count` buckets. */
async function waitForNodes(home: DataDb, count: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const behind = await countNodes(home, count);
    if (behind === 0) return;
    if (performance.now() > until)
      throw new StartError(
        `${behind} processes of the service do not open the new buckets. No project is placed there. See the logs of all nodes, and run this command again.`,
      );
    await delay(POLL_MS, undefined, { signal });
  }
}
