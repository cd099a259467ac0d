import type { FastifyBaseLogger } from "fastify";
import { tryEachBucket } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../../platform/db/db.ts";
import { deleteConsentKeys } from "./idempotency-keys-store.ts";
import { deleteExpiredProposals } from "../erase/proposals-store.ts";
import { deleteDeclinedBefore } from "../erase/requests-store.ts";
import { deleteExpiredLinks } from "../links/links-store.ts";
import type { ConsentsPorts } from "../ports.ts";
import { createMonthPartitions } from "../records/months-store.ts";
import { deleteCountsBefore } from "../stats/recount-store.ts";
import { analyzeTables } from "../statistics-store.ts";

/** Month tables are created this far ahead, so that missed housekeeping runs do no harm. */
const AHEAD_MS = 40 * 86_400_000;

/** Retention period of counts: three years, to compare full years. */
const COUNTS_KEPT_MS = 3 * 366 * 86_400_000;
/** Retention period of requests for erasure that the project declined. */
const DECLINED_KEPT_MS = 366 * 86_400_000;

type HousekeepingPorts = Pick<ConsentsPorts, "buckets" | "now"> & {
  log: Pick<FastifyBaseLogger, "error">;
};

/** Prepares collection. The periodic job does so, too, for buckets that are unavailable now. */
export async function startConsents(ports: HousekeepingPorts): Promise<void> {
  await tryEachBucket(ports, (data) => prepareCollection(data, ports.now()));
}

/** Creates partitions, and restores planner statistics that a crash lost. */
async function prepareCollection(data: DataDb, today: Date): Promise<void> {
  await createMonthPartitions(data, today, new Date(today.getTime() + AHEAD_MS));
  await analyzeTables(data);
}

/** The periodic job: also deletes expired keys, links, declined requests, proposals and counts. */
export async function runConsentHousekeeping(ports: HousekeepingPorts): Promise<void> {
  const now = ports.now();
  await tryEachBucket(ports, async (data) => {
    await prepareCollection(data, now);
    await deleteConsentKeys(data, now);
    await deleteExpiredLinks(data, now);
    await deleteDeclinedBefore(data, new Date(now.getTime() - DECLINED_KEPT_MS));
    await deleteExpiredProposals(data, now);
    await deleteCountsBefore(data, new Date(now.getTime() - COUNTS_KEPT_MS));
  });
}
