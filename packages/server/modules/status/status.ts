import { readFreeBytes } from "@avow/postgres/free-bytes";
import type { Static } from "typebox";
import type { Config } from "../../config/config.ts";
import { readDatabaseFacts } from "../../platform/db/facts.ts";
import { compareMigrations, listMigrations } from "../../platform/db/migrations/migrate.ts";
import { version } from "../../platform/version.ts";
import type { StatusApp } from "./ports.ts";
import type { StatusOut } from "./schema.ts";
import { type LogStatus, QUEUED_COUNTED_MAX, readLog } from "./log-store.ts";
import { type WorkStatus, readWork } from "./store.ts";

const MAILS = "mails";

/** The state of the installation, as this node sees it. */
export async function getStatus(app: StatusApp): Promise<Static<typeof StatusOut>> {
  const { db, buckets, config, startedAt } = app;
  const [log, work, facts, disk, migrations, compared, mailCounts] = await Promise.all([
    readLog(buckets),
    readWork(db),
    Promise.all(app.databases.map(readDatabaseFacts)),
    readDisk(config),
    listMigrations(),
    Promise.all(app.databases.map(compareMigrations)),
    app.readMailCounts(),
  ]);
  const now = app.now();
  const { webhooks, queues, backup } = work;
  const mails = queues.find(({ name }) => name === MAILS);
  return {
    service: {
      version,
      node: process.versions.node,
      startedAt: startedAt.toISOString(),
      uptimeSeconds: toSeconds(now.getTime() - startedAt.getTime()),
    },
    database: {
      version: [...new Set(facts.map(({ version: one }) => one))].join(", "),
      sizeBytes: facts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      migration: migrations.at(-1)?.replace(/(?:\.bucket)?\.sql$/, "") ?? "",
      missingMigrations: Math.max(...compared.map(({ missing }) => missing.length)),
      unknownMigrations: Math.max(...compared.map(({ unknown }) => unknown.length)),
    },
    disk: disk ?? null,
    log: {
      entries: log.entries,
      signedAt: log.signedAt?.toISOString() ?? null,
      stoppedReason: log.stoppedReason,
      queued: log.queued,
      isQueuedCut: log.queued >= QUEUED_COUNTED_MAX,
      lagSeconds: toLogLagSeconds(log, now),
      unavailableBuckets: log.unavailableBuckets,
    },
    webhooks: {
      endpoints: webhooks.endpoints,
      failing: webhooks.failing,
      pending: webhooks.pending,
      lagSeconds: toWebhookLagSeconds(work, now),
    },
    queues: queues.filter(({ name }) => name !== MAILS && !name.startsWith("__")),
    mails: {
      driver: config.mail.smtp ? "smtp" : "folder",
      waiting: (mails?.waiting ?? 0) + (mails?.active ?? 0),
      ...mailCounts,
    },
    backup: backup
      ? {
          createdAt: backup.createdAt.toISOString(),
          endedAt: backup.endedAt.toISOString(),
          sizeBytes: backup.sizeBytes,
        }
      : null,
  };
}

/** Free space of the disk of DATA_DIR; undefined if the system does not say. */
export async function readDisk({
  dataDir,
  diskReserveBytes: reserveBytes,
}: Pick<Config, "dataDir" | "diskReserveBytes">): Promise<
  { freeBytes: number; reserveBytes: number } | undefined
> {
  try {
    return { freeBytes: await readFreeBytes(dataDir), reserveBytes };
  } catch {
    return undefined;
  }
}

/**
 * Time for which consents have waited for the log. It counts from the last signed tree if that is later than the oldest
 * consent: an imported one may be years old.
 */
export function toLogLagSeconds(log: LogStatus, now: Date): number {
  if (!log.oldestAt) return 0;
  const since = Math.max(log.oldestAt.getTime(), log.signedAt?.getTime() ?? 0);
  return toSeconds(now.getTime() - since);
}

/** Time by which the first delivery that is due is late. */
export function toWebhookLagSeconds({ webhooks }: Pick<WorkStatus, "webhooks">, now: Date): number {
  return webhooks.dueAt ? toSeconds(now.getTime() - webhooks.dueAt.getTime()) : 0;
}

/** Clocks of nodes differ, so a difference can be negative. */
function toSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 100) / 10);
}
