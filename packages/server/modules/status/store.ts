import { sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";
import { type LastBackup, findLastBackup } from "../../platform/db/backups.ts";

/** A queue of jobs; its counts are at most five seconds old. */
interface JobQueue {
  name: string;
  waiting: number;
  active: number;
}

/** The work that waits in the control plane, and the last backup. */
export interface WorkStatus {
  webhooks: {
    endpoints: number;
    /** Endpoints whose last batch failed. */
    failing: number;
    pending: number;
    /** When the first delivery that waits was due; in the future for a retry. */
    dueAt: Date | null;
  };
  queues: JobQueue[];
  backup: LastBackup | undefined;
}

interface Row {
  endpoints: string;
  failing: string;
  pending: string;
  dueAt: Date | null;
  queues: JobQueue[] | null;
}

export async function readWork(db: Db): Promise<WorkStatus> {
  const { rows } = await sql<Row>`
    SELECT w.*, (
      SELECT json_agg(json_build_object('name', name, 'waiting', queued_count, 'active', active_count) ORDER BY name)
      FROM pgboss.queue
    ) AS queues
    FROM (
      SELECT count(*) AS endpoints, count(*) FILTER (WHERE enabled AND failures > 0) AS failing,
        coalesce(sum(pending), 0) AS pending, min(due_at) FILTER (WHERE enabled) AS "dueAt"
      FROM webhooks
    ) w`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the database returned no status");
  const { endpoints, failing, pending, dueAt, queues } = row;
  return {
    webhooks: {
      endpoints: Number(endpoints),
      failing: Number(failing),
      pending: Number(pending),
      dueAt,
    },
    queues: queues ?? [],
    backup: await findLastBackup(db),
  };
}
