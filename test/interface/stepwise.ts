import assert from "node:assert/strict";
import { pino } from "pino";
import { findApprovals } from "../../packages/server/modules/reviews/approvals/counting.ts";
import type { Publishing } from "../../packages/server/modules/publish/publications/publishing.ts";
import { toPendingSteps } from "../../packages/server/modules/publish/publications/steps.ts";
import { findJob, insertJob } from "../../packages/server/modules/publish/publications/store.ts";
import { toWidgetFiles } from "../../packages/server/modules/publish/publications/widget-files.ts";
import { readBrowserFiles } from "../../packages/server/platform/browser-files.ts";
import { toPlans } from "../../packages/server/modules/billing/plans.ts";
import { openRecordCdn } from "../../packages/server/platform/cdn/record.ts";
import { inTransaction } from "../../packages/server/platform/db/transaction.ts";
import { newDocumentId } from "../../packages/server/kernel/ids.ts";
import { openMemoryObjects } from "../../packages/server/platform/objects/memory.ts";
import { createManualPayments } from "../../packages/server/platform/payments/manual.ts";
import { openTestRenders } from "../assets/renders.ts";
import { service } from "../harness.ts";

/** The context of a job's attempt that is not the last. */
export const first = { isLast: false };
export const last = { isLast: true };
const log = pino({ level: "silent" });

const testRenders = await openTestRenders(openMemoryObjects());

/** The widget that publications include. */
export const widget = await toWidgetFiles(await readBrowserFiles("widget"), service.config);

/** Publishing with files in memory, on the shared database, without a queue: steps are run by hand. */
export function openPublishing(change: Partial<Publishing> = {}): Publishing {
  const { db, buckets, config, clock } = service;
  const unused = () => Promise.reject(new Error("no queue in this test"));
  return {
    db,
    buckets,
    config,
    now: clock.now,
    log,
    objects: openMemoryObjects(),
    ...testRenders,
    cdn: openRecordCdn({ log, now: clock.now }),
    payments: createManualPayments(db),
    plans: toPlans(config),
    widget,
    findApprovals,
    jobs: {
      // The step itself does what its job would repeat.
      sendJob: async () => undefined,
      workQueue: unused,
      scheduleJob: unused,
      [Symbol.asyncDispose]: async () => undefined,
    },
    ...change,
  };
}

/** A job outside the queue, so that the service's own worker does not run it. */
export async function newJob(projectId: string): Promise<string> {
  const now = service.clock.now();
  const id = newDocumentId(now);
  await inTransaction(service.db, (tx) =>
    insertJob(tx, {
      id,
      project_id: projectId,
      environment: "production",
      rollback_of: null,
      status: "Pending",
      step: "bundle",
      steps: toPendingSteps(),
      forced: false,
      force_reason: null,
      skips_approval: false,
      publish_at: null,
      selection: undefined,
      strict: false,
      created_at: now,
      created_by: "test",
      updated_at: now,
    }),
  );
  return id;
}

export async function getJob(id: string) {
  const job = await findJob(service.db, id);
  assert.ok(job);
  return job;
}
