import { readFile } from "node:fs/promises";
import { ask } from "./database.ts";

/** Unit of the kernel's processor times (USER_HZ), on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Processor time of these processes in seconds; exited processes are omitted. */
export async function readProcessorSeconds(pids: readonly number[]): Promise<Map<number, number>> {
  const found = await Promise.all(
    pids.map(async (pid): Promise<[number, number]> => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      // utime and stime are the 12th and 13th fields after the name, which may contain any characters.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [pid, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND];
    }),
  );
  return new Map(found.filter(([, seconds]) => Number.isFinite(seconds)));
}

/** Processor time of processes since `before`. */
export function secondsSince(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

/** The PostgreSQL processes of a database. */
export async function listBackends(databaseUrl: string): Promise<number[]> {
  const rows = await ask<{ pid: number }>(
    databaseUrl,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  return rows.map(({ pid }) => pid);
}
