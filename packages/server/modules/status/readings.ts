import { setTimeout as delay } from "node:timers/promises";
import type { Reading, ReadingValue } from "../../platform/telemetry/reading.ts";
import { version } from "../../platform/version.ts";
import type { MailCounts, StatusApp } from "./ports.ts";
import { type LogStatus, readLog } from "./log-store.ts";
import { type WorkStatus, readWork } from "./store.ts";
import { readDisk, toLogLagSeconds, toWebhookLagSeconds } from "./status.ts";

/** Age at which a scrape reads the database again. */
const FRESH_MS = 1_000;
/** Timeout of the database in a scrape. */
const TIMEOUT_MS = 2_000;

type ReadingsApp = Pick<StatusApp, "db" | "buckets" | "config" | "now"> & {
  mailCounts: Readonly<MailCounts>;
};

/** The metrics of the installation. Those of the database are the same on each node. */
export function createReadings(app: ReadingsApp): readonly Reading[] {
  const { config, mailCounts, now } = app;
  const read = shareReads(() => readWork(app.db));
  const fromWork = (toValue: (work: WorkStatus) => ReadingValue) => async () => {
    const work = await read();
    return work && toValue(work);
  };
  const readOfLog = shareReads(() => readLog(app.buckets));
  const fromLog = (toValue: (log: LogStatus) => ReadingValue) => async () => {
    const log = await readOfLog();
    return log && toValue(log);
  };
  const ofNode: Reading[] = [
    {
      name: "avow_mails_sent_total",
      help: "Mails that this node handed over.",
      kind: "counter",
      read: () => mailCounts.sent,
    },
    {
      name: "avow_mails_failed_total",
      help: "Mails of this node that failed for good, after their last retry.",
      kind: "counter",
      read: () => mailCounts.failed,
    },
  ];
  const ofInstallation: Reading[] = [
    {
      name: "avow_build_info",
      help: "The version of the service.",
      label: "version",
      read: () => new Map([[version, 1]]),
    },
    {
      name: "avow_database_up",
      help: "Whether the database responds; with several, whether all do.",
      read: async () => {
        const [work, log] = [await read(), await readOfLog()];
        return work && log?.unavailableBuckets.length === 0 ? 1 : 0;
      },
    },
    {
      name: "avow_log_entries",
      help: "Entries of the transparency log.",
      read: fromLog((log) => log.entries),
    },
    {
      name: "avow_log_queued_consents",
      help: "Consents that wait for their entry in the log, counted up to 100,000.",
      read: fromLog((log) => log.queued),
    },
    {
      name: "avow_log_lag_seconds",
      help: "Time for which consents have waited for their entry in the log.",
      read: fromLog((log) => toLogLagSeconds(log, now())),
    },
    {
      name: "avow_webhook_pending_deliveries",
      help: "Webhook deliveries that wait to be sent or retried.",
      read: fromWork(({ webhooks }) => webhooks.pending),
    },
    {
      name: "avow_webhook_failing_endpoints",
      help: "Webhooks whose receiver failed in the last batch.",
      read: fromWork(({ webhooks }) => webhooks.failing),
    },
    {
      name: "avow_webhook_lag_seconds",
      help: "Time by which the first webhook delivery that is due is late.",
      read: fromWork((work) => toWebhookLagSeconds(work, now())),
    },
    {
      name: "avow_jobs_waiting",
      help: "Jobs that wait to be run or retried, by queue; mails are a queue.",
      label: "queue",
      read: fromWork(({ queues }) => new Map(queues.map(({ name, waiting }) => [name, waiting]))),
    },
    {
      name: "avow_jobs_active",
      help: "Jobs that run, by queue.",
      label: "queue",
      read: fromWork(({ queues }) => new Map(queues.map(({ name, active }) => [name, active]))),
    },
    {
      name: "avow_disk_free_bytes",
      help: "Free space of the disk of DATA_DIR.",
      read: async () => (await readDisk(config))?.freeBytes,
    },
    {
      name: "avow_disk_reserve_bytes",
      help: "DISK_RESERVE_BYTES, below which writes are rejected.",
      read: () => config.diskReserveBytes,
    },
    {
      name: "avow_backup_timestamp_seconds",
      help: "Time of the data in the last complete backup; missing if there is none.",
      read: fromWork(({ backup }) => backup && backup.createdAt.getTime() / 1_000),
    },
    {
      name: "avow_backup_size_bytes",
      help: "Size of the last complete backup; missing if there is none.",
      read: fromWork(({ backup }) => backup?.sizeBytes),
    },
  ];
  return [...ofNode, ...ofInstallation.map((reading) => ({ ...reading, merge: "one" as const }))];
}

/** Shares one read among the metrics of a scrape. Undefined if it fails or takes too long. */
function shareReads<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let current: Promise<T | undefined> | undefined;
  let startedMs = -Infinity;
  return () => {
    if (current && performance.now() - startedMs < FRESH_MS) return current;
    startedMs = performance.now();
    const late = delay(TIMEOUT_MS, undefined, { ref: false });
    current = Promise.race([read().catch(() => undefined), late]);
    return current;
  };
}
